"""What a dataset is made of: entries as collected, rows as typed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
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
    on its site. `page` (from 1), `row` and `cells` (from 0) say where each text was read: a cell is None where the text
    stood on the record's own page. `listed` has what the list said of the fields that page says otherwise, and None for
    the others. `context_year` is the year the heading or caption over this row states, for dates without one.
    """

    texts: tuple[str, ...]
    machines: tuple[str | None, ...] | None = None
    key: str | None = None
    page: int | None = None
    row: int | None = None
    flag: Flag | None = None
    cells: tuple[int | None, ...] | None = None
    listed: tuple[str | None, ...] | None = None
    context_year: int | None = None

    def only(self, places: Sequence[int]) -> Entry:
        """The same record with the fields at these places, in this order."""
        return replace(
            self,
            texts=tuple(self.texts[at] for at in places),
            machines=None if self.machines is None else tuple(self.machines[at] for at in places),
            cells=None if self.cells is None else tuple(self.cells[at] for at in places),
            listed=None if self.listed is None else tuple(self.listed[at] for at in places),
        )

    def machine(self, at: int) -> str | None:
        """The machine-readable value beside one text."""
        return None if self.machines is None else self.machines[at]


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
    """A field of a dataset: its name, its type, and how many of its cells that are not empty have no value.

    `context_years` counts the dates whose year stood in the heading or caption over them, not beside them.
    """

    name: str
    type: ColumnType = "text"
    unresolved: int = 0
    suggestion: Suggestion | None = None
    context_years: int = 0


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

    @property
    def complete(self) -> bool | None:
        """What the receipt says; False while there is none, None where completeness is no question, as of a file."""
        if self.receipt is None:
            return False
        told = self.receipt.get("complete")
        return told if isinstance(told, bool) else None


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
