"""New rows as the XML of a sheet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Final
from xml.sax.saxutils import escape

from remit.contract import Reason

from ._active_text import is_active
from ._errors import SheetError
from ._receipt import PlainRow, Tally
from ._styles import Styles
from ._values import FIRST_DAY, allowed, column_letters, keeps, serial

# What a reader would take for an escaped character is escaped itself (ECMA-376 part 1, 22.9.2.19).
_ESCAPE: Final = re.compile(r"(_x[0-9a-fA-F]{4}_)")


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the block: which field it takes, and the format its cells have so far."""

    number: int
    field: int | None
    style: int
    is_new: bool
    """Whether there is no row of data yet whose format it could take over."""


class NewRows:
    """Makes the rows' cells, the values in the order of the fields."""

    def __init__(
        self, columns: Sequence[Column], styles: Styles, prefix: str, tally: Tally, *, since_1904: bool
    ) -> None:
        self._columns = [(column, column_letters(column.number)) for column in columns]
        self._styles = styles
        self._p = prefix
        self._tally = tally
        self._since_1904 = since_1904

    def cells(self, rows: Iterable[PlainRow], first: int, fields: int) -> Iterator[dict[int, bytes]]:
        """For each row, its cells by their columns."""
        for number, row in enumerate(rows, start=first):
            if len(row) != fields:
                raise SheetError(Reason.INVALID_ARGUMENTS)
            self._tally.rows += 1
            made = {column.number: self._cell(column, letters, number, row) for column, letters in self._columns}
            yield {at: cell.encode() for at, cell in made.items() if cell}

    def _cell(self, column: Column, letters: str, number: int, row: PlainRow) -> str:
        value = None if column.field is None else row[column.field]
        ref = f"{letters}{number}"
        if value is None or value == "":
            return f'<{self._p}c r="{ref}"{_style(column.style)}/>' if column.style else ""
        if isinstance(value, str):
            return self._text(ref, column, value)
        if isinstance(value, bool):
            self._tally.numbers += 1
            return f'<{self._p}c r="{ref}"{_style(column.style)} t="b"><{self._p}v>{value:d}</{self._p}v></{self._p}c>'
        if isinstance(value, int | Decimal):
            return self._number(ref, column, value)
        return self._date(ref, column, value)

    def _text(self, ref: str, column: Column, value: str) -> str:
        text = allowed(value, self._tally)
        active = is_active(text)
        self._tally.protected += active
        self._tally.texts += 1
        style = _style(self._styles.fitting(column.style, "quoted" if active else "text"))
        space = ' xml:space="preserve"' if text != text.strip() or "\n" in text else ""
        body = escape(_ESCAPE.sub(r"_x005F\1", text) if "_x" in text else text)
        p = self._p
        return f'<{p}c r="{ref}"{style} t="inlineStr"><{p}is><{p}t{space}>{body}</{p}t></{p}is></{p}c>'

    def _number(self, ref: str, column: Column, value: int | Decimal) -> str:
        if not keeps(value):
            return self._text(ref, column, f"{value:f}" if isinstance(value, Decimal) else str(value))
        self._tally.numbers += 1
        style = self._styles.fitting(column.style, "number", number_format(value) if column.is_new else None)
        return self._value(ref, style, f"{float(value):.16g}")

    def _date(self, ref: str, column: Column, value: date) -> str:
        day = value.date() if isinstance(value, datetime) else value
        if day < FIRST_DAY:
            return self._text(ref, column, value.isoformat())
        self._tally.dates += 1
        style = self._styles.fitting(column.style, "moment" if isinstance(value, datetime) else "day")
        return self._value(ref, style, serial(value, since_1904=self._since_1904))

    def _value(self, ref: str, style: int, shown: str) -> str:
        return f'<{self._p}c r="{ref}"{_style(style)}><{self._p}v>{shown}</{self._p}v></{self._p}c>'


def number_format(value: int | Decimal) -> str:
    """As many decimals as the source has; whole numbers without groups, for they may be years."""
    if isinstance(value, int):
        return "0"
    decimals = max(0, -int(value.as_tuple().exponent))
    return "#,##0" + ("." + "0" * decimals if decimals else "")


def _style(style: int) -> str:
    return f' s="{style}"' if style else ""
