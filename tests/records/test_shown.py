"""Values in Remit's notation, and texts without what the eye does not see."""

from __future__ import annotations

import sys
import unicodedata
from datetime import date, time
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remit.records import Amount, DateInterval, Value, read_date, read_machine_date, shown_text, written


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        ("INV-1", "INV-1"),
        (7, "7"),
        (Amount(Decimal("1234.50"), "€"), "1234.50 €"),
        (Amount(Decimal("-0.05")), "-0.05"),
        (DateInterval.day(date(2026, 9, 5)), "2026-09-05"),
        (DateInterval.day(date(2026, 9, 5), time(14, 5)), "2026-09-05T14:05:00"),
        (DateInterval.month(2026, 8), "2026-08"),
        (DateInterval.quarter(2026, 3), "2026-Q3"),
        (DateInterval.year(2026), "2026"),
        (read_date("July–August 2026"), "2026-07-01/2026-08-31"),
    ],
)
def test_each_value_has_one_notation(value: Value | None, text: str) -> None:
    assert written(value) == text


@given(st.dates(date(1600, 1, 1), date(2199, 12, 31)))
def test_what_is_written_is_read_back(day: date) -> None:
    for value in (DateInterval.day(day), DateInterval.month(day.year, day.month), DateInterval.year(day.year)):
        assert read_machine_date(written(value)) == value


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("two\nlines\tand\u00a0spaces\u2028here", "two lines and spaces here"),
        ("\x1b[31mred\x07", "[31mred"),
        ("abc\u202egnp.exe", "abcgnp.exe"),
        ("\u2066left\u2069", "left"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("tag\U000e0069\U000e0067nored", "tagnored"),
        ("variation\ufe0f\U000e0100", "variation"),
        ("filler\u3164\u115f\u2800", "filler"),
        ("private\ue000", "private"),
        ("lone\ud800", "lone"),
        ("Z\u0301\u0301\u0301\u0301\u0301\u0301\u0301", "Z\u0301\u0301\u0301\u0301"),
        ("Société Générale", "Société Générale"),
        ("हिन्दी", "हिन्दी"),
        ("日本語", "日本語"),
    ],
)
def test_what_the_eye_does_not_see_goes(text: str, shown: str) -> None:
    assert shown_text(text, 80) == shown


def test_a_cut_end_says_so() -> None:
    assert shown_text("x" * 81, 80) == "x" * 79 + "…"
    assert shown_text("x" * 80, 80) == "x" * 80
    assert shown_text("\u200b" * 5000 + "hidden", 80) == "…"


@given(st.text(st.characters(max_codepoint=sys.maxunicode), max_size=200), st.integers(5, 80))
def test_no_text_gets_through_longer_or_hidden(text: str, longest: int) -> None:
    shown = shown_text(text, longest)
    assert len(shown) <= longest
    assert not {unicodedata.category(char)[0] for char in shown} & {"C"}
    assert "\n" not in shown
    assert shown == shown_text(shown, longest)
