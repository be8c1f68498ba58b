"""Google Sheets against a server that speaks its protocol."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal

import pytest
import pytest_asyncio

from remit.contract import Reason, Secret
from remit.records import plain_name
from remit.sheets import Appended, GoogleSheets, Plain, SheetError
from remit.sheets._google import HOST_VARIABLE, TOKEN_VARIABLE
from remit.sheets._google_cells import needs_apostrophe
from tests.sheets.test_active_text import ACTIVE
from tests.sites.google_sheets import SPREADSHEET, TOKEN, GSheet, Json, SheetsServer, Trouble, serving

FIELDS = ("Number", "Date", "Amount")
NEW: list[list[Plain]] = [["INV-9", date(2026, 9, 1), Decimal("9.5")], ["=1+1", None, -3]]


@pytest.fixture
def server() -> Iterator[SheetsServer]:
    with serving() as running:
        yield running


@pytest_asyncio.fixture
async def google(server: SheetsServer) -> AsyncIterator[GoogleSheets]:
    async with GoogleSheets(Secret(TOKEN), server.url, timeout_s=5) as client:
        yield client


async def append(
    google: GoogleSheets,
    rows: Sequence[Sequence[Plain]] = NEW,
    fields: Sequence[str] = FIELDS,
    chosen: Mapping[str, str] | None = None,
    sheet: str | None = None,
) -> Appended:
    return await google.append(SPREADSHEET, fields, rows, chosen or {}, plain_name, sheet)


def invoices(server: SheetsServer) -> GSheet:
    sheet = server.sheets[0]
    sheet.put([["Our invoices"], [], ["number", "Date", "Amount"], ["INV-1", "2026-01-01", 1.5]])
    return sheet


async def test_rows_go_under_the_last_row_of_the_block(server: SheetsServer, google: GoogleSheets) -> None:
    sheet = invoices(server)
    told = await append(google)
    assert sheet.rows()[4:] == [["INV-9", 46266.0, 9.5], ["=1+1", "", -3]]
    assert [sheet.grid[4, at].kind for at in range(3)] == ["text", "date", "number"]
    assert sheet.grid[5, 0].kind == "text"
    assert (told.first_row, told.receipt.rows, told.receipt.cells_protected) == (5, 2, 1)
    assert server.writes == 1


async def test_rows_go_above_a_totals_row(server: SheetsServer, google: GoogleSheets) -> None:
    sheet = invoices(server)
    sheet.put([["Total", "", "=SUM(C4:C4)"]], top=4)
    await append(google)
    assert sheet.grid[6, 2].value == "=SUM(C4:C6)"
    assert [row[0] for row in sheet.rows()[3:]] == ["INV-1", "INV-9", "=1+1", "Total"]
    assert [sheet.grid[4, 1].kind, sheet.grid[5, 0].kind] == ["date", "text"]
    assert server.writes == 1


async def test_rows_that_another_wrote_meanwhile_are_not_written_over(
    server: SheetsServer, google: GoogleSheets
) -> None:
    sheet = invoices(server)
    google._before_writing = lambda: sheet.put([["INV-2", "2026-01-02", 2]], top=4)
    assert (await append(google)).first_row == 6
    assert [row[0] for row in sheet.rows()[3:]] == ["INV-1", "INV-2", "INV-9", "=1+1"]


async def test_a_note_far_off_does_not_move_the_end(server: SheetsServer, google: GoogleSheets) -> None:
    sheet = invoices(server)
    sheet.put([["a note"]], top=11, left=6)
    assert (await append(google)).first_row == 5
    assert sheet.grid[11, 6].value == "a note"


@pytest.mark.parametrize("text", ACTIVE)
async def test_active_text_stays_text(server: SheetsServer, google: GoogleSheets, text: str) -> None:
    sheet = invoices(server)
    told = await append(google, [[text, None, None]])
    assert (sheet.grid[4, 0].value, sheet.grid[4, 0].kind) == (text, "text")
    assert told.receipt.cells_protected == 1


@pytest.mark.parametrize(
    "text", ["00123", "12345678901234567890", "1E5", "MAR1", "3.350", "1.2.2026", "TRUE", "'quoted"]
)
async def test_what_would_be_read_as_something_else_stays_text(
    server: SheetsServer, google: GoogleSheets, text: str
) -> None:
    sheet = invoices(server)
    await append(google, [[text, None, None]])
    assert (sheet.grid[4, 0].value, sheet.grid[4, 0].kind) == (text, "text")


@pytest.mark.parametrize("text", ["-5.00", "-1.234,56", "-1e-7", "-", "2026", "plain text", "a=b"])
def test_pure_numbers_and_plain_text_get_no_apostrophe(text: str) -> None:
    assert not needs_apostrophe(text)


async def test_a_new_sheet_is_one_request(server: SheetsServer, google: GoogleSheets) -> None:
    rows: list[list[Plain]] = [["=1+1", datetime(2026, 9, 1, 12), True]]
    told = await google.create(SPREADSHEET, "Records", ["Number", "-x", "Paid"], rows)
    made = server.sheets[1]
    assert made.rows() == [["Number", "-x", "Paid"], ["=1+1", 46266.5, True]]
    assert [made.grid[1, at].kind for at in range(3)] == ["text", "date", "bool"]
    assert (told.first_row, told.receipt.texts, server.writes) == (2, 1, 1)


async def test_an_existing_sheet_is_not_made_again(server: SheetsServer, google: GoogleSheets) -> None:
    with pytest.raises(SheetError) as caught:
        await google.create(SPREADSHEET, "invoices", ["Number"], [])
    assert (caught.value.reason, server.writes) == (Reason.FILE_EXISTS, 0)


async def test_ambiguous_headings_are_left_out_or_refused(server: SheetsServer, google: GoogleSheets) -> None:
    server.sheets[0].put([["Number", "Date", "Date"]])
    assert (await append(google)).ambiguous == ("Date",)
    server.sheets[0].put([["Number", "Date", "Date"]], top=20)
    with pytest.raises(SheetError) as caught:
        await append(google)
    assert caught.value.reason is Reason.HEADINGS_AMBIGUOUS


async def test_sheets_are_told_apart_by_name(server: SheetsServer, google: GoogleSheets) -> None:
    invoices(server)
    server.sheets.append(GSheet(7, "It's two"))
    server.sheets[1].put([list(FIELDS)])
    assert await refusal(google) is Reason.HEADINGS_AMBIGUOUS
    await append(google, sheet="it's TWO")
    assert server.sheets[1].rows()[1][0] == "INV-9"
    assert await refusal(google, sheet="three") is Reason.SHEET_MISSING
    server.sheets[1].hidden = True
    assert (await append(google)).first_row == 5


async def refusal(google: GoogleSheets, sheet: str | None = None) -> Reason:
    with pytest.raises(SheetError) as caught:
        await append(google, sheet=sheet)
    return caught.value.reason


TROUBLES: list[tuple[Trouble, Reason]] = [
    (400, Reason.SERVICE_REFUSED),
    (401, Reason.SERVICE_TOKEN),
    (403, Reason.SERVICE_FORBIDDEN),
    (404, Reason.FILE_MISSING),
    (429, Reason.SERVICE_BUSY),
]
IN_READING: list[tuple[Trouble, Reason]] = [(503, Reason.SITE_ERROR), ("close", Reason.SITE_UNREACHABLE)]
IN_WRITING: list[tuple[Trouble, Reason]] = [(at, Reason.OUTCOME_UNKNOWN) for at in (500, "close", "close_after")]


@pytest.mark.parametrize(("trouble", "reason"), [*TROUBLES, *IN_READING])
async def test_trouble_in_reading_is_typed_and_nothing_is_written(
    server: SheetsServer, google: GoogleSheets, trouble: Trouble, reason: Reason
) -> None:
    invoices(server)
    server.read_troubles.append(trouble)
    assert (await refusal(google), server.writes) == (reason, 0)


@pytest.mark.parametrize(
    ("trouble", "reason"),
    [
        *TROUBLES,
        (500, Reason.OUTCOME_UNKNOWN),
        ("close", Reason.OUTCOME_UNKNOWN),
        ("close_after", Reason.OUTCOME_UNKNOWN),
    ],
)
async def test_a_request_that_writes_is_sent_once_whatever_comes_of_it(
    server: SheetsServer, google: GoogleSheets, trouble: Trouble, reason: Reason
) -> None:
    sheet = invoices(server)
    server.troubles.append(trouble)
    assert (await refusal(google), server.writes) == (reason, 1)
    assert len(sheet.rows()) == (6 if trouble == "close_after" else 4)


async def test_a_server_that_does_not_answer_leaves_the_outcome_unknown(server: SheetsServer) -> None:
    invoices(server)
    waiting = threading.Event()
    answer = server.answer

    def slow(method: str, target: str, body: Json, token: str) -> tuple[int, Json]:
        if method == "POST":
            waiting.wait(10)
        return answer(method, target, body, token)

    server.answer = slow  # type: ignore[method-assign]
    async with GoogleSheets(Secret(TOKEN), server.url, timeout_s=0.3) as google:
        assert await refusal(google) is Reason.OUTCOME_UNKNOWN
    waiting.set()


async def test_a_wrong_token_is_typed(server: SheetsServer) -> None:
    async with GoogleSheets(Secret("wrong"), server.url) as google:
        assert await refusal(google) is Reason.SERVICE_TOKEN


@pytest.mark.parametrize("spreadsheet", ["", "short", "../../x", "a/b/c/d/e/f/g/h"])
async def test_an_id_that_is_none_is_not_asked_for(
    server: SheetsServer, google: GoogleSheets, spreadsheet: str
) -> None:
    with pytest.raises(SheetError) as caught:
        await google.append(spreadsheet, FIELDS, NEW, {}, plain_name, None)
    assert (caught.value.reason, server.requests) == (Reason.FILE_NAME, [])


@pytest.mark.parametrize(
    "host",
    [
        "http://sheets.googleapis.com",
        "https://sheets.googleapis.com.evil.test",
        "http://10.0.0.1:80",
        "http://localhost.evil.test",
        "https://127.0.0.1",
        "http://user@127.0.0.1",
        "ftp://127.0.0.1",
    ],
)
def test_the_token_goes_to_google_or_this_machine_only(host: str) -> None:
    with pytest.raises(SheetError) as caught:
        GoogleSheets(Secret(TOKEN), host)
    assert caught.value.reason is Reason.NOT_ALLOWED


@pytest.mark.parametrize("token", ["", "  ", "two\nlines", "é"])
def test_without_a_token_nothing_is_asked(monkeypatch: pytest.MonkeyPatch, token: str) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, token)
    monkeypatch.setenv(HOST_VARIABLE, "http://127.0.0.1:1")
    with pytest.raises(SheetError) as caught:
        GoogleSheets.from_environment(lambda: None)
    assert caught.value.reason is Reason.SERVICE_TOKEN
