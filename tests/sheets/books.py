"""Workbooks as people have them: with everything a spreadsheet program puts into one."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import xlsxwriter

HEADINGS = ("Number", "Date", "Amount")
VBA = b"\xd0\xcf\x11\xe0 a macro project, as far as this test goes"

RAW_PARTS = {
    "xl/slicers/slicer1.xml": b'<slicers xmlns="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main"/>',
    "xl/diagrams/data1.xml": b"<dgm:dataModel xmlns:dgm='http://schemas.openxmlformats.org/drawingml/2006/diagram'/>",
    "xl/embeddings/oleObject1.bin": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(range(256)),
    "customXml/item1.xml": b"<mine>\r\n  kept as it is \r\n</mine>",
}
"""Parts of kinds that no library here writes: slicers, SmartArt, embedded objects, custom XML."""


def png() -> bytes:
    """A picture of one pixel."""
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(b"\0\1\2\3")),
        (b"IEND", b""),
    )
    packed = (struct.pack(">I", len(d)) + k + d + struct.pack(">I", zlib.crc32(k + d)) for k, d in chunks)
    return b"\x89PNG\r\n\x1a\n" + b"".join(packed)


def everything(path: Path) -> Path:
    """A workbook with every feature that a load and a save by a library is known to lose."""
    picture = path.with_name("picture.png")
    picture.write_bytes(png())
    book = xlsxwriter.Workbook(str(path))
    data, other = book.add_worksheet("Data"), book.add_worksheet("Other")
    rows(book, data, count=5)
    bold = book.add_format({"bold": True})
    data.write_rich_string("F1", "some ", bold, "bold", " text")
    data.write_formula("F2", "=SUM(C2:C6)", None, 15)
    data.write_dynamic_array_formula("F3", "=UNIQUE(A2:A3)", None, "N1")
    data.conditional_format("C2:C6", {"type": "data_bar", "data_bar_2010": True})
    data.conditional_format("C2:C6", {"type": "icon_set", "icon_style": "3_arrows"})
    data.data_validation("B2:B100", {"validate": "list", "source": "=Other!$A$1:$A$3"})
    data.add_sparkline("G2", {"range": "Data!C2:C6"})
    data.insert_image("I1", str(picture))
    data.embed_image("H2", str(picture))
    data.insert_textbox("I9", "a text box")
    data.insert_checkbox("H3", True)
    data.write_comment("A1", "a comment")
    data.write_url("F5", "https://example.test/")
    data.merge_range("K1:L1", "merged")
    data.insert_chart("K3", _chart(book))
    data.freeze_panes(1, 0)
    data.set_column("A:A", 20)
    other.write_formula("A1", "=Data!C2*2", None, 2)
    book.define_name("Amounts", "=Data!$C$2:$C$6")
    book.add_vba_project(str(_macro(path)))
    book.close()
    add_parts(path, RAW_PARTS)
    return path


def rows(
    book: xlsxwriter.Workbook, sheet: object, *, count: int, top: int = 0, headings: Sequence[str] = HEADINGS
) -> None:
    """A header in row `top` (from 0) and `count` rows of data: text, date, amount."""
    assert isinstance(sheet, xlsxwriter.worksheet.Worksheet)
    day, money = book.add_format({"num_format": "dd/mm/yyyy"}), book.add_format({"num_format": "0.00 €"})
    for at, heading in enumerate(headings):
        sheet.write_string(top, at, heading)
    for row in range(1, count + 1):
        sheet.write_string(top + row, 0, f"INV-{row}")
        sheet.write_datetime(top + row, 1, datetime(2026, 1, row), day)
        sheet.write_number(top + row, 2, row, money)


def add_parts(path: Path, parts: dict[str, bytes]) -> None:
    """Put raw parts into a package, one of them stored without compression."""
    with zipfile.ZipFile(path, "a") as package:
        for at, (name, data) in enumerate(parts.items()):
            package.writestr(name, data, zipfile.ZIP_STORED if at % 2 else zipfile.ZIP_DEFLATED)


def changed_parts(old: Path, new: Path) -> set[str]:
    """The names of the parts that are not the same bytes in both."""
    with zipfile.ZipFile(old) as one, zipfile.ZipFile(new) as two:
        assert two.testzip() is None
        names = set(one.namelist()) | set(two.namelist())
        return {name for name in names if _part(one, name) != _part(two, name)}


def part(path: Path, name: str) -> str:
    """A part as text."""
    with zipfile.ZipFile(path) as package:
        return package.read(name).decode()


def _part(package: zipfile.ZipFile, name: str) -> bytes | None:
    return package.read(name) if name in package.namelist() else None


def _chart(book: xlsxwriter.Workbook) -> object:
    chart = book.add_chart({"type": "column"})
    chart.add_series({"values": "=Data!$C$2:$C$6", "pattern": {"pattern": "wide_upward_diagonal", "fg_color": "red"}})
    return chart


def _macro(path: Path) -> Path:
    macro = path.with_name("vbaProject.bin")
    macro.write_bytes(VBA)
    return macro
