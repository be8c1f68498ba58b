"""What a dataset is made of: entries as collected, rows as typed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ._amounts import DecimalMark
from ._dates import DateRules
from ._evidence import ColumnType, Evidence, Suggestion, Value
from ._intervals import DateOrder

DatasetState = Literal["open", "finished"]
Flag = Literal["duplicate", "ambiguous"]
Receipt = Mapping[str, "str | int | bool | list[str] | None"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One collected record: the source text of each field, in the dataset's order.

    `machines` are machine-readable values beside the texts, such as a `datetime` attribute. `key` identifies the record
    on its site. `page` (from 1) and `row` (from 0) say where it was read.
    """

    texts: tuple[str, ...]
    machines: tuple[str | None, ...] | None = None
    key: str | None = None
    page: int | None = None
    row: int | None = None
    flag: Flag | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """The source text of a field, and its typed value; the value is None where the cell is empty or unresolved."""

    text: str
    value: Value | None

    @property
    def is_unresolved(self) -> bool:
        """Whether there is a text that could not be read as the field's type."""
        return self.value is None and bool(self.text.strip())


@dataclass(frozen=True, slots=True)
class Row:
    """One record of a dataset with its typed cells, in the order of the fields."""

    position: int
    cells: tuple[Cell, ...]
    key: str | None
    page: int | None
    row: int | None
    flag: Flag | None


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a dataset: its name, its type, and how many of its cells that are not empty have no value."""

    name: str
    type: ColumnType = "text"
    unresolved: int = 0
    suggestion: Suggestion | None = None


@dataclass(frozen=True, slots=True)
class DatasetInfo:
    """What a dataset holds, without its rows."""

    dataset_id: str
    run_id: str
    state: DatasetState
    fields: tuple[Field, ...]
    rows: int
    flagged: int
    receipt: Receipt | None


@dataclass(frozen=True, slots=True)
class FieldTyping:
    """What the caller knows of one field before it is typed. Nothing known is the default."""

    hint: ColumnType | None = None
    date_order: DateOrder = "dmy"
    language: str | None = None
    context_year: int | None = None
    decimal_mark: DecimalMark | None = None

    def evidence(self) -> Evidence:
        """An empty collection of evidence under these rules."""
        return Evidence(DateRules(self.date_order, self.language, self.context_year), self.hint, self.decimal_mark)
