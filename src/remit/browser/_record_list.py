"""A list of records as it stands on a page: rows and columns, with what belongs to the rows kept apart from their
data.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ListKind = Literal["table", "list", "cards"]
SlotKind = Literal["text", "amount", "date", "number", "link", "heading", "image", "version", "license", "prose"]
"""`version`, `license` and `prose` (sentences) are told apart only where places have no names: in cards and lists."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One value as shown. `lines` keeps `<br>` and block boundaries; `machine` is a `datetime` or sort value.

    `text` is the whole title where the shown text is cut with an ellipsis and the title begins with the same words.
    `link` is the
    control id of the only link with an address, if there is exactly one.
    """

    text: str = ""
    lines: tuple[str, ...] = ()
    machine: str = ""
    title: str = ""
    alt: str = ""
    controls: tuple[int, ...] = ()
    link: int | None = None
    node: int = -1


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table, or the same place in every card. `slot` are the words of its classes and tag; never values.

    `part_of` is the index of the column whose cells hold this part: a title and its labels in one cell of a table.
    """

    name: str
    index: int
    kind: SlotKind = "text"
    slot: str = ""
    part_of: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One record. `controls` are all its controls; `group` is the heading row, or heading, it stands under."""

    cells: tuple[Cell, ...]
    controls: tuple[int, ...]
    group: str
    node: int
    link: int | None = None


@dataclass(frozen=True, slots=True)
class RecordList:
    """`node` holds the rows. `headers_left_out` and `totals_left_out` count rows that are no records. `announced` is
    the number of
    rows that the element itself claims (aria-rowcount, less its header), None where it does not.
    """

    kind: ListKind
    frame: int
    heading: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    score: float
    announced: int | None = None
    node: int = -1
    section: str = ""
    headers_left_out: int = 0
    totals_left_out: int = 0
