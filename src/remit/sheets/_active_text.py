"""Text that a spreadsheet would run as a formula, and text that only looks so because it is a negative number."""

from __future__ import annotations

import re
from typing import Final

_STARTS: Final = frozenset("=+-@\uff1d\uff0b\uff0d\uff20")
_FIRST: Final = frozenset("\t\r\n\x00")
# What an importing program may drop or split at, so that what follows begins a cell.
_SKIPPED: Final = " \t\r\n\v\f\x00\u00a0\u200b\u2007\u202f\u3000\ufeff\"'`;,|"
_WHOLE = r"(?:\d+|\d{1,3}(?:[.,'\u2019\u00a0\u202f ]\d{3})+)"
_NUMBER: Final = re.compile(rf"-(?:{_WHOLE}(?:[.,]\d+)?|[.,]\d+)(?:[eE][+-]?\d+)?|\+\d+[.,]\d+")
_BARE: Final = frozenset({"-", "+", "--", "---"})


def is_active(text: str) -> bool:
    """Whether a spreadsheet may read `text` as a formula or command (OWASP, "CSV Injection").

    A number with a minus is none, nor is a lone dash. A plus before whole digits is: it marks a telephone number, which
    must stay text.
    """
    if not text:
        return False
    first = text[0]
    if first not in _STARTS and first not in _FIRST and first not in _SKIPPED:
        return False
    if first in _FIRST:
        return True
    bare = text.lstrip(_SKIPPED)
    if not bare or bare[0] not in _STARTS:
        return False
    return not is_number(text.strip()) and text.strip() not in _BARE


def is_number(text: str) -> bool:
    """Whether a text with a sign is a number and nothing else: "-5.00", "-1.234,56", "-1e-7"."""
    return _NUMBER.fullmatch(text) is not None
