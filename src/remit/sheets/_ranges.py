"""Cells and areas as workbooks write them: "B7", "A1:D20", "$A:$A"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ._values import MAX_COLUMNS, MAX_ROWS, column_letters, column_number

_CELL: Final = r"\$?([A-Z]{1,3})\$?([1-9][0-9]{0,6})"
_AREA: Final = re.compile(rf"{_CELL}(?::{_CELL})?")
_COLUMNS: Final = re.compile(r"\$?([A-Z]{1,3}):\$?([A-Z]{1,3})")
_ROWS: Final = re.compile(r"\$?([0-9]{1,7}):\$?([0-9]{1,7})")


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of cells, its edges included, counted from 1."""

    top: int
    left: int
    bottom: int
    right: int

    def meets(self, other: Area) -> bool:
        """Whether the two have a cell in common."""
        return (
            self.top <= other.bottom
            and other.top <= self.bottom
            and self.left <= other.right
            and other.left <= self.right
        )

    def __str__(self) -> str:
        first = f"{column_letters(self.left)}{self.top}"
        last = f"{column_letters(self.right)}{self.bottom}"
        return first if first == last else f"{first}:{last}"


def read_area(text: str) -> Area | None:
    """The area a reference names; whole columns and rows reach to the sheet's edges. None for anything else."""
    if found := _AREA.fullmatch(text):
        left, top, right, bottom = found.groups()
        first = int(top), column_number(left)
        last = (int(bottom), column_number(right)) if right else first
    elif found := _COLUMNS.fullmatch(text):
        first, last = (1, column_number(found[1])), (MAX_ROWS, column_number(found[2]))
    elif found := _ROWS.fullmatch(text):
        first, last = (int(found[1]), 1), (int(found[2]), MAX_COLUMNS)
    else:
        return None
    return Area(min(first[0], last[0]), min(first[1], last[1]), max(first[0], last[0]), max(first[1], last[1]))


def read_areas(text: str) -> tuple[Area | None, ...]:
    """The areas of an `sqref`: several, apart by spaces."""
    return tuple(read_area(part) for part in text.split())
