"""CSV files of others: their encoding, delimiter and rows."""

from __future__ import annotations

import codecs
import csv
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from remit.contract import Reason

from ._active_text import is_active
from ._errors import SheetError
from ._values import MAX_TEXT

DELIMITERS: Final = (",", ";", "\t", "|")
SAMPLE_ROWS: Final = 200
_BOMS: Final = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_FALLBACK: Final = "cp1252"
"""What a file that is no Unicode most often is; bytes it does not define are kept as Latin-1 control characters."""


@dataclass(frozen=True, slots=True)
class CsvFile:
    """How a CSV file is written. `told` is the delimiter a first line "sep=;" names, which is no row."""

    path: Path
    encoding: str
    delimiter: str
    told: bool

    def rows(self) -> Iterator[list[str]]:
        """The rows, quotes undone. An apostrophe that protects active text is taken off again.

        Raises:
            SheetError: `FILE_DAMAGED`.
        """
        csv.field_size_limit(MAX_TEXT * 8)
        try:
            with self.path.open(encoding=self.encoding, errors="surrogateescape", newline="") as file:
                lines = islice(file, int(self.told), None)
                for row in csv.reader((_clean(line) for line in lines), delimiter=self.delimiter):
                    yield [unprotected(text) for text in row]
        except (csv.Error, UnicodeError, OSError):
            raise SheetError(Reason.FILE_DAMAGED) from None


def csv_file(path: Path) -> CsvFile:
    """How a file is written, by its byte order mark, else UTF-8 if it is that throughout; by its "sep=" line, else the
    delimiter under which most rows agree in their number of columns.
    """
    encoding = _encoding(path)
    try:
        with path.open(encoding=encoding, errors="surrogateescape", newline="") as file:
            first = file.readline(1000).strip().strip('"')
    except (UnicodeError, OSError):
        raise SheetError(Reason.FILE_DAMAGED) from None
    if first.lower().startswith("sep=") and len(first) == 5:
        return CsvFile(path, encoding, first[4], told=True)
    best = max(DELIMITERS, key=lambda delimiter: _agreement(CsvFile(path, encoding, delimiter, told=False)))
    return CsvFile(path, encoding, best, told=False)


def unprotected(text: str) -> str:
    """The text without the apostrophe that protects it; any other apostrophe is the text's own."""
    return text[1:] if text.startswith("'") and is_active(text[1:]) else text


def _agreement(file: CsvFile) -> tuple[int, int]:
    """How many rows have the most frequent number of columns, if that is more than one; and that number."""
    try:
        widths = Counter(len(row) for row in islice(file.rows(), SAMPLE_ROWS) if any(row))
    except SheetError:
        return (0, 0)
    wide = Counter({width: count for width, count in widths.items() if width > 1})
    if not wide:
        return (0, 0)
    width, count = wide.most_common(1)[0]
    return (count, width)


def _clean(line: str) -> str:
    return line.replace("\x00", "")


def _encoding(path: Path) -> str:
    try:
        with path.open("rb") as file:
            start = file.read(4)
            for mark, encoding in _BOMS:
                if start.startswith(mark):
                    return encoding
            decoder = codecs.getincrementaldecoder("utf-8")()
            decoder.decode(start)
            while block := file.read(1 << 20):
                decoder.decode(block)
            decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return _FALLBACK
    except OSError:
        raise SheetError(Reason.FILE_DAMAGED) from None
    return "utf-8"
