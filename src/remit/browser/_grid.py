"""The logical grid of a table: which cell stands where, after row and column spans (HTML, "Forming a table")."""

from __future__ import annotations

from dataclasses import dataclass

from remit.browser._content import Content

TABLE_ROLES = frozenset({"table", "grid", "treegrid"})
_CELL_ROLES = frozenset({"cell", "gridcell", "columnheader", "rowheader"})


@dataclass(frozen=True)
class Line:
    """A row of the grid: for each column the cell's node, the same node again where it spans."""

    node: int
    cells: tuple[int | None, ...]
    own: tuple[int, ...]
    head: bool
    foot: bool


def grid_of(content: Content, table: int) -> list[Line]:
    """The rows with their cells, without those of nested tables. A row shorter than a span above it keeps the span."""
    pending: dict[int, tuple[int, int]] = {}
    grid = []
    for row in _rows_of(content, table):
        cells: dict[int, int] = {}
        own: list[int] = []
        left = {column: (node, count) for column, (node, count) in pending.items() if count > 0}
        column = 0
        for cell in _cells_of(content, row):
            while column in left:
                column += 1
            node = content.nodes[cell]
            own.append(cell)
            for offset in range(min(max(node.colspan, 1), 200)):
                cells[column + offset] = cell
                if node.rowspan != 1:
                    pending[column + offset] = (cell, 10_000 if node.rowspan == 0 else node.rowspan)
            column += min(max(node.colspan, 1), 200)
        for at, (node_above, _) in left.items():
            cells.setdefault(at, node_above)
        pending = {at: (node, count - 1) for at, (node, count) in pending.items() if count > 1}
        width = max(cells, default=-1) + 1
        section = _section(content, row, table)
        grid.append(
            Line(row, tuple(cells.get(i) for i in range(width)), tuple(own), section == "thead", section == "tfoot")
        )
    return [line for line in grid if line.own]


def _rows_of(content: Content, table: int) -> list[int]:
    rows, index = [], table + 1
    while index < content.ends[table]:
        node = content.nodes[index]
        if node.tag == "table" or node.role in TABLE_ROLES:
            index = content.ends[index]
            continue
        if node.tag == "tr" or node.role == "row":
            rows.append(index)
            index = content.ends[index]
            continue
        index += 1
    return rows


def _cells_of(content: Content, row: int) -> list[int]:
    cells, index = [], row + 1
    while index < content.ends[row]:
        node = content.nodes[index]
        if node.tag in ("td", "th") or node.role in _CELL_ROLES:
            cells.append(index)
            index = content.ends[index]
            continue
        index += 1
    return cells


def _section(content: Content, row: int, table: int) -> str:
    for above in content.ancestors(row):
        if above == table:
            return ""
        if content.nodes[above].tag in ("thead", "tfoot"):
            return content.nodes[above].tag
    return ""
