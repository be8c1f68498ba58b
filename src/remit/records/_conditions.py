"""Conditions on the typed values of a record: each has three answers, and a value that cannot be read is the third."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Final

from remit.contract import Reason

from ._amounts import Amount
from ._dates import read_machine_date
from ._evidence import ColumnType, Value
from ._intervals import DateInterval, Period
from ._shown import written
from ._stored import DatasetError
from ._words import fold

DATE_TYPES: Final[tuple[ColumnType, ...]] = ("date", "datetime")
NUMBER_TYPES: Final[tuple[ColumnType, ...]] = ("integer", "amount")

_NUMBER: Final = re.compile(r"-?\d{1,30}(?:\.\d{1,30})?")
_DAYS: Final = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?")
_OPERATORS: Final = ("<", ">", "=", "!")


class Answer(StrEnum):
    """Whether a record meets a condition. The last two are neither yes nor no."""

    YES = "yes"
    NO = "no"
    STRADDLING = "straddling"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Condition:
    """What one field must be; all that is given must hold.

    `one_of` and `contains` compare texts without case, accents and repeated spaces; `one_of` also takes a date or a
    number as `written` has it, and "" is an empty cell. `least` and `most` compare numbers, both included, whatever
    their currency. `period` compares days.
    """

    field: str
    one_of: tuple[str, ...] | None = None
    contains: str | None = None
    least: Decimal | None = None
    most: Decimal | None = None
    period: Period | None = None

    @property
    def is_numeric(self) -> bool:
        """Whether it compares numbers."""
        return self.least is not None or self.most is not None

    def answer(self, text: str, value: Value | None) -> Answer:
        """What a cell says."""
        return all_of((self._of_text(text, value), self._of_number(value), self._of_day(value)))

    def _of_text(self, text: str, value: Value | None) -> Answer:
        plain = _plain(text)
        if self.contains is not None and _plain(self.contains) not in plain:
            return Answer.NO
        if self.one_of is None:
            return Answer.YES
        forms = {plain} if value is None else {plain, _plain(written(value))}
        return Answer.YES if any(_plain(wanted) in forms for wanted in self.one_of) else Answer.NO

    def _of_number(self, value: Value | None) -> Answer:
        if not self.is_numeric:
            return Answer.YES
        number = value.value if isinstance(value, Amount) else value
        if not isinstance(number, int | Decimal):
            return Answer.UNREADABLE
        fits = (self.least is None or number >= self.least) and (self.most is None or number <= self.most)
        return Answer.YES if fits else Answer.NO

    def _of_day(self, value: Value | None) -> Answer:
        if self.period is None:
            return Answer.YES
        return _PLACES[self.period.place(value if isinstance(value, DateInterval) else None)]


def read_condition(name: str, of_type: ColumnType, text: str) -> Condition:
    """What a caller writes of one field: a text, `a|b` for any of several, `*part*` for a part of it, and `1..9` for
    numbers or days between two, both included, of which one may be missing. In double quotes all is text.

    Days are written as in ISO 8601, and a month or a year stands for all its days. For a field of dates such a text is
    the days it means, not a text.

    Raises:
        DatasetError: INVALID_ARGUMENTS, it looks like a condition of a kind there is none of.
    """
    if len(text) > 1 and text[0] == text[-1] == '"':
        return Condition(name, one_of=(text[1:-1],))
    if ".." in text:
        return _range(name, of_type, text)
    if text.startswith(_OPERATORS):
        raise DatasetError(Reason.INVALID_ARGUMENTS)
    if "*" in (text[:1], text[-1:]):
        return _part(name, text)
    days = _days(text) if of_type in DATE_TYPES else None
    if days is not None:
        return Condition(name, period=Period(days.start, days.end))
    return Condition(name, one_of=tuple(part.strip() for part in text.split("|")))


def all_of(answers: Iterable[Answer]) -> Answer:
    """One no is no; what cannot be read outweighs what straddles; yes is only what every answer says."""
    given = set(answers)
    return next((each for each in (Answer.NO, Answer.UNREADABLE, Answer.STRADDLING) if each in given), Answer.YES)


def _range(name: str, of_type: ColumnType, text: str) -> Condition:
    first, _, last = (part.strip() for part in text.partition(".."))
    given = [part for part in (first, last) if part]
    if given and of_type not in DATE_TYPES and all(map(_NUMBER.fullmatch, given)):
        return Condition(name, least=Decimal(first) if first else None, most=Decimal(last) if last else None)
    ends = [_days(part) for part in given]
    if not given or None in ends:
        raise DatasetError(Reason.INVALID_ARGUMENTS)
    return Condition(name, period=Period(_start(first), _end(last)))


def _part(name: str, text: str) -> Condition:
    inner = text[1:-1]
    if len(text) < 3 or text[0] != text[-1] or not _plain(inner):
        raise DatasetError(Reason.INVALID_ARGUMENTS)
    return Condition(name, contains=inner)


def _days(text: str) -> DateInterval | None:
    found = read_machine_date(text) if _DAYS.fullmatch(text) else None
    return found if isinstance(found, DateInterval) else None


def _start(text: str) -> date | None:
    found = _days(text)
    return None if found is None else found.start


def _end(text: str) -> date | None:
    found = _days(text)
    return None if found is None else found.end


def _plain(text: str) -> str:
    return " ".join(fold(text).split())


_PLACES: Final[Mapping[str, Answer]] = {
    "inside": Answer.YES,
    "outside": Answer.NO,
    "straddling": Answer.STRADDLING,
    "undated": Answer.UNREADABLE,
}
