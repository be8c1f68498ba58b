"""Whole columns: typed entirely, or left as text."""

from __future__ import annotations

from datetime import date, datetime, time
from decimal import Decimal

import pytest

from remit.records import Amount, DateInterval, plain_value, type_column


def days(column: tuple[object, ...]) -> list[date | None]:
    return [value.start if isinstance(value, DateInterval) else None for value in column]


def test_one_impossible_row_is_unresolved_and_never_flipped() -> None:
    column = type_column(["15/4/2026", "16/4/2026", "2/5/2026", "04/13/2026"])
    assert column.type == "date"
    assert days(column.values) == [date(2026, 4, 15), date(2026, 4, 16), date(2026, 5, 2), None]
    assert column.unresolved == 1


def test_a_column_that_speaks_only_for_the_other_order_is_unresolved_and_suggests_it() -> None:
    texts = ["04/05/2026", "04/13/2026", "05/05/2026", "3 May 2026"]
    column = type_column(texts)
    assert days(column.values) == [None, None, date(2026, 5, 5), date(2026, 5, 3)]
    assert (column.unresolved, column.suggestion) == (2, "date_order")
    told = type_column(texts, date_order="mdy")
    assert days(told.values) == [date(2026, 4, 5), date(2026, 4, 13), date(2026, 5, 5), date(2026, 5, 3)]
    assert (told.unresolved, told.suggestion) == (0, None)


def test_machine_values_settle_what_the_order_would_not() -> None:
    column = type_column(["04/05/2026", "04/13/2026"], ["2026-04-05", "2026-04-13"])
    assert days(column.values) == [date(2026, 4, 5), date(2026, 4, 13)]
    assert column.unresolved == 0


def test_broken_machine_values_settle_nothing() -> None:
    column = type_column(["04/05/2026", "04/13/2026"], ["soon", ""])
    assert (column.unresolved, column.suggestion) == (2, "date_order")


def test_a_column_of_moments_is_a_datetime_column() -> None:
    column = type_column(["2025-03-07 14:05", "", "2025-03-08 10:00"])
    assert column.type == "datetime"
    assert column.values[0] == DateInterval.day(date(2025, 3, 7), time(14, 5))
    assert type_column(["2025-03-07 14:05", "2025-03-08"]).type == "date"


def test_a_missing_year_is_suggested_or_taken_from_the_context() -> None:
    assert type_column(["Jan 4", "Jan 5, 2026"]).suggestion == "context_year"
    assert type_column(["Jan 4", "Jan 5"]).type == "text"
    assert days(type_column(["Jan 4", "Jan 5"], context_year=2026).values) == [date(2026, 1, 4), date(2026, 1, 5)]


def test_a_contested_month_suggests_the_language() -> None:
    texts = ["15 listopada 2026", "15 sierpnia 2026"]
    assert type_column(texts).suggestion == "language"
    assert days(type_column(texts, language="pl").values) == [date(2026, 11, 15), date(2026, 8, 15)]


@pytest.mark.parametrize(
    "texts",
    [
        ["INV-1", "INV-2"],
        ["007", "008"],
        ["1", "2", "007"],
        ["12345678901234567890"],
        ["1234567890"],
        ["15/09/2026", "n/a"],
        ["12.50", "n/a"],
        ["10.2026", "11.2026"],
        ["1/2026", "25/2026"],
        ["339 123 456", "339 123 457"],
        ["+39 061 234"],
        ["1E5"],
        ["MAR1"],
        [],
        ["", " "],
    ],
)
def test_what_is_not_wholly_of_one_type_is_text(texts: list[str]) -> None:
    column = type_column(texts)
    assert column.type == "text"
    assert column.unresolved == 0


def test_counts_are_integers() -> None:
    assert type_column(["1", "-2", "", "30"]).values == (1, -2, None, 30)


def test_a_hint_of_text_keeps_numbers_as_written() -> None:
    assert type_column(["1.10", "1.9"], hint="text").values == ("1.10", "1.9")


def test_a_hint_types_dates_and_counts_what_is_none() -> None:
    column = type_column(["15/09/2026", "soon"], hint="date")
    assert (column.type, column.unresolved) == ("date", 1)


def test_plain_values_are_what_a_sheet_can_hold() -> None:
    assert plain_value(Amount(Decimal("5.00"), "€")) == Decimal("5.00")
    assert plain_value(DateInterval.day(date(2026, 9, 15))) == date(2026, 9, 15)
    assert plain_value(DateInterval.day(date(2026, 9, 15), time(14, 5))) == datetime(2026, 9, 15, 14, 5)
    assert plain_value("text") == "text"
    assert plain_value(7) == 7
    for unfit in (None, DateInterval.month(2026, 9), Amount(Decimal("12345678901234.567")), 10**16 + 1):
        assert plain_value(unfit) is None
