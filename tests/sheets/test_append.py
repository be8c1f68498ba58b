"""Rows added to workbooks: where they go, what they look like, and that nothing else moves."""

from __future__ import annotations

import os
import re
import warnings
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import xlsxwriter
from openpyxl.worksheet.worksheet import Worksheet

from remit.contract import Reason
from remit.records import plain_name
from remit.sheets import Appended, Loss, Plain, SheetError, WouldLoseError, append_xlsx, existing_file
from tests.sheets.books import changed_parts, everything, part, rows

FIELDS = ("Number", "Date", "Amount")
NEW: list[list[Plain]] = [["INV-9", date(2026, 9, 1), Decimal("9.5")], ["INV-10", date(2026, 9, 2), Decimal("-10")]]

Draw = Callable[[xlsxwriter.Workbook, Any], None]


def book(path: Path, draw: Draw, *, count: int = 3, top: int = 0, headings: Sequence[str] = FIELDS) -> Path:
    made = xlsxwriter.Workbook(str(path))
    sheet = made.add_worksheet("Data")
    rows(made, sheet, count=count, top=top, headings=headings)
    draw(made, sheet)
    made.close()
    return path


def nothing(made: xlsxwriter.Workbook, sheet: Any) -> None:
    """Only the rows."""


def append(
    path: Path,
    new: Sequence[Sequence[Plain]] = NEW,
    fields: Sequence[str] = FIELDS,
    chosen: Mapping[str, str] | None = None,
    sheet: str | None = None,
) -> Appended:
    found = existing_file(path.parent, path.name)
    return append_xlsx(found, fields, new, count=len(new), chosen=chosen or {}, fold=plain_name, sheet=sheet)


def values(path: Path, sheet: str = "Data") -> list[list[object]]:
    opened = openpyxl.load_workbook(path)[sheet]
    return [[cell.value for cell in row] for row in opened.iter_rows()]


def refused(path: Path, **more: Any) -> Reason:
    before, files = path.read_bytes(), sorted(path.parent.rglob("*"))
    with pytest.raises(SheetError) as caught:
        append(path, **more)
    assert path.read_bytes() == before
    assert sorted(path.parent.rglob("*")) == files
    return caught.value.reason


def losses(path: Path) -> tuple[Loss, ...]:
    before = path.read_bytes()
    with pytest.raises(WouldLoseError) as caught:
        append(path)
    assert path.read_bytes() == before
    return caught.value.losses


def test_everything_else_in_the_workbook_stays_byte_for_byte(tmp_path: Path) -> None:
    path = everything(tmp_path / "all.xlsm")
    told = append(path)
    assert told.backup is not None
    assert changed_parts(told.backup, path) == {"xl/worksheets/sheet1.xml"}
    before, after = (_without_dimension(part(book, "xl/worksheets/sheet1.xml")) for book in (told.backup, path))
    new = re.search(r'<row r="7">.*?</row><row r="8">.*?</row>', after)
    assert new is not None
    assert after.replace(new[0], "") == before


def test_formulas_keep_their_cached_values(tmp_path: Path) -> None:
    path = everything(tmp_path / "all.xlsm")
    append(path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # openpyxl says which of the features it would lose
        cached = openpyxl.load_workbook(path, data_only=True)
    assert (cached["Data"]["F2"].value, cached["Other"]["A1"].value) == (15, 2)


def test_new_cells_take_over_the_formats_of_the_last_row_of_data(tmp_path: Path) -> None:
    path = book(tmp_path / "a.xlsx", nothing)
    told = append(path)
    sheet = openpyxl.load_workbook(path)["Data"]
    assert [sheet.cell(5, at).value for at in (1, 2, 3)] == ["INV-9", datetime(2026, 9, 1), 9.5]
    assert [sheet.cell(5, at).number_format for at in (1, 2, 3)] == ["General", "dd/mm/yyyy", "0.00 €"]
    assert told.first_row == 5
    assert changed_parts(told.backup or path, path) == {"xl/worksheets/sheet1.xml"}


def test_a_date_in_a_column_without_a_date_format_gets_one(tmp_path: Path) -> None:
    path = book(tmp_path / "a.xlsx", nothing)
    told = append(path, [[date(2026, 9, 1), "soon", datetime(2026, 9, 1, 8, 30)]])
    sheet = openpyxl.load_workbook(path)["Data"]
    assert [cell.value for cell in sheet[5]] == [datetime(2026, 9, 1), "soon", datetime(2026, 9, 1, 8, 30)]
    assert [cell.number_format for cell in sheet[5]] == ["yyyy-mm-dd", "dd/mm/yyyy", "yyyy-mm-dd hh:mm"]
    assert changed_parts(told.backup or path, path) == {"xl/worksheets/sheet1.xml", "xl/styles.xml"}


def test_active_text_is_a_string_with_quote_prefix_and_no_apostrophe(tmp_path: Path) -> None:
    path = book(tmp_path / "a.xlsx", nothing)
    told = append(path, [["=1+1", None, None], ["-5.00", None, None], ["00123", None, None]])
    sheet = openpyxl.load_workbook(path)["Data"]
    cells = [sheet.cell(row, 1) for row in (5, 6, 7)]
    assert [(cell.value, cell.data_type, cell.quotePrefix) for cell in cells] == [
        ("=1+1", "s", True),
        ("-5.00", "s", False),
        ("00123", "s", False),
    ]
    assert told.receipt.cells_protected == 1


def test_days_are_counted_from_1904_where_the_workbook_does(tmp_path: Path) -> None:
    path = tmp_path / "mac.xlsx"
    made = xlsxwriter.Workbook(str(path), {"date_1904": True})
    rows(made, made.add_worksheet("Data"), count=1)
    made.close()
    append(path)
    assert openpyxl.load_workbook(path)["Data"]["B3"].value == datetime(2026, 9, 1)


def test_strange_text_comes_back_as_it_was(tmp_path: Path) -> None:
    path = book(tmp_path / "a.xlsx", nothing)
    texts = ["a < b & c > d", "  outer  ", "two\nlines", "日本語 😀", 'say "hi"']
    append(path, [[text, None, None] for text in texts])
    assert [row[0] for row in values(path)[4:]] == texts
    append(path, [["_x0041_", None, None]])
    assert "_x005F_x0041_" in part(path, "xl/worksheets/sheet1.xml")


@pytest.mark.parametrize("blank_row", [5000, 1_048_553])
def test_styled_blank_rows_below_do_not_move_the_end_of_the_data(tmp_path: Path, blank_row: int) -> None:
    def draw(made: xlsxwriter.Workbook, sheet: Any) -> None:
        sheet.write_blank(blank_row - 1, 0, None, made.add_format({"bg_color": "yellow"}))

    path = book(tmp_path / "a.xlsx", draw)
    assert append(path).first_row == 5
    assert f'<row r="{blank_row}"' in part(path, "xl/worksheets/sheet1.xml")


def test_styled_blank_rows_directly_below_are_used(tmp_path: Path) -> None:
    def draw(made: xlsxwriter.Workbook, sheet: Any) -> None:
        for row in range(4, 50):
            for column in range(3):
                sheet.write_blank(row, column, None, made.add_format({"bg_color": "yellow"}))

    path = book(tmp_path / "a.xlsx", draw)
    assert append(path).first_row == 5
    assert [row[0] for row in values(path)[:7]] == ["Number", "INV-1", "INV-2", "INV-3", "INV-9", "INV-10", None]


def test_a_note_beside_stays_where_it_is(tmp_path: Path) -> None:
    path = book(tmp_path / "a.xlsx", lambda made, sheet: sheet.write("G6", "a note"))
    append(path)
    found = values(path)
    assert found[5][0] == "INV-10"
    assert found[5][6] == "a note"


def test_a_note_far_below_stays_where_it_is(tmp_path: Path) -> None:
    path = book(tmp_path / "a.xlsx", lambda made, sheet: sheet.write("A20", "Paid by bank"))
    assert append(path).first_row == 5
    assert values(path)[19][0] == "Paid by bank"


def test_a_gap_in_the_data_is_not_its_end(tmp_path: Path) -> None:
    def draw(made: xlsxwriter.Workbook, sheet: Any) -> None:
        day = made.add_format({"num_format": "dd/mm/yyyy"})
        sheet.write_row("A7", ["INV-4"])
        sheet.write_datetime("B7", datetime(2026, 2, 1), day)
        sheet.write_number("C7", 4)

    path = book(tmp_path / "a.xlsx", draw)
    assert append(path).first_row == 8


def test_a_header_under_a_title_is_found(tmp_path: Path) -> None:
    path = book(tmp_path / "a.xlsx", lambda made, sheet: sheet.write("A1", "Number of everything"), top=3)
    assert append(path).first_row == 8


def test_headings_match_by_case_then_accents_and_punctuation(tmp_path: Path) -> None:
    path = book(tmp_path / "a.xlsx", nothing, headings=["Nº", "DATA  FATTURA", "Importo (€)"], top=3)
    told = append(path, fields=["No.", "Data fattura", "importo"])
    assert (told.unplaced, told.ambiguous) == ((), ())
    assert values(path)[7][:3] == ["INV-9", datetime(2026, 9, 1), 9.5]


def test_a_field_that_two_headings_fit_is_left_out_and_told(tmp_path: Path) -> None:
    path = book(tmp_path / "a.xlsx", nothing, headings=["Number", "Date", "Date"])
    told = append(path)
    assert told.ambiguous == ("Date",)
    assert told.unplaced == ("Amount",)
    assert values(path)[4] == ["INV-9", None, None]


def test_headings_of_which_none_is_certain_are_refused(tmp_path: Path) -> None:
    path = book(tmp_path / "a.xlsx", nothing, headings=["Number", "Number", "Number"])
    assert refused(path) is Reason.HEADINGS_AMBIGUOUS


def test_an_explicit_binding_wins_and_fields_without_a_heading_add_nothing(tmp_path: Path) -> None:
    path = book(tmp_path / "a.xlsx", nothing, headings=["Number", "Issued", "Amount"])
    told = append(path, chosen={"Issued": "Date", "Number": "Amount"})
    assert values(path)[4] == [9.5, datetime(2026, 9, 1), None]
    assert told.unplaced == ("Number",)
    assert refused(path, chosen={"Number": "no such field"}) is Reason.UNKNOWN_FIELD
    assert refused(path, chosen={"No such heading": "Number"}) is Reason.HEADINGS_NOT_FOUND


def test_a_second_header_that_fits_as_well_is_a_collision_however_far_down(tmp_path: Path) -> None:
    path = book(tmp_path / "a.xlsx", lambda made, sheet: sheet.write_row("A4000", list(FIELDS)))
    assert refused(path) is Reason.HEADINGS_AMBIGUOUS


def test_no_heading_that_fits_is_a_refusal(tmp_path: Path) -> None:
    path = book(tmp_path / "a.xlsx", nothing, headings=["Alpha", "Beta", "Gamma"])
    assert refused(path) is Reason.HEADINGS_NOT_FOUND


def test_of_several_sheets_the_one_that_fits_is_taken(tmp_path: Path) -> None:
    def draw(made: xlsxwriter.Workbook, sheet: Any) -> None:
        made.add_worksheet("Notes").write("A1", "Number")

    path = book(tmp_path / "a.xlsx", draw)
    told = append(path)
    assert changed_parts(told.backup or path, path) == {"xl/worksheets/sheet1.xml"}


def test_sheets_that_fit_alike_are_told_apart_by_name_only(tmp_path: Path) -> None:
    path = book(tmp_path / "a.xlsx", lambda made, sheet: rows(made, made.add_worksheet("Twin"), count=1))
    assert refused(path) is Reason.HEADINGS_AMBIGUOUS
    assert append(path, sheet="twin").first_row == 3
    assert values(path, "Twin")[2][0] == "INV-9"
    assert refused(path, sheet="Third") is Reason.SHEET_MISSING


def test_a_header_alone_takes_rows_with_formats_of_their_own(tmp_path: Path) -> None:
    path = book(tmp_path / "a.xlsx", nothing, count=0)
    append(path)
    sheet = openpyxl.load_workbook(path)["Data"]
    assert [cell.number_format for cell in sheet[2]] == ["General", "yyyy-mm-dd", "#,##0.0"]


def totals(label: str = "Total", formula: str = "=SUM(C2:C4)", row: int = 5) -> Draw:
    def draw(made: xlsxwriter.Workbook, sheet: Any) -> None:
        sheet.write(row - 1, 0, label)
        sheet.write_formula(row - 1, 2, formula, None, 6)

    return draw


@pytest.mark.parametrize("label", ["Total", "Totale complessivo:", "Summe", "合計", "sums"])
def test_rows_go_above_a_totals_row_whose_sum_takes_them_in(tmp_path: Path, label: str) -> None:
    path = book(tmp_path / "a.xlsx", totals(label))
    told = append(path)
    found = values(path)
    assert found[4][0] == "INV-9"
    assert found[6] == [label, None, "=SUM(C2:C6)"]
    assert changed_parts(told.backup or path, path) <= {"xl/worksheets/sheet1.xml", "xl/workbook.xml"}
    assert 'fullCalcOnLoad="1"' in part(path, "xl/workbook.xml")
    assert not told.stale


def test_the_gap_above_a_totals_row_is_kept(tmp_path: Path) -> None:
    path = book(tmp_path / "a.xlsx", totals(row=6, formula="=SUM(C2:C5)"))
    append(path)
    found = values(path)
    assert [row[0] for row in found[3:]] == ["INV-3", "INV-9", "INV-10", None, "Total"]
    assert found[7][2] == "=SUM(C2:C7)"


def test_a_company_called_total_is_data(tmp_path: Path) -> None:
    def draw(made: xlsxwriter.Workbook, sheet: Any) -> None:
        sheet.write_row("A5", ["Total Energies", 1, 2])

    path = book(tmp_path / "a.xlsx", draw)
    assert append(path).first_row == 6


def test_tax_between_subtotal_and_total_stays_with_them(tmp_path: Path) -> None:
    def draw(made: xlsxwriter.Workbook, sheet: Any) -> None:
        for at, (label, formula) in enumerate(
            (("Subtotal", "=SUM(C2:C4)"), ("VAT 22%", "=C5*0.22"), ("Total", "=C5+C6")), start=4
        ):
            sheet.write(at, 0, label)
            sheet.write_formula(at, 2, formula)

    path = book(tmp_path / "a.xlsx", draw)
    assert append(path).first_row == 5
    assert [row[2] for row in values(path)[6:]] == ["=SUM(C2:C6)", "=C7*0.22", "=C7+C8"]


def on_other_sheet(made: xlsxwriter.Workbook, formula: str) -> None:
    made.add_worksheet("Other").write_formula("A1", formula)


def chart_of_total(made: xlsxwriter.Workbook, sheet: Any) -> None:
    chart = made.add_chart({"type": "column"})
    chart.add_series({"values": "=Data!$C$5:$C$5"})
    made.add_worksheet("Charts").insert_chart("A1", chart)


MOVES: dict[Loss, Draw] = {
    Loss.MERGED_CELLS: lambda made, sheet: sheet.merge_range("A7:B7", "merged"),
    Loss.CONDITIONAL_FORMATS: lambda made, sheet: sheet.conditional_format(
        "C5", {"type": "cell", "criteria": ">", "value": 1, "format": made.add_format({"bold": True})}
    ),
    Loss.VALIDATIONS: lambda made, sheet: sheet.data_validation("C6", {"validate": "any", "input_title": "x"}),
    Loss.HYPERLINKS: lambda made, sheet: sheet.write_url("B5", "https://example.test/"),
    Loss.COMMENTS: lambda made, sheet: sheet.write_comment("C5", "mine"),
    Loss.DRAWINGS: lambda made, sheet: sheet.insert_textbox("A9", "below"),
    Loss.EXTENSIONS: lambda made, sheet: sheet.add_sparkline("D5", {"range": "Data!C2:C4"}),
    Loss.FORMULAS: lambda made, sheet: on_other_sheet(made, "=Data!C5"),
    Loss.NAMES: lambda made, sheet: made.define_name("Sum", "=Data!$C$5"),
    Loss.CHARTS: chart_of_total,
    Loss.PAGE_BREAKS: lambda made, sheet: sheet.set_h_pagebreaks([6]),
    Loss.TABLES: lambda made, sheet: sheet.add_table("E8:F10"),
}


@pytest.mark.parametrize("loss", MOVES)
def test_rows_below_do_not_move_where_something_would_break(tmp_path: Path, loss: Loss) -> None:
    def draw(made: xlsxwriter.Workbook, sheet: Any) -> None:
        totals()(made, sheet)
        MOVES[loss](made, sheet)

    path = book(tmp_path / "a.xlsx", draw)
    assert losses(path) == (loss,)


def test_a_share_of_the_total_in_the_data_is_not_broken_silently(tmp_path: Path) -> None:
    def draw(made: xlsxwriter.Workbook, sheet: Any) -> None:
        totals()(made, sheet)
        sheet.write_formula("F2", "=C2/C$5")

    assert losses(book(tmp_path / "a.xlsx", draw)) == (Loss.FORMULAS,)


def test_a_reference_made_while_computing_is_not_trusted(tmp_path: Path) -> None:
    def draw(made: xlsxwriter.Workbook, sheet: Any) -> None:
        totals()(made, sheet)
        on_other_sheet(made, '=INDIRECT("Data!C"&5)')

    assert losses(book(tmp_path / "a.xlsx", draw)) == (Loss.FORMULAS,)


def test_a_filter_of_other_rows_does_not_move(tmp_path: Path) -> None:
    def draw(made: xlsxwriter.Workbook, sheet: Any) -> None:
        totals()(made, sheet)
        sheet.autofilter("E7:F9")

    assert losses(book(tmp_path / "a.xlsx", draw)) == (Loss.TABLES,)


def test_a_block_beside_the_data_is_not_torn_apart(tmp_path: Path) -> None:
    def draw(made: xlsxwriter.Workbook, sheet: Any) -> None:
        totals()(made, sheet)
        for row in range(6):
            sheet.write(row, 5, f"beside {row}")

    assert losses(book(tmp_path / "a.xlsx", draw)) == (Loss.CELLS_BESIDE,)


def test_a_whole_column_elsewhere_is_no_hindrance(tmp_path: Path) -> None:
    def draw(made: xlsxwriter.Workbook, sheet: Any) -> None:
        totals()(made, sheet)
        on_other_sheet(made, "=SUM(Data!C:C)+Data!C2")
        made.define_name("All", "=Data!$C:$C")

    assert append(book(tmp_path / "a.xlsx", draw)).first_row == 5


def test_merged_cells_in_the_way_are_a_loss(tmp_path: Path) -> None:
    def draw(made: xlsxwriter.Workbook, sheet: Any) -> None:
        sheet.merge_range("A6:C7", "")

    assert losses(book(tmp_path / "a.xlsx", draw)) == (Loss.MERGED_CELLS,)


def test_a_protected_sheet_is_left_alone(tmp_path: Path) -> None:
    assert losses(book(tmp_path / "a.xlsx", lambda made, sheet: sheet.protect())) == (Loss.PROTECTION,)


def table(total: bool) -> Draw:
    def draw(made: xlsxwriter.Workbook, sheet: Any) -> None:
        columns: list[dict[str, object]] = [{"header": name} for name in FIELDS]
        if total:
            columns[0]["total_string"], columns[2]["total_function"] = "Total", "sum"
        sheet.add_table(0, 0, 3 + total, 2, {"columns": columns, "total_row": total, "name": "Invoices"})

    return draw


def test_a_table_grows_with_its_rows(tmp_path: Path) -> None:
    path = book(tmp_path / "a.xlsx", table(total=False))
    told = append(path)
    sheet = openpyxl.load_workbook(path)["Data"]
    assert sheet.tables["Invoices"].ref == "A1:C6"
    assert sheet.tables["Invoices"].autoFilter.ref == "A1:C6"
    assert changed_parts(told.backup or path, path) == {"xl/worksheets/sheet1.xml", "xl/tables/table1.xml"}


def test_the_totals_of_a_table_move_down(tmp_path: Path) -> None:
    path = book(tmp_path / "a.xlsx", table(total=True))
    append(path)
    sheet = openpyxl.load_workbook(path)["Data"]
    assert sheet.tables["Invoices"].ref == "A1:C7"
    assert sheet.tables["Invoices"].autoFilter.ref == "A1:C6"
    assert [sheet.cell(7, 1).value, sheet.cell(7, 3).value] == ["Total", "=SUBTOTAL(109,[Amount])"]


def test_the_sheets_filter_grows_with_its_rows(tmp_path: Path) -> None:
    path = book(tmp_path / "a.xlsx", lambda made, sheet: sheet.autofilter("A1:C4"))
    append(path)
    assert openpyxl.load_workbook(path)["Data"].auto_filter.ref == "A1:C6"


def test_the_order_of_computation_follows_the_totals(tmp_path: Path) -> None:
    path = book(tmp_path / "a.xlsx", totals())
    _add_calc_chain(path)
    told = append(path)
    assert '<c r="C7" i="1"/>' in part(path, "xl/calcChain.xml")
    assert changed_parts(told.backup or path, path) == {
        "xl/worksheets/sheet1.xml",
        "xl/workbook.xml",
        "xl/calcChain.xml",
    } - {"xl/workbook.xml"}


def test_prefixed_xml_is_understood(tmp_path: Path) -> None:
    path = book(tmp_path / "a.xlsx", nothing)
    _edit(path, "xl/worksheets/sheet1.xml", _prefixed)
    append(path)
    assert values(path)[4] == ["INV-9", datetime(2026, 9, 1), 9.5]


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text.replace('<row r="3"', '<row r="1"'),
        lambda text: text.replace("</row>", "<!-- x --></row>"),
        lambda text: text[:900],
        lambda text: "<!DOCTYPE x [<!ENTITY a 'b'>]>" + text,
        lambda text: "no xml",
    ],
)
def test_xml_that_is_not_understood_is_left_alone(tmp_path: Path, damage: Callable[[str], str]) -> None:
    path = book(tmp_path / "a.xlsx", nothing)
    _edit(path, "xl/worksheets/sheet1.xml", damage)
    assert refused(path) is Reason.FILE_DAMAGED


def test_rows_that_fail_midway_change_nothing(tmp_path: Path) -> None:
    def failing() -> Iterator[Sequence[Plain]]:
        yield NEW[0]
        raise ZeroDivisionError

    path = book(tmp_path / "a.xlsx", nothing)
    before = path.read_bytes()
    found = existing_file(tmp_path, "a.xlsx")
    with pytest.raises(ZeroDivisionError):
        append_xlsx(found, FIELDS, failing(), count=2, chosen={}, fold=plain_name)
    with pytest.raises(SheetError) as caught:
        append_xlsx(found, FIELDS, NEW, count=3, chosen={}, fold=plain_name)
    assert caught.value.reason is Reason.INVALID_ARGUMENTS
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["a.xlsx"]


def test_a_full_sheet_takes_no_more(tmp_path: Path) -> None:
    path = book(tmp_path / "a.xlsx", nothing, top=1_048_572)
    assert refused(path) is Reason.FILE_TOO_LARGE


def test_appending_twice_adds_twice(tmp_path: Path) -> None:
    path = book(tmp_path / "a.xlsx", totals())
    append(path)
    append(path)
    found = values(path)
    assert [row[0] for row in found[1:]] == ["INV-1", "INV-2", "INV-3", "INV-9", "INV-10", "INV-9", "INV-10", "Total"]
    assert found[-1][2] == "=SUM(C2:C8)"


def test_what_a_library_wrote_with_plain_strings_is_appended_to(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    made = openpyxl.Workbook()
    sheet = made.active
    assert isinstance(sheet, Worksheet)
    sheet.append(list(FIELDS))
    sheet.append(["INV-1", datetime(2026, 1, 1), 3.5])
    made.save(path)
    append(path)
    assert [row[0] for row in values(path, "Sheet")] == ["Number", "INV-1", "INV-9", "INV-10"]


def _without_dimension(text: str) -> str:
    return re.sub(r'<dimension ref="[^"]*"', "", text)


def _edit(path: Path, name: str, edit: Callable[[str], str]) -> None:
    with zipfile.ZipFile(path) as package:
        parts = {entry: package.read(entry) for entry in package.namelist()}
    parts[name] = edit(parts[name].decode()).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for entry, data in parts.items():
            package.writestr(entry, data)


def _prefixed(text: str) -> str:
    named = re.sub(r"<(/?)(\w+)", r"<\1x:\2", text.split("?>", 1)[1])
    return named.replace('xmlns="', 'xmlns:x="')


def _add_calc_chain(path: Path) -> None:
    chain = '<calcChain xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><c r="C5" i="1"/></calcChain>'
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/calcChain"
    _edit(
        path,
        "xl/_rels/workbook.xml.rels",
        lambda text: text.replace(
            "</Relationships>", f'<Relationship Id="rId99" Type="{kind}" Target="calcChain.xml"/></Relationships>'
        ),
    )
    with zipfile.ZipFile(path, "a") as package:
        package.writestr("xl/calcChain.xml", chain)
