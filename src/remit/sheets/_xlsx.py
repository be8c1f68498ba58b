"""XLSX: every cell typed, so that text stays text whatever it looks like.

XlsxWriter makes the package. In its constant-memory mode it keeps rows in a temporary file, into which they are written
here directly: its own way through a cell takes longer than all that is done here to keep text from being a formula.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Final

import xlsxwriter
from xlsxwriter.exceptions import XlsxWriterException
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from remit.contract import Reason

from ._active_text import is_active
from ._errors import SheetError
from ._files import new_file
from ._new_rows import Column, NewRows
from ._receipt import PlainRow, Tally, WriteReceipt
from ._styles import DAY, MOMENT, Use
from ._values import FORBIDDEN_XML, MAX_COLUMNS, MAX_ROWS, MAX_TEXT, allowed, column_letters, cut

ReceiptLines = Callable[[WriteReceipt], Iterable[str]]

RECEIPT_SHEET: Final = "Receipt"
_NARROWEST, _WIDEST = 8, 60
_FORBIDDEN_IN_TITLE = re.compile(r"[\[\]:*?/\\\x00-\x1f]")
_OPTIONS: Final = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_numbers": False,
    "strings_to_urls": False,
}


def write_xlsx(
    path: Path, columns: Sequence[str], rows: Iterable[PlainRow], *, receipt_lines: ReceiptLines, title: str
) -> WriteReceipt:
    """Write a new workbook: a sheet named after `title` with the rows, and a sheet "Receipt" with lines.

    Texts are string cells, with quotePrefix where editing the cell would make it a formula. Rows are consumed one by
    one and not kept. `receipt_lines` is asked once they are written.

    Raises:
        SheetError: `FILE_EXISTS`, `FILE_UNWRITABLE`, or `FILE_TOO_LARGE` beyond a sheet's rows or columns.
    """
    if len(columns) > MAX_COLUMNS:
        raise SheetError(Reason.FILE_TOO_LARGE)
    with new_file(path) as draft:
        book = xlsxwriter.Workbook(str(draft), {**_OPTIONS, "tmpdir": str(draft.parent)})
        try:
            sheet = _Sheet(book, sheet_name(title), columns)
            for row in rows:
                sheet.append(row)
            sheet.finish()
            _write_lines(book, receipt_lines(sheet.tally.receipt(len(columns))))
            book.close()
        except XlsxWriterException:
            raise SheetError(Reason.FILE_UNWRITABLE) from None
        finally:
            _let_go(book)
    return sheet.tally.receipt(len(columns))


def sheet_name(title: str) -> str:
    """`title` as a sheet may be called: 31 characters, none of []:*?/\\, and not the name of the receipt's sheet."""
    name = cut(_FORBIDDEN_IN_TITLE.sub(" ", FORBIDDEN_XML.sub(" ", title)).strip(" '"), 31).strip(" '")
    reserved = ("", RECEIPT_SHEET.lower(), "history")
    return "Data" if name.lower() in reserved else name


class _Sheet:
    """The sheet of the rows, while it is written: headings by the library, the rows straight into its file of rows."""

    def __init__(self, book: xlsxwriter.Workbook, name: str, columns: Sequence[str]) -> None:
        self.tally = Tally()
        self._sheet: Worksheet = book.add_worksheet(name)
        self._columns = len(columns)
        self._widths = [_NARROWEST] * len(columns)
        formats = _Formats(book)
        for at, column in enumerate(columns):
            text = allowed(column, self.tally)
            active = is_active(text)
            self.tally.protected += active
            self._sheet.write_string(0, at, text, formats.header_quoted if active else formats.header)
            self._widen(at, _width(text) + 3)
        self._sheet._write_single_row(1)
        places = [Column(at + 1, at, 0, is_new=True) for at in range(len(columns))]
        self._rows = NewRows(places, formats, "", self.tally, since_1904=False)

    def append(self, row: PlainRow) -> None:
        """Write one row below the others."""
        if len(row) != self._columns:
            raise SheetError(Reason.INVALID_ARGUMENTS)
        if self.tally.rows + 1 >= MAX_ROWS:
            raise SheetError(Reason.FILE_TOO_LARGE)
        self.tally.rows += 1
        self._sheet.row_data_fh.write(self._rows.line(self.tally.rows + 1, row))
        for at, value in enumerate(row):
            # A character takes at most two columns, so most values need no closer look.
            if isinstance(value, str):
                if len(value) * 2 >= self._widths[at] < _WIDEST:
                    self._widen(at, _width(value[:_WIDEST]))
            elif value is not None:
                self._widen(at, _width_of(value))

    def finish(self) -> None:
        """Header frozen and filterable, columns as wide as their contents."""
        self._sheet.freeze_panes(1, 0)
        if not self._columns:
            return
        self._sheet._check_dimensions(self.tally.rows, self._columns - 1)
        self._sheet.autofilter(0, 0, self.tally.rows, self._columns - 1)
        self._sheet.ignore_errors({"number_stored_as_text": f"A1:{column_letters(self._columns)}{self.tally.rows + 1}"})
        for at, width in enumerate(self._widths):
            self._sheet.set_column(at, at, min(width, _WIDEST))

    def _widen(self, at: int, width: int) -> None:
        if width > self._widths[at]:
            self._widths[at] = width


class _Formats:
    """The cell formats of a workbook, each made once, and known by its number."""

    def __init__(self, book: xlsxwriter.Workbook) -> None:
        header = {"bold": True, "bg_color": "#E8EEF4", "bottom": 1, "valign": "top", "text_wrap": True}
        self._book = book
        self._numbers: dict[tuple[Use, str | None], int] = {("text", None): 0}
        self.header: Format = book.add_format(header)
        self.header_quoted: Format = book.add_format({**header, "quote_prefix": True})

    def fitting(self, base: int, use: Use, code: str | None = None) -> int:
        """The number of the format for a cell of a new sheet."""
        del base
        found = self._numbers.get((use, code))
        return self._made(use, code) if found is None else found

    def _made(self, use: Use, code: str | None) -> int:
        pattern = {"day": DAY, "moment": MOMENT}.get(use, code or "General")
        options = {"quote_prefix": True} if use == "quoted" else {"num_format": pattern}
        number: int = self._book.add_format(options)._get_xf_index()
        self._numbers[use, code] = number
        return number


def _write_lines(book: xlsxwriter.Workbook, lines: Iterable[str]) -> None:
    sheet = book.add_worksheet(RECEIPT_SHEET)
    quoted, wrapped = (book.add_format({"text_wrap": True, "quote_prefix": quote}) for quote in (True, False))
    sheet.set_column(0, 0, 100)
    for at, line in enumerate(lines):
        text = cut(FORBIDDEN_XML.sub("", line.replace("\r", "\n")), MAX_TEXT)
        sheet.write_string(at, 0, text, quoted if is_active(text) else wrapped)


def _let_go(book: xlsxwriter.Workbook) -> None:
    """Close the temporary files a failure left open; their folder is removed with all that is in it."""
    for sheet in book.worksheets():
        with suppress(OSError):
            sheet.row_data_fh.close()


def _width_of(value: int | Decimal | date) -> int:
    """Columns of a number with its groups, or of a date."""
    if isinstance(value, date):
        return 16 if isinstance(value, datetime) else 10
    shown = len(str(value))
    return shown + shown // 3


def _width(text: str) -> int:
    """Columns of the widest line; East Asian wide characters take two (Unicode Standard Annex 11)."""
    if text.isascii() and "\n" not in text:
        return len(text) + 1
    return (
        max(sum(1 + (unicodedata.east_asian_width(char) in "WF") for char in line[:99]) for line in text.split("\n"))
        + 1
    )
