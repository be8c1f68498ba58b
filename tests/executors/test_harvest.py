from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

import pytest

from remit.browser import Cell, Chosen, Column, Control, Frame, RecordList, Row
from remit.executors._details import complete
from remit.executors._harvest import Harvest, Wanted
from remit.executors._narrowing import narrow
from remit.executors._rows import Key, grown_rows, moved_rows
from remit.executors._same_list import SameList
from remit.records import Datasets, DateOrder, Entry, FieldTyping, Period
from remit.state import Database
from tests.browser.by_hand import observed

COLUMNS: dict[str, int | None] = {"number": 0, "date": 1}
Narrow = tuple[list[tuple[str, ...]], Harvest]
A, B, C = ("a", ("1",)), ("b", ("2",)), ("c", ("3",))


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return Database.in_folder(tmp_path)


@dataclass
class Kept:
    """A dataset in memory."""

    entries: list[Entry] = field(default_factory=list)

    def append(self, dataset_id: str, entries: Sequence[Entry]) -> int:
        self.entries += entries
        return len(self.entries)

    def replace(self, dataset_id: str, position: int, entry: Entry) -> None:
        self.entries[position] = entry


def page(*rows: tuple[str, ...], links: Sequence[str] = ()) -> tuple[Frame, RecordList]:
    """A table as seen; each row links to its address, if it has one."""
    controls = tuple(Control(i, "a", "link", "native", href=href) for i, href in enumerate(links))
    read = tuple(
        Row(tuple(Cell(text) for text in texts), (), "", i, link=i if i < len(links) else None)
        for i, texts in enumerate(rows)
    )
    columns = tuple(Column(name, at) for at, name in enumerate(("number", "date", "total")))
    frame = Frame(0, "http://a.test", "http://a.test/", controls=controls)
    return frame, RecordList("table", 0, "", columns, read, 1.0)


def harvest(wanted: Wanted | None = None) -> tuple[Harvest, Kept]:
    kept = Kept()
    return Harvest(wanted or Wanted("invoices", ("number", "date")), kept, "d"), kept


@pytest.mark.parametrize(
    ("before", "now", "new"), [([], [A, B], [0, 1]), ([A], [A, B], [1]), ([A, B], [B, C], [0, 1]), ([A, B], [A, B], [])]
)
def test_of_a_list_that_grew_only_what_came_is_read(before: list[Key], now: list[Key], new: list[int]) -> None:
    assert list(grown_rows(before, now)) == new


@pytest.mark.parametrize(
    ("windows", "now", "new"),
    [
        ([], [A, B], [0, 1]),
        ([[A, B]], [B, C], [1]),
        ([[A, B]], [C], [0]),
        ([[A, B], [B]], [A, B, C], [2]),
        ([[A]], [A, A], [1]),
        ([[A, B], [B, C]], [A, B, C], []),
    ],
)
def test_of_a_window_that_moves_only_what_no_recent_window_held_is_read(
    windows: list[list[Key]], now: list[Key], new: list[int]
) -> None:
    assert moved_rows(windows, now) == new


def test_a_row_that_repeats_on_the_next_page_is_left_out_by_its_link_and_counted() -> None:
    task, kept = harvest()
    task.take(*page(("1", "x"), ("2", "y"), links=["/1", "/2"]), COLUMNS, overlapping=False)
    task.take(*page(("2", "y"), ("3", "z"), links=["/2", "/3"]), COLUMNS, overlapping=False)
    assert [entry.texts[0] for entry in kept.entries] == ["1", "2", "3"]
    assert (task.counts.repeats, task.counts.seen, task.counts.pages) == (1, 3, 2)


def test_equal_rows_without_a_link_are_legitimate_and_flagged() -> None:
    task, kept = harvest()
    task.take(*page(("1", "x"), ("1", "x")), COLUMNS, overlapping=False)
    assert [entry.flag for entry in kept.entries] == [None, "duplicate"]
    assert (task.counts.flagged, task.counts.repeats) == (1, 0)


def narrowed(wanted: Wanted, database: Database, *rows: tuple[str, ...], order: DateOrder = "dmy") -> Narrow:
    """The rows of one page, and what is left of them in the end."""
    datasets = Datasets(database)
    made = datasets.create("r", wanted.names)
    task = Harvest(wanted, datasets, made)
    task.take(*page(*rows), COLUMNS, overlapping=False)
    hint = {name: FieldTyping("date" if name == wanted.period_field else None, order) for name in wanted.names}
    found = narrow(datasets, made, "r", wanted, hint, task.counts)
    return [tuple(cell.text for cell in row.cells) for row in datasets.rows(found.dataset_id)], task


def test_filters_compare_without_case_and_count_what_they_leave_out(database: Database) -> None:
    wanted = Wanted("invoices", ("number",), where={"date": "OPEN  now"})
    kept, task = narrowed(wanted, database, ("1", "open now"), ("2", "paid"))
    assert kept == [("1",)]
    assert (task.counts.filtered, task.counts.seen, task.counts.exported) == (1, 2, 1)


@pytest.mark.parametrize(
    ("text", "inside", "outside", "straddling", "undated"),
    [
        ("2025-03-01", 1, 0, 0, 0),
        ("2024-12-31", 0, 1, 0, 0),
        ("12/2024 - 01/2025", 0, 0, 1, 0),
        ("soon", 0, 0, 0, 1),
    ],
)
def test_a_date_is_inside_outside_or_neither(
    database: Database, text: str, inside: int, outside: int, straddling: int, undated: int
) -> None:
    wanted = Wanted("invoices", ("number",), period_field="date", period=Period(date(2025, 1, 1), date(2025, 12, 31)))
    kept, task = narrowed(wanted, database, ("1", text))
    counts = task.counts
    assert (len(kept), counts.filtered, counts.straddling, counts.undated) == (inside, outside, straddling, undated)


def test_a_column_that_cannot_be_day_and_month_puts_no_row_in_or_out(database: Database) -> None:
    """Read row by row, 03/04 would be the third of April, and in; the column as a whole says that nobody knows."""
    wanted = Wanted("invoices", ("number",), period_field="date", period=Period(date(2026, 4, 1), date(2026, 4, 30)))
    rows = (("1", "03/04/2026"), ("2", "04/13/2026"), ("3", "07/04/2026"))
    kept, task = narrowed(wanted, database, *rows)
    assert (kept, task.counts.undated, task.counts.filtered) == ([], 3, 0)
    kept, task = narrowed(wanted, database, *rows, order="mdy")
    assert (kept, task.counts.undated, task.counts.filtered) == ([("2",)], 0, 2)


def test_a_filter_and_a_period_of_the_same_field_apply_both(database: Database) -> None:
    wanted = Wanted(
        "invoices",
        ("number",),
        where={"date": "*/2026*"},
        period_field="date",
        period=Period(date(2026, 1, 1), date(2026, 3, 31)),
    )
    kept, task = narrowed(wanted, database, ("1", "03/02/2026"), ("2", "03/02/2025"), ("3", "03/08/2026"))
    assert (kept, task.counts.filtered) == ([("1",)], 2)


def test_a_row_that_lacks_a_field_is_kept_at_once_and_waits_for_its_own_page() -> None:
    task, kept = harvest(Wanted("invoices", ("number", "status")))
    task.take(*page(("1", "x"), links=["http://a.test/1"]), {"number": 0, "status": None}, overlapping=False)
    assert [entry.texts for entry in kept.entries] == [("1", "")]
    waiting = task.pending[0]
    assert (waiting.address, waiting.missing, waiting.position) == ("http://a.test/1", ("status",), 0)
    task.settle(replace(waiting, entry=replace(waiting.entry, texts=("1", "paid")), missing=()))
    assert [entry.texts for entry in kept.entries] == [("1", "paid")]


@pytest.mark.parametrize(
    "html",
    [
        "<dl><dt>Status</dt><dd>open</dd></dl>",
        "<table><tr><th>Status:</th><td>open</td></tr></table>",
        "<p>Status: open</p>",
        "<h3>Status</h3><p>open</p>",
    ],
)
def test_a_records_page_names_its_values(html: str) -> None:
    wanted = Wanted("invoices", ("number", "status"))
    task, _ = harvest(wanted)
    task.take(*page(("1", "x"), links=["/1"]), {"number": 0, "status": None}, overlapping=False)
    entry, lacking = complete(task.pending[0], observed(html), wanted)
    assert (entry.texts, lacking) == (("1", "open"), ())


def test_a_page_that_says_two_things_under_one_label_says_nothing() -> None:
    wanted = Wanted("invoices", ("number", "status"))
    task, _ = harvest(wanted)
    task.take(*page(("1", "x"), links=["/1"]), {"number": 0, "status": None}, overlapping=False)
    two = observed("<dl><dt>Status</dt><dd>open</dd><dt>Status</dt><dd>paid</dd></dl>")
    assert complete(task.pending[0], two, wanted)[1] == ("status",)


def test_the_places_chosen_first_keep_their_fields_whatever_stands_in_them() -> None:
    card = "<li><h3><a href=/{n}>Thing {n}</a></h3><p class=note>{note}</p><p class=more>{more}</p></li>"

    def cards(note: str, more: str) -> Frame:
        items = "".join(card.format(n=n, note=f"{note} {n}", more=f"{more} {n}") for n in range(4))
        return observed(f"<main><ul>{items}</ul></main>")

    wanted = Wanted("things", ("title", "description"))
    from remit.executors._area import select

    first = select(cards("a sentence of several words", "short"), wanted)
    assert isinstance(first, Chosen)
    again = SameList(wanted, first).find(cards("tiny", "now this one is the long sentence"))
    assert again is not None
    column = again.columns["description"]
    assert column is not None
    assert again.list.rows[0].cells[column].text == "tiny 0"
