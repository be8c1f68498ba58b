"""New rows as the XML of a sheet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from typing import Final, Protocol
from xml.sax.saxutils import escape

from remit.contract import Reason

from ._active_text import is_active
from ._errors import SheetError
from ._receipt import Plain, PlainRow, Tally
from ._styles import Use
from ._values import FIRST_DAY, allowed, column_letters, keeps, serial

# What a reader would take for an escaped character is escaped itself (ECMA-376 part 1, 22.9.2.19).
_ESCAPE: Final = re.compile(r"(_x[0-9a-fA-F]{4}_)")
# Text that is no formula and needs neither cleaning nor escaping: most of what there is.
_ORDINARY: Final = re.compile(r"[A-Za-z0-9](?:[ !#-%'-;=?-^`-~]*[!#-%'-;=?-^`-~])?")
LONGEST_ORDINARY: Final = 10_000


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the block: which field it takes, and the format its cells have so far."""

    number: int
    field: int | None
    style: int
    is_new: bool
    """Whether there is no row of data yet whose format it could take over."""


class Formats(Protocol):
    """The cell formats of a workbook."""

    def fitting(self, base: int, use: Use, code: str | None = None) -> int:
        """The format like `base` for what a cell is to hold; `code` is a number format where it has none of its own."""


class NewRows:
    """Makes the rows' cells, the values in the order of the fields."""

    def __init__(
        self, columns: Sequence[Column], formats: Formats, prefix: str, tally: Tally, *, since_1904: bool
    ) -> None:
        self._columns = [(column, column_letters(column.number)) for column in columns]
        self._formats = formats
        self._p = p = prefix
        self._tally = tally
        self._since_1904 = since_1904
        self._inline = f' t="inlineStr"><{p}is><{p}t'
        self._inline_end = f"</{p}t></{p}is></{p}c>"
        self._value_start, self._value_end = f"><{p}v>", f"</{p}v></{p}c>"

    def cells(self, rows: Iterable[PlainRow], first: int, fields: int) -> Iterator[dict[int, bytes]]:
        """For each row, its cells by their columns."""
        for number, row in enumerate(rows, start=first):
            if len(row) != fields:
                raise SheetError(Reason.INVALID_ARGUMENTS)
            self._tally.rows += 1
            made = {
                column.number: self._cell(
                    f'<{self._p}c r="{letters}{number}"', column, None if column.field is None else row[column.field]
                )
                for column, letters in self._columns
            }
            yield {at: cell.encode() for at, cell in made.items() if cell}

    def line(self, number: int, row: PlainRow) -> str:
        """A whole row of a sheet of its own, a value for each column."""
        cells = [
            self._cell(f'<{self._p}c r="{letters}{number}"', column, value)
            for (column, letters), value in zip(self._columns, row, strict=True)
        ]
        return f'<{self._p}row r="{number}">{"".join(cells)}</{self._p}row>'

    def _cell(self, start: str, column: Column, value: Plain) -> str:
        """A cell, whose tag begins with `start`; nothing for no value where there is no format to keep."""
        if value is None or value == "":
            return f"{start}{_style(column.style)}/>" if column.style else ""
        if isinstance(value, str):
            return self._text(start, column, value)
        if isinstance(value, bool):
            self._tally.numbers += 1
            return f'{start}{_style(column.style)} t="b"{self._value_start}{value:d}{self._value_end}'
        if isinstance(value, int | Decimal):
            return self._number(start, column, value)
        return self._date(start, column, value)

    def _text(self, start: str, column: Column, value: str) -> str:
        self._tally.texts += 1
        if len(value) <= LONGEST_ORDINARY and _ORDINARY.fullmatch(value):
            style = _style(self._formats.fitting(column.style, "text")) if column.style else ""
            return f"{start}{style}{self._inline}>{value}{self._inline_end}"
        text = allowed(value, self._tally)
        active = is_active(text)
        self._tally.protected += active
        style = _style(self._formats.fitting(column.style, "quoted" if active else "text"))
        space = ' xml:space="preserve"' if text != text.strip() or "\n" in text else ""
        body = escape(_ESCAPE.sub(r"_x005F\1", text) if "_x" in text else text)
        return f"{start}{style}{self._inline}{space}>{body}{self._inline_end}"

    def _number(self, start: str, column: Column, value: int | Decimal) -> str:
        if not keeps(value):
            return self._text(start, column, f"{value:f}" if isinstance(value, Decimal) else str(value))
        self._tally.numbers += 1
        style = self._formats.fitting(column.style, "number", number_format(value) if column.is_new else None)
        return f"{start}{_style(style)}{self._value_start}{float(value):.16g}{self._value_end}"

    def _date(self, start: str, column: Column, value: date) -> str:
        moment = isinstance(value, datetime)
        if (value.date() if isinstance(value, datetime) else value) < FIRST_DAY:
            return self._text(start, column, value.isoformat())
        self._tally.dates += 1
        style = self._formats.fitting(column.style, "moment" if moment else "day")
        shown = serial(value, since_1904=self._since_1904)
        return f"{start}{_style(style)}{self._value_start}{shown}{self._value_end}"


def number_format(value: int | Decimal) -> str:
    """As many decimals as the source has; whole numbers without groups, for they may be years."""
    if isinstance(value, int):
        return "0"
    return _decimal_format(max(0, -int(value.as_tuple().exponent)))


@cache
def _decimal_format(decimals: int) -> str:
    return "#,##0" + ("." + "0" * decimals if decimals else "")


@cache
def _style(style: int) -> str:
    return f' s="{style}"' if style else ""
