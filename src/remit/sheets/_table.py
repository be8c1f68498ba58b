"""A sheet read as a table: where its header is, which rows are data, which are not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from ._headings import LONGEST_HEADING, Fold
from ._totals import TotalLabels, sums_up
from ._values import column_letters

CellType = Literal["empty", "text", "integer", "number", "date", "datetime", "uncomputed"]

SAMPLE: Final = 100
"""Rows among which the header is looked for."""
MOST_COLUMNS: Final = 500


@dataclass(frozen=True, slots=True)
class ReadCell:
    """A cell as text, with its value in ISO form where it is a date; `formula` where one computes it."""

    text: str = ""
    type: CellType = "empty"
    machine: str | None = None
    formula: str | None = None


@dataclass(frozen=True, slots=True)
class ReadRow:
    """A row of the sheet by its number, counted from 1."""

    number: int
    cells: tuple[ReadCell, ...]

    @property
    def filled(self) -> int:
        """How many cells are not empty."""
        return sum(cell.type != "empty" for cell in self.cells)

    def part(self, left: int, right: int) -> ReadRow:
        """The columns from `left` to `right`, counted from 0."""
        cells = self.cells[left : right + 1]
        return ReadRow(self.number, cells + (ReadCell(),) * (right - left + 1 - len(cells)))


@dataclass(frozen=True, slots=True)
class HeaderPlace:
    """The header's columns, counted from 0, its names, and the number of its last row; 0 where there is no header."""

    left: int
    right: int
    names: tuple[str, ...]
    last_row: int


Merge = tuple[int, int, int, int]
"""Top, left, bottom and right of a merged area, counted from 1."""


def find_header(sample: Sequence[ReadRow], merges: Sequence[Merge]) -> HeaderPlace:
    """The first row of texts only that is as wide as most of what follows; a title above it is narrower.

    Headings merged over several columns name a group; with the row below they make the names.
    """
    widest = max((row.filled for row in sample), default=0)
    for at, row in enumerate(sample[:-1]):
        if _is_header(row, widest):
            groups = [m for m in merges if m[0] <= row.number <= m[2] and m[3] > m[1]]
            two = bool(groups) and _is_header(sample[at + 1], 0)
            return _placed(row, sample[at + 1] if two else None, groups)
    right = max((len(row.cells) for row in sample), default=0)
    return HeaderPlace(0, right - 1, unique_names([""] * right, 0), 0)


def _is_header(row: ReadRow, widest: int) -> bool:
    texts = [cell for cell in row.cells if cell.type != "empty"]
    wide_enough = len(texts) * 2 >= widest and (len(texts) > 1 or widest <= 1)
    return bool(texts) and wide_enough and all(cell.type == "text" for cell in texts)


def _placed(row: ReadRow, second: ReadRow | None, groups: Sequence[Merge]) -> HeaderPlace:
    names = [cell.text for cell in row.cells]
    names += [""] * (max((right for *_, right in groups), default=0) - len(names))
    for _, left, _, right in groups:
        for at in range(left, right):
            names[at] = names[left - 1]
    if second is not None:
        below = [cell.text for cell in second.cells] + [""] * (len(names) - len(second.cells))
        names += [""] * (len(below) - len(names))
        names = [f"{name} {under}".strip() if name != under else name for name, under in zip(names, below, strict=True)]
    filled = [at for at, name in enumerate(names) if name.strip()]
    left, right = filled[0], filled[-1]
    last = row.number if second is None else second.number
    return HeaderPlace(left, right, unique_names(names[left : right + 1], left), last)


def unique_names(names: Sequence[str], left: int) -> tuple[str, ...]:
    """Names of fields: what has none is called by its column, what is there twice is numbered."""
    found: list[str] = []
    for at, name in enumerate(names, start=left):
        plain = " ".join("".join(char if char.isprintable() else " " for char in name).split())[:LONGEST_HEADING]
        base = plain or f"Column {column_letters(at + 1)}"
        number, unique = 1, base
        while unique in found:
            number += 1
            unique = f"{base} ({number})"
        found.append(unique)
    return tuple(found)


class DataRows:
    """Lets the rows of data through. Totals at the end, and notes after a gap, are held back and counted."""

    def __init__(self, header: HeaderPlace, fold: Fold) -> None:
        self._header = header
        self._labels = TotalLabels(fold)
        self.outside = 0
        self.blank = 0

    def of(self, rows: Iterator[ReadRow]) -> Iterator[ReadRow]:
        """The data, in order; `outside` counts what was held back, once all is read."""
        header = self._header
        held: list[ReadRow] = []
        last = header.last_row
        for row in rows:
            if row.number <= header.last_row:
                continue
            inside = row.part(header.left, header.right)
            if not inside.filled:
                self.blank += 1
                continue
            sparse = inside.filled * 2 < len(header.names)
            after_gap = row.number > last + 1
            if self._is_total(inside) or (sparse and (after_gap or held)):
                held.append(inside)
            else:
                yield from held
                held.clear()
                yield inside
            last = row.number
        self.outside = len(held)

    def _is_total(self, row: ReadRow) -> bool:
        if any(cell.formula and sums_up(cell.formula, row.number) for cell in row.cells):
            return True
        labelled = any(cell.type == "text" and cell.text in self._labels for cell in row.cells)
        return labelled and row.filled < len(row.cells)
