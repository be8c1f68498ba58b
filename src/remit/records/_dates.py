"""Dates as sources write them: strict, never completed from today, never flipped from one order to another."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import time
from functools import lru_cache

from ._intervals import DateInterval, DateOrder, Unresolved, Why, full_year, in_month, is_year, on_day
from ._times import BadTimeError, cut_time
from ._worded_dates import read_worded
from ._words import fold

_ISO_DAY = re.compile(r"(\d{4})\s?([-/.])\s?(\d{1,2})\s?\2\s?(\d{1,2})\.?")
_ISO_MONTH = re.compile(r"(\d{4})\s?[-/.]\s?(\d{1,2})")
_DAY = re.compile(r"(\d{1,2})\s?([-/.])\s?(\d{1,2})\s?\2\s?(\d{4}|\d{2})\.?")
_MONTH = re.compile(r"(\d{1,2}(?=\s?[-/])|\d\d)\s?[-/.]\s?(\d{4})")
_NO_YEAR = re.compile(r"(\d{1,2})\s?([-/.])\s?(\d{1,2})(?:\2)?")
_LABEL = re.compile(r"[^\d:\n]{1,40}(?::|\n)\s*")
_DASHES = re.compile(r"[\u2010-\u2015\u2212]")
_RANGE = re.compile(r"\s*(?:\s-\s|\u2013|~|\u301c|\uff5e|\s(?:to|until|al|a|bis|au|hasta|ate|tot|do|-)\s)\s*")
_YEAR = re.compile(r"(?<![\d.,:/#-])\d{4}(?![\d.,:/-]*\d)")
_MACHINE_YEAR = re.compile(r"\d{4}")


@dataclass(frozen=True, slots=True)
class DateRules:
    """What is known beside the text. Nothing here is guessed from it.

    `order` applies to numeric dates; `language` (an ISO 639 code) decides contested month names; `context_year` stands
    in for a missing year, and the result then says so.
    """

    order: DateOrder = "dmy"
    language: str | None = None
    context_year: int | None = None

    def in_year(self, year: int | None) -> DateRules:
        """The same where a heading states the year; unchanged without one."""
        return self if year is None else replace(self, context_year=year)


def read_date(text: str, machine: str | None = None, rules: DateRules = DateRules()) -> DateInterval | Unresolved:
    """The date a text states; `machine`, the `datetime` attribute beside it, wins where it is a valid one."""
    if machine:
        exact = read_machine_date(machine)
        if isinstance(exact, DateInterval):
            return exact
    return _read(text, rules)


def read_machine_date(text: str) -> DateInterval | Unresolved:
    """A year, month, day or moment in ISO order (HTML standard, "dates and times"); nothing else."""
    folded = fold(text.strip())
    if _MACHINE_YEAR.fullmatch(folded) and is_year(int(folded)):
        return DateInterval.year(int(folded))
    if not folded[:4].isdecimal():
        return Unresolved(Why.NOT_A_DATE)
    return _read(text, DateRules())


def year_in(heading: str) -> int | None:
    """The year a caption or group heading states for the rows under it; None if it names none, or several."""
    years = {int(number) for number in _YEAR.findall(fold(heading)) if is_year(int(number))}
    return years.pop() if len(years) == 1 else None


def is_machine_date(text: str | None) -> bool:
    """Whether a `datetime` attribute is there and valid, so that it decides."""
    return bool(text) and isinstance(read_machine_date(text or ""), DateInterval)


def in_both_orders(text: str, rules: DateRules) -> tuple[DateInterval | None, DateInterval | None]:
    """What a text gives in the given order and in the other one; (None, None) where the order makes no difference."""
    if "/" not in text and "." not in text and "-" not in text:
        return None, None
    other: DateOrder = "mdy" if rules.order == "dmy" else "dmy"
    given_date, other_date = _read(text, rules), _read(text, replace(rules, order=other))
    return (None, None) if given_date == other_date else (_or_none(given_date), _or_none(other_date))


def _or_none(value: DateInterval | Unresolved) -> DateInterval | None:
    return value if isinstance(value, DateInterval) else None


@lru_cache(maxsize=8192)
def _read(text: str, rules: DateRules) -> DateInterval | Unresolved:
    if not text.strip():
        return Unresolved(Why.EMPTY)
    if len(text) > 200 or not (rules.context_year or any(char.isdecimal() for char in text)):
        return Unresolved(Why.NOT_A_DATE)
    normal = _normal(text)
    value = _read_part(normal, rules)
    if isinstance(value, Unresolved) and value.why is Why.NOT_A_DATE:
        value = _read_range(normal, rules)
    if isinstance(value, Unresolved) and value.why is Why.NOT_A_DATE and (label := _LABEL.match(normal)):
        return _read(normal[label.end() :], rules)
    return value


def _normal(text: str) -> str:
    lines = (" ".join(line.split()) for line in fold(text).splitlines())
    return _DASHES.sub("\u2013", "\n".join(line for line in lines if line))


def _read_part(text: str, rules: DateRules) -> DateInterval | Unresolved:
    try:
        rest, at = cut_time(text)
    except BadTimeError:
        return Unresolved(Why.NO_SUCH_DAY)
    value = _read_days(rest.strip(" ,\n"), rules)
    if at is None or isinstance(value, Unresolved):
        return value
    return _with_time(value, at)


def _with_time(value: DateInterval, at: time) -> DateInterval | Unresolved:
    return replace(value, at=at) if value.precision == "day" else Unresolved(Why.NOT_A_DATE)


def _read_days(text: str, rules: DateRules) -> DateInterval | Unresolved:
    text = text.replace("\u2013", "-") if text.count("\u2013") == 2 else text
    if found := _ISO_DAY.fullmatch(text):
        return on_day(int(found[1]), int(found[3]), int(found[4]))
    if found := _DAY.fullmatch(text):
        return _numeric_day(found, rules)
    if found := _ISO_MONTH.fullmatch(text):
        return in_month(int(found[1]), int(found[2]))
    if found := _MONTH.fullmatch(text):
        return in_month(int(found[2]), int(found[1]))
    if found := _NO_YEAR.fullmatch(text):
        return _numeric_without_year(found, rules)
    if text.replace(" ", "").isdecimal():
        return Unresolved(Why.NOT_A_DATE)
    return read_worded(text, rules.language, rules.context_year, lambda part: _read_numeric_part(part, rules))


def _read_numeric_part(text: str, rules: DateRules) -> DateInterval | Unresolved:
    """The numeric date left when weekdays and small words are taken away."""
    for pattern in (_ISO_DAY, _DAY, _ISO_MONTH, _MONTH):
        if pattern.fullmatch(text):
            return _read_days(text, rules)
    return Unresolved(Why.NOT_A_DATE)


def _numeric_day(found: re.Match[str], rules: DateRules) -> DateInterval | Unresolved:
    first, second = int(found[1]), int(found[3])
    year = int(found[4]) if len(found[4]) == 4 else full_year(int(found[4]))
    day, month = (first, second) if rules.order == "dmy" else (second, first)
    value = on_day(year, month, day)
    if isinstance(value, Unresolved) and isinstance(on_day(year, day, month), DateInterval):
        return Unresolved(Why.OTHER_ORDER)
    return value


def _numeric_without_year(found: re.Match[str], rules: DateRules) -> DateInterval | Unresolved:
    """A day and a month alone are a date only where a year is given beside them; "1/2" may be anything."""
    if rules.context_year is None:
        return Unresolved(Why.NOT_A_DATE)
    day, month = (found[1], found[3]) if rules.order == "dmy" else (found[3], found[1])
    value = on_day(rules.context_year, int(month), int(day))
    return value.flagged(True) if isinstance(value, DateInterval) else value


def _read_range(text: str, rules: DateRules) -> DateInterval | Unresolved:
    """Of "A – B", what A leaves out (its year, its month) is what B says."""
    pieces = _RANGE.split(text)
    if len(pieces) != 2 and len(pieces := re.split(r"(?<=[^\W\d_])\.?-(?=[^\W\d_])", text)) != 2:
        return Unresolved(Why.NOT_A_DATE)
    left_text, right_text = (re.sub(r"^(?:from|dal|da|von|vom|du|de|del|van|od)\s", "", piece) for piece in pieces)
    right = _read_part(right_text, rules)
    if isinstance(right, Unresolved):
        return right
    left = _read_left(left_text, right, rules)
    if isinstance(left, Unresolved):
        return left
    if left.start > right.start or left.at or right.at:
        return Unresolved(Why.NOT_A_DATE)
    return DateInterval(left.start, right.end, "interval", right.year_from_context)


def _read_left(text: str, right: DateInterval, rules: DateRules) -> DateInterval | Unresolved:
    if text.rstrip(".").isdecimal() and len(text) <= 3 and right.precision == "day":
        return on_day(right.start.year, right.start.month, int(text.rstrip(".")))
    return _read_part(text, replace(rules, context_year=right.start.year))
