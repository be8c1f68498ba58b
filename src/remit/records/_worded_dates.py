"""Dates with words in them: month names, quarters, weekdays, and the small words around."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from ._calendar_names import LONGEST, Contested, Name, meaning, names_of
from ._intervals import DateInterval, Unresolved, Why, full_year, in_month, is_year, on_day
from ._lexicon import words
from ._words import fold, split

_PUNCTUATION = frozenset(",;/-()[]|·•'’\u2013")


@dataclass(frozen=True, slots=True)
class _Read:
    """Tokens sorted by what they are."""

    months: list[tuple[int, int | Contested]]
    numbers: list[tuple[int, str]]
    apostrophe_year: int | None


def read_worded(
    text: str, language: str | None, context_year: int | None, read_numeric: Callable[[str], DateInterval | Unresolved]
) -> DateInterval | Unresolved:
    """The date of folded text that has words; `read_numeric` reads what remains when only numbers matter."""
    tokens = split(text)
    quarter = _quarter(tokens, language)
    if quarter is not None:
        return quarter
    read = _sort(tokens, language)
    if read is None:
        return Unresolved(Why.NOT_A_DATE)
    if not read.months:
        return read_numeric(_without_words(text))
    if len(read.months) != 1:
        return Unresolved(Why.NOT_A_DATE)
    place, month = read.months[0]
    if isinstance(month, Contested):
        return Unresolved(Why.CONTESTED_NAME if read.numbers else Why.NOT_A_DATE)
    return _assemble(place, month, read, context_year)


def _assemble(place: int, month: int, read: _Read, context_year: int | None) -> DateInterval | Unresolved:
    years = [int(text) for _, text in read.numbers if len(text) == 4]
    days = [(at, int(text)) for at, text in read.numbers if len(text) <= 2]
    if len(years) + len(days) != len(read.numbers) or len(years) > 1 or len(days) > 2:
        return Unresolved(Why.NOT_A_DATE)
    year = years[0] if years else read.apostrophe_year
    if len(days) == 2:
        if year is not None or not days[0][0] < place < days[1][0]:
            return Unresolved(Why.NOT_A_DATE)
        year = full_year(days.pop()[1])
    if year is None and context_year is None:
        return Unresolved(Why.NO_YEAR if days else Why.NOT_A_DATE)
    whole = year if year is not None else context_year
    assert whole is not None
    value = on_day(whole, month, days[0][1]) if days else in_month(whole, month)
    return value.flagged(year is None) if isinstance(value, DateInterval) else value


def _quarter(tokens: tuple[str, ...], language: str | None) -> DateInterval | Unresolved | None:
    """As "Q3 2026", "2026 Q3", "3e trimestre 2026"; None if this is no quarter."""
    kept = tuple(token for token in tokens if token not in _PUNCTUATION)
    if len(kept) < 2 or len(kept) > LONGEST + 3:
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


def _sort(tokens: tuple[str, ...], language: str | None) -> _Read | None:
    """Every token accounted for, or None: an unknown word makes a text no date."""
    month_names, weekday_names = names_of("months"), names_of("weekdays")
    months: list[tuple[int, int | Contested]] = []
    weekdays: list[int] = []
    numbers: list[tuple[int, str]] = []
    apostrophe: int | None = None
    at = 0
    while at < len(tokens):
        token = tokens[at]
        length = _longest(tokens, at, month_names)
        weekday = 0 if length else _longest_weekday(tokens, at, weekday_names)
        if length:
            month = meaning(tokens[at : at + length], "months", language)
            if month is not None:
                months.append((at, month))
            if tokens[at : at + length] in weekday_names:
                weekdays.append(at)
            at += length
        elif token.isdecimal():
            if at and tokens[at - 1] in "'’" and len(token) == 2:
                apostrophe = full_year(int(token))
            else:
                numbers.append((at, token))
            at += 1
        elif weekday:
            at += weekday
        elif token in _PUNCTUATION or token in _ignored():
            at += 1
        else:
            return None
    return _Read(_without_weekday(months, weekdays), numbers, apostrophe)


def _without_weekday(
    months: list[tuple[int, int | Contested]], weekdays: list[int]
) -> list[tuple[int, int | Contested]]:
    """Of two months, the first that is also a weekday is that: "mar 15 set 2026" is a Tuesday in September."""
    if len(months) == 2:
        for month in months:
            if month[0] in weekdays:
                return [other for other in months if other is not month]
    return months


def _longest(tokens: tuple[str, ...], at: int, names: Mapping[Name, object]) -> int:
    for length in range(min(LONGEST, len(tokens) - at), 0, -1):
        name = tokens[at : at + length]
        if name in names and not (length == 1 and name[0] in _small_words()):
            return length
    return 0


def _longest_weekday(tokens: tuple[str, ...], at: int, names: Mapping[Name, object]) -> int:
    return next((n for n in range(min(LONGEST, len(tokens) - at), 0, -1) if tokens[at : at + n] in names), 0)


def _without_words(text: str) -> str:
    kept = "".join(char if char.isdecimal() or char in "/.- " else " " for char in text)
    return " ".join(kept.split()).strip(" .-/,")


@cache
def _small_words() -> frozenset[str]:
    return frozenset(fold(word) for word in words("small_words"))


@cache
def _ignored() -> frozenset[str]:
    return _small_words() | {fold(word) for word in words("date_labels")}
