"""Lists and cards: repeated siblings of the same shape, with columns derived from where texts stand in them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from math import sqrt

from remit.browser._cells import Repeated, read_cell, repeated_controls
from remit.browser._content import Content, content_of, split_words, word_set
from remit.browser._families import Family, families_of
from remit.browser._lexicon import lexicon
from remit.browser._once import once
from remit.browser._pager import Pager, find_pagers
from remit.browser._record_list import Column, ListKind, RecordList, Row, SlotKind
from remit.browser._shape import kind_of, named_by_shape
from remit.browser._slots import MAX_SLOTS, names_the_item, slot_words, slots_of
from remit.browser._tables import detail_link, heading_before, read_table, tables
from remit.browser.observation import Frame

_MENU_TAGS = frozenset({"nav", "footer", "header"})
_MENU_ROLES = frozenset(
    {"navigation", "menu", "menubar", "tablist", "contentinfo", "banner", "toolbar", "listbox", "tree", "search"}
)
_MENU_WORDS = word_set(
    "nav navbar menu menus breadcrumb breadcrumbs footer pagination pager tabs toolbar sidebar topbar adminmenu"
)


@once
def find_lists(frame: Frame) -> tuple[RecordList, ...]:
    """Every repeated structure that may hold records, best first. Menus and footers are among them, with low scores."""
    content = content_of(frame)
    pagers = find_pagers(frame)
    found: list[RecordList] = []
    taken: list[int] = []
    for table in tables(content):
        read = read_table(content, table)
        if read is not None:
            found.append(read)
            taken.append(table)
    found += _repeated(content, taken)
    placed = [_placed(content, read) for read in found if not _are_pagers(content, read, pagers)]
    return tuple(sorted(placed, key=lambda read: (-read.score, read.node)))


def _repeated(content: Content, taken: list[int]) -> list[RecordList]:
    families = families_of(content)
    lists = []
    for family in families:
        if any(content.contains(table, family.box) and family.box != table for table in taken):
            continue
        read = _read(content, family)
        if read is not None:
            lists.append(read)
    return [_less_if_grouping(read, lists) for read in lists]


def _less_if_grouping(read: RecordList, lists: list[RecordList]) -> RecordList:
    """What only groups the rows of a longer list in the same box is hardly a list of records itself."""
    mine = {row.node for row in read.rows}
    grouped = any(
        other.node == read.node and len(other.rows) > len(read.rows) and not mine & {row.node for row in other.rows}
        for other in lists
    )
    return replace(read, score=read.score * 0.2) if grouped else read


def _read(content: Content, family: Family) -> RecordList | None:
    texts = [content.text(item) for item in family.items]
    if sum(1 for text in texts if text) < max(2, len(texts) // 2) and len(texts) > 1:
        return None
    repeated = repeated_controls(content, list(family.items))
    slots = [slots_of(content, item) for item in family.items]
    keys, names = _columns(content, slots, len(family.items))
    rows = tuple(
        _row(content, item, group, slot, keys, names, repeated)
        for item, group, slot in zip(family.items, family.groups, slots, strict=True)
    )
    kept = [i for i in range(len(keys)) if any(row.cells[i].text for row in rows)]
    if not kept:
        return None
    rows = tuple(replace(row, cells=tuple(row.cells[i] for i in kept)) for row in rows)
    columns = tuple(
        Column(names.get(keys[i], ""), at, _kind(keys[i], rows, at), slot_words(keys[i])) for at, i in enumerate(kept)
    )
    box = content.nodes[family.box]
    kind: ListKind = (
        "list"
        if (content.nodes[family.items[0]].tag == "li" and len(columns) <= 2) or box.role in ("list", "feed")
        else "cards"
    )
    announced = max((content.nodes[item].announced for item in family.items), default=0)
    heading = box.label or heading_before(content, family.box)
    return RecordList(
        kind,
        content.frame.index,
        heading,
        columns,
        rows,
        _score(texts, columns, rows),
        announced if announced > 0 else None,
        family.box,
    )


def _row(
    content: Content,
    item: int,
    group: str,
    slots: dict[str, int],
    keys: list[str],
    names: dict[str, str],
    repeated: Repeated,
) -> Row:
    cells = []
    for key in keys:
        cell = read_cell(content, (slots[key],) if key in slots else (), repeated)
        name = names.get(key, "")
        if name and cell.text.startswith(name):
            rest = cell.text[len(name) :].lstrip(" :：")
            cell = replace(cell, text=rest, lines=(rest,) if rest else ())
        cells.append(cell)
    main = next((c.link for k, c in zip(keys, cells, strict=True) if c.link is not None and names_the_item(k)), None)
    return Row(tuple(cells), content.controls_in(item), group, item, main if main is not None else detail_link(cells))


def _columns(content: Content, slots: list[dict[str, int]], count: int) -> tuple[list[str], dict[str, str]]:
    """Places that enough items have, in order; and the labels that name them. A label's own place is no column."""
    present = Counter(key for item in slots for key in item)
    order: dict[str, int] = {}
    for item in slots:
        for key in item:
            order.setdefault(key, len(order))
    keys = [key for key in order if present[key] * 5 >= count or present[key] >= 3][:MAX_SLOTS]
    texts = {key: [content.text(item[key]) for item in slots if key in item] for key in keys}
    keys = [key for key in keys if not _repeats_outer(key, texts, keys)]
    names: dict[str, str] = {}
    labels: set[str] = set()
    for key, following in pairwise(keys):
        if _is_label(key, texts[key], count) and not _is_label(following, texts[following], count):
            names[following] = texts[key][0].strip(" :：")
            labels.add(key)
    for key in keys:
        shared = _shared_label(texts[key])
        if shared:
            names.setdefault(key, shared)
    return [key for key in keys if key not in labels], names


def _repeats_outer(key: str, texts: dict[str, list[str]], keys: list[str]) -> bool:
    """The only text of a place around it, so that it would be read twice."""
    path = key.split("#")[0]
    return any(
        path.startswith(outer.split("#")[0] + "/") and texts[outer] == texts[key] for outer in keys if outer != key
    )


def _is_label(key: str, texts: list[str], count: int) -> bool:
    """The same short words in every item, ending in a colon or standing in an element that is for labels."""
    if count < 2 or len(set(texts)) != 1 or not 0 < len(texts[0]) <= 40 or any(c.isdigit() for c in texts[0]):
        return False
    tag = key.rsplit("/", 1)[-1].split(".")[0].split("#")[0]
    return texts[0].endswith((":", "：")) or tag in ("dt", "th", "label")


def _shared_label(texts: list[str]) -> str:
    heads = {text.split(":", 1)[0].strip() if ":" in text else "" for text in texts}
    head = next(iter(heads)) if len(heads) == 1 and len(texts) >= 2 else ""
    return head if 0 < len(head) <= 30 and not any(c.isdigit() for c in head) and "/" not in head else ""


def _kind(key: str, rows: tuple[Row, ...], column: int) -> SlotKind:
    cells = [row.cells[column] for row in rows if row.cells[column].text]
    if sum(1 for cell in cells if cell.machine) * 2 > len(cells):
        return "date" if re.search(r"/time", key) else kind_of(cell.text for cell in cells)
    kind = kind_of(cell.text for cell in cells)
    if kind != "text":
        return kind
    if re.search(r"/h[1-6]\b", key):
        return "heading"
    return "link" if all(cell.link is not None for cell in cells) else named_by_shape(cell.text for cell in cells)


def _score(texts: list[str], columns: tuple[Column, ...], rows: tuple[Row, ...]) -> float:
    typed = sum(1 for column in columns if column.kind in ("amount", "date"))
    distinct = len(set(texts)) / len(texts)
    length = sum(min(len(text), 200) for text in texts) / len(texts)
    return (
        sqrt(len(rows))
        * (0.4 + 0.2 * min(len(columns), 6) + 0.4 * min(typed, 3))
        * (0.3 + 0.7 * distinct)
        * min(1.0, length / 40 + 0.3)
    )


def _are_pagers(content: Content, read: RecordList, pagers: tuple[Pager, ...]) -> bool:
    """What repeats is the pager itself: its links, or the pagers above and below a list, or the list's own box with
    them.
    """
    leading = {control for pager in pagers for link in pager.links for control in (link.control, *link.twins)}
    if all(row.controls and leading.issuperset(row.controls) for row in read.rows):
        return True
    if read.kind == "table":
        return False
    holding = sum(1 for row in read.rows if any(content.contains(row.node, pager.node) for pager in pagers))
    short = all(len(content.text(row.node)) <= 30 for row in read.rows)
    inside = short and any(content.contains(p.node, read.node) and content.ends[p.node] - p.node < 300 for p in pagers)
    return inside or (holding * 2 >= len(read.rows) and len(read.rows) < 8)


def _placed(content: Content, read: RecordList) -> RecordList:
    """With the part of the page it stands in; what stands in menus, footers and pagers counts for little."""
    section = ""
    words: set[str] = set()
    for level, index in enumerate((read.node, *content.ancestors(read.node))):
        node = content.nodes[index]
        if node.tag in _MENU_TAGS or node.role in _MENU_ROLES:
            section = section or node.role or node.tag
        elif node.tag == "main" or node.role == "main":
            section = section or "main"
        if level < 3:
            words |= set(split_words(f"{node.classes} {node.html_id}").split())
    menu = section not in ("", "main") or bool(words & _MENU_WORDS) or _is_menu(content, read)
    factor = 0.1 if menu and read.kind != "table" else 1.2 if section == "main" else 1.0
    return replace(read, section=section if not menu or section else "menu", score=read.score * factor)


def _is_menu(content: Content, read: RecordList) -> bool:
    """Page numbers (short texts without headings above them), or nothing but buttons and fields."""
    role: Callable[[int], str] = lambda control: content.controls[control].role  # noqa: E731
    texts = [content.text(row.node) for row in read.rows]
    headed = any(column.name for column in read.columns)
    if not headed and all(len(text) <= 4 or lexicon("pager")["next"].is_exactly(text) for text in texts):
        return True
    roles = Counter(role(c) for row in read.rows for c in row.controls)
    fields = roles["textbox"] + roles["combobox"] + roles["checkbox"] + roles["radio"]
    return fields >= len(read.rows) and fields > sum(roles.values()) / 2
