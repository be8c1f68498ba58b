"""The parts of a workbook by their roles: sheets, tables, shared strings, styles (ECMA-376 part 1, 18.2)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from remit.contract import Reason

from ._errors import SheetError
from ._package import Package, local
from ._ranges import Area, read_area

_TRUE: Final = ("1", "true", "on")


@dataclass(frozen=True, slots=True)
class SheetEntry:
    """A worksheet: its name, the part that holds it, its id, and whether a person sees it."""

    name: str
    part: str
    sheet_id: str
    visible: bool


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a sheet: where it is, what its columns are called, and how many totals rows it ends with."""

    part: str
    area: Area
    headings: tuple[str, ...]
    header_rows: int
    totals_rows: int


class Workbook:
    """A workbook in an opened package."""

    def __init__(self, package: Package) -> None:
        self.package = package
        self.part = _main_part(package)
        self._relations = package.relations(self.part)
        self.root = package.tree(self.part)

    @cached_property
    def sheets(self) -> tuple[SheetEntry, ...]:
        """The worksheets in their order; chart sheets and dialogs are none."""
        found = []
        for entry in self.root.iter("{*}sheet"):
            ref = next((value for key, value in entry.attrib.items() if str(key).endswith("}id")), "")
            kind, part = self._relations.get(str(ref), ("", ""))
            if kind == "worksheet" and part in self.package:
                seen = entry.get("state", "visible") == "visible"
                found.append(SheetEntry(entry.get("name") or "", part, entry.get("sheetId") or "", seen))
        return tuple(found)

    @cached_property
    def since_1904(self) -> bool:
        """Whether days are counted from 1904, as old Macintosh workbooks do."""
        return any(entry.get("date1904", "0") in _TRUE for entry in self.root.iter("{*}workbookPr"))

    @property
    def recalculates(self) -> bool:
        """Whether the program computes all formulas anew when it opens the workbook."""
        return any(entry.get("fullCalcOnLoad", "0") in _TRUE for entry in self.root.iter("{*}calcPr"))

    @property
    def is_reserved(self) -> bool:
        """Whether writing asks for a password."""
        return any(
            entry.get("reservationPassword") or entry.get("hashValue") for entry in self.root.iter("{*}fileSharing")
        )

    def related(self, kind: str) -> str | None:
        """The one part of a kind that the workbook refers to."""
        return next((part for is_a, part in self._relations.values() if is_a == kind and part in self.package), None)

    def sheet(self, name: str) -> SheetEntry:
        """The sheet of this name, without regard to case.

        Raises:
            SheetError: `SHEET_MISSING`.
        """
        for entry in self.sheets:
            if entry.name.casefold() == name.strip().casefold():
                return entry
        raise SheetError(Reason.SHEET_MISSING)

    def parts_of(self, sheet: SheetEntry, kind: str) -> tuple[str, ...]:
        """The parts of a kind that a sheet refers to."""
        related = self.package.relations(sheet.part).values()
        return tuple(part for is_a, part in related if is_a == kind and part in self.package)

    def tables(self, sheet: SheetEntry) -> tuple[Table, ...]:
        """The tables of a sheet."""
        return tuple(self._table(part) for part in self.parts_of(sheet, "table"))

    def _table(self, part: str) -> Table:
        root = self.package.tree(part)
        area = read_area(root.get("ref") or "")
        if local(root) != "table" or area is None:
            raise SheetError(Reason.FILE_DAMAGED)
        headings = tuple(column.get("name") or "" for column in root.iter("{*}tableColumn"))
        return Table(part, area, headings, int(root.get("headerRowCount") or 1), int(root.get("totalsRowCount") or 0))


def main_type(path: Path) -> str:
    """The content type of a package's main part; "" where there is none."""
    with Package.open(path) as package:
        try:
            return package.content_type(_main_part(package))
        except SheetError as error:
            if error.reason is Reason.FILE_KIND:
                return ""
            raise


def _main_part(package: Package) -> str:
    for kind, part in package.relations("").values():
        if kind == "officeDocument" and part in package:
            return part
    raise SheetError(Reason.FILE_KIND)
