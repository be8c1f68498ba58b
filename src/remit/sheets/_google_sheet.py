"""A Google sheet's values as a grid, and the block in it that fits what is to be written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from ._headings import Binding, Fold, Names, bind
from ._totals import TotalLabels, sums_up


@dataclass(frozen=True, slots=True)
class GoogleSheet:
    """A sheet of a spreadsheet."""

    sheet_id: int
    title: str
    hidden: bool

    @classmethod
    def read(cls, entry: Any) -> Self | None:
        """From its properties; None where it is no grid."""
        properties = entry.get("properties") if isinstance(entry, dict) else None
        if not isinstance(properties, dict) or properties.get("sheetType", "GRID") != "GRID":
            return None
        return cls(int(properties.get("sheetId") or 0), str(properties.get("title")), bool(properties.get("hidden")))


@dataclass(frozen=True, slots=True)
class Found:
    """The block: rows and columns counted from 1. `below` is the first row under it with something in its columns.

    `formulas` are those in the rows under the data, with their row and column.
    """

    sheet: GoogleSheet
    header: int
    left: int
    right: int
    last: int
    below: int | None
    binding: Binding
    tied: bool
    formulas: tuple[tuple[int, int, str], ...]


def find_block(
    sheet: GoogleSheet, values: Sequence[Any], fields: Sequence[str], chosen: Mapping[str, str], fold: Fold
) -> Found | None:
    """The block whose headings fit most fields; None where no row has one."""
    grid = [[_shown(cell) for cell in row] if isinstance(row, list) else [] for row in values]
    names = Names([*fields, *chosen], fold)
    bound = [(at, bind(row, fields, chosen, fold)) for at, row in enumerate(grid) if any(cell in names for cell in row)]
    most = max((binding.fits for _, binding in bound), default=0)
    if not most:
        return None
    best = [(at, binding) for at, binding in bound if binding.fits == most]
    header, binding = best[0]
    left, right = _edges(grid[header], binding)
    places = binding.places[left : right + 1]
    last, below = _end(grid, header, left, right, TotalLabels(fold))
    whole = Binding(places, binding.ambiguous, binding.unplaced, binding.missing)
    formulas = tuple(
        (row, column, cell)
        for row, cells in enumerate(grid[last + 1 :], start=last + 2)
        for column, cell in enumerate(cells, start=1)
        if cell.startswith("=")
    )
    return Found(sheet, header + 1, left + 1, right + 1, last + 1, below, whole, len(best) > 1, formulas)


def _edges(row: Sequence[str], binding: Binding) -> tuple[int, int]:
    bound = [at for at, place in enumerate(binding.places) if place is not None]
    left, right = (bound[0], bound[-1]) if bound else (0, len(row) - 1)
    while left > 0 and row[left - 1].strip():
        left -= 1
    while right + 1 < len(row) and row[right + 1].strip():
        right += 1
    return left, right


def _end(
    grid: Sequence[Sequence[str]], header: int, left: int, right: int, labels: TotalLabels
) -> tuple[int, int | None]:
    """The index of the last row of data, and the number of the first row below it with something in the columns."""
    width = right - left + 1
    rows = [list(row[left : right + 1]) + [""] * (width - len(row[left : right + 1])) for row in grid]
    end = header + 1
    while end < len(rows) and any(rows[end]):
        end += 1
    last = end - 1
    while last > header and (_is_total(rows[last], last + 1, labels) or _is_under_total(rows, header, last, labels)):
        last -= 1
    below = next((at + 1 for at in range(last + 1, len(rows)) if any(rows[at])), None)
    return last, below


def _is_under_total(rows: Sequence[Sequence[str]], header: int, at: int, labels: TotalLabels) -> bool:
    """A line with little in it between totals: a tax between a subtotal and a total."""
    filled = sum(bool(cell) for cell in rows[at])
    above = at - 1
    return filled * 2 < len(rows[at]) and above > header and _is_total(rows[above], above + 1, labels)


def _is_total(row: Sequence[str], number: int, labels: TotalLabels) -> bool:
    if any(cell.startswith("=") and sums_up(cell[1:], number) for cell in row):
        return True
    return any(cell in labels for cell in row) and not all(row)


def _shown(cell: Any) -> str:
    return "" if cell is None else str(cell)
