"""Whole columns: typed entirely, or left as text."""

from __future__ import annotations

from datetime import date, datetime, time
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remit.records import Amount, DateInterval, DateOrder, plain_value, type_column


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


@pytest.mark.parametrize(
    ("doubtful", "impossible"),
    [
        ("Mon 04/05/2026", "Mon 04/13/2026"),
        ("Due: 04/05/2026", "Due: 04/13/2026"),
        ("04/05/2026 10:15", "04/13/2026 10:15"),
        ("04/05/2026 - 04/06/2026", "04/13/2026 - 04/20/2026"),
        ("04.05.26", "04.13.26"),
    ],
)
def test_words_and_times_around_a_date_do_not_hide_that_its_order_is_impossible(doubtful: str, impossible: str) -> None:
    column = type_column([doubtful, impossible], hint="date")
    assert (column.unresolved, column.suggestion) == (2, "date_order")
    assert type_column([doubtful, impossible], hint="date", date_order="mdy").unresolved == 0


def test_dates_without_a_year_are_no_more_certain_of_their_order() -> None:
    column = type_column(["4/5", "4/13"], hint="date", context_year=2026)
    assert (column.unresolved, column.suggestion) == (2, "date_order")
    told = type_column(["4/5", "4/13"], hint="date", context_year=2026, date_order="mdy")
    assert days(told.values) == [date(2026, 4, 5), date(2026, 4, 13)]


NUMERIC_DATES = st.tuples(st.integers(0, 32), st.integers(0, 32), st.integers(2020, 2026)).map(
    lambda parts: f"{parts[0]}/{parts[1]}/{parts[2]}"
)


@given(st.lists(NUMERIC_DATES, max_size=12), st.sampled_from(["dmy", "mdy"]))
def test_no_row_is_ever_read_in_another_order_than_the_column(texts: list[str], order: DateOrder) -> None:
    column = type_column(texts, hint="date", date_order=order)
    for text, value in zip(texts, column.values, strict=True):
        if isinstance(value, DateInterval):
            first, second, _ = map(int, text.split("/"))
            assert (value.start.day, value.start.month) == ((first, second) if order == "dmy" else (second, first))


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


def test_the_year_over_a_row_goes_before_that_of_the_whole_column() -> None:
    reading = type_column(["Jan 4", "Jan 5"], context_year=2026).reading
    of_2025 = reading.value("Jan 4", None, 2025)
    assert isinstance(of_2025, DateInterval)
    assert (of_2025.start, of_2025.year_from_context) == (date(2025, 1, 4), True)


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
        ["MAR1", "MAR2"],
        ["R-2026-01", "R-2026-02"],
        ["KB 2026-01", "KB 2026-02"],
        [],
        ["", " "],
    ],
)
def test_what_is_not_wholly_of_one_type_is_text(texts: list[str]) -> None:
    column = type_column(texts)
    assert column.type == "text"
    assert column.unresolved == 0


@pytest.mark.parametrize("code", ["MAR1", "SEP26", "1E5", "007", "12345678901234567890"])
def test_a_code_is_no_date_under_a_heading_with_a_year(code: str) -> None:
    assert type_column([code], context_year=2026).values == (code,)


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
