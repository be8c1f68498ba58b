"""What the cells of a column say together, and how each is then read."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from ._amounts import MARKS, Amount, DecimalMark, WrittenAmount, read_integer, take_apart
from ._dates import DateRules, in_both_orders, is_machine_date, read_date
from ._intervals import DateInterval, Unresolved, Why

ColumnType = Literal["text", "integer", "amount", "date", "datetime"]
Value = str | int | Amount | DateInterval
Suggestion = Literal["date_order", "decimal_mark", "context_year", "language"]

LONGEST_COUNT = 9
"""Digits of the longest whole number taken for a count without being told; what is longer more often identifies."""

LONGEST_NUMBER = 15
"""Digits a spreadsheet keeps of a number (IEEE 754 double); a longer one would be changed, so it stays text."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How to read each cell of a column: all that was decided about it.

    `doubtful_order` says that the column speaks against the date order in force and not for it.
    """

    type: ColumnType
    rules: DateRules = field(default_factory=DateRules)
    mark: DecimalMark | None = None
    doubtful_order: bool = False

    def value(self, text: str, machine: str | None = None, context_year: int | None = None) -> Value | None:
        """The typed value of one cell; None where it is empty or cannot be read as the type.

        `context_year` is the year stated over the cell's own row; it goes before that of the whole column.
        """
        if not text.strip() and not machine:
            return None
        if self.type == "text":
            return text
        if self.type == "integer":
            return read_integer(text)
        if self.type == "amount":
            return self._amount(text)
        dated = self._date(text, machine, self.rules.in_year(context_year))
        return dated if isinstance(dated, DateInterval) else None

    def _amount(self, text: str) -> Amount | None:
        written = take_apart(text)
        if written is None:
            return None
        if self.mark is not None:
            return written.under(self.mark)
        return None if written.is_ambiguous else written.under(".") or written.under(",")

    def _date(self, text: str, machine: str | None, rules: DateRules) -> DateInterval | Unresolved:
        if self.doubtful_order and not is_machine_date(machine):
            given, other = in_both_orders(text, rules)
            if given != other:
                return Unresolved(Why.OTHER_ORDER)
        return read_date(text, machine, rules)


class Evidence:
    """What the cells of a column say together. Cells are shown one by one and not kept."""

    def __init__(self, rules: DateRules, hint: ColumnType | None = None, mark: DecimalMark | None = None) -> None:
        self._hint = hint
        self._filled = 0
        self._counts = _Counts()
        self._amounts = _Amounts(mark)
        self._dates = _Dates(rules)
        self._rules = rules

    def see(self, text: str, machine: str | None = None, context_year: int | None = None) -> None:
        """Take one cell into account; `context_year` as of `Reading.value`."""
        if not text.strip() and not machine:
            return
        self._filled += 1
        if self._asks("integer") and (self._hint or self._counts.all == self._filled - 1):
            self._counts.see(text)
        if self._asks("amount") and (self._hint or self._amounts.all == self._filled - 1):
            self._amounts.see(text)
        if self._asks("date", "datetime") and (self._hint or self._dates.shaped == self._filled - 1):
            self._dates.see(text, machine, context_year)

    def decide(self) -> Reading:
        """How to read the column. Without a hint it is typed only if every filled cell is of the type."""
        if self._hint == "text" or not self._filled:
            return Reading("text", self._rules)
        dates = self._dates.shaped == self._filled and self._dates.settled
        amounts = self._amounts.all == self._filled and self._amounts.settled
        if dates and amounts and self._hint is None:  # "10.2026" may be either
            return Reading("text", self._rules)
        if self._is("date", "datetime", proven=dates):
            return self._dates.reading()
        if self._is("integer", proven=self._counts.all == self._filled and self._counts.short):
            return Reading("integer", self._rules)
        if self._is("amount", proven=amounts):
            return Reading("amount", self._rules, self._amounts.mark)
        return Reading("text", self._rules)

    def suggestion(self, reading: Reading) -> Suggestion | None:
        """The argument that would settle what stays unresolved, if one would."""
        if reading.type in ("date", "datetime"):
            return self._dates.suggestion()
        whole = self._filled and self._amounts.all == self._filled
        return "decimal_mark" if whole and self._amounts.is_ambiguous and reading.type != "integer" else None

    def _asks(self, *types: ColumnType) -> bool:
        return self._hint is None or self._hint in types

    def _is(self, *types: ColumnType, proven: bool) -> bool:
        return self._hint in types or (self._hint is None and proven)


class _Counts:
    """Whole numbers."""

    def __init__(self) -> None:
        self.all = 0
        self.short = True

    def see(self, text: str) -> None:
        whole = read_integer(text)
        if whole is not None:
            self.all += 1
            self.short = self.short and len(str(abs(whole))) <= LONGEST_COUNT


class _Amounts:
    """Decimal numbers, and for each decimal mark how many cells admit it and how many demand it."""

    def __init__(self, told: DecimalMark | None) -> None:
        self.all = 0
        self._told = told
        self._money = self._fractions = self._ambiguous = False
        self._admit: Counter[DecimalMark] = Counter()
        self._demand: Counter[DecimalMark] = Counter()

    def see(self, text: str) -> None:
        written = take_apart(text)
        if written is None:
            return
        self.all += 1
        self._money = self._money or written.currency is not None
        self._ambiguous = self._ambiguous or written.is_ambiguous
        for mark in MARKS:
            self._admit[mark] += written.under(mark) is not None
        demanded = _demanded(written)
        if demanded is not None:
            self._demand[demanded] += 1
            self._fractions = self._fractions or _has_fraction(written, demanded)

    @property
    def mark(self) -> DecimalMark | None:
        """The decimal mark told; else the one that every amount admits and at least one demands."""
        return self._told or next(
            (mark for mark in MARKS if self._demand[mark] and self._admit[mark] == self.all), None
        )

    @property
    def is_ambiguous(self) -> bool:
        """Whether some amount has two readings and nothing in the column decides."""
        return self._ambiguous and self.mark is None

    @property
    def settled(self) -> bool:
        """Whether these are amounts with one reading: money or fractions, not merely digits in groups."""
        contradictory = self._admit[self.mark] < self.all if self.mark else all(self._demand[mark] for mark in MARKS)
        return (self._money or self._fractions) and not self.is_ambiguous and not contradictory


class _Dates:
    """Dates, and which order the numeric ones speak for."""

    def __init__(self, rules: DateRules) -> None:
        self.shaped = 0
        self._rules = rules
        self._read = self._days = self._moments = 0
        self._only_given = self._only_other = False
        self._why: Counter[Why] = Counter()

    def see(self, text: str, machine: str | None, context_year: int | None) -> None:
        rules = self._rules.in_year(context_year)
        dated = read_date(text, machine, rules)
        if isinstance(dated, DateInterval):
            self.shaped += 1
            self._read += 1
            self._days += dated.precision == "day"
            self._moments += dated.at is not None
        else:
            self.shaped += dated.is_date_shaped
            self._why[dated.why] += 1
        if not is_machine_date(machine):
            given, other = in_both_orders(text, rules)
            self._only_given = self._only_given or (given is not None and other is None)
            self._only_other = self._only_other or (other is not None and given is None)

    @property
    def settled(self) -> bool:
        """Whether at least one cell is a date, in this order or in the other."""
        return self._read > 0 or self._why[Why.OTHER_ORDER] > 0

    def reading(self) -> Reading:
        timed = self._moments > 0 and self._moments == self._days == self._read
        doubtful = self._only_other and not self._only_given
        return Reading("datetime" if timed else "date", self._rules, doubtful_order=doubtful)

    def suggestion(self) -> Suggestion | None:
        if self._only_other and not self._only_given:
            return "date_order"
        if self._why[Why.NO_YEAR]:
            return "context_year"
        return "language" if self._why[Why.CONTESTED_NAME] else None


def _demanded(written: WrittenAmount) -> DecimalMark | None:
    if written.comma is None:
        return "."
    return "," if written.point is None else None


def _has_fraction(written: WrittenAmount, mark: DecimalMark) -> bool:
    amount = written.under(mark)
    return amount is not None and amount.value.as_tuple().exponent != 0
