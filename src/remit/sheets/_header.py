"""The rows of a sheet that can be headers of what is to be written."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ._headings import Binding, Fold, Names, bind
from ._ranges import Area
from ._rows import Texts
from ._sheet_xml import RawRow
from ._workbook import Table


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be written: the names of the fields, and which heading takes which by the caller's choice."""

    fields: tuple[str, ...]
    chosen: Mapping[str, str]
    fold: Fold

    @property
    def names(self) -> Names:
        """The names a heading of interest may have."""
        return Names([*self.fields, *self.chosen], self.fold)


@dataclass(frozen=True, slots=True)
class Header:
    """A row of headings: the columns of its block and the fields these take."""

    row: RawRow
    left: int
    right: int
    headings: tuple[str, ...]
    binding: Binding
    table: Table | None

    @property
    def filled(self) -> int:
        """How many columns have a heading."""
        return sum(bool(heading.strip()) for heading in self.headings)


class HeaderSearch:
    """Recognises rows that hold the wanted headings."""

    def __init__(self, wanted: Wanted, texts: Texts, tables: Sequence[Table]) -> None:
        self._wanted = wanted
        self._names = wanted.names
        self._texts = texts
        self._tables = [table for table in tables if table.header_rows]
        self._any_inline = re.compile(rb"<%bt\b[^>]*>%b" % (re.escape(texts.tags.prefix), self._names.pattern))

    def candidates(self, row: RawRow) -> list[Header]:
        """The blocks this row could be the header of; mostly none."""
        if not self.may_be(row.data):
            return []
        cells = {
            cell.column: self._texts.of(cell) or ""
            for cell in self._texts.tags.cells(row.data)
            if self._texts.tags.is_filled(cell)
        }
        found = [self._of_table(row, table) for table in self._tables if table.area.top == row.number]
        inside = {at for table in self._tables if table.area.top == row.number for at in _columns(table.area)}
        outside = {at: text for at, text in cells.items() if at not in inside}
        found.append(self._of_cells(row, outside))
        return [header for header in found if header is not None]

    def may_be(self, data: bytes) -> bool:
        """Whether a heading may stand in a row, or in one of many."""
        texts = self._texts
        if texts.any_shared and texts.any_shared.search(data):
            return True
        if b'"str"' in data or b"'str'" in data:
            return True
        return bool(self._any_inline.search(data)) and any(text in self._names for text in texts.inline(data))

    def _of_table(self, row: RawRow, table: Table) -> Header | None:
        binding = self._bind(table.headings)
        if not binding.fits:
            return None
        return Header(row, table.area.left, table.area.right, table.headings, binding, table)

    def _of_cells(self, row: RawRow, cells: Mapping[int, str]) -> Header | None:
        columns = sorted(cells)
        binding = self._bind([cells[at] for at in columns])
        if not binding.fits:
            return None
        bound = [at for at, place in zip(columns, binding.places, strict=True) if place is not None] or columns
        left, right = bound[0], bound[-1]
        while left - 1 in cells:
            left -= 1
        while right + 1 in cells:
            right += 1
        placed = dict(zip(columns, binding.places, strict=True))
        places = tuple(placed.get(at) for at in range(left, right + 1))
        headings = tuple(cells.get(at, "") for at in range(left, right + 1))
        whole = Binding(places, binding.ambiguous, binding.unplaced, binding.missing)
        return Header(row, left, right, headings, whole, None)

    def _bind(self, headings: Sequence[str]) -> Binding:
        return bind(headings, self._wanted.fields, self._wanted.chosen, self._wanted.fold)


def _columns(area: Area) -> range:
    return range(area.left, area.right + 1)
