"""A worksheet part as a stream: what stands before the rows, row after row, what stands after them.

Sheets may unpack to gigabytes, so the rows are found by their tags in the bytes and never held as a tree. That is
exact because a worksheet's rows hold neither comments nor CDATA sections when a spreadsheet program wrote them; where
one does occur, or the encoding is not UTF-8, the part is refused.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Final

from remit.contract import Reason

from ._errors import SheetError
from ._values import column_number

BLOCK: Final = 1 << 20
LONGEST_HEAD: Final = 16 << 20
LONGEST_TAIL: Final = 64 << 20
LONGEST_ROW: Final = 64 << 20

_ROOT: Final = re.compile(rb"<(?:([A-Za-z_][\w.-]*):)?worksheet[\s>]")
_ENCODING: Final = re.compile(rb"<\?xml[^>]*encoding\s*=\s*[\"']([^\"']+)[\"']")
_NUMBER: Final = re.compile(rb"\br\s*=\s*[\"'](\d+)[\"']")
_REFERENCE: Final = re.compile(rb"\br\s*=\s*[\"']([A-Z]{1,3})(\d+)[\"']")
_STYLE: Final = re.compile(rb"\bs\s*=\s*[\"'](\d+)[\"']")
_TYPE: Final = re.compile(rb"\bt\s*=\s*[\"'](\w+)[\"']")


@dataclass(frozen=True, slots=True)
class RawRow:
    """A row's bytes as they stand, where they end in the part, and the row's number."""

    number: int
    data: bytes
    end: int


@dataclass(frozen=True, slots=True)
class RawCell:
    """A cell: its column, the attributes and the content between its tags, as they stand."""

    column: int
    attributes: bytes
    body: bytes

    @property
    def style(self) -> int | None:
        """The index of its format; None where it has none."""
        found = _STYLE.search(self.attributes)
        return int(found[1]) if found else None

    @property
    def type(self) -> bytes:
        """One of "s", "inlineStr", "str", "b", "e", "d" and "n"."""
        found = _TYPE.search(self.attributes)
        return found[1] if found else b"n"


Skip = Callable[[bytes, int], tuple[int, int]]
"""Gets whole rows, and the number of the row before them. Gives how many bytes to pass over, and the number of the last
row in these."""


class Tags:
    """The tags of a worksheet, under the prefix its writer chose for them."""

    def __init__(self, prefix: bytes) -> None:
        p = re.escape(prefix)
        self.prefix = prefix
        self.row_start = b"<" + prefix + b"row"
        self.row_end = b"</" + prefix + b"row>"
        self.usual_row = re.compile(rb"<" + p + rb'row r="(\d+)"(?:[^>]*[^>/])?>')
        self.data_end = b"</" + prefix + b"sheetData>"
        self.data = re.compile(rb"<" + p + rb"sheetData\s*(/?)>")
        self.dimension = re.compile(rb"<" + p + rb"dimension\s[^>]*?ref\s*=\s*[\"']([^\"']*)[\"']")
        self.cell = re.compile(rb"<" + p + rb"c\b([^>]*?)(?:/>|>(.*?)</" + p + rb"c>)", re.DOTALL)
        self.value = re.compile(rb"<" + p + rb"v\b(?:[^>]*[^>/])?>([^<]*)</" + p + rb"v>")
        self.text = re.compile(rb"<" + p + rb"t\b(?:[^>]*[^>/])?>([^<]*)</" + p + rb"t>")
        self.phonetic = re.compile(rb"<" + p + rb"rPh\b.*?</" + p + rb"rPh>", re.DOTALL)
        self.formula = re.compile(rb"<" + p + rb"f\b([^>]*?)(?:/>|>([^<]*)</" + p + rb"f>)")
        self.filled = re.compile(rb"<" + p + rb"(?:v\b(?:[^>]*[^>/])?>[^<]|f\b|t\b(?:[^>]*[^>/])?>[^<])")

    def cells(self, row: bytes) -> list[RawCell]:
        """The cells of a row, empty ones too, in their order."""
        found: list[RawCell] = []
        last = 0
        for attributes, body in self.cell.findall(row):
            named = _REFERENCE.search(attributes)
            last = column_number(named[1].decode()) if named else last + 1
            found.append(RawCell(last, attributes, body))
        return found

    def is_filled(self, cell: RawCell) -> bool:
        """Whether there is a value, a formula or a text in it."""
        return bool(cell.body) and self.filled.search(cell.body) is not None

    def plain_text(self, body: bytes) -> str:
        """The text of an inline or shared string, its runs joined, its readings (phonetic runs) left out."""
        parts = self.text.findall(self.phonetic.sub(b"", body) if b"rPh" in body else body)
        return html.unescape(b"".join(parts).decode("utf-8"))


class SheetStream:
    """A worksheet part, read once from its beginning. Take `head`, then all of `rows`, then `tail`."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._buffer = b""
        self.offset = 0
        """Where the buffer begins in the part."""
        self.head = self._read_head()
        self.tail = b""

    def _fill(self) -> bool:
        block = self._stream.read(BLOCK)
        self._buffer += block
        return bool(block)

    def _read_head(self) -> bytes:
        self._fill()
        encoding = _ENCODING.match(self._buffer.removeprefix(b"\xef\xbb\xbf"))
        root = _ROOT.search(self._buffer)
        if root is None or (encoding and encoding[1].lower() not in (b"utf-8", b"utf8", b"us-ascii")):
            raise SheetError(Reason.FILE_DAMAGED)
        if b"<!DOCTYPE" in self._buffer[: root.start()]:
            raise SheetError(Reason.FILE_DAMAGED)
        self.root = self._buffer[root.start() : self._buffer.index(b">", root.end() - 1) + 1]
        self.tags = Tags(root[1] + b":" if root[1] else b"")
        while not (found := self.tags.data.search(self._buffer)):
            if len(self._buffer) > LONGEST_HEAD or not self._fill():
                raise SheetError(Reason.FILE_DAMAGED)
        self.has_rows = not found[1]
        return self._cut(found.end())

    def _cut(self, at: int) -> bytes:
        taken, self._buffer = self._buffer[:at], self._buffer[at:]
        self.offset += at
        return taken

    def skip_to(self, offset: int) -> Iterator[bytes]:
        """The bytes from here to `offset`, in blocks."""
        while self.offset < offset:
            if not self._buffer and not self._fill():
                raise SheetError(Reason.FILE_DAMAGED)
            yield self._cut(min(offset - self.offset, len(self._buffer)))

    def rows(self, skip: Skip | None = None) -> Iterator[RawRow]:
        """The rows, in the order of the part, which must be that of their numbers; `tail` is there afterwards.

        `skip` is shown whole rows at once and may pass over some, whose last number it tells.
        """
        last = at = 0
        while self.has_rows:
            if skip is not None and at == 0 and (whole := self._buffer.rfind(self.tags.row_end)) > 0:
                passed, number = skip(self._buffer[: whole + len(self.tags.row_end)], last)
                last = number if passed else last
                self._cut(passed)
            start, end, number = self._next_row(at, last)
            if end < 0:
                self._cut(start)
                at = 0
                if len(self._buffer) > LONGEST_ROW or not self._fill():
                    raise SheetError(Reason.FILE_DAMAGED)
                continue
            if end == start:
                self._cut(start)
                break
            data = self._buffer[start:end]
            if number <= last or b"<!" in data:
                raise SheetError(Reason.FILE_DAMAGED)
            last, at = number, end
            yield RawRow(number, data, self.offset + end)
        self.tail = self._read_tail()
        tags = self.tags
        if tags.row_start + b" " in self.tail or (self.has_rows and not self.tail.startswith(tags.data_end)):
            raise SheetError(Reason.FILE_DAMAGED)

    def _next_row(self, at: int, last: int) -> tuple[int, int, int]:
        """Where the next row begins and ends, as `_row_end` says, and its number; first as most programs write it."""
        buffer, tags = self._buffer, self.tags
        usual = tags.usual_row.match(buffer, at)
        if usual:
            end = buffer.find(tags.row_end, usual.end())
            return at, (-1 if end < 0 else end + len(tags.row_end)), int(usual[1])
        start = buffer.find(b"<", at)
        if start < 0:
            return len(buffer), -1, 0
        end = self._row_end(start)
        named = _NUMBER.search(buffer, start, buffer.find(b">", start)) if end > start else None
        return start, end, int(named[1]) if named else last + 1

    def _row_end(self, start: int) -> int:
        """Where the row at `start` ends; `start` itself where the rows are over; -1 where more is needed."""
        buffer, tags = self._buffer, self.tags
        if len(buffer) - start < len(tags.data_end):
            return -1
        if buffer.startswith(tags.data_end, start):
            return start
        if not buffer.startswith(tags.row_start, start):
            raise SheetError(Reason.FILE_DAMAGED)
        closed = buffer.find(b">", start)
        if closed < 0:
            return -1
        if buffer[closed - 1 : closed] == b"/":
            return closed + 1
        end = buffer.find(tags.row_end, closed)
        return -1 if end < 0 else end + len(tags.row_end)

    def _read_tail(self) -> bytes:
        blocks = [self._buffer]
        size = len(self._buffer)
        while block := self._stream.read(BLOCK):
            size += len(block)
            if size > LONGEST_TAIL:
                raise SheetError(Reason.FILE_OVER_LIMIT)
            blocks.append(block)
        self._buffer = b""
        return b"".join(blocks)
