"""Spreadsheets read as tables."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import xlsxwriter

from remit.contract import Reason
from remit.records import plain_name
from remit.sheets import Opened, SheetError, existing_file, opened_table, write_csv
from tests.sheets.books import everything, rows
from tests.sheets.test_active_text import ACTIVE

Draw = Callable[[xlsxwriter.Workbook, Any], None]


def book(path: Path, draw: Draw) -> Path:
    made = xlsxwriter.Workbook(str(path))
    draw(made, made.add_worksheet("Data"))
    made.close()
    return path


def read(path: Path, sheet: str | None = None) -> tuple[Opened, list[list[str]]]:
    with opened_table(existing_file(path.parent, path.name), sheet, plain_name) as table:
        return table, [[cell.text for cell in row.cells] for row in table.rows()]


def test_a_table_under_a_title_is_read_with_its_types(tmp_path: Path) -> None:
    def draw(made: xlsxwriter.Workbook, sheet: Any) -> None:
        sheet.write("A1", "Our invoices")
        rows(made, sheet, count=2, top=3)
        sheet.write("C6", 2.5)

    table, found = read(book(tmp_path / "a.xlsx", draw))
    assert table.fields == ("Number", "Date", "Amount")
    assert found == [["INV-1", "2026-01-01", "1"], ["INV-2", "2026-01-02", "2.5"]]
    assert [table.kind(at) for at in range(3)] == ["text", "date", "number"]
    assert (table.header_row, table.outside, table.uncomputed) == (4, 0, 0)


def test_totals_and_notes_below_are_no_records(tmp_path: Path) -> None:
    def draw(made: xlsxwriter.Workbook, sheet: Any) -> None:
        rows(made, sheet, count=2)
        sheet.write("A4", "Total")
        sheet.write_formula("C4", "=SUM(C2:C3)", None, 3)
        sheet.write("A9", "Paid by bank")

    table, found = read(book(tmp_path / "a.xlsx", draw))
    assert [row[0] for row in found] == ["INV-1", "INV-2"]
    assert table.outside == 2


def test_a_gap_in_the_data_is_no_end(tmp_path: Path) -> None:
    def draw(made: xlsxwriter.Workbook, sheet: Any) -> None:
        rows(made, sheet, count=1)
        sheet.write_row("A6", ["INV-2", "later", 2])

    assert [row[0] for row in read(book(tmp_path / "a.xlsx", draw))[1]] == ["INV-1", "INV-2"]


def test_formulas_give_their_stored_value_and_are_counted_without_one(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    made = openpyxl.Workbook()
    assert made.active is not None
    for row in (["Number", "Amount"], ["INV-1", "=1+1"], ["INV-2", 3]):
        made.active.append(row)
    made.save(path)
    table, found = read(path)
    assert found == [["INV-1", ""], ["INV-2", "3"]]
    assert table.uncomputed == 1

    def draw(made: xlsxwriter.Workbook, sheet: Any) -> None:
        sheet.write_row("A1", ["Number", "Amount"])
        sheet.write("A2", "INV-1")
        sheet.write_formula("B2", "=1+1", None, 2)

    assert read(book(tmp_path / "b.xlsx", draw))[1] == [["INV-1", "2"]]


def test_hidden_sheets_are_read_only_by_name(tmp_path: Path) -> None:
    def draw(made: xlsxwriter.Workbook, sheet: Any) -> None:
        rows(made, sheet, count=1)
        hidden = made.add_worksheet("Secret")
        hidden.write_row("A1", ["Alpha", "Beta"])
        hidden.write_row("A2", ["x", "y"])
        hidden.activate()
        sheet.hide()

    path = book(tmp_path / "a.xlsx", draw)
    assert read(path)[0].fields == ("Alpha", "Beta")
    assert read(path, "data")[0].fields == ("Number", "Date", "Amount")
    with pytest.raises(SheetError) as caught:
        read(path, "none")
    assert caught.value.reason is Reason.SHEET_MISSING


def test_an_empty_sheet_before_the_data_is_passed_over(tmp_path: Path) -> None:
    def draw(made: xlsxwriter.Workbook, sheet: Any) -> None:
        rows(made, made.add_worksheet("Second"), count=1)

    table, found = read(book(tmp_path / "a.xlsx", draw))
    assert (table.sheet, table.other_sheets, len(found)) == ("Second", 1, 1)


def test_merged_headings_name_groups(tmp_path: Path) -> None:
    def draw(made: xlsxwriter.Workbook, sheet: Any) -> None:
        sheet.merge_range("B1:C1", "Amount")
        sheet.write("A1", "Number")
        sheet.write_row("A2", ["", "Net", "Gross"])
        sheet.write_row("A3", ["INV-1", 1, 2])

    table, found = read(book(tmp_path / "a.xlsx", draw))
    assert table.fields == ("Number", "Amount Net", "Amount Gross")
    assert found == [["INV-1", "1", "2"]]


def test_columns_without_a_name_or_of_the_same_name_can_be_told_apart(tmp_path: Path) -> None:
    def draw(made: xlsxwriter.Workbook, sheet: Any) -> None:
        sheet.write_row("B1", ["Date", "", "Date", "Amount"])
        sheet.write_row("B2", ["a", "b", "c", 1])

    assert read(book(tmp_path / "a.xlsx", draw))[0].fields == ("Date", "Column C", "Date (2)", "Amount")


def test_numbers_show_no_binary_fractions_and_moments_their_time(tmp_path: Path) -> None:
    def draw(made: xlsxwriter.Workbook, sheet: Any) -> None:
        sheet.write_row("A1", ["Sum", "At", "Paid", "Big"])
        sheet.write_row("A2", [0.1 + 0.2])
        sheet.write_datetime("B2", datetime(2026, 9, 1, 8, 30), made.add_format({"num_format": "dd/mm/yyyy hh:mm"}))
        sheet.write_boolean("C2", True)
        sheet.write("D2", 123456789012345)

    table, found = read(book(tmp_path / "a.xlsx", draw))
    assert found == [["0.3", "2026-09-01 08:30:00", "TRUE", "123456789012345"]]
    assert [table.kind(at) for at in range(4)] == ["number", "datetime", "text", "integer"]


def test_a_defined_table_says_where_it_is(tmp_path: Path) -> None:
    def draw(made: xlsxwriter.Workbook, sheet: Any) -> None:
        sheet.write_row("A1", ["not", "these", "words", "here"])
        data = {"data": [["INV-1", 1]], "columns": [{"header": "Number"}, {"header": "Amount"}]}
        sheet.add_table("B3:C4", data)
        sheet.write("B5", "not in the table")

    table, found = read(book(tmp_path / "a.xlsx", draw))
    assert (table.fields, found) == (("Number", "Amount"), [["INV-1", "1"]])


def test_a_workbook_with_everything_is_read_without_a_word(tmp_path: Path) -> None:
    assert len(read(everything(tmp_path / "a.xlsm"))[1]) == 5


def test_protected_text_in_a_csv_file_comes_back_as_it_was(tmp_path: Path) -> None:
    texts = [text.replace("\r", "\n").lstrip("\n") for text in ACTIVE]
    write_csv(tmp_path / "a.csv", ["Text", "More"], [[text, "x"] for text in texts])
    assert [row[0] for row in read(tmp_path / "a.csv")[1]] == texts


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (b"Number,Amount\nINV-1,5\n", "utf-8"),
        ("Número;Importo\r\n00123;5,00\r\n".encode("cp1252"), "cp1252"),
        (codecs.BOM_UTF8 + "Número;Größe\n1;2\n".encode(), "utf-8-sig"),
        ("Number\tAmount\r\nINV-1\t5\r\n".encode("utf-16"), "utf-16"),
        (b'sep=|\r\nNumber|"Am|ount"\r\nINV-1|5\r\n', "utf-8"),
        (b'Number,Note\nINV-1,"two\nlines, and a comma"\n', "utf-8"),
    ],
)
def test_csv_files_are_read_by_their_own_rules(tmp_path: Path, data: bytes, encoding: str) -> None:
    (tmp_path / "a.csv").write_bytes(data)
    table, found = read(tmp_path / "a.csv")
    assert (table.encoding, len(table.fields), len(found), len(found[0])) == (encoding, 2, 1, 2)


def test_a_file_without_headings_names_its_columns_by_letter(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"")
    assert read(tmp_path / "a.csv")[1] == []

    def draw(made: xlsxwriter.Workbook, sheet: Any) -> None:
        sheet.write_row("A1", [1, 2])
        sheet.write_row("A2", [3, 4])

    table, found = read(book(tmp_path / "a.xlsx", draw))
    assert (table.fields, len(found), table.header_row) == (("Column A", "Column B"), 2, 0)


def test_more_columns_than_are_read_are_a_refusal(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(",".join(f"c{at}" for at in range(600)) + "\n" + ",".join("x" * 600) + "\n")
    with pytest.raises(SheetError) as caught:
        read(tmp_path / "a.csv")
    assert caught.value.reason is Reason.FILE_OVER_LIMIT
