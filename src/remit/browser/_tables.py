"""Tables, by the logical grid of HTML: spans are resolved, headers found, and rows that are no records left out and
counted.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from math import sqrt

from remit.browser._cells import Repeated, is_action_word, read_cell, repeated_controls
from remit.browser._content import Content, is_title
from remit.browser._grid import TABLE_ROLES, Line, grid_of
from remit.browser._lexicon import lexicon, normalise
from remit.browser._record_list import Cell, Column, RecordList, Row
from remit.browser._shape import kind_of
from remit.browser._slots import slot_words, slots_of

MAX_PARTS = 6
_NO_TABLE = frozenset({"presentation", "none"})


def tables(content: Content) -> list[int]:
    """Nodes that are tables, outermost first."""
    return [
        i
        for i, n in enumerate(content.nodes)
        if n.role in TABLE_ROLES or (n.tag == "table" and n.role not in _NO_TABLE)
    ]


def read_table(content: Content, table: int) -> RecordList | None:
    """The records of a table; None where it has none: layout tables, calendars, tables of one row."""
    grid = grid_of(content, table)
    width = max((len(line.cells) for line in grid), default=0)
    if not grid or width == 0:
        return None
    head = _header_lines(content, grid)
    names = _names(content, head, width)
    header_texts = [_texts(content, line) for line in head]
    body = [line for line in grid if line not in head]
    repeated = repeated_controls(content, [line.node for line in body])
    kept, groups, headers, totals = _sorted_out(content, body, header_texts, width)
    rows = [_cells(content, line, width, repeated) for line in kept]
    data = [i for i in range(width) if not _is_control_column(names[i], [row[i] for row in rows], len(kept))]
    columns = [Column(names[i], at, kind_of(row[i].text for row in rows)) for at, i in enumerate(data)]
    parts = [(at, key) for at, i in enumerate(data) for key in _parts(content, [row[i] for row in rows])]
    rows = [[row[i] for i in data] for row in rows]
    for at, key in parts:
        for row in rows:
            row.append(_part(content, row[at], key, repeated))
        kind = kind_of(row[-1].text for row in rows)
        columns.append(Column(names[data[at]], len(columns), kind, slot_words(key), at))
    records = tuple(
        Row(tuple(row), content.controls_in(line.node), group, line.node, detail_link(row))
        for line, row, group in zip(kept, rows, groups, strict=True)
    )
    if not records or not any(cell.text for row in records for cell in row.cells):
        return None
    announced = content.nodes[table].announced
    return RecordList(
        kind="table",
        frame=content.frame.index,
        heading=_caption(content, table),
        columns=tuple(columns),
        rows=records,
        score=_score(records, columns[: len(data)], bool(head)),
        announced=max(0, announced - len(head)) if announced > 0 else None,
        node=table,
        headers_left_out=headers,
        totals_left_out=totals,
    )


def _parts(content: Content, cells: list[Cell]) -> list[str]:
    """Classed places inside a column's cells that most cells have, where there are at least two of them."""
    if len(cells) < 3:
        return []
    slots = [slots_of(content, cell.node) if cell.node >= 0 else {} for cell in cells]
    present = Counter(key for each in slots for key in each if "." in key.rsplit("/", 1)[-1])
    often = [key for key, count in present.items() if count * 10 >= len(cells) * 6]
    kept = [key for key in often if _differs(content, key, slots, cells)]
    return kept[:MAX_PARTS] if len(kept) >= 2 else []


def _differs(content: Content, key: str, slots: list[dict[str, int]], cells: list[Cell]) -> bool:
    """The part is not the whole cell, and not the same words everywhere."""
    texts = [(content.text(each[key]), cell.text) for each, cell in zip(slots, cells, strict=True) if key in each]
    own = sum(1 for part, whole in texts if part and part != whole and part in whole)
    return own * 2 > len(texts) and len({part for part, _ in texts}) > 1


def _part(content: Content, cell: Cell, key: str, repeated: Repeated) -> Cell:
    slots = slots_of(content, cell.node) if cell.node >= 0 else {}
    return read_cell(content, (slots[key],) if key in slots else (), repeated)


def detail_link(cells: list[Cell] | tuple[Cell, ...]) -> int | None:
    """The control id of the only link of a row that may be its own page: one link in all, or one in the first cell
    with links.
    """
    linked = [cell for cell in cells if cell.link is not None]
    return linked[0].link if linked else None


def _is_header_cell(content: Content, cell: int) -> bool:
    node = content.nodes[cell]
    return node.role == "columnheader" or (node.tag == "th" and node.scope not in ("row", "rowgroup"))


def _header_lines(content: Content, grid: list[Line]) -> list[Line]:
    head = [line for line in grid if line.head and len(line.own) > 1]
    if head:
        return head
    for line in grid[:3]:
        if len(line.own) > 1 and all(_is_header_cell(content, c) or not content.text(c) for c in line.own):
            return [line]
    first = grid[0]
    if len(grid) > 2 and len(first.own) > 1 and _looks_like_header(content, first, grid[1:]):
        return [first]
    return []


def _looks_like_header(content: Content, first: Line, below: list[Line]) -> bool:
    """Without `<th>`: labels without digits above columns of which at least one is dates or figures."""
    texts = _texts(content, first)
    if any(not text or len(text) > 40 or any(c.isdigit() for c in text) for text in texts):
        return False
    full = [_texts(content, line) for line in below if len(line.own) == len(first.own)]
    return any(kind_of(row[i] for row in full) != "text" for i in range(len(texts))) if full else False


def _texts(content: Content, line: Line) -> list[str]:
    return [content.text(cell) for cell in line.own]


def _names(content: Content, head: list[Line], width: int) -> list[str]:
    names = []
    for column in range(width):
        parts: list[str] = []
        for line in head:
            cell = line.cells[column] if column < len(line.cells) else None
            text = _label(content, cell) if cell is not None else ""
            if text and text not in parts:
                parts.append(text)
        names.append(" ".join(parts))
    return names


def _label(content: Content, cell: int) -> str:
    """A heading as a person reads it, without arrows for sorting; icons by their names."""
    text = content.text(cell).strip(" ▲▼↑↓⇅▴▾△▽")
    if text:
        return text
    node = content.nodes[cell]
    inner = (content.nodes[i].title or content.nodes[i].label for i in content.inside(cell))
    return node.label or next((name for name in inner if name), "")


def _sorted_out(
    content: Content, body: list[Line], header_texts: list[list[str]], width: int
) -> tuple[list[Line], list[str], int, int]:
    """Records with their groups; and how many repeated headers and totals were left out."""
    kept: list[Line] = []
    groups: list[str] = []
    group, headers, totals = "", 0, 0
    for line in body:
        texts = _texts(content, line)
        filled = [text for text in texts if text]
        if texts in header_texts or (len(line.own) > 1 and all(_is_header_cell(content, c) for c in line.own)):
            headers += 1
        elif width > 1 and _spans_all(line, width):
            group = _group(content, line) or group
        elif _is_total(line, texts, filled, width):
            totals += 1
        elif filled or content.controls_in(line.node):
            kept.append(line)
            groups.append(group)
    return kept, groups, headers, totals


def _spans_all(line: Line, width: int) -> bool:
    return len(line.own) == 1 and len(line.cells) >= width and all(cell == line.own[0] for cell in line.cells)


def _group(content: Content, line: Line) -> str:
    """The text of a heading row. A row that holds a table (a pager) is none."""
    if any(content.nodes[i].tag == "table" for i in content.inside(line.node)):
        return ""
    text = content.text(line.node)
    return text if len(text) <= 120 else ""


def _is_total(line: Line, texts: list[str], filled: list[str], width: int) -> bool:
    if not filled:
        return False
    first = normalise("".join(c for c in filled[0] if not c.isdigit()))
    named = any(first == word or first.startswith(word + " ") for word in lexicon("pager")["totals"].phrases)
    gaps = len(filled) < len(texts) or len(line.own) < width
    figures = [text for text in filled if any(c.isdigit() for c in text)]
    return (line.foot and (named or len(figures) > 0)) or (named and gaps and (len(figures) > 0 or len(filled) <= 2))


def _cells(content: Content, line: Line, width: int, repeated: Repeated) -> list[Cell]:
    return [
        read_cell(content, (line.cells[i],), repeated) if i < len(line.cells) and line.cells[i] is not None else Cell()  # type: ignore[arg-type]
        for i in range(width)
    ]


def _is_control_column(name: str, cells: list[Cell], rows: int) -> bool:
    """A column with nothing to read: check boxes, Edit, Copy, Delete; or without any name the same words in every
    row.
    """
    if not any(cell.text for cell in cells):
        return not name or any(cell.controls for cell in cells) or rows == 0
    texts = {cell.text for cell in cells}
    same = len(texts) == 1 and rows >= 2 and any(cell.controls for cell in cells)
    return same and (not name or is_action_word(name))


def _caption(content: Content, table: int) -> str:
    for index in content.inside(table):
        if content.nodes[index].tag == "caption":
            return content.text(index)
    return content.nodes[table].label or heading_before(content, table)


def heading_before(content: Content, node: int) -> str:
    """The last heading before a node, inside what holds the node: nearest first."""
    for above in content.ancestors(node):
        for index in range(node - 1, above, -1):
            if is_title(content.nodes[index]) and content.ends[index] <= node:
                return content.text(index)[:120]
        if content.nodes[above].tag in ("main", "body"):
            break
    return ""


def _score(rows: tuple[Row, ...], columns: list[Column], headed: bool) -> float:
    named = sum(1 for column in columns if column.name)
    typed = sum(1 for column in columns if column.kind != "text")
    uneven = sum(1 for a, b in pairwise(rows) if len(a.cells) != len(b.cells))
    return sqrt(len(rows)) * (1 + 0.4 * min(named, 8) + 0.3 * min(typed, 5)) * (1.5 if headed else 0.6) - uneven
