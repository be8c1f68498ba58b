"""The sheet and the block in a workbook that fit what is to be written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final

from remit.contract import Reason

from ._block import Block, BlockSearch
from ._errors import SheetError
from ._header import Wanted
from ._rows import Texts
from ._shared_strings import kept_strings
from ._sheet_xml import SheetStream
from ._totals import TotalLabels
from ._workbook import SheetEntry, Workbook

FIRST_LOOK: Final = 200
"""Rows of each of several sheets that are looked at before one is read wholly."""


@dataclass(frozen=True, slots=True)
class Place:
    """A block in a sheet, and what surrounds the sheet's rows."""

    sheet: SheetEntry
    block: Block
    root: bytes
    head: bytes
    tail: bytes


class Finder:
    """Searches the sheets of one workbook."""

    def __init__(self, workbook: Workbook, wanted: Wanted) -> None:
        self._workbook = workbook
        self._wanted = wanted
        self._labels = TotalLabels(wanted.fold)
        self._shared = self._shared_strings()

    def place(self, name: str | None) -> Place:
        """The block in the sheet of this name; without one, in the visible sheet that fits most fields.

        Raises:
            SheetError: `SHEET_MISSING`, `HEADINGS_NOT_FOUND`, or `HEADINGS_AMBIGUOUS` where sheets or rows fit alike.
        """
        if name is not None:
            return self._read(self._workbook.sheet(name))
        visible = [sheet for sheet in self._workbook.sheets if sheet.visible]
        if len(visible) == 1:
            return self._read(visible[0])
        looks = {sheet.part: self._look(sheet, FIRST_LOOK) for sheet in visible}
        if not any(looks.values()):
            looks = {sheet.part: self._look(sheet, None) for sheet in visible}
        most = max(looks.values(), default=0)
        fitting = [sheet for sheet in visible if looks[sheet.part] == most]
        if not most:
            raise SheetError(Reason.HEADINGS_NOT_FOUND)
        if len(fitting) > 1:
            raise SheetError(Reason.HEADINGS_AMBIGUOUS)
        return self._read(fitting[0])

    def _look(self, sheet: SheetEntry, rows: int | None) -> int:
        with self._workbook.package.stream(sheet.part) as raw:
            stream = SheetStream(raw)
            search = self._search(sheet, stream)
            for row in islice(stream.rows(), rows):
                search.see(row)
        return search.best.binding.fits if search.best else 0

    def _read(self, sheet: SheetEntry) -> Place:
        with self._workbook.package.stream(sheet.part) as raw:
            stream = SheetStream(raw)
            search = self._search(sheet, stream)
            for row in stream.rows(search.skip):
                search.see(row)
        return Place(sheet, search.block(), stream.root, stream.head, stream.tail)

    def _search(self, sheet: SheetEntry, stream: SheetStream) -> BlockSearch:
        texts = Texts(stream.tags, self._shared)
        return BlockSearch(self._wanted, texts, self._workbook.tables(sheet), self._labels)

    def _shared_strings(self) -> Mapping[int, str]:
        part = self._workbook.related("sharedStrings")
        if part is None:
            return {}
        names = self._wanted.names
        with self._workbook.package.stream(part) as stream:
            return kept_strings(stream, lambda text: text in names or text in self._labels)
