"""Workbooks of 50 MB, made quickly: a small one from a library, into which a large sheet is written by hand."""

from __future__ import annotations

import random
import zipfile
from pathlib import Path

import xlsxwriter

from tests.sheets.books import rows

ROWS_OF_50_MB = 530_000
_PER_BLOCK = 1000


def one_big_sheet(path: Path, count: int) -> Path:
    """A workbook of one sheet with `count` rows: a number, a date, an amount and three texts that pack badly."""
    return _book(path, "xl/worksheets/sheet1.xml", count, sheets=1)


def big_other_sheet(path: Path, count: int) -> Path:
    """The same with a small first sheet; the large one is the second."""
    return _book(path, "xl/worksheets/sheet2.xml", count, sheets=2)


def _book(path: Path, part: str, count: int, *, sheets: int) -> Path:
    skeleton = path.with_suffix(".skeleton")
    made = xlsxwriter.Workbook(str(skeleton))
    for number in range(sheets):
        rows(made, made.add_worksheet(f"Data {number + 1}"), count=5)
    made.close()
    with (
        zipfile.ZipFile(skeleton) as source,
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as target,
    ):
        for info in source.infolist():
            data = source.read(info)
            if info.filename == part:
                _fill(target, part, data, count)
            else:
                target.writestr(info, data)
    skeleton.unlink()
    return path


def _fill(target: zipfile.ZipFile, part: str, data: bytes, count: int) -> None:
    before, after = data.split(b"</sheetData>")
    chance = random.Random(7)
    with target.open(part, "w") as sheet:
        sheet.write(before)
        for start in range(7, 7 + count, _PER_BLOCK):
            numbers = range(start, min(start + _PER_BLOCK, 7 + count))
            sheet.write(
                "".join(_row(number, chance.getrandbits(320).to_bytes(40).hex()) for number in numbers).encode()
            )
        sheet.write(b"</sheetData>" + after)


def _row(number: int, text: str) -> str:
    inline = 't="inlineStr"><is><t>'
    texts = "".join(
        f'<c r="{column}{number}" {inline}{text[at : at + 26]}</t></is></c>'
        for column, at in (("D", 0), ("E", 26), ("F", 52))
    )
    return (
        f'<row r="{number}"><c r="A{number}" {inline}INV-{number}</t></is></c><c r="B{number}" s="1"><v>46023</v></c>'
        f'<c r="C{number}" s="2"><v>{number}.25</v></c>{texts}</row>'
    )
