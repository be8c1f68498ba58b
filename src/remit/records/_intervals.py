"""What a date in a source may mean: an interval of days, or a stated reason why it stays unresolved."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import date, time
from enum import StrEnum
from typing import Literal

Precision = Literal["day", "month", "quarter", "year", "interval"]
DateOrder = Literal["dmy", "mdy"]
Place = Literal["inside", "outside", "straddling", "undated"]

FIRST_YEAR, LAST_YEAR = 1583, 2200
"""The Gregorian calendar's first whole year; and a bound below Buddhist years. Hijri and Persian years lie below."""


class Why(StrEnum):
    """Why a text gives no date."""

    EMPTY = "empty"
    NOT_A_DATE = "not_a_date"
    NO_YEAR = "no_year"
    NO_SUCH_DAY = "no_such_day"
    OTHER_ORDER = "other_order"
    CONTESTED_NAME = "contested_name"


@dataclass(frozen=True, slots=True)
class Unresolved:
    """No date. `why` tells a date-shaped text (a missing year, another order) from one that is none."""

    why: Why

    @property
    def is_date_shaped(self) -> bool:
        """Whether the text speaks of a date that cannot be settled, rather than of something else."""
        return self.why not in (Why.EMPTY, Why.NOT_A_DATE)


@dataclass(frozen=True, slots=True)
class DateInterval:
    """The days a text stands for, first and last included, at the precision of its source.

    `at` is the time of day of a single day: naive where the source names no offset.
    `year_from_context` says that the year stood elsewhere, for example in the table's caption.
    """

    start: date
    end: date
    precision: Precision
    year_from_context: bool = False
    at: time | None = None

    @classmethod
    def day(cls, day: date, at: time | None = None) -> DateInterval:
        """One day."""
        return cls(day, day, "day", at=at)

    @classmethod
    def month(cls, year: int, month: int) -> DateInterval:
        """One month."""
        return cls(date(year, month, 1), date(year, month, monthrange(year, month)[1]), "month")

    @classmethod
    def quarter(cls, year: int, quarter: int) -> DateInterval:
        """One quarter, 1 to 4."""
        last = quarter * 3
        return cls(date(year, last - 2, 1), cls.month(year, last).end, "quarter")

    @classmethod
    def year(cls, year: int) -> DateInterval:
        """One year."""
        return cls(date(year, 1, 1), date(year, 12, 31), "year")

    def flagged(self, year_from_context: bool) -> DateInterval:
        """The same, saying whether its year stood elsewhere."""
        return replace(self, year_from_context=year_from_context) if year_from_context else self


@dataclass(frozen=True, slots=True)
class Period:
    """The days a filter asks for, both included; an open end is None."""

    start: date | None = None
    end: date | None = None

    def place(self, dated: DateInterval | Unresolved | None) -> Place:
        """Where an interval lies. A month half in the period is straddling; what has no date is undated."""
        if not isinstance(dated, DateInterval):
            return "undated"
        start, end = self.start or date.min, self.end or date.max
        if dated.end < start or dated.start > end:
            return "outside"
        return "inside" if start <= dated.start and dated.end <= end else "straddling"


def period(start: date | None, end: date | None) -> Period:
    """The period from `start` to `end`, both included; None leaves an end open."""
    return Period(start, end)


def is_year(number: int) -> bool:
    """Whether a number can be a year of the Gregorian calendar."""
    return FIRST_YEAR <= number <= LAST_YEAR


def on_day(year: int, month: int, day: int, at: time | None = None) -> DateInterval | Unresolved:
    """A day that exists, or Unresolved."""
    try:
        return DateInterval.day(date(year, month, day), at) if is_year(year) else Unresolved(Why.NOT_A_DATE)
    except ValueError:
        return Unresolved(Why.NO_SUCH_DAY)


def in_month(year: int, month: int) -> DateInterval | Unresolved:
    """A month that exists, or Unresolved: "25/2026" is more likely the number of a document than a date."""
    exists = is_year(year) and 1 <= month <= 12
    return DateInterval.month(year, month) if exists else Unresolved(Why.NOT_A_DATE)


def full_year(two_digits: int) -> int:
    """The year two digits stand for, as in POSIX `strptime` %y: 69 to 99 are 19xx, 00 to 68 are 20xx."""
    return two_digits + (1900 if two_digits >= 69 else 2000)
