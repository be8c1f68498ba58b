"""What a cell can hold: the text, number or date as it may be written, and what had to go."""

from __future__ import annotations

import re
from datetime import date, datetime
from decimal import Decimal
from typing import Final

from ._receipt import Tally

MAX_ROWS: Final = 1_048_576
MAX_COLUMNS: Final = 16_384
MAX_TEXT: Final = 32_767
"""A sheet's and a cell's limits (Microsoft, "Excel specifications and limits"); texts are counted in UTF-16 units."""
MAX_DIGITS: Final = 15
"""Digits a number keeps; a longer one is written as text: better not to be added than to be changed."""
_TOO_BIG: Final = 10**MAX_DIGITS
FIRST_DAY: Final = date(1900, 3, 1)
"""Earlier days are text: Excel believes in 29 February 1900, so programs disagree about what comes before."""

FORBIDDEN_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_EPOCH, _EPOCH_1904 = date(1899, 12, 30).toordinal(), date(1904, 1, 1).toordinal()


def allowed(text: str, tally: Tally) -> str:
    """The text as a cell can hold it; what had to go is counted."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.isprintable() and FORBIDDEN_XML.search(text):
        tally.cleaned += 1
        text = FORBIDDEN_XML.sub("", text)
    short = text if len(text) * 2 <= MAX_TEXT else cut(text, MAX_TEXT)
    tally.truncated += len(short) != len(text)
    return short


def keeps(value: int | Decimal) -> bool:
    """Whether a cell can hold the number without changing a digit of it."""
    if isinstance(value, int):
        return -_TOO_BIG < value < _TOO_BIG or len(str(abs(value)).rstrip("0")) <= MAX_DIGITS
    if not value.is_finite():
        return False
    digits = value.as_tuple().digits
    return len(digits) <= MAX_DIGITS or len(value.normalize().as_tuple().digits) <= MAX_DIGITS


def cut(text: str, units: int) -> str:
    """The beginning of a text that fits in so many UTF-16 units, no character cut in half."""
    encoded = text.encode("utf-16-le", "surrogatepass")
    return text if len(encoded) <= units * 2 else encoded[: units * 2].decode("utf-16-le", "ignore")


def serial(value: date, *, since_1904: bool) -> str:
    """The number by which a workbook knows a day or a moment; moments to the millisecond (ECMA-376, 18.17.4)."""
    days = value.toordinal() - (_EPOCH_1904 if since_1904 else _EPOCH)
    if not isinstance(value, datetime):
        return str(days)
    seconds = value.hour * 3600 + value.minute * 60 + value.second + round(value.microsecond, -3) / 1e6
    return repr(days + seconds / 86400) if seconds else str(days)


def column_letters(number: int) -> str:
    """The letters of a column counted from 1."""
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def column_number(letters: str) -> int:
    """The number, counted from 1, of a column named by its letters."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number
