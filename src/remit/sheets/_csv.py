"""CSV: text protected, numbers in the notation the dialect's readers expect."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Literal

from remit.contract import Reason

from ._active_text import is_active
from ._errors import SheetError
from ._files import new_file
from ._receipt import Plain, PlainRow, Tally, WriteReceipt
from ._values import MAX_ROWS

Dialect = Literal["comma", "semicolon"]


def write_csv(
    path: Path, columns: Sequence[str], rows: Iterable[PlainRow], *, dialect: Dialect = "comma", bom: bool = True
) -> WriteReceipt:
    """Write a new CSV file in UTF-8 (RFC 4180), with a byte order mark unless `bom` is false.

    "semicolon" is what programs expect where the comma is the decimal mark, so it writes decimals with a comma. Dates
    are in ISO form. Text that would be read as a formula gets a protecting apostrophe, which is counted; `CSV_NOTICE`
    says what that is worth.

    Raises:
        SheetError: `FILE_EXISTS`, `FILE_UNWRITABLE`, or `FILE_TOO_LARGE` for more rows than a program would open.
    """
    tally = Tally()
    decimal_mark = "," if dialect == "semicolon" else "."
    with (
        new_file(path) as draft,
        draft.open("x", encoding="utf-8-sig" if bom else "utf-8", errors="replace", newline="") as file,
    ):
        writer = csv.writer(file, delimiter=";" if dialect == "semicolon" else ",", lineterminator="\r\n")
        writer.writerow([_text(name, tally) for name in columns])
        for row in rows:
            if len(row) != len(columns):
                raise SheetError(Reason.INVALID_ARGUMENTS)
            tally.rows += 1
            if tally.rows >= MAX_ROWS:
                raise SheetError(Reason.FILE_TOO_LARGE)
            writer.writerow([csv_cell(value, decimal_mark, tally) for value in row])
    return tally.receipt(len(columns))


def csv_cell(value: Plain, decimal_mark: str, tally: Tally) -> str:
    """A value as the text of a field, counted."""
    match value:
        case None:
            return ""
        case str():
            tally.texts += bool(value)
            return _text(value, tally)
        case bool():
            tally.numbers += 1
            return "TRUE" if value else "FALSE"
        case int():
            tally.numbers += 1
            return str(value)
        case Decimal():
            tally.numbers += 1
            return f"{value:f}".replace(".", decimal_mark)
        case datetime():
            tally.dates += 1
            return value.replace(tzinfo=None).isoformat(" ", "seconds")
        case date():
            tally.dates += 1
            return value.isoformat()


def _text(text: str, tally: Tally) -> str:
    text = text.replace("\x00", "")
    if not is_active(text):
        return text
    tally.protected += 1
    return f"'{text}"
