"""Values as the Sheets protocol takes them: as a person types them, or typed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Final

from ._active_text import is_active, is_number
from ._receipt import Plain, PlainRow, Tally
from ._values import keeps, serial

Json = dict[str, Any]
_PLAIN_INTEGER: Final = re.compile(r"0|[1-9]\d{0,14}")


def needs_apostrophe(text: str) -> bool:
    """Whether a text typed into a cell would be read as something else: a formula, or a number or date unlike it.

    A number with a sign, and a whole number that keeps its digits, are left as they are.
    """
    bare = text.strip()
    if is_active(text) or text.startswith("'"):
        return True
    if is_number(bare) or _PLAIN_INTEGER.fullmatch(bare):
        return False
    return any(char.isdecimal() for char in bare) or bare.upper() in ("TRUE", "FALSE")


def entered(value: Plain, tally: Tally) -> str | float | int | bool:
    """A value as typed by a person, for USER_ENTERED. Dates in ISO form are read as dates in every language."""
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        tally.numbers += 1
        return value
    if isinstance(value, int | Decimal) and keeps(value):
        tally.numbers += 1
        return value if isinstance(value, int) else float(value)
    if isinstance(value, date):
        tally.dates += 1
        return value.replace(tzinfo=None).isoformat(" ", "seconds") if isinstance(value, datetime) else str(value)
    text = value if isinstance(value, str) else str(value)
    tally.texts += 1
    tally.protected += is_active(text)
    return f"'{text}" if needs_apostrophe(text) else text


def _typed(value: Plain, tally: Tally) -> Json:
    """A value as a typed cell, which is not read again."""
    if value is None or value == "":
        return {}
    if isinstance(value, bool):
        tally.numbers += 1
        return {"userEnteredValue": {"boolValue": value}}
    if isinstance(value, int | Decimal) and keeps(value):
        tally.numbers += 1
        return {"userEnteredValue": {"numberValue": float(value)}}
    if isinstance(value, date):
        tally.dates += 1
        moment = isinstance(value, datetime)
        pattern = {"type": "DATE_TIME" if moment else "DATE", "pattern": "yyyy-mm-dd hh:mm" if moment else "yyyy-mm-dd"}
        number = float(serial(value, since_1904=False))
        return {"userEnteredValue": {"numberValue": number}, "userEnteredFormat": {"numberFormat": pattern}}
    text = value if isinstance(value, str) else str(value)
    tally.texts += 1
    tally.protected += is_active(text)
    return {"userEnteredValue": {"stringValue": text}}


def update_cells(sheet_id: int, row: int, column: int, cells: Sequence[PlainRow], tally: Tally) -> Json:
    """The request that fills cells from a row and a column on, counted from 0."""
    made = [{"values": [_typed(value, tally) for value in values]} for values in cells]
    start = {"sheetId": sheet_id, "rowIndex": row, "columnIndex": column}
    return {"updateCells": {"start": start, "rows": made, "fields": "userEnteredValue,userEnteredFormat.numberFormat"}}


def update_formula(sheet_id: int, row: int, column: int, formula: str) -> Json:
    """The request that puts a formula into a cell, its row and column counted from 1."""
    start = {"sheetId": sheet_id, "rowIndex": row - 1, "columnIndex": column - 1}
    cell = {"values": [{"userEnteredValue": {"formulaValue": formula}}]}
    return {"updateCells": {"start": start, "rows": [cell], "fields": "userEnteredValue"}}
