"""`write_spreadsheet` on datasets of its own, without a browser."""

from __future__ import annotations

import csv
import json
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import pytest_asyncio

from remit.contract import Registry, builtin_folder
from remit.records import Entry, FieldTyping
from remit.runs import Rooms, Runs
from remit.settings import Settings
from remit.sheets._google import HOST_VARIABLE, TOKEN_VARIABLE
from tests.sheets.test_active_text import ACTIVE
from tests.sites.google_sheets import SPREADSHEET, TOKEN, SheetsServer, serving

Json = dict[str, Any]
PUBLISHED = Registry((builtin_folder(),)).published
LARGEST_RESULT = 300 * 4
RUN, PRINCIPAL = "r_test", "test"


class Writer:
    """Calls the tool as the server does, on datasets made here."""

    def __init__(self, rooms: Rooms, folder: Path) -> None:
        self._rooms = rooms
        self.folder = folder
        rooms.journal.begin(RUN, "collect_sites", "", PRINCIPAL)

    def dataset(self, fields: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
        """A typed, finished dataset of these texts."""
        datasets = self._rooms.datasets
        dataset_id = datasets.create(RUN, fields)
        datasets.append(dataset_id, [Entry(tuple(row)) for row in rows])
        datasets.type_fields(dataset_id)
        datasets.finish(dataset_id, {"exported": len(rows), "complete": True})
        return dataset_id

    async def write(self, dataset_id: str, name: str, **more: object) -> Json:
        """The result, which is small and fits its schema."""
        item = PUBLISHED["write_spreadsheet"]
        given = item.executor.arguments_model.model_validate({"dataset_id": dataset_id, "name": name, **more})
        async with Runs(self._rooms) as runs:
            payload: Json = (await runs.call(item, given, PRINCIPAL)).payload()
        assert len(json.dumps(payload, separators=(",", ":"))) <= LARGEST_RESULT
        return payload

    def effects(self, run_id: str) -> list[tuple[str, str, str | None]]:
        """What the journal says of a run."""
        return self._rooms.journal.effects(run_id)

    def sheet(self, name: str, title: str = "Records") -> list[list[object]]:
        """The values in a workbook."""
        opened = openpyxl.load_workbook(self.folder / name)[title]
        return [[cell.value for cell in row] for row in opened.iter_rows()]

    def csv(self, name: str) -> list[list[str]]:
        """The rows of a CSV file."""
        with (self.folder / name).open(encoding="utf-8-sig", newline="") as file:
            return list(csv.reader(file))


@pytest_asyncio.fixture
async def writer(tmp_path: Path) -> AsyncIterator[Writer]:
    folder = tmp_path / "files"
    settings = Settings(
        data_dir=tmp_path / "data", vault_dir=tmp_path / "vault", files_dir=folder, vault_key="file", model="none"
    )
    async with Rooms(settings) as rooms:
        yield Writer(rooms, folder)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[SheetsServer]:
    with serving() as running:
        monkeypatch.setenv(TOKEN_VARIABLE, TOKEN)
        monkeypatch.setenv(HOST_VARIABLE, running.url)
        yield running


INVOICES = [["INV-1", "15/01/2026", "10.50"], ["INV-2", "16/01/2026", "1,234.00"]]
FIELDS = ("Number", "Date", "Amount")


@pytest.mark.parametrize("read", [Writer.sheet, Writer.csv])
async def test_active_text_never_becomes_a_formula(writer: Writer, read: Callable[..., list[list[Any]]]) -> None:
    name = "a.csv" if read is Writer.csv else "a.xlsx"
    told = await writer.write(writer.dataset(["Text"], [[text] for text in ACTIVE]), name)
    assert told["cells_protected"] == len(ACTIVE)
    expected = [f"'{text}" for text in ACTIVE] if name == "a.csv" else [text.replace("\r", "\n") for text in ACTIVE]
    assert [row[0] for row in read(writer, name)[1:]] == expected


@pytest.mark.parametrize("name", ["a.xlsx", "a.csv"])
async def test_negative_numbers_are_not_spoiled_and_telephone_numbers_stay_text(writer: Writer, name: str) -> None:
    rows = [["-5.00", "-1e-7", "+39 06 1234", "-"], ["-1.50", "x", "+39 06 5678", "-"]]
    told = await writer.write(writer.dataset(["Amount", "Odd", "Phone", "Dash"], rows), name)
    if name == "a.xlsx":
        assert writer.sheet(name)[1] == [-5, "-1e-7", "+39 06 1234", "-"]
    else:
        assert writer.csv(name)[1] == ["-5.00", "-1e-7", "'+39 06 1234", "-"]
    assert told["cells_protected"] == 2


async def test_a_csv_file_is_never_called_safe(writer: Writer) -> None:
    dataset_id = writer.dataset(["Text"], [["=1+1"]])
    assert "do not survive every re-save" in (await writer.write(dataset_id, "a.csv"))["notice"]
    assert "notice" not in await writer.write(dataset_id, "a.xlsx")


async def test_identifiers_stay_text(writer: Writer) -> None:
    texts = ["00123", "12345678901234567890", "1E5", "MAR1"]
    dataset_id = writer.dataset(["Code"], [[text] for text in texts])
    await writer.write(dataset_id, "a.xlsx")
    await writer.write(dataset_id, "a.csv")
    assert [row[0] for row in writer.sheet("a.xlsx")[1:]] == texts
    assert [row[0] for row in writer.csv("a.csv")[1:]] == texts


async def test_what_could_not_be_read_is_told_with_its_rows_here_and_in_the_workbook(writer: Writer) -> None:
    datasets = writer._rooms.datasets
    dataset_id = datasets.create(RUN, ["Number", "Date"])
    datasets.append(dataset_id, [Entry((f"INV-{at}", "sometime" if at % 2 else "01/02/2026")) for at in range(20)])
    datasets.type_fields(dataset_id, {"Date": FieldTyping("date")})
    told = await writer.write(dataset_id, "a.xlsx")
    assert told["unresolved"] == [{"field": "Date", "count": 10, "rows": [3, 5, 7, 9, 11]}]
    lines = [row[0] for row in writer.sheet("a.xlsx", "Receipt")]
    assert "not read as date: Date: 10 (rows 3, 5, 7, 9, 11, ...)" in lines
    assert writer.sheet("a.xlsx")[2] == ["INV-1", "sometime"]


async def test_columns_of_the_callers_choice_define_a_new_file(writer: Writer) -> None:
    dataset_id = writer.dataset((*FIELDS, "Empty"), [[*row, ""] for row in INVOICES])
    columns = {"Importo": "Amount", "NUMBER": "", "Note": "", "Vuoto": "Empty"}
    told = await writer.write(dataset_id, "a.xlsx", columns=columns)
    assert writer.sheet("a.xlsx")[0] == list(columns)
    assert writer.sheet("a.xlsx")[1] == [10.5, "INV-1", None, None]
    assert (told["status"], told["left_out"], told["columns"]) == ("done", ["Date"], 4)


async def test_without_a_choice_every_field_is_a_column_even_an_empty_one(writer: Writer) -> None:
    await writer.write(writer.dataset(["Number", "Due date"], [["INV-1", ""]]), "a.xlsx")
    assert writer.sheet("a.xlsx") == [["Number", "Due date"], ["INV-1", None]]


async def test_fields_that_collide_leave_their_column_empty_and_are_told(writer: Writer) -> None:
    told = await writer.write(writer.dataset(["Date", "DATE"], [["a", "b"]]), "a.xlsx", columns={"date": ""})
    assert (told["status"], told["reason"], told["left_out"]) == ("partial", "headings_ambiguous", ["Date", "DATE"])
    assert writer.sheet("a.xlsx") == [["date"]]


async def test_a_field_that_is_not_there_is_refused(writer: Writer) -> None:
    told = await writer.write(writer.dataset(["Date"], [["a"]]), "a.xlsx", columns={"Date": "Due"})
    assert (told["status"], told["reason"]) == ("failed", "unknown_field")
    assert not writer.folder.exists()


@pytest.mark.parametrize("name", ["a.xlsx", "a.csv"])
async def test_rows_are_appended_under_what_was_written(writer: Writer, name: str) -> None:
    dataset_id = writer.dataset(FIELDS, INVOICES)
    await writer.write(dataset_id, name)
    told = await writer.write(dataset_id, name, mode="append")
    read = writer.csv if name == "a.csv" else writer.sheet
    assert [row[0] for row in read(name)[1:]] == ["INV-1", "INV-2", "INV-1", "INV-2"]
    assert (told["status"], told["first_row"], told["rows"]) == ("done", 4, 2)
    assert (writer.folder / ".remit-backups" / told["backup"]).is_file()
    assert writer.effects(told["run_id"])[0][2] == "observed"


async def test_an_append_that_would_break_something_says_what(writer: Writer) -> None:
    dataset_id = writer.dataset(FIELDS, INVOICES)
    await writer.write(dataset_id, "a.xlsx")
    path = writer.folder / "a.xlsx"
    book = openpyxl.load_workbook(path)
    book["Records"].merge_cells("A4:C5")
    book.save(path)
    before = path.read_bytes()
    told = await writer.write(dataset_id, "a.xlsx", mode="append")
    assert (told["status"], told["reason"], told["lost"]) == ("failed", "would_lose", ["merged_cells"])
    assert path.read_bytes() == before
    assert writer.effects(told["run_id"])[0][2] == "not_sent"


@pytest.mark.parametrize(
    ("name", "reason"),
    [("none.xlsx", "file_missing"), ("../a.xlsx", "file_name"), ("/etc/passwd", "file_name"), ("a.xls", "file_name")],
)
async def test_only_files_of_the_folder_are_appended_to(writer: Writer, name: str, reason: str) -> None:
    told = await writer.write(writer.dataset(FIELDS, INVOICES), name, mode="append")
    assert (told["status"], told["reason"]) == ("failed", reason)


async def test_a_wide_dataset_with_much_to_tell_still_gives_a_small_result(writer: Writer) -> None:
    fields = [f"A field with a rather long name, number {at}" for at in range(150)]
    datasets = writer._rooms.datasets
    dataset_id = datasets.create(RUN, fields)
    datasets.append(dataset_id, [Entry(("sometime",) * 150)] * 20)
    datasets.type_fields(dataset_id, dict.fromkeys(fields, FieldTyping("date")))
    name = f"{'long' * 25}.csv"
    told = await writer.write(dataset_id, name, columns=dict.fromkeys(fields[:9], ""))
    assert told["status"] == "done"
    told = await writer.write(dataset_id, name, mode="append")
    assert (told["status"], len(told["left_out"]), len(told["unresolved"])) == ("done", 4, 4)


async def test_a_new_sheet_in_google_and_rows_under_it(writer: Writer, server: SheetsServer) -> None:
    dataset_id = writer.dataset(FIELDS, INVOICES)
    told = await writer.write(dataset_id, f"google:{SPREADSHEET}", sheet="Year")
    assert (told["status"], told["rows"]) == ("done", 2)
    assert told["path"] == f"https://docs.google.com/spreadsheets/d/{SPREADSHEET}"
    told = await writer.write(dataset_id, f"google:{SPREADSHEET}", sheet="Year", mode="append")
    assert [row[0] for row in server.sheets[1].rows()] == ["Number", "INV-1", "INV-2", "INV-1", "INV-2"]
    assert writer.effects(told["run_id"]) == [("write_file", "google", "observed")]


async def test_fields_that_collide_are_told_of_google_too(writer: Writer, server: SheetsServer) -> None:
    dataset_id = writer.dataset(["Date", "DATE", "Due"], [["a", "b", "c"]])
    told = await writer.write(dataset_id, f"google:{SPREADSHEET}", columns={"date": "", "Due": ""})
    assert (told["status"], told["left_out"]) == ("partial", ["Date", "DATE"])
    assert server.sheets[1].rows() == [["date", "Due"], ["", "c"]]


async def test_a_lost_answer_leaves_the_outcome_unknown_and_is_not_sent_again(
    writer: Writer, server: SheetsServer
) -> None:
    server.troubles.append("close_after")
    told = await writer.write(writer.dataset(FIELDS, INVOICES), f"google:{SPREADSHEET}")
    assert (told["status"], told["reason"], server.writes) == ("failed", "outcome_unknown", 1)
    assert writer.effects(told["run_id"]) == [("write_file", "google", None)]


@pytest.mark.parametrize(
    ("status", "reason"), [(401, "service_token"), (403, "service_forbidden"), (429, "service_busy")]
)
async def test_a_refusal_is_typed_and_tells_nothing_of_the_service(
    writer: Writer, server: SheetsServer, status: int, reason: str
) -> None:
    server.troubles.append(status)
    told = await writer.write(writer.dataset(FIELDS, INVOICES), f"google:{SPREADSHEET}")
    assert (told["reason"], writer.effects(told["run_id"])[0][2]) == (reason, "not_sent")
    assert "canary" not in json.dumps(told)


async def test_google_needs_a_token(writer: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(TOKEN_VARIABLE, raising=False)
    told = await writer.write(writer.dataset(FIELDS, INVOICES), f"google:{SPREADSHEET}", mode="append")
    assert told["reason"] == "service_token"


async def test_a_dataset_of_somebody_else_is_unknown(writer: Writer) -> None:
    writer._rooms.journal.begin("r_other", "collect_sites", "", "somebody else")
    datasets = writer._rooms.datasets
    dataset_id = datasets.create("r_other", ["Number"])
    datasets.finish(dataset_id, {"exported": 0, "complete": True})
    assert (await writer.write(dataset_id, "a.xlsx"))["reason"] == "unknown_dataset"
    assert not (writer.folder / "a.xlsx").exists()
