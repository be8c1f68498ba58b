"""XLSX files, read back with openpyxl and, where it hides something, from the package's parts."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import openpyxl
import pytest
from openpyxl.worksheet.worksheet import Worksheet

from remit.contract import Reason
from remit.sheets import Plain, SheetError, WriteReceipt, write_xlsx
from remit.sheets import _xlsx as module
from tests.sheets.test_active_text import ACTIVE


def write(path: Path, columns: Sequence[str], rows: Iterable[Sequence[Plain]], title: str = "Invoices") -> WriteReceipt:
    return write_xlsx(path, columns, rows, receipt_lines=lambda _: ["2 rows", "=not a formula"], title=title)


def opened(path: Path) -> Worksheet:
    sheet = openpyxl.load_workbook(path).worksheets[0]
    assert isinstance(sheet, Worksheet)
    return sheet


def test_active_text_is_a_string_with_quote_prefix_and_no_apostrophe(tmp_path: Path) -> None:
    path = tmp_path / "out.xlsx"
    receipt = write(path, ["Text"], [[text] for text in ACTIVE])
    cells = [row[0] for row in opened(path).iter_rows(min_row=2)]
    assert [cell.value for cell in cells] == [text.replace("\r", "\n") for text in ACTIVE]
    assert {cell.data_type for cell in cells} <= {"s", "inlineStr"}
    assert all(cell.style.startswith("Normal") and cell.quotePrefix for cell in cells)
    assert receipt.cells_protected == len(ACTIVE)


def test_the_package_has_the_quote_prefix_and_no_formula(tmp_path: Path) -> None:
    path = tmp_path / "out.xlsx"
    write(path, ["Text", "Plain"], [["=1+1", "abc"]])
    with zipfile.ZipFile(path) as package:
        styles = package.read("xl/styles.xml").decode()
        sheet = package.read("xl/worksheets/sheet1.xml").decode()
    formats = re.findall(r"<xf [^>]*>", styles.split("<cellXfs")[1])
    style_of = dict(re.findall(r'<c r="([A-Z]+\d+)" s="(\d+)"', sheet))
    assert 'quotePrefix="1"' in formats[int(style_of["A2"])]
    assert "B2" not in style_of
    assert "<f>" not in sheet
    assert 't="inlineStr"' in sheet


def test_values_keep_their_types_and_formats(tmp_path: Path) -> None:
    path = tmp_path / "out.xlsx"
    row = (
        Decimal("-5.00"),
        7,
        date(2026, 9, 15),
        datetime(2026, 9, 15, 14, 5),
        True,
        None,
        "x",
        Decimal("1234.5"),
        2026,
    )
    receipt = write(path, list("abcdefghi"), [row])
    cells = next(opened(path).iter_rows(min_row=2))
    assert [cell.value for cell in cells] == [
        -5,
        7,
        datetime(2026, 9, 15),
        datetime(2026, 9, 15, 14, 5),
        True,
        None,
        "x",
        1234.5,
        2026,
    ]
    assert [cells[at].number_format for at in (0, 1, 2, 3, 7)] == [
        "#,##0.00",
        "0",
        "yyyy-mm-dd",
        "yyyy-mm-dd hh:mm",
        "#,##0.0",
    ]
    assert receipt == WriteReceipt(1, 9, cells_protected=0, dates=2, numbers=5, texts=1)


@pytest.mark.parametrize(
    "text", ["00123", "12345678901234567890", "1E5", "MAR1", "-5.00", "3.350", "+39 06 1234", "TRUE"]
)
def test_identifiers_given_as_text_stay_text(tmp_path: Path, text: str) -> None:
    path = tmp_path / "out.xlsx"
    write(path, ["Code"], [[text]])
    assert opened(path)["A2"].value == text


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (1234567890123456, "1234567890123456"),
        (Decimal("12345678901234.567"), "12345678901234.567"),
        (Decimal("NaN"), "NaN"),
        (date(1899, 12, 31), "1899-12-31"),
    ],
)
def test_what_a_number_cell_would_change_is_text(tmp_path: Path, number: Plain, shown: str) -> None:
    path = tmp_path / "out.xlsx"
    receipt = write(path, ["N"], [[number]])
    assert opened(path)["A2"].value == shown
    assert (receipt.numbers, receipt.dates, receipt.texts) == (0, 0, 1)


def test_fifteen_digits_are_a_number(tmp_path: Path) -> None:
    path = tmp_path / "out.xlsx"
    write(path, ["N"], [[Decimal("1234567890123.45")], [100000000000000000]])
    assert [opened(path)[cell].value for cell in ("A2", "A3")] == [1234567890123.45, 10**17]


def test_the_sheet_is_ready_to_use(tmp_path: Path) -> None:
    path = tmp_path / "out.xlsx"
    write(path, ["Number", "Description"], [["INV-1", "a rather long description of things"], ["INV-2", "x" * 500]])
    sheet = opened(path)
    assert sheet.title == "Invoices"
    assert sheet.freeze_panes == "A2"
    assert sheet.auto_filter.ref == "A1:B3"
    assert sheet["A1"].font.b
    assert 8 <= sheet.column_dimensions["A"].width <= 12
    assert 55 <= sheet.column_dimensions["B"].width <= 62


def test_the_receipt_is_a_second_sheet_of_plain_lines(tmp_path: Path) -> None:
    path = tmp_path / "out.xlsx"
    write(path, ["a"], [])
    book = openpyxl.load_workbook(path)
    assert book.sheetnames == ["Invoices", "Receipt"]
    assert [row[0].value for row in book["Receipt"].iter_rows()] == ["2 rows", "=not a formula"]
    assert book["Receipt"]["A2"].data_type != "f"


def test_long_and_forbidden_text_is_cut_cleaned_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "out.xlsx"
    receipt = write(
        path, ["a"], [["x" * 40_000], ["😀" * 20_000], ["a\x00b\x0bc\ud800d\ufffee"], ["_x0041_"], ["a\r\nb\tc"]]
    )
    values = [row[0].value for row in opened(path).iter_rows(min_row=2)]
    assert values[:3] == ["x" * 32_767, "😀" * 16_383, "abcde"]
    assert values[4] == "a\nb\tc"
    assert (receipt.truncated, receipt.cleaned) == (2, 1)
    with zipfile.ZipFile(path) as package:
        assert "_x005F_x0041_" in package.read("xl/worksheets/sheet1.xml").decode()


def test_columns_of_the_same_name_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "out.xlsx"
    write(path, ["Data", "Data", ""], [["a", "b", "c"]])
    assert [[cell.value for cell in row] for row in opened(path).iter_rows()] == [
        ["Data", "Data", ""],
        ["a", "b", "c"],
    ]


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("All [2026]: a/b*?", "All  2026   a b"),
        ("x" * 40, "x" * 31),
        ("'quoted'", "quoted"),
        ("", "Data"),
        ("receipt", "Data"),
        ("History", "Data"),
        ("\x01", "Data"),
    ],
)
def test_any_title_makes_a_lawful_sheet_name(tmp_path: Path, title: str, expected: str) -> None:
    path = tmp_path / "out.xlsx"
    write(path, ["a"], [], title=title)
    assert opened(path).title == expected


def test_a_sheet_that_is_too_long_or_too_wide_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_ROWS", 3)
    monkeypatch.setattr(module, "MAX_COLUMNS", 2)
    rows: list[list[Plain]] = [[1], [2], [3]]
    for columns, data in ((["a"], rows), (["a", "b", "c"], [])):
        with pytest.raises(SheetError) as caught:
            write(tmp_path / "out.xlsx", columns, data)
        assert caught.value.reason is Reason.FILE_TOO_LARGE
    assert os.listdir(tmp_path) == []


def test_a_failing_source_leaves_nothing(tmp_path: Path) -> None:
    def rows() -> Iterator[Sequence[Plain]]:
        yield ["a"]
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write(tmp_path / "out.xlsx", ["a"], rows())
    assert os.listdir(tmp_path) == []


def test_an_existing_file_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "out.xlsx"
    path.write_bytes(b"mine")
    with pytest.raises(SheetError) as caught:
        write(path, ["a"], [])
    assert caught.value.reason is Reason.FILE_EXISTS
    assert path.read_bytes() == b"mine"


FULL_DISK = """
import resource, sys
from pathlib import Path
from remit.sheets import SheetError, write_csv, write_xlsx
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
rows = [[f"{number * 7919 % 104729} some text {number}"] for number in range(20_000)]
for path, write in ((Path(sys.argv[1]) / "out.csv", write_csv), (Path(sys.argv[1]) / "out.xlsx", write_xlsx)):
    try:
        write(path, ["a"], rows, **({"receipt_lines": lambda _: [], "title": "t"} if write is write_xlsx else {}))
    except SheetError as error:
        print(error.reason)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="file size limits are POSIX")
def test_a_full_disk_is_a_reason_and_leaves_nothing(tmp_path: Path) -> None:
    """A limit on file size refuses the write as a full disk does."""
    ended = subprocess.run(
        [sys.executable, "-W", "error", "-c", FULL_DISK, str(tmp_path)], capture_output=True, text=True, timeout=60
    )
    assert (ended.stdout.split(), ended.stderr) == (["file_unwritable"] * 2, "")
    assert os.listdir(tmp_path) == []
