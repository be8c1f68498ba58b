"""What stands on one page is read whole, as it stands there, and each row with its own details."""

from __future__ import annotations

import pytest

from remit.models import Models, ScriptedBackend
from tests.executors.conftest import Remit, Serve
from tests.sites.collecting import rows as sites
from tests.sites.pages import Page

IN_2026 = {"field": "date", "from": "2026-01-01", "to": "2026-12-31"}


@pytest.mark.parametrize("window", [False, True])
async def test_a_list_that_recycles_its_nodes_is_read_whole_and_in_order(
    remit: Remit, served: Serve, window: bool
) -> None:
    receipt = await remit.collect(served({"/": sites.recycled(200, window=window)}), "number", "amount")
    assert [number for number, _ in remit.texts(receipt)] == [f"INV-{n:04}" for n in range(1, 201)]
    assert (receipt["status"], receipt["exported"]) == ("done", 200)


async def test_rows_alike_in_all_that_was_asked_for_are_told_apart_by_what_else_they_show(
    remit: Remit, served: Serve
) -> None:
    receipt = await remit.collect(served({"/": sites.ALIKE_BUT_ONE_CELL}), "date", "amount", "supplier")
    assert remit.texts(receipt) == [("2026-03-11", "20.00 €", "Acme")] * 2
    flags = [entry.flag for entry in remit.rooms.datasets.entries(receipt["dataset_id"])]
    assert (receipt["status"], flags) == ("done", [None, None])


async def test_rows_alike_in_everything_stay_and_are_flagged(remit: Remit, served: Serve) -> None:
    receipt = await remit.collect(served({"/": sites.ALIKE_IN_ALL}), "number", "amount")
    flags = [entry.flag for entry in remit.rooms.datasets.entries(receipt["dataset_id"])]
    assert (receipt["exported"], flags) == (4, [None, None, "duplicate", None])


async def test_twelve_hundred_rows_of_one_page_are_twelve_hundred_records(remit: Remit, served: Serve) -> None:
    receipt = await remit.collect(served({"/": sites.table(map(sites.row, range(1200)))}), "number")
    assert (receipt["status"], receipt["exported"]) == ("done", 1200)
    assert remit.texts(receipt)[-1] == ("INV-1199",)


@pytest.mark.parametrize("answer", ['{"answer": "none"}', '{"answer": "c1"}', "here are the first 43 rows: [1, 2, 3"])
async def test_no_answer_of_a_model_shortens_a_list(
    remit: Remit, served: Serve, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    models = Models(ScriptedBackend(lambda _question: answer), decision_s=1.0)
    monkeypatch.setattr(remit.rooms, "_models", models)
    receipt = await remit.collect(served({"/": sites.table(map(sites.row, range(300)))}), "number", "amount")
    assert (receipt["status"], receipt["exported"]) == ("done", 300)


async def test_the_last_day_of_a_period_is_in_it_whatever_the_time(remit: Remit, served: Serve) -> None:
    times = "".join(f"<option>{hour:02}:00</option>" for hour in range(24))
    ends = "".join(f"{end} <input name={end} type=date><select>{times}</select>" for end in ("From", "To"))
    form = f"<form>{ends}<button>Filter</button></form>"
    days = ["2026-12-30 10:00", "2026-12-31 00:00", "2026-12-31 18:30", "2027-01-01 00:00"]
    page = sites.table([sites.row(n, day) for n, day in enumerate(days)], head=form)
    receipt = await remit.collect(served({"/": page}), "number", period=IN_2026)
    assert (receipt["status"], receipt["exported"], receipt["filtered"]) == ("done", 3, 1)


async def test_each_run_says_which_days_it_covered(remit: Remit, served: Serve) -> None:
    site = served({"/": sites.table([sites.row(n, f"2026-0{n}-11") for n in range(1, 10)])})
    for first, last, count in (("2026-06-01", "2026-12-31", 4), ("2026-01-01", "2026-12-31", 9)):
        receipt = await remit.collect(site, "number", period={"field": "date", "from": first, "to": last})
        told = remit.rooms.datasets.info(receipt["dataset_id"]).receipt or {}
        assert (receipt["exported"], told["period covered"]) == (count, f"{first} to {last}")


async def test_a_record_in_other_markup_above_the_list_is_read_too(remit: Remit, served: Serve) -> None:
    receipt = await remit.collect(served({"/": sites.CURRENT_BILL_ABOVE}), "number", "amount")
    assert ("INV-0099", "99.50 €") in remit.texts(receipt)
    assert (receipt["status"], receipt["exported"]) == ("done", 5)


async def test_a_record_in_markup_that_names_no_fields_is_said_to_be_unread(remit: Remit, served: Serve) -> None:
    receipt = await remit.collect(served({"/": sites.UNCLEAR_BILL_ABOVE}), "number", "amount")
    assert (receipt["status"], receipt["reason"], receipt["exported"]) == ("partial", "routes_unread", 4)


@pytest.mark.parametrize(("says", "status"), [("No invoices found", "done"), ("Welcome to your invoices", "failed")])
async def test_no_record_is_success_only_where_the_site_says_so(
    remit: Remit, served: Serve, says: str, status: str
) -> None:
    page = f"<title>Invoices</title><main><h1>Invoices</h1><p>{says}</p></main>"
    receipt = await remit.collect(served({"/": page}), "number")
    assert (receipt["status"], receipt.get("exported")) == (status, 0 if status == "done" else None)


async def test_spans_and_header_cells_of_rows_keep_every_value_in_its_column(remit: Remit, served: Serve) -> None:
    receipt = await remit.collect(served({"/": sites.SPANS}), "month", "number", "amount")
    assert remit.texts(receipt) == [
        ("January 2026", "INV-0001", "1.50 €"),
        ("January 2026", "INV-0002", "2.50 €"),
        ("February 2026", "INV-0003", ""),
        ("February 2026", "INV-0004", "4.50 €"),
        ("March 2026", "INV-0005", "5.50 €"),
    ]


@pytest.mark.parametrize("control", ["+", "Show details"])
async def test_what_a_row_shows_when_opened_belongs_to_that_row(remit: Remit, served: Serve, control: str) -> None:
    site = served({"/": sites.expanding(5, control=control), "/opened": ""})
    receipt = await remit.collect(site, "number", "status")
    assert remit.texts(receipt) == [
        ("INV-1", "paid"),
        ("INV-2", "open 2"),
        ("INV-3", "paid"),
        ("INV-4", "open 4"),
        ("INV-5", "paid"),
    ]
    assert (receipt["status"], site.asked("/opened")) == ("done", 5)


async def test_of_rows_that_read_the_same_none_is_opened(remit: Remit, served: Serve) -> None:
    site = served({"/": sites.expanding(4, alike=(3,)), "/opened": ""})
    receipt = await remit.collect(site, "number", "status")
    assert sorted(remit.texts(receipt)) == [("INV-1", ""), ("INV-1", ""), ("INV-2", "open 2"), ("INV-4", "open 4")]
    assert (receipt["status"], site.asked("/opened")) == ("partial", 2)
    assert (remit.rooms.datasets.info(receipt["dataset_id"]).receipt or {})["ambiguous"] == 2


async def test_a_row_that_becomes_another_under_the_mouse_is_not_opened(remit: Remit, served: Serve) -> None:
    moving = (
        "<script>addEventListener('mousemove',()=>{t.tBodies[0].rows[0].cells[0].textContent='INV-77'},"
        "{once:true})</script>"
    )
    site = served({"/": sites.expanding(3) + moving, "/opened": ""})
    receipt = await remit.collect(site, "number", "status")
    assert not any(request.query == "1" for request in site.requests if request.path == "/opened")
    assert receipt["status"] == "partial"
    assert ("INV-1", "paid") not in remit.texts(receipt)


@pytest.mark.parametrize("reverse", [False, True])
async def test_rows_in_out_and_across_a_year_are_told_apart_in_any_order(
    remit: Remit, served: Serve, reverse: bool
) -> None:
    receipt = await remit.collect(served({"/": sites.years(reverse=reverse)}), "number", period=IN_2026)
    assert sorted(remit.texts(receipt)) == [("INV-0",), ("INV-2",), ("INV-3",), ("INV-6",)]
    told = remit.rooms.datasets.info(receipt["dataset_id"]).receipt or {}
    counted = (receipt["filtered"], told["partly in the period"], told["without a date"])
    assert (receipt["status"], receipt["reason"], counted) == ("partial", "unreadable_values", (1, 1, 1))


async def test_totals_and_headers_among_the_rows_are_left_out_and_counted(remit: Remit, served: Serve) -> None:
    receipt = await remit.collect(served({"/": sites.TOTALS}), "number")
    told = remit.rooms.datasets.info(receipt["dataset_id"]).receipt or {}
    assert (receipt["exported"], told["totals and repeated headers left out"]) == (6, 3)


@pytest.mark.parametrize(
    ("name", "texts", "unread"),
    [
        ("Date", ["15/4/2026", "16/4/2026", "04/13/2026", "2/5/2026"], 1),
        ("Date", ["08/2026", "15/08/2026", "3"], 1),
        ("Amount", ["3.350", "12,00", "1.045,10"], 0),
    ],
)
async def test_values_that_cannot_be_read_are_counted_by_their_field(
    remit: Remit, served: Serve, name: str, texts: list[str], unread: int
) -> None:
    receipt = await remit.collect(served({"/": sites.column(name, texts)}), "number", name.lower())
    assert [text for _, text in remit.texts(receipt)] == texts
    assert receipt.get("unreadable", {}) == ({name.lower(): unread} if unread else {})


async def test_a_page_of_nothing_but_words_is_no_success(remit: Remit, served: Serve) -> None:
    pages: dict[str, Page] = {"/": "<h1>Invoices</h1><p>Please come back later.</p>"}
    assert (await remit.collect(served(pages), "number"))["status"] == "failed"
