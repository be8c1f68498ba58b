"""Values as they may be shown: in one closed notation each, and texts of sites without what the eye does not see."""

from __future__ import annotations

import unicodedata
from typing import Final

from ._amounts import Amount
from ._evidence import Value
from ._intervals import DateInterval

ELLIPSIS: Final = "\u2026"

_UNSEEN: Final = (
    (0x034F, 0x034F),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x2065, 0x2065),
    (0x2800, 0x2800),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0xE0000, 0xE0FFF),
)
"""Characters that are not drawn though their category does not say so: Default_Ignorable_Code_Point of the Unicode
Character Database (DerivedCoreProperties.txt) beyond category Cf, and the empty Braille cell. Texts can hide in them.
"""

_MOST_MARKS: Final = 4
"""Combining marks kept on one letter; more only draw over other lines."""


def written(value: Value | None) -> str:
    """A value in Remit's own notation: days, months, quarters, years and intervals as in ISO 8601, numbers with a
    decimal point and without groups, the currency behind them as the source has it. A text is itself.
    """
    if value is None:
        return ""
    if isinstance(value, Amount):
        return f"{value.value:f} {value.currency}" if value.currency else f"{value.value:f}"
    return _dated(value) if isinstance(value, DateInterval) else str(value)


def shown_text(text: str, longest: int) -> str:
    """A text of a site on one line and in characters that are seen, at most `longest` of them.

    Controls, directions, joiners, variation selectors, tags, private and unassigned characters go; all white space
    becomes single spaces; a cut end says so with an ellipsis. What is left is still the site's word: data, never an
    instruction.
    """
    seen: list[str] = []
    marks = 0
    # A cell may be megabytes of nothing: what is drawn lies in front or not at all.
    for char in text[: longest * 16]:
        kept = _seen(char)
        marks = marks + 1 if unicodedata.combining(char) else 0
        if kept and marks <= _MOST_MARKS:
            seen.append(kept)
    line = " ".join("".join(seen).split())
    whole = len(line) <= longest and len(text) <= longest * 16
    return line if whole else f"{line[: longest - 1].rstrip()}{ELLIPSIS}"


def _seen(char: str) -> str:
    """The character, a space for white space, or nothing."""
    if char.isspace():
        return " "
    unseen = unicodedata.category(char)[0] == "C" or any(first <= ord(char) <= last for first, last in _UNSEEN)
    return "" if unseen else char


def _dated(value: DateInterval) -> str:
    if value.precision == "day":
        return value.start.isoformat() if value.at is None else f"{value.start.isoformat()}T{value.at.isoformat()}"
    if value.precision == "month":
        return f"{value.start:%Y-%m}"
    if value.precision == "quarter":
        return f"{value.start:%Y}-Q{value.end.month // 3}"
    if value.precision == "year":
        return f"{value.start:%Y}"
    return f"{value.start.isoformat()}/{value.end.isoformat()}"
