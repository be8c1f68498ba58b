"""The block of a sheet that rows are added to: its header, its last row of data, and what stands below."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from remit.contract import Reason

from ._errors import SheetError
from ._header import Header, HeaderSearch, Wanted
from ._rows import BlockRow, Texts
from ._sheet_xml import RawRow, Tags
from ._totals import TotalLabels
from ._values import column_letters
from ._workbook import Table

TAIL: Final = 40
"""Rows at the end of the data that are looked at for totals."""
BETWEEN_TOTALS: Final = 3
"""Rows between two totals that belong to them if they are not filled throughout: a tax, a discount."""


@dataclass(frozen=True, slots=True)
class Block:
    """Where rows go: under `last`, the last row of data, or the header where there is none.

    `below` is the first row under it with something in the block's columns: a totals row, notes. `has_data` tells
    whether there is data at all.
    """

    header: Header
    last: RawRow
    has_data: bool
    below: int | None


class BlockSearch:
    """Finds the block in one pass over the rows: the header that fits most fields, wherever it stands.

    Every row is looked at, so a second header that fits as well, however far down, is noticed.
    """

    def __init__(self, wanted: Wanted, texts: Texts, tables: Sequence[Table], labels: TotalLabels) -> None:
        self._search = HeaderSearch(wanted, texts, tables)
        self._texts = texts
        self._labels = labels
        self._data: _Data | None = None
        self.best: Header | None = None
        self.tied = False

    def see(self, row: RawRow) -> None:
        """Take the next row into account."""
        candidates = self._search.candidates(row)
        for header in candidates:
            self._consider(header)
        if self._data is not None and not any(header is self.best for header in candidates):
            self._data.see(row)

    def skip(self, rows: bytes, last: int) -> tuple[int, int]:
        """Pass over rows that are certainly data with data before and after; see `Skip`."""
        if self._data is None or not self._data.is_within(last) or self._search.may_be(rows):
            return 0, last
        return self._data.skip(rows, last)

    def _consider(self, header: Header) -> None:
        best = self.best.binding.fits if self.best else 0
        if header.binding.fits == best:
            self.tied = True
        elif header.binding.fits > best:
            self.best, self.tied = header, False
            self._data = _Data(header, self._texts, self._labels)

    def block(self) -> Block:
        """What was found.

        Raises:
            SheetError: `HEADINGS_NOT_FOUND`, or `HEADINGS_AMBIGUOUS` where two rows fit equally well.
        """
        if self.best is None or self._data is None:
            raise SheetError(Reason.HEADINGS_NOT_FOUND)
        if self.tied:
            raise SheetError(Reason.HEADINGS_AMBIGUOUS)
        return self._data.block()


class _Data:
    """The rows under a header: data in one or more runs, then totals or notes, which end it."""

    def __init__(self, header: Header, texts: Texts, labels: TotalLabels) -> None:
        self._header = header
        self._texts = texts
        self._labels = labels
        table = header.table
        self._limit = table.area.bottom - table.totals_rows if table else None
        self._any = _any_filled(texts.tags, header.left, header.right)
        self._each = _any_filled(texts.tags, header.left, header.left)
        self._number = 0
        self._run: deque[RawRow] = deque(maxlen=TAIL)
        self._first: RawRow | None = None
        self._last: BlockRow | None = None
        self._below: int | None = None
        self._ended = False

    def see(self, row: RawRow) -> None:
        if self._ended:
            if self._below is None and not self._is_blank(row):
                self._below = row.number
            return
        if self._limit is not None and row.number > self._limit:
            self._close()
            self._ended = True
            self.see(row)
            return
        if self._is_blank(row):
            if self._limit is None:
                self._close()
            return
        if self._limit is None and self._run and row.number != self._number + 1:
            self._close()
        if self._ended:
            self.see(row)
            return
        if self._first is None:
            self._first = row
        self._run.append(row)
        self._number = row.number

    def is_within(self, number: int) -> bool:
        """Whether this row of data was the last one seen."""
        return not self._ended and self._first is not None and self._number == number

    def skip(self, rows: bytes, last: int) -> tuple[int, int]:
        """Pass over rows that follow each other without a gap, with something in the first column of each.

        The last of them are left, for they may turn out to be totals.
        """
        tags = self._texts.tags
        starts = [(found.start(), int(found[1])) for found in tags.usual_row.finditer(rows)]
        count = len(starts) - TAIL
        whole = len(starts) == rows.count(tags.row_end) == rows.count(tags.row_start) and b"<!" not in rows
        if count <= 0 or not whole or len(self._each.findall(rows)) != len(starts):
            return 0, last
        if [number for _, number in starts] != list(range(last + 1, last + 1 + len(starts))):
            return 0, last
        if self._limit is not None and last + count > self._limit:
            return 0, last
        self._number = last + count
        return starts[count][0], last + count

    def block(self) -> Block:
        self._close()
        below = self._below
        table = self._header.table
        if table and table.totals_rows and (below is None or below > table.area.bottom):
            below = table.area.bottom - table.totals_rows + 1
        last = self._last.raw if self._last else self._header.row
        return Block(self._header, last, self._last is not None, below)

    def _is_blank(self, row: RawRow) -> bool:
        if self._any.search(row.data):
            return False
        if b"<" + self._texts.tags.prefix + b"c" not in row.data:
            return True
        return not self._seen(row).filled

    def _seen(self, row: RawRow) -> BlockRow:
        return BlockRow(row, self._texts, self._header.left, self._header.right)

    def _close(self) -> None:
        """A run of rows is over: it is data up to its totals, or, after a gap, perhaps something else."""
        if not self._run or self._first is None or self._ended:
            return
        rows = [self._seen(row) for row in self._run]
        first = self._seen(self._first)
        follows = first.number == self._header.row.number + 1 or self._limit is not None
        if not follows and (self._totals_begin([first]) == 0 or not first.continues(self._last, self._header.filled)):
            self._ended, self._below = True, first.number
            return
        begin = self._totals_begin(rows)
        if begin < len(rows):
            self._ended, self._below = True, rows[begin].number
        if begin:
            self._last = rows[begin - 1]
        self._run.clear()
        self._first = None

    def _totals_begin(self, rows: Sequence[BlockRow]) -> int:
        """The index of the first of the totals rows that end the run; its length where there are none."""
        begin = len(rows)
        between = 0
        for at in range(len(rows) - 1, -1, -1):
            if rows[at].is_total(rows[at - 1] if at else None, self._header.filled, self._labels):
                begin, between = at, 0
            elif between == BETWEEN_TOTALS or len(rows[at].filled) >= self._header.filled:
                break
            else:
                between += 1
        return begin


def _any_filled(tags: Tags, left: int, right: int) -> re.Pattern[bytes]:
    """Finds, quickly, a filled cell in one of the columns, written as programs usually write it."""
    letters = b"|".join(column_letters(at).encode() for at in range(left, right + 1))
    p = re.escape(tags.prefix)
    return re.compile(rb'<%bc r="(?:%b)\d+"(?:[^>]*[^>/])?><%b(?:v>[^<]|f\b|is\b)' % (p, letters, p))
