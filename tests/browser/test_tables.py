from __future__ import annotations

from remit.browser._lists import find_lists
from remit.browser._record_list import RecordList
from tests.browser.by_hand import observed


def only_table(html: str) -> RecordList:
    tables = [each for each in find_lists(observed(html)) if each.kind == "table"]
    assert len(tables) == 1
    return tables[0]


def texts(read: RecordList) -> list[list[str]]:
    return [[cell.text for cell in row.cells] for row in read.rows]


def names(read: RecordList) -> list[str]:
    return [column.name for column in read.columns]


def test_spans_are_resolved_into_a_logical_grid() -> None:
    read = only_table(
        "<table><tr><th>Month</th><th>No.</th><th>Total</th></tr>"
        "<tr><td rowspan=2>May</td><th scope=row>A1</th><td>10.00</td></tr>"
        "<tr><th scope=row>A2</th></tr>"
        "<tr><td>June</td><th scope=row>A3</th><td>30.00</td></tr></table>"
    )
    assert names(read) == ["Month", "No.", "Total"]
    assert texts(read) == [["May", "A1", "10.00"], ["May", "A2", ""], ["June", "A3", "30.00"]]


def test_a_header_in_the_body_names_the_columns() -> None:
    read = only_table(
        "<table><tbody><tr><th>Order</th><th>Date</th></tr><tr><td>1</td><td>2025-01-02</td></tr></tbody></table>"
    )
    assert (names(read), texts(read)) == (["Order", "Date"], [["1", "2025-01-02"]])


def test_repeated_headers_and_totals_are_left_out_and_counted() -> None:
    head = "<tr><th>No.</th><th>Total</th></tr>"
    read = only_table(
        f"<table>{head}<tr><td>A1</td><td>617,00</td></tr>{head}<tr><td>A2</td><td>617,00</td></tr>"
        "<tr><td colspan=2></td></tr><tfoot><tr><td>Totale</td><td>1.234,00</td></tr></tfoot></table>"
    )
    assert texts(read) == [["A1", "617,00"], ["A2", "617,00"]]
    assert (read.headers_left_out, read.totals_left_out) == (1, 1)


def test_a_totals_row_in_the_body_has_gaps() -> None:
    read = only_table(
        "<table><tr><th>No.</th><th>By</th><th>Total</th></tr><tr><td>A1</td><td>x</td><td>1.00</td></tr>"
        "<tr><td colspan=2>Gesamtsumme</td><td>1.00</td></tr></table>"
    )
    assert (len(read.rows), read.totals_left_out) == (1, 1)


def test_a_row_over_all_columns_is_the_group_of_the_rows_below() -> None:
    read = only_table(
        "<table><tr><th>ID</th><th>Title</th></tr><tr><th colspan=2>critical</th></tr><tr><td>1</td><td>Leak</td></tr>"
        "<tr><th colspan=2>wish</th></tr><tr><td>2</td><td>Paint</td></tr>"
        "<tr><td colspan=2><table><tr><td><a href='?p=2'>next</a></td></tr></table></td></tr></table>"
    )
    assert [row.group for row in read.rows] == ["critical", "wish"]


def test_row_controls_are_not_data() -> None:
    row = (
        "<tr><td><input type=checkbox></td><td><a href=e{n}>Edit</a></td><td><a href=d{n}>Delete</a></td>"
        "<td><a href=i{n}>INV-{n}</a></td><td>open</td></tr>"
    )
    read = only_table(
        "<table><tr><th></th><th colspan=2>Options</th><th>number</th><th>status</th></tr>"
        + row.format(n=1)
        + row.format(n=2)
        + "</table>"
    )
    assert names(read) == ["number", "status"]
    assert texts(read) == [["INV-1", "open"], ["INV-2", "open"]]
    assert [len(each.controls) for each in read.rows] == [4, 4]


def test_lines_of_a_cell_are_kept_and_machine_values_too() -> None:
    read = only_table(
        "<table><tr><th>Title</th><th>Date</th></tr>"
        "<tr><td>One</td><td>Published<br><time datetime='2025-03-07'>7 March</time></td></tr></table>"
    )
    cell = read.rows[0].cells[1]
    assert (cell.lines, cell.machine) == (("Published", "7 March"), "2025-03-07")


def test_a_cut_title_is_completed_from_its_attribute() -> None:
    read = only_table(
        "<table><tr><th>Name</th><th>Price</th></tr>"
        "<tr><td><a href=/1 title='Mooring rope, 8 mm'>Mooring ro...</a></td><td>4.00</td></tr></table>"
    )
    assert read.rows[0].cells[0].text == "Mooring rope, 8 mm"


def test_aria_grids_are_tables_and_say_how_many_rows_they_have() -> None:
    read = only_table(
        "<div role=grid aria-rowcount=201><div role=row><span role=columnheader>No.</span>"
        "<span role=columnheader>Due</span></div>"
        "<div role=row><span role=gridcell>A1</span><span role=gridcell>2025-01-02</span></div></div>"
    )
    assert (names(read), read.announced) == (["No.", "Due"], 200)


def test_ten_thousand_rows_are_all_read() -> None:
    rows = "".join(f"<tr><td>A{n}</td><td>{n}.00</td></tr>" for n in range(10_000))
    assert len(only_table(f"<table><tr><th>No.</th><th>Total</th></tr>{rows}</table>").rows) == 10_000
