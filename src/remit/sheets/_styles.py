"""The formats of a workbook, extended by variants of those it has (ECMA-376 part 1, 18.8)."""

from __future__ import annotations

import copy
from typing import Final, Literal

from lxml import etree
from openpyxl.styles.numbers import BUILTIN_FORMATS, is_date_format

from remit.contract import Reason

from ._errors import SheetError
from ._package import serialise

Use = Literal["text", "quoted", "number", "day", "moment"]
"""What a cell is going to hold. "quoted" is text that would be read as a formula if the cell were edited."""

DAY: Final = "yyyy-mm-dd"
MOMENT: Final = "yyyy-mm-dd hh:mm"
_FIRST_CUSTOM: Final = 164
# Built-in formats for dates that some languages have and no file spells out (18.8.30).
_DATES: Final = frozenset({*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)})
_TRUE: Final = ("1", "true", "on")


class Styles:
    """The cell formats of a workbook; `changed` once one was added."""

    def __init__(self, root: etree._Element) -> None:
        self._root = root
        found = root.find("{*}cellXfs")
        if found is None:
            raise SheetError(Reason.FILE_DAMAGED)
        self._formats = found
        self._list = list(found.iterchildren("{*}xf"))
        self._codes = {
            int(entry.get("numFmtId") or 0): entry.get("formatCode") or "" for entry in root.iter("{*}numFmt")
        }
        self._made: dict[tuple[int, Use, str | None], int] = {}
        self.changed = False

    def fitting(self, base: int, use: Use, code: str | None = None) -> int:
        """The format like `base` in which a cell can hold what it is to hold; `base` itself wherever it will do.

        `code` is the number format where the base has none of its own: of a date or a number.
        """
        key = (base, use, code)
        if key not in self._made:
            self._made[key] = self._find(base, use, code)
        return self._made[key]

    def data(self) -> bytes:
        """The part."""
        return serialise(self._root)

    def _find(self, base: int, use: Use, code: str | None) -> int:
        if not 0 <= base < len(self._list):
            base = 0
        old = self._list[base]
        quoted = old.get("quotePrefix", "0") in _TRUE
        number = int(old.get("numFmtId") or 0)
        wanted = self._wanted(number, use, code)
        quote = use == "quoted" or (use == "text" and quoted)
        return base if (wanted, quote) == (number, quoted) else self._add(old, wanted, quote)

    def _wanted(self, number: int, use: Use, code: str | None) -> int:
        if use in ("day", "moment"):
            return number if self._is_date(number) else self._number(code or (DAY if use == "day" else MOMENT))
        if use == "number":
            if self._is_date(number):
                number = 0
            return self._number(code) if number == 0 and code else number
        return number

    def _is_date(self, number: int) -> bool:
        if number in self._codes:
            return bool(is_date_format(self._codes[number]))
        return number in _DATES

    def _number(self, code: str) -> int:
        builtin = next((number for number, known in BUILTIN_FORMATS.items() if known == code), None)
        if builtin is not None:
            return int(builtin)
        known = next((number for number, other in self._codes.items() if other == code), None)
        return self._add_number(code) if known is None else known

    def _add_number(self, code: str) -> int:
        number = max([_FIRST_CUSTOM - 1, *self._codes]) + 1
        space = self._namespace
        parent = self._root.find("{*}numFmts")
        if parent is None:
            parent = etree.SubElement(self._root, f"{space}numFmts")
            self._root.insert(0, parent)
        etree.SubElement(parent, f"{space}numFmt", {"numFmtId": str(number), "formatCode": code})
        parent.set("count", str(len(parent)))
        self._codes[number] = code
        self.changed = True
        return number

    def _add(self, old: etree._Element, number: int, quote: bool) -> int:
        new = copy.deepcopy(old)
        new.set("numFmtId", str(number))
        new.set("applyNumberFormat", "1")
        new.attrib.pop("quotePrefix", "")
        if quote:
            new.set("quotePrefix", "1")
        self._list[-1].addnext(new)
        self._list.append(new)
        self._formats.set("count", str(len(self._list)))
        self.changed = True
        return len(self._list) - 1

    @property
    def _namespace(self) -> str:
        space = etree.QName(self._root).namespace
        return f"{{{space}}}" if space else ""
