"""The sheet's new part: everything as it was, the new rows in their place, what stands below moved down."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import IO

from ._ranges import Area, read_area
from ._sheet_xml import RawRow, SheetStream, Tags
from ._values import column_number

_SPANS = re.compile(rb"\s+spans\s*=\s*[\"'][^\"']*[\"']")
_ROW_NUMBER = re.compile(rb"(\br\s*=\s*[\"'])\d+([\"'])")
_CELL_NUMBER = re.compile(rb"(\br\s*=\s*[\"'][A-Z]{1,3})\d+([\"'])")

CellEditor = Callable[[bytes, int], bytes]
"""Gets the content of a cell that moves down, and its new row; gives the content with its formula moved along."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Where `count` rows go: under row `last`, whose bytes end at `insert_at`; rows from `below` on move by `shift`."""

    last: int
    insert_at: int
    count: int
    left: int
    right: int
    below: int | None
    shift: int

    @property
    def area(self) -> Area:
        """The cells the new rows take."""
        return Area(self.last + 1, self.left, self.last + self.count, self.right)

    def grown(self, area: Area) -> Area:
        """A table's or filter's area once the rows are in it."""
        moved = self.shift if self.below is not None and area.bottom >= self.below else 0
        return Area(area.top, area.left, max(area.bottom + moved, self.last + self.count), area.right)


def rewritten(
    raw: IO[bytes],
    plan: Plan,
    new_rows: Iterator[dict[int, bytes]],
    edit: CellEditor,
    edit_tail: Callable[[bytes], bytes],
) -> Iterator[bytes]:
    """The part, in blocks."""
    stream = SheetStream(raw)
    yield _with_dimension(stream, plan)
    yield from stream.skip_to(plan.insert_at)
    yield from _rows_from_here(stream, plan, new_rows, edit)
    yield edit_tail(stream.tail)


def _with_dimension(stream: SheetStream, plan: Plan) -> bytes:
    found = stream.tags.dimension.search(stream.head)
    area = read_area(found[1].decode("ascii", "replace")) if found else None
    if found is None or area is None:
        return stream.head
    bottom = max(area.bottom + plan.shift, plan.area.bottom)
    new = Area(min(area.top, plan.area.top), min(area.left, plan.left), bottom, max(area.right, plan.right))
    return stream.head[: found.start(1)] + str(new).encode() + stream.head[found.end(1) :]


def _rows_from_here(
    stream: SheetStream, plan: Plan, new_rows: Iterator[dict[int, bytes]], edit: CellEditor
) -> Iterator[bytes]:
    old_rows = stream.rows()
    old = next(old_rows, None)
    for number, cells in enumerate(new_rows, start=plan.last + 1):
        while old is not None and old.number < number and not _moves(old, plan):
            yield old.data
            old = next(old_rows, None)
        if old is not None and old.number == number and not _moves(old, plan):
            yield _merged(old, cells, stream.tags)
            old = next(old_rows, None)
        else:
            yield _made(number, cells, stream.tags)
    for row in chain([old] if old is not None else [], old_rows):
        yield _moved(row, plan.shift, stream.tags, edit) if plan.shift and _moves(row, plan) else row.data


def _moves(row: RawRow, plan: Plan) -> bool:
    return plan.shift > 0 and plan.below is not None and row.number >= plan.below


def _made(number: int, cells: dict[int, bytes], tags: Tags) -> bytes:
    inside = b"".join(cells[at] for at in sorted(cells))
    return b'%b r="%d">%b%b' % (tags.row_start, number, inside, tags.row_end)


def _merged(row: RawRow, cells: dict[int, bytes], tags: Tags) -> bytes:
    """An existing row with the new cells; what stands beside the block stays."""
    all_cells = dict(cells)
    for match, column in _old_cells(row, tags):
        if column not in all_cells:
            all_cells[column] = match[0]
    start = _SPANS.sub(b"", row.data[: row.data.index(b">") + 1]).rstrip(b"/>").rstrip() + b">"
    return start + b"".join(all_cells[at] for at in sorted(all_cells)) + tags.row_end


def _old_cells(row: RawRow, tags: Tags) -> Iterator[tuple[re.Match[bytes], int]]:
    last = 0
    for match in tags.cell.finditer(row.data):
        named = re.search(rb"\br\s*=\s*[\"']([A-Z]{1,3})\d+[\"']", match[1])
        last = column_number(named[1].decode()) if named else last + 1
        yield match, last


def _moved(row: RawRow, shift: int, tags: Tags, edit: CellEditor) -> bytes:
    number = row.number + shift
    closed = row.data.index(b">") + 1
    start = _ROW_NUMBER.sub(rb"\g<1>%d\g<2>" % number, row.data[:closed], count=1)

    def move(match: re.Match[bytes]) -> bytes:
        attributes = _CELL_NUMBER.sub(rb"\g<1>%d\g<2>" % number, match[1], count=1)
        opened = b"<" + tags.prefix + b"c" + attributes
        if match[2] is None:
            return opened + b"/>"
        return opened + b">" + edit(match[2], number) + b"</" + tags.prefix + b"c>"

    return start + tags.cell.sub(move, row.data[closed:])


def with_filter(tail: bytes, plan: Plan, header_row: int, prefix: bytes) -> bytes:
    """What stands after the rows, the range of the sheet's filter extended if it is the block's."""
    found = re.search(rb"<" + prefix + rb"autoFilter\s[^>]*?\bref\s*=\s*[\"']([^\"']*)[\"']", tail)
    area = read_area(found[1].decode("ascii", "replace")) if found else None
    if found is None or area is None or area.top != header_row:
        return tail
    if area.right < plan.left or area.left > plan.right:
        return tail
    return tail[: found.start(1)] + str(plan.grown(area)).encode() + tail[found.end(1) :]
