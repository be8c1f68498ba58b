"""Whatever a sheet looks like, an append loses nothing, overwrites nothing, and adds each record once."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import openpyxl
import xlsxwriter
from hypothesis import HealthCheck, event, example, given, settings
from hypothesis import strategies as st

from remit.records import plain_name
from remit.sheets import Plain, SheetError, append_xlsx, existing_file

FIELDS = ("Number", "Amount")
Cells = dict[tuple[int, int], object]

_LINES = st.lists(
    st.sampled_from(["data", "data", "data", "blank", "styled", "total", "note", "sparse", "text"]), max_size=25
)
_BESIDE = st.dictionaries(
    st.tuples(st.integers(1, 40), st.integers(6, 8)), st.sampled_from(["beside", 7, "Number"]), max_size=5
)


def draw(path: Path, header: int, lines: list[str], beside: Cells, inline: bool) -> None:
    book = xlsxwriter.Workbook(str(path), {"constant_memory": inline})
    sheet: Any = book.add_worksheet("Data")
    styled = book.add_format({"bg_color": "yellow"})
    by_row: dict[int, list[tuple[int, object]]] = {}
    for (row, column), value in beside.items():
        by_row.setdefault(row, []).append((column, value))
    by_row.setdefault(header, [])[:0] = [(2, "Number"), (3, "Amount"), (4, "State")]
    for row, line in enumerate(lines, start=header + 1):
        by_row.setdefault(row, [])[:0] = _line(line, row, header)
    for row in sorted(by_row):
        for column, value in by_row[row]:
            if value is None:
                sheet.write_blank(row - 1, column - 1, None, styled)
            else:
                sheet.write(row - 1, column - 1, value)
    book.close()


def _line(line: str, row: int, header: int) -> list[tuple[int, object]]:
    cells: dict[str, list[tuple[int, object]]] = {
        "data": [(2, f"INV-{row}"), (3, row / 4), (4, "open")],
        "blank": [],
        "styled": [(2, None), (3, None)],
        "total": [(2, "Total"), (3, f"=SUM(C{header + 1}:C{row - 1})")],
        "note": [(2, "a remark")],
        "sparse": [(3, row)],
        "text": [(2, "one"), (3, "two"), (4, "three")],
    }
    return cells[line]


def filled(path: Path) -> Cells:
    sheet = openpyxl.load_workbook(path)["Data"]
    return {(cell.row, cell.column): cell.value for row in sheet.iter_rows() for cell in row if cell.value is not None}


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@example(header=1, lines=[], beside={(1, 6): "Number"}, inline=False, count=1)
@given(st.integers(1, 4), _LINES, _BESIDE, st.booleans(), st.integers(1, 4))
def test_nothing_is_lost_and_nothing_is_overwritten(
    header: int, lines: list[str], beside: Cells, inline: bool, count: int
) -> None:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "a.xlsx"
        draw(path, header, lines, beside, inline)
        before, data = filled(path), path.read_bytes()
        new: list[list[Plain]] = [[f"NEW-{at}", at] for at in range(count)]
        try:
            told = append_xlsx(
                existing_file(Path(name), "a.xlsx"), FIELDS, new, count=count, chosen={}, fold=plain_name
            )
        except SheetError as error:
            event(error.reason)
            assert path.read_bytes() == data
            return
        after = filled(path)
        taken = [at for at, field in enumerate(FIELDS) if field not in told.ambiguous]
        for at, row in enumerate(new):
            assert [after.pop((told.first_row + at, 2 + column)) for column in taken] == [row[each] for each in taken]
        assert told.first_row > header
        _check_kept(before, after, told.first_row)


def _check_kept(before: Cells, after: Cells, first: int) -> None:
    """Every old cell is where it was or, below the new rows, as many rows further down as all the others there."""
    above = {at: value for at, value in before.items() if at[0] < first}
    assert {at: value for at, value in after.items() if at[0] < first} == above
    below = {at: value for at, value in before.items() if at[0] >= first}
    rest = {at: value for at, value in after.items() if at[0] >= first}
    assert any(_moved(below, rest, start, shift) for shift in range(8) for start in range(first, first + 45))


def _moved(below: Cells, rest: Cells, start: int, shift: int) -> bool:
    where = {(row + shift if row >= start else row, column): value for (row, column), value in below.items()}
    return where.keys() == rest.keys() and all(
        value == rest[at] or (isinstance(value, str) and value.startswith("=")) for at, value in where.items()
    )
