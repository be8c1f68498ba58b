"""Dates with words in them: month names, quarters, weekdays, and the small words around."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Literal

from ._calendar_names import Contested, Name, literals, longest, meaning, names_of
from ._intervals import DateInterval, Unresolved, Why, full_year, in_month, is_year, on_day
from ._lexicon import words
from ._words import fold, split

_CODE = re.compile(r"[a-z]\.?[-/]\d|\d[-/][a-z]|[a-z]\.?\d|\d[a-z](?!\.$)")
_BLOB = re.compile(r"[a-z]\d|^\d+[a-z]+$")
_PUNCTUATION = frozenset(",;/-()[]|·•'’\u2013")


@dataclass(frozen=True, slots=True)
class _Part:
    """One name, number or small word of a text: `length` tokens from token `at`.

    A "small month" is a small word too: it is a month where there is no other. A "literal" says nothing by itself. A
    rare name of a month, without a year beside it, is more likely another word.
    """

    kind: Literal["month", "small_month", "number", "short_year", "ignored", "literal"]
    at: int
    text: str
    length: int = 1
    month: int | Contested | None = None
    may_be_weekday: bool = False
    is_rare: bool = False


def read_worded(
    text: str, language: str | None, context_year: int | None, read_numeric: Callable[[str], DateInterval | Unresolved]
) -> DateInterval | Unresolved:
    """The date of folded text that has words; `read_numeric` reads what remains when only numbers matter."""
    tokens = split(text)
    quarter = _quarter(tokens, language)
    if quarter is not None:
        return quarter
    parts = _parts(tokens, language)
    if parts is None:
        return Unresolved(Why.NOT_A_DATE)
    months = _without_weekday([part for part in parts if part.kind == "month"])
    months = months or [part for part in parts if part.kind == "small_month"]
    numbers = [part for part in parts if part.kind == "number"]
    if not months:
        return _read_numeric(text, parts, read_numeric)
    if len(months) > 1 or (isinstance(months[0].month, Contested) and not numbers):
        return Unresolved(Why.NOT_A_DATE)
    short_year = next((full_year(int(part.text)) for part in parts if part.kind == "short_year"), None)
    has_year = short_year is not None or any(len(part.text) == 4 for part in numbers)
    doubts = (not has_year, months[0].is_rare, _BLOB.search(text) is not None)
    if sum(doubts) > 1:  # "MAR1" is no day in March
        return Unresolved(Why.NOT_A_DATE)
    return _assemble(months[0], numbers, short_year, context_year)


def _read_numeric(
    text: str, parts: list[_Part], read_numeric: Callable[[str], DateInterval | Unresolved]
) -> DateInterval | Unresolved:
    """A numeric date among weekdays and small words; letters written onto it make it a code: "R-2026-03"."""
    if _CODE.search(text) or any(part.kind == "literal" and part.text.isascii() for part in parts):
        return Unresolved(Why.NOT_A_DATE)
    return read_numeric(_without_words(text))


def _assemble(
    name: _Part, numbers: list[_Part], short_year: int | None, context_year: int | None
) -> DateInterval | Unresolved:
    years = [int(part.text) for part in numbers if len(part.text) == 4]
    days = [part for part in numbers if len(part.text) <= 2]
    if len(years) + len(days) != len(numbers) or len(years) > 1 or len(days) > 2:
        return Unresolved(Why.NOT_A_DATE)
    stated = years[0] if years else short_year
    if len(days) == 2:
        if stated is not None or not days[0].at < name.at < days[1].at:
            return Unresolved(Why.NOT_A_DATE)
        stated = full_year(int(days.pop().text))
    year = stated if stated is not None else context_year
    if year is None:
        return Unresolved(Why.NO_YEAR if days else Why.NOT_A_DATE)
    if not isinstance(name.month, int):
        return Unresolved(Why.CONTESTED_NAME)
    value = on_day(year, name.month, int(days[0].text)) if days else in_month(year, name.month)
    return value.flagged(stated is None) if isinstance(value, DateInterval) else value


def _quarter(tokens: tuple[str, ...], language: str | None) -> DateInterval | Unresolved | None:
    """As "Q3 2026", "2026 Q3", "3e trimestre 2026"; None if this is no quarter."""
    kept = tuple(token for token in tokens if token not in _PUNCTUATION)
    if len(kept) < 2 or len(kept) > longest("quarters") + 3:
        return None
    for year, rest in ((kept[-1], kept[:-1]), (kept[0], kept[1:])):
        if len(year) == 4 and year.isdecimal() and is_year(int(year)):
            number = _quarter_number(rest, language)
            if number is not None:
                return DateInterval.quarter(int(year), number)
    return None


def _quarter_number(name: Name, language: str | None) -> int | None:
    for candidate in (name, name[:-1] if name[-1:] and name[-1] in _small_words() else name, _reordered(name)):
        number = meaning(candidate, "quarters", language) if candidate else None
        if isinstance(number, int):
            return number
    return None


def _reordered(name: Name) -> Name:
    """As "3Q" stands for "Q3"."""
    return (name[1], name[0]) if len(name) == 2 and name[0].isdecimal() else ()


def _parts(tokens: tuple[str, ...], language: str | None) -> list[_Part] | None:
    """Every token accounted for, or None: an unknown word makes a text no date."""
    parts: list[_Part] = []
    at = 0
    while at < len(tokens):
        part = _part(tokens, at, language)
        if part is None:
            return None
        parts.append(part)
        at += part.length
    return parts


def _part(tokens: tuple[str, ...], at: int, language: str | None) -> _Part | None:
    token = tokens[at]
    month = _month(tokens, at, language)
    if month is not None:
        return month
    if token.isdecimal():
        short = len(token) == 2 and at > 0 and tokens[at - 1] in "'’"
        return _Part("short_year" if short else "number", at, token)
    weekday_length = _longest(tokens, at, "weekdays")
    if weekday_length or token in _PUNCTUATION or token in _ignored():
        return _Part("ignored", at, token, weekday_length or 1)
    return _Part("literal", at, token) if token in literals() else None


def _month(tokens: tuple[str, ...], at: int, language: str | None) -> _Part | None:
    length = _longest(tokens, at, "months")
    if not length:
        return None
    name = tokens[at : at + length]
    month = meaning(name, "months", language)
    if length == 1 and (name[0] in _small_words() or name[0] in literals()):
        return _Part("small_month", at, name[0], 1, month) if isinstance(month, int) else None
    number = names_of("months")[name]
    is_rare = isinstance(number, int) and number < 0
    return _Part("month", at, name[0], length, month, name in names_of("weekdays"), is_rare)


def _without_weekday(months: list[_Part]) -> list[_Part]:
    """Of two months, the first that is also a weekday is that: "mar 15 set 2026" is a Tuesday in September."""
    weekday = next((part for part in months if part.may_be_weekday), None)
    return [part for part in months if part is not weekday] if len(months) == 2 else months


def _longest(tokens: tuple[str, ...], at: int, kind: Literal["months", "weekdays"]) -> int:
    """How many tokens from `at` make the longest name; 0 if none does."""
    names, most = names_of(kind), min(longest(kind), len(tokens) - at)
    return next((n for n in range(most, 0, -1) if tokens[at : at + n] in names), 0)


def _without_words(text: str) -> str:
    kept = "".join(char if char.isdecimal() or char in "/.- " else " " for char in text)
    return " ".join(kept.split()).strip(" .-/,")


@cache
def _small_words() -> frozenset[str]:
    return frozenset(fold(word) for word in words("small_words"))


@cache
def _ignored() -> frozenset[str]:
    return _small_words() | {fold(word) for word in words("date_labels")}
