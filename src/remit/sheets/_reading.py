"""Reading a spreadsheet: rows with typed cells, one by one."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from itertools import chain, islice
from typing import Final, Literal, Protocol

import openpyxl
from openpyxl.utils.exceptions import InvalidFileException

from remit.contract import Reason

from ._csv_source import csv_file
from ._errors import SheetError
from ._existing import Existing
from ._headings import Fold
from ._package import Package, understood
from ._ranges import read_area
from ._sheet_xml import SheetStream
from ._table import (
    MOST_COLUMNS,
    SAMPLE,
    CellType,
    DataRows,
    HeaderPlace,
    Merge,
    ReadCell,
    ReadRow,
    find_header,
    unique_names,
)
from ._values import MAX_ROWS
from ._workbook import SheetEntry, Table, Workbook

ColumnKind = Literal["text", "integer", "number", "date", "datetime", "mixed"]
_EMPTY: Final = ReadCell()


class _Cell(Protocol):
    value: object
    data_type: str
    number_format: str


@dataclass(slots=True)
class Opened:
    """A spreadsheet opened for reading. The counts are whole once `rows` has been read to its end.

    `fields` are the names of the columns, `uncomputed` counts formulas without a stored value, whose cells read as
    empty. `outside` counts totals and notes under the data, which are no records.
    """

    fields: tuple[str, ...]
    sheet: str | None
    header_row: int
    other_sheets: int
    encoding: str | None
    _rows: Iterator[ReadRow]
    _data: DataRows
    _kinds: list[set[CellType]]
    uncomputed: int = 0

    @property
    def outside(self) -> int:
        """Rows under the data that are no records."""
        return self._data.outside

    def rows(self) -> Iterator[ReadRow]:
        """The rows of data, once."""
        for row in self._data.of(self._rows):
            for kinds, cell in zip(self._kinds, row.cells, strict=True):
                kinds.add(cell.type)
                self.uncomputed += cell.type == "uncomputed"
            yield row

    def kind(self, at: int) -> ColumnKind:
        """What all filled cells of a column are by the file's own types; a CSV file has texts only."""
        kinds = self._kinds[at] - {"empty", "uncomputed"}
        if kinds <= {"integer", "number"} and kinds:
            return "integer" if kinds == {"integer"} else "number"
        if kinds <= {"date", "datetime"} and kinds:
            return "date" if kinds == {"date"} else "datetime"
        return "text" if kinds <= {"text"} else "mixed"


@contextmanager
def opened_table(found: Existing, sheet: str | None, fold: Fold) -> Iterator[Opened]:
    """Open a spreadsheet: of a workbook the sheet named, else the first visible one that holds something.

    Raises:
        SheetError: `SHEET_MISSING`, `FILE_DAMAGED`, `FILE_OVER_LIMIT` beyond the columns or rows that are read.
    """
    if found.kind == ".csv":
        yield _opened_csv(found, fold)
        return
    with understood(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # openpyxl warns of parts it does not know; nothing is written back
        with _workbook_sheet(found, sheet) as (place, others):
            yield _opened_sheet(found, place, others, fold)


@dataclass(frozen=True, slots=True)
class _SheetPlace:
    entry: SheetEntry
    tables: tuple[Table, ...]
    merges: tuple[Merge, ...]
    has_formulas: bool


@contextmanager
def _workbook_sheet(found: Existing, name: str | None) -> Iterator[tuple[_SheetPlace, int]]:
    with Package.open(found.path) as package:
        workbook = Workbook(package)
        visible = [entry for entry in workbook.sheets if entry.visible]
        wanted = [workbook.sheet(name)] if name is not None else visible
        for entry in wanted:
            merges, formulas, filled = _surroundings(package, entry)
            if filled or entry is wanted[-1]:
                yield _SheetPlace(entry, workbook.tables(entry), merges, formulas), len(workbook.sheets) - 1
                return
    raise SheetError(Reason.SHEET_MISSING)


def _surroundings(package: Package, entry: SheetEntry) -> tuple[tuple[Merge, ...], bool, bool]:
    """The merged areas of a sheet, whether it has formulas, and whether it has anything."""
    formulas = filled = False
    with package.stream(entry.part) as raw:
        stream = SheetStream(raw)
        mark = b"<" + stream.tags.prefix + b"f"
        for row in stream.rows():
            formulas = formulas or mark in row.data
            filled = filled or stream.tags.filled.search(row.data) is not None
    areas = []
    for part in stream.tail.split(b"mergeCell ")[1:]:
        ref = part.split(b'ref="')[1].split(b'"')[0].decode("ascii", "replace") if b'ref="' in part else ""
        area = read_area(ref)
        if area is not None:
            areas.append((area.top, area.left, area.bottom, area.right))
    return tuple(areas), formulas, filled


def _opened_sheet(found: Existing, place: _SheetPlace, others: int, fold: Fold) -> Opened:
    rows = _sheet_rows(found, place)
    if len(place.tables) == 1 and place.tables[0].header_rows:
        table = place.tables[0]
        names = unique_names(table.headings, table.area.left - 1)
        header = HeaderPlace(table.area.left - 1, table.area.right - 1, names, table.area.top)
        rows = (row for row in rows if row.number <= table.area.bottom - table.totals_rows)
    else:
        sample = list(islice(rows, SAMPLE))
        header = find_header(sample, place.merges)
        rows = chain(sample, rows)
    return _opened(header, rows, fold, sheet=place.entry.name, others=others)


def _opened_csv(found: Existing, fold: Fold) -> Opened:
    file = csv_file(found.path)
    rows = (
        ReadRow(number, tuple(ReadCell(text, "text") if text.strip() else _EMPTY for text in texts))
        for number, texts in enumerate(file.rows(), start=1)
    )
    sample = list(islice(rows, SAMPLE))
    return _opened(find_header(sample, ()), chain(sample, rows), fold, encoding=file.encoding)


def _opened(
    header: HeaderPlace,
    rows: Iterator[ReadRow],
    fold: Fold,
    *,
    sheet: str | None = None,
    others: int = 0,
    encoding: str | None = None,
) -> Opened:
    if len(header.names) > MOST_COLUMNS:
        raise SheetError(Reason.FILE_OVER_LIMIT)
    kinds: list[set[CellType]] = [set() for _ in header.names]
    return Opened(header.names, sheet, header.last_row, others, encoding, _bounded(rows), DataRows(header, fold), kinds)


def _bounded(rows: Iterator[ReadRow]) -> Iterator[ReadRow]:
    for row in rows:
        if row.number > MAX_ROWS:
            raise SheetError(Reason.FILE_OVER_LIMIT)
        yield row


def _sheet_rows(found: Existing, place: _SheetPlace) -> Iterator[ReadRow]:
    """The values; beside them the formulas, where the sheet has any, to tell what was never computed."""
    with _loaded(found, place, values=True) as values:
        if not place.has_formulas:
            for number, row in enumerate(values, start=1):
                yield ReadRow(number, tuple(map(_read, row)))
            return
        with _loaded(found, place, values=False) as formulas:
            for number, (row, written) in enumerate(zip(values, formulas, strict=True), start=1):
                yield ReadRow(number, tuple(map(_read_computed, row, written)))


@contextmanager
def _loaded(found: Existing, place: _SheetPlace, *, values: bool) -> Iterator[Iterator[Sequence[_Cell]]]:
    try:
        book = openpyxl.load_workbook(found.path, read_only=True, data_only=values)
    except (InvalidFileException, TypeError, AttributeError, IndexError):
        raise SheetError(Reason.FILE_DAMAGED) from None
    try:
        sheet = book[place.entry.name]
        sheet.reset_dimensions()  # what a file says of its size is not always true
        rows: Iterator[Sequence[_Cell]] = sheet.iter_rows()  # type: ignore[assignment] # read-only cells are a kind of their own
        yield rows
    finally:
        book.close()


def _read_computed(cell: _Cell, written: _Cell) -> ReadCell:
    read = _read(cell)
    if written.data_type != "f":
        return read
    formula = str(written.value or "").removeprefix("=")
    if read.type == "empty":
        return ReadCell("", "uncomputed", None, formula)
    return ReadCell(read.text, read.type, read.machine, formula)


def _read(cell: _Cell) -> ReadCell:
    value = cell.value
    match value:
        case None | "":
            return _EMPTY
        case str():
            return ReadCell(value, "text") if value.strip() else _EMPTY
        case bool():
            return ReadCell("TRUE" if value else "FALSE", "text")
        case int():
            return ReadCell(str(value), "integer")
        case float():
            return _number(value)
        case datetime() if value.time() == time() and "h" not in cell.number_format.lower():
            return ReadCell(value.date().isoformat(), "date", value.date().isoformat())
        case datetime():
            text = value.replace(microsecond=0).isoformat(" ")
            return ReadCell(text, "datetime", text.replace(" ", "T"))
        case date():
            return ReadCell(value.isoformat(), "date", value.isoformat())
        case time() | timedelta():
            return ReadCell(str(value), "text")
        case _:
            return ReadCell(str(value), "text")


def _number(value: float) -> ReadCell:
    """At the 15 digits a spreadsheet shows, so that binary fractions do not show."""
    text = f"{Decimal(f'{value:.15g}'):f}"
    return ReadCell(text, "integer" if "." not in text and abs(value) < 10**15 else "number")
