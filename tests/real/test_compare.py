from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path

import pytest
from openpyxl import Workbook

from tests.real.application import Question, ValueKind
from tests.real.compare import Cell, Comparison, compare, compare_rows

TRUTH = [
    {"no.": "INV-1", "day": "7 March 2026", "day:value": "2026-03-07", "total": "1.234,50 €", "total:value": "1234.50"},
    {"no.": "INV-2", "day": "1 May 2026", "day:value": "2026-05-01", "total": "-3,00 €", "total:value": "-3.00"},
]


def _question(*fields: str, **typed: ValueKind) -> Question:
    return Question(id="q", goal="", items="", fields=fields, key=fields[0], typed=dict(typed), truth="", count=0)


INVOICES = _question("no.", "day", "total", day="date", total="amount")


def _compare(*rows: Sequence[Cell]) -> Comparison:
    return compare_rows([["No.", "Day", "Total"], *rows], INVOICES, TRUTH)


def test_typed_cells_are_compared_by_value() -> None:
    assert _compare(["INV-1", date(2026, 3, 7), 1234.5], ["INV-2", datetime(2026, 5, 1), -3]).complete


def test_texts_are_compared_as_shown_after_collapsing_space() -> None:
    assert _compare(["INV-1", "7  March\n2026", "1.234,50\u00a0€"], ["INV-2", "2026-05-01", "-3.00"]).complete


def test_the_order_of_rows_and_columns_means_nothing() -> None:
    rows: list[list[Cell]] = [["total", "DAY", "no."], [-3, "1 May 2026", "INV-2"], [1234.5, "7 March 2026", "INV-1"]]
    assert compare_rows(rows, INVOICES, TRUTH).complete


def test_duplicates_wrong_and_missing_rows_are_told_apart() -> None:
    first: list[Cell] = ["INV-1", date(2026, 3, 7), 1234.5]
    found = _compare(first, first, ["INV-2", date(2026, 5, 1), 3])
    assert (found.right, found.duplicates, found.wrong, found.missing) == (1, 1, 1, 1)
    assert not found.complete


def test_rows_alike_in_the_truth_are_wanted_as_often_as_they_are_there() -> None:
    rows: list[list[Cell]] = [["a"], ["x"], ["x"]]
    assert compare_rows(rows, _question("a"), [{"a": "x"}, {"a": "x"}]).complete
    assert compare_rows(rows[:2], _question("a"), [{"a": "x"}, {"a": "x"}]).missing == 1


def test_a_day_and_a_month_exchanged_are_wrong() -> None:
    assert _compare(["INV-2", date(2026, 1, 5), -3]).wrong == 1


def test_a_missing_column_is_named_and_nothing_is_complete() -> None:
    found = compare_rows([["No.", "Day"], ["INV-1", date(2026, 3, 7)]], INVOICES, TRUTH)
    assert found.fields_missing == ("total",)
    assert not found.complete


@pytest.mark.parametrize(
    ("shown", "cell", "same"),
    [
        ("12", 12, True),
        ("12", 12.0, True),
        ("007", 7, False),
        ("007", "007", True),
        ("1.10", 1.1, False),
        ("", None, True),
    ],
)
def test_a_number_in_an_untyped_field_has_to_read_the_same(shown: str, cell: Cell, same: bool) -> None:
    assert compare_rows([["a", "b"], ["x", cell]], _question("a", "b"), [{"a": "x", "b": shown}]).complete is same


def test_a_moment_is_compared_to_the_minute() -> None:
    truth = [{"at": "yesterday", "at:value": "2025-03-07T14:05"}]
    question = _question("at", at="datetime")
    assert compare_rows([["at"], [datetime(2025, 3, 7, 14, 5, 59)]], question, truth).complete
    assert not compare_rows([["at"], [date(2025, 3, 7)]], question, truth).complete


def test_a_workbook_is_read_from_its_header_line_on(tmp_path: Path) -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["A title"], [], ["Total", "No.", "Day"], [1234.5, "INV-1", date(2026, 3, 7)]):
        sheet.append(row)
    book.save(tmp_path / "x.xlsx")
    found = compare(tmp_path / "x.xlsx", INVOICES, TRUTH)
    assert (found.right, found.missing, found.wrong) == (1, 1, 0)


@pytest.mark.parametrize("delimiter", [",", ";"])
def test_a_csv_is_read_with_its_delimiter_and_without_its_guards(tmp_path: Path, delimiter: str) -> None:
    text = delimiter.join(["a", "b"]) + "\r\n" + delimiter.join(["'=1+1", '"it\'s"']) + "\r\n"
    (tmp_path / "x.csv").write_text(text, encoding="utf-8-sig")
    assert compare(tmp_path / "x.csv", _question("a", "b"), [{"a": "=1+1", "b": "it's"}]).complete
