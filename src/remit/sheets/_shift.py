"""Whether the rows below may move down: everything in the workbook that speaks of them is looked for.

What cannot be moved along exactly is a loss, and the append is refused with the list.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Final
from xml.sax.saxutils import escape

from lxml import etree

from ._errors import Loss
from ._find import Place
from ._formulas import Move, speaks_of
from ._package import local, parse
from ._ranges import Area, read_area, read_areas
from ._sheet_xml import BLOCK, RawCell, RawRow, SheetStream, Tags
from ._values import MAX_ROWS
from ._workbook import Workbook

_BY_ELEMENT: Final = {
    "mergeCell": Loss.MERGED_CELLS,
    "conditionalFormatting": Loss.CONDITIONAL_FORMATS,
    "dataValidation": Loss.VALIDATIONS,
    "hyperlink": Loss.HYPERLINKS,
    "protectedRange": Loss.PROTECTION,
    "sqref": Loss.EXTENSIONS,
    "f": Loss.EXTENSIONS,
}
_FORMULAS: Final = {"formula": Loss.CONDITIONAL_FORMATS, "formula1": Loss.VALIDATIONS, "formula2": Loss.VALIDATIONS}
_BY_FOLDER: Final = {
    "charts": Loss.CHARTS,
    "chartex": Loss.CHARTS,
    "chartsheets": Loss.CHARTS,
    "drawings": Loss.DRAWINGS,
    "pivotcache": Loss.PIVOT_TABLES,
    "pivottables": Loss.PIVOT_TABLES,
    "ctrlprops": Loss.CONTROLS,
}
_HIDDEN_NAMES: Final = ("_xlnm._filterdatabase",)


def tail_of(place: Place, tags: Tags) -> etree._Element:
    """What stands after the rows, as a tree under the sheet's root."""
    return parse(place.root + place.tail.removeprefix(tags.data_end))


def losses_in_place(workbook: Workbook, place: Place, tail: etree._Element, area: Area) -> set[Loss]:
    """What is in the way of the new cells themselves."""
    found = set()
    if any(entry.get("sheet", "0") in ("1", "true") for entry in tail.iter("{*}sheetProtection")):
        found.add(Loss.PROTECTION)
    if any(_meets(entry.get("ref"), area) for entry in tail.iter("{*}mergeCell")):
        found.add(Loss.MERGED_CELLS)
    for table in workbook.tables(place.sheet):
        ours = place.block.header.table
        if table.area.meets(area) and (ours is None or table.part != ours.part):
            found.add(Loss.TABLES)
    for part in workbook.parts_of(place.sheet, "pivotTable"):
        if any(_meets(entry.get("ref"), area) for entry in workbook.package.tree(part).iter("{*}location")):
            found.add(Loss.PIVOT_TABLES)
    return found


def losses_of_moving(workbook: Workbook, place: Place, tail: etree._Element, move: Move) -> set[Loss]:
    """What would no longer fit if the rows from `move.below` on moved."""
    return {
        *_after_rows(tail, move, place.block.header.row.number),
        *_beside_sheet(workbook, place, move),
        *_in_rows(workbook, place, move),
        *_elsewhere(workbook, place, move),
    }


def _after_rows(tail: etree._Element, move: Move, header: int) -> Iterator[Loss]:
    for element in tail.iter():
        name = local(element)
        if name == "autoFilter":
            area = read_area(element.get("ref") or "")
            if _is_moved(area, move) and (area is None or area.top != header):
                yield Loss.TABLES
        if name == "row" and int(element.text or 0) + 1 >= move.below:  # where a control is anchored
            yield Loss.CONTROLS
        if name in _BY_ELEMENT:
            texts = element.get("ref") or element.get("sqref") or (element.text or "")
            if name == "f":
                if speaks_of(texts, move.sheet, move.below, own=True):
                    yield _BY_ELEMENT[name]
            elif any(_is_moved(area, move) for area in read_areas(texts)):
                yield _BY_ELEMENT[name]
        elif name in _FORMULAS and speaks_of(element.text or "", move.sheet, move.below, own=True):
            yield _FORMULAS[name]
        elif name == "rowBreaks" and any(int(brk.get("id") or 0) >= move.below for brk in element):
            yield Loss.PAGE_BREAKS


def _beside_sheet(workbook: Workbook, place: Place, move: Move) -> Iterator[Loss]:
    ours = place.block.header.table
    for table in workbook.tables(place.sheet):
        if table.area.bottom >= move.below and (ours is None or table.part != ours.part):
            yield Loss.TABLES
    for kind, loss in (
        ("comments", Loss.COMMENTS),
        ("threadedComment", Loss.COMMENTS),
        ("pivotTable", Loss.PIVOT_TABLES),
    ):
        for part in workbook.parts_of(place.sheet, kind):
            refs = (entry.get("ref") for entry in workbook.package.tree(part).iter() if entry.get("ref"))
            if any(_is_moved(read_area(ref or ""), move) for ref in refs):
                yield loss
    for part in workbook.parts_of(place.sheet, "drawing"):
        rows = (int(entry.text or 0) for entry in workbook.package.tree(part).iter("{*}row"))
        if any(row + 1 >= move.below for row in rows):
            yield Loss.DRAWINGS


def _in_rows(workbook: Workbook, place: Place, move: Move) -> Iterator[Loss]:
    """Formulas in the rows above that speak of those below; below, formulas and cells that cannot simply move."""
    header = place.block.header
    beside_last = False
    with workbook.package.stream(place.sheet.part) as raw:
        stream = SheetStream(raw)
        for row in stream.rows():
            tags = stream.tags
            if b"<" + tags.prefix + b"f" in row.data:
                yield from _formulas_in(row, tags, move)
            if row.number in (move.last, move.below):
                beside = any(_is_beside(cell, tags, header.left, header.right) for cell in tags.cells(row.data))
                if beside and beside_last:
                    yield Loss.CELLS_BESIDE
                beside_last = beside


def _formulas_in(row: RawRow, tags: Tags, move: Move) -> Iterator[Loss]:
    for attributes, text in tags.formula.findall(row.data):
        shared = b'"shared"' in attributes or b'"array"' in attributes or b'"dataTable"' in attributes
        ref = re.search(rb"\bref\s*=\s*[\"']([^\"']+)[\"']", attributes)
        area = read_area(ref[1].decode("ascii", "replace")) if ref else None
        if b'"array"' in attributes and area and area.bottom > move.last:
            yield Loss.ARRAY_FORMULAS
        elif row.number >= move.below:
            if shared:
                yield Loss.FORMULAS
        elif speaks_of(html.unescape(text.decode("utf-8")), move.sheet, move.below, own=True):
            yield Loss.FORMULAS


def _is_beside(cell: RawCell, tags: Tags, left: int, right: int) -> bool:
    return not left <= cell.column <= right and tags.is_filled(cell)


def _elsewhere(workbook: Workbook, place: Place, move: Move) -> Iterator[Loss]:
    for entry in workbook.root.iter("{*}definedName"):
        named = (entry.get("name") or "").lower() not in _HIDDEN_NAMES
        if named and speaks_of(entry.text or "", move.sheet, move.below, own=False):
            yield Loss.NAMES
    sheets = {sheet.part for sheet in workbook.sheets}
    skipped = {place.sheet.part, workbook.part, workbook.related("sharedStrings"), workbook.related("styles")}
    for part in workbook.package.names:
        if part.endswith(".xml") and part not in skipped and _part_speaks_of(workbook, part, move):
            yield Loss.FORMULAS if part in sheets else _BY_FOLDER.get(part.split("/")[-2], Loss.EXTENSIONS)


def _part_speaks_of(workbook: Workbook, part: str, move: Move) -> bool:
    """Whether a part names a cell of the sheet that would move. Parts may be large, so they are read in pieces."""
    name = escape(move.sheet.replace("'", "''"), {"'": "&apos;", '"': "&quot;"})
    plain = escape(move.sheet.replace("'", "''"))
    names = b"|".join(re.escape(spelling.encode()) for spelling in dict.fromkeys((name, plain)))
    quote = rb"(?:'|&apos;|&#39;)?"
    cell = rb"\$?[A-Z]{1,3}\$?(\d+)"
    mention = re.compile(rb"(?i)%b(?:%b)%b!(?:%b(?::%b)?)|\bINDIRECT\(" % (quote, names, quote, cell, cell))
    source = re.compile(rb"(?i)<[^<>]*\bworksheetSource\b[^<>]*\bsheet=\"(?:%b)\"[^<>]*>" % names)
    before = b""
    with workbook.package.stream(part) as stream:
        while block := stream.read(BLOCK):
            window = before + block
            for found in mention.finditer(window):
                if max((int(number) for number in found.groups() if number), default=move.below) >= move.below:
                    return True
            for pivot in source.finditer(window):
                ref = re.search(rb"\bref=\"([^\"]*)\"", pivot[0])
                area = read_area(ref[1].decode("ascii", "replace")) if ref else None
                if area and area.bottom >= move.below:
                    return True
            before = window[-1024:]
    return False


def _is_moved(area: Area | None, move: Move) -> bool:
    """Whether an area holds rows that move; one that reaches to the end of the sheet goes on holding them."""
    return area is None or (area.bottom >= move.below and area.bottom < MAX_ROWS)


def _meets(ref: str | None, area: Area) -> bool:
    found = read_area(ref or "")
    return found is None or found.meets(area)
