"""Sheets longer than what is looked at in one go: the same answers, whatever the size of a block."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import xlsxwriter

from remit.contract import Reason
from remit.records import plain_name
from remit.sheets import Appended, Plain, SheetError, append_xlsx, existing_file

FIELDS = ("Number", "Date", "Amount")


@pytest.fixture(params=[700, 5000, 60_000], autouse=True)
def block(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts are read in blocks of so many bytes."""
    monkeypatch.setattr("remit.sheets._sheet_xml.BLOCK", request.param)


def book(folder: Path, rows: dict[int, list[object]], *, inline: bool = False) -> Path:
    """A sheet with these rows, counted from 1."""
    made = xlsxwriter.Workbook(str(folder / "a.xlsx"), {"constant_memory": inline})
    sheet: Any = made.add_worksheet("Data")
    for number in sorted(rows):
        for at, value in enumerate(rows[number]):
            if value is not None:
                sheet.write(number - 1, at, value)
    made.close()
    return folder / "a.xlsx"


def data(first: int, last: int) -> dict[int, list[object]]:
    return {number: [f"INV-{number}", number, number / 4] for number in range(first, last + 1)}


def append(folder: Path) -> Appended:
    new: list[list[Plain]] = [["NEW", date(2026, 9, 1), 1]]
    return append_xlsx(existing_file(folder, "a.xlsx"), FIELDS, new, count=1, chosen={}, fold=plain_name)


HEADER: dict[int, list[object]] = {1: list(FIELDS)}
TOTAL: list[object] = ["Total", None, "=SUM(C2:C900)"]


@pytest.mark.parametrize("inline", [True, False])
def test_the_end_of_the_data_is_found_and_everything_before_it_stays(tmp_path: Path, inline: bool) -> None:
    path = book(tmp_path, {**HEADER, **data(2, 900)}, inline=inline)
    assert append(tmp_path).first_row == 901
    sheet = openpyxl.load_workbook(path)["Data"]
    assert [sheet.cell(row, 1).value for row in range(2, 902)] == [f"INV-{row}" for row in range(2, 901)] + ["NEW"]


def test_totals_after_much_data_are_found(tmp_path: Path) -> None:
    path = book(tmp_path, {**HEADER, **data(2, 900), 901: TOTAL})
    assert append(tmp_path).first_row == 901
    assert openpyxl.load_workbook(path)["Data"]["C902"].value == "=SUM(C2:C901)"


def test_many_rows_below_move_down(tmp_path: Path) -> None:
    notes: dict[int, list[object]] = {number: [f"note {number}"] for number in range(905, 1300)}
    path = book(tmp_path, {**HEADER, **data(2, 900), 901: TOTAL, **notes})
    append(tmp_path)
    sheet = openpyxl.load_workbook(path)["Data"]
    assert [sheet.cell(row + 1, 1).value for row in notes] == [cells[0] for cells in notes.values()]


@pytest.mark.parametrize("inline", [True, False])
@pytest.mark.parametrize("at", [300, 650, 898])
def test_a_second_header_amid_the_data_is_noticed(tmp_path: Path, at: int, inline: bool) -> None:
    book(tmp_path, {**HEADER, **data(2, 900), at: list(FIELDS)}, inline=inline)
    with pytest.raises(SheetError) as caught:
        append(tmp_path)
    assert caught.value.reason is Reason.HEADINGS_AMBIGUOUS


@pytest.mark.parametrize("at", [300, 650, 898])
def test_a_better_header_amid_other_rows_is_the_header(tmp_path: Path, at: int) -> None:
    book(tmp_path, {1: ["number", "other"], **data(2, 900), at: list(FIELDS)})
    assert append(tmp_path).first_row == 901


def test_gaps_and_empty_first_cells_are_no_end(tmp_path: Path) -> None:
    rows = {**HEADER, **data(2, 900)}
    del rows[400]
    rows[600] = [None, 1, 2]
    book(tmp_path, rows)
    assert append(tmp_path).first_row == 901


def test_text_after_a_gap_is_the_end(tmp_path: Path) -> None:
    notes: dict[int, list[object]] = {number: [f"note {number}", "x", "y"] for number in range(500, 900)}
    book(tmp_path, {**HEADER, **data(2, 400), **notes})
    assert append(tmp_path).first_row == 401


def test_a_header_after_many_rows_of_title_is_found(tmp_path: Path) -> None:
    titles: dict[int, list[object]] = {number: [f"line {number}"] for number in range(1, 700)}
    book(tmp_path, {**titles, 700: list(FIELDS), **data(701, 900)})
    assert append(tmp_path).first_row == 901
