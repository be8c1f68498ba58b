"""Amounts: taken apart one by one, read by the whole column."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remit.records import Amount, ColumnType, DecimalMark, type_column
from remit.records._amounts import read_integer, take_apart


@pytest.mark.parametrize(
    ("text", "value", "currency"),
    [
        ("1,234,567.890", "1234567.890", None),
        (",89", "0.89", None),
        ("1,600.00", "1600.00", None),
        ("1.045,10", "1045.10", None),
        ("0.350", "0.350", None),
        ("€ 1.234,50", "1234.50", "€"),
        ("1.234,50€", "1234.50", "€"),
        ("1\u00a0234,50\u00a0€", "1234.50", "€"),
        ("1\u202f234,50 €", "1234.50", "€"),
        ("1'234.50 CHF", "1234.50", "CHF"),
        ("CHF 1’234.50", "1234.50", "CHF"),
        ("₹12,34,567.00", "1234567.00", "₹"),
        ("EUR 12.50", "12.50", "EUR"),
        ("US$ 5.00", "5.00", "US$"),
        ("R$ 1.234,56", "1234.56", "R$"),
        ("12,50 zł", "12.50", "zł"),
        ("kr 500,-", "500", "kr"),
        ("-5.00", "-5.00", None),
        ("5.00-", "-5.00", None),
        ("−1.234,56", "-1234.56", None),
        ("(1,234.50)", "-1234.50", None),
        ("-€5.00", "-5.00", "€"),
        ("€ -5.00", "-5.00", "€"),
        ("٣٬٣٥٠٫٥", "3350.5", None),
        ("１２．５０", "12.50", None),
    ],
)
def test_an_amount_with_one_reading_is_read(text: str, value: str, currency: str | None) -> None:
    written = take_apart(text)
    assert written is not None
    assert not written.is_ambiguous
    assert (written.under(".") or written.under(",")) == Amount(Decimal(value), currency)


@pytest.mark.parametrize("text", ["3.350", "€ 3,350", "-1,234", "100.000"])
def test_three_digits_after_a_lone_separator_are_ambiguous(text: str) -> None:
    written = take_apart(text)
    assert written is not None
    assert written.is_ambiguous


@pytest.mark.parametrize(
    "text",
    ["", "-", "12%", "12 kg", "INV-1", "+39 06 1234", "1e-7", "12.34.56", "15.09.2026", "007", "0.1.2", "USD", "1--"],
)
def test_what_is_no_amount_is_none(text: str) -> None:
    assert take_apart(text) is None


def test_the_separator_is_decided_on_the_whole_column() -> None:
    column = type_column(["3.350", "12,00", "1.045,10"])
    assert column.type == "amount"
    assert column.values == (Amount(Decimal(3350)), Amount(Decimal("12.00")), Amount(Decimal("1045.10")))
    point = type_column(["3.350", "12.00"])
    assert point.values == (Amount(Decimal("3.350")), Amount(Decimal("12.00")))


def test_an_undecided_column_stays_text_and_suggests_the_mark() -> None:
    column = type_column(["3.350", "4.120"])
    assert (column.type, column.values, column.suggestion) == ("text", ("3.350", "4.120"), "decimal_mark")
    told = type_column(["€3.350", "€4.120"], decimal_mark=",")
    assert told.values == (Amount(Decimal(3350), "€"), Amount(Decimal(4120), "€"))


def test_a_hint_types_what_is_certain_and_counts_the_rest() -> None:
    column = type_column(["3.350", "n/a", ""], hint="amount")
    assert (column.type, column.values, column.unresolved) == ("amount", (None, None, None), 2)


def test_of_a_column_that_contradicts_itself_only_what_is_certain_is_read() -> None:
    column = type_column(["€ 1.234,50", "$ 1,234.50", "3.350"], hint="amount")
    assert column.values == (Amount(Decimal("1234.50"), "€"), Amount(Decimal("1234.50"), "$"), None)
    assert column.unresolved == 1


def test_the_currency_is_kept_apart_and_as_written() -> None:
    column = type_column(["EUR 12,50", "12,50 €", "US$ 3,00", "7,00"])
    assert [value.currency for value in column.values if isinstance(value, Amount)] == ["EUR", "€", "US$", None]


MARKS: tuple[DecimalMark, DecimalMark] = (".", ",")


@settings(deadline=None)
@given(
    values=st.lists(st.decimals(min_value=-(10**9), max_value=10**9, places=2), min_size=1, max_size=15),
    mark=st.sampled_from(MARKS),
    group=st.sampled_from(["", "other", "\u00a0", "\u202f", "’"]),
    currency=st.sampled_from(["{}", "€ {}", "{} zł", "{}\u00a0CHF"]),
)
def test_a_column_of_one_notation_is_read_back_whole(
    values: list[Decimal], mark: DecimalMark, group: str, currency: str
) -> None:
    other = "," if mark == "." else "."
    separator = other if group == "other" else group
    texts = [
        currency.format(f"{value:,.2f}".replace(",", "#").replace(".", mark).replace("#", separator))
        for value in values
    ]
    column = type_column(texts)
    assert column.type == "amount"
    assert [value.value for value in column.values if isinstance(value, Amount)] == values


CELLS = st.text("0123456789.,’ -", min_size=1, max_size=9)


@given(st.lists(CELLS, max_size=8), st.sampled_from([None, "amount"]))
def test_no_digit_is_lost_and_no_separator_means_two_things(texts: list[str], hint: ColumnType | None) -> None:
    column = type_column(texts, hint=hint)
    for text, value in zip(texts, column.values, strict=True):
        if not isinstance(value, Amount):
            continue
        digits = "".join(char for char in text if char.isdecimal())
        assert int(digits) == abs(int(value.value.scaleb(-int(value.value.as_tuple().exponent))))
        written = take_apart(text)
        assert written is not None
        if written.is_ambiguous:
            assert column.reading.mark is not None
            assert written.under(column.reading.mark) == value


def test_a_column_that_contradicts_itself_stays_text() -> None:
    assert type_column(["1.00", "1,00"]).type == "text"


@pytest.mark.parametrize("text", ["007", "1.0", "1,000", "12a", "", "-007"])
def test_only_plain_whole_numbers_are_integers(text: str) -> None:
    assert read_integer(text) is None


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=40))
def test_no_text_makes_it_fail(text: str) -> None:
    take_apart(text)


@given(st.decimals(min_value=-(10**12), max_value=10**12, places=2))
def test_written_and_read_again_is_the_same(value: Decimal) -> None:
    english = f"{value:,.2f}"
    swapped = english.translate(str.maketrans(",.", ".,"))
    for text in (english, swapped, english.replace(",", "\u2019"), f"{swapped} €"):
        written = take_apart(text)
        assert written is not None
        amount = written.under(".") or written.under(",")
        assert amount is not None
        assert amount.value == value
