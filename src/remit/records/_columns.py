"""A whole column typed at once, and its values as a spreadsheet can hold them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from ._amounts import Amount, DecimalMark
from ._dates import DateRules
from ._evidence import LONGEST_NUMBER, ColumnType, Evidence, Reading, Suggestion, Value
from ._intervals import DateInterval, DateOrder


@dataclass(frozen=True, slots=True)
class TypedColumn:
    """A column with its type and values. `unresolved` counts cells that are not empty and have no value."""

    type: ColumnType
    values: tuple[Value | None, ...]
    unresolved: int
    suggestion: Suggestion | None
    reading: Reading


def type_column(
    texts: Sequence[str],
    machine_values: Sequence[str | None] | None = None,
    hint: ColumnType | None = None,
    date_order: DateOrder = "dmy",
    language: str | None = None,
    context_year: int | None = None,
    decimal_mark: DecimalMark | None = None,
) -> TypedColumn:
    """Type a column of cell texts; `machine_values` are the `datetime` attributes of the same cells.

    Numeric dates are read in `date_order`. If some cannot be, could be in the other order, and none speaks for the
    given one, every numeric date that the two orders read differently is unresolved: no row is flipped by itself, and
    none is read in an order the column speaks against.
    """
    machines = machine_values if machine_values is not None else [None] * len(texts)
    evidence = Evidence(DateRules(date_order, language, context_year), hint, decimal_mark)
    for text, machine in zip(texts, machines, strict=True):
        evidence.see(text, machine)
    reading = evidence.decide()
    values = tuple(reading.value(text, machine) for text, machine in zip(texts, machines, strict=True))
    unresolved = sum(value is None and bool(text.strip()) for text, value in zip(texts, values, strict=True))
    return TypedColumn(reading.type, values, unresolved, evidence.suggestion(reading), reading)


def plain_value(value: Value | None) -> str | int | Decimal | date | datetime | None:
    """The value as a spreadsheet can hold it; None where only the source text tells it: a month, an interval, a number
    of more digits than a spreadsheet keeps. A moment keeps the clock of its source; its offset from UTC is dropped.
    """
    if isinstance(value, Amount):
        return value.value if len(value.value.as_tuple().digits) <= LONGEST_NUMBER else None
    if isinstance(value, DateInterval):
        return _plain_date(value)
    if isinstance(value, int):
        return value if len(str(abs(value))) <= LONGEST_NUMBER else None
    return value


def _plain_date(value: DateInterval) -> date | datetime | None:
    if value.precision != "day":
        return None
    return value.start if value.at is None else datetime.combine(value.start, value.at.replace(tzinfo=None))
