"""Families: siblings, or cousins under same-shaped parents, that look alike and so may be records."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass

from remit.browser._content import INLINE, Content, is_title, word_set

_ITEM_ROLES = frozenset({"listitem", "article", "option", "treeitem"})
_NO_ITEMS = word_set("head option script br hr td th tr thead tbody tfoot colgroup col caption input label select form")


@dataclass(frozen=True)
class Family:
    """Siblings (or cousins under same-shaped parents) that look alike; `groups` are the headings that their parents
    carry.
    """

    box: int
    items: tuple[int, ...]
    groups: tuple[str, ...]


def families_of(content: Content) -> list[Family]:
    """All families of a frame; those merged from cousins last."""
    found: dict[int, list[tuple[int, ...]]] = defaultdict(list)
    for box in range(len(content.nodes)):
        children = content.elements(box)
        if len(children) < 2:
            if children and content.nodes[box].tag in ("ul", "ol") and content.nodes[children[0]].tag == "li":
                found[box].append(tuple(children))
            continue
        for alike in _alike(content, children):
            found[box].append(alike)
    families = [Family(box, items, ("",) * len(items)) for box, sets in found.items() for items in sets]
    return [*families, *_cousins(content, families)]


def _alike(content: Content, children: list[int]) -> list[tuple[int, ...]]:
    by_tag: dict[tuple[str, str], list[int]] = defaultdict(list)
    for child in children:
        node = content.nodes[child]
        if node.tag not in _NO_ITEMS and node.tag not in INLINE | {"a"} and not is_title(node):
            by_tag[node.tag, node.role].append(child)
    sets = []
    for (tag, role), items in by_tag.items():
        if tag == "li" or role in _ITEM_ROLES or tag == "article":
            sets.append(tuple(items))
            continue
        shapes = {item: _shape(content, item) for item in items}
        common, count = Counter(frozenset(s) for s in shapes.values()).most_common(1)[0]
        alike = [item for item in items if _overlap(shapes[item], common) >= 0.5]
        if len(alike) >= 2 and (count >= 2 or len(alike) >= 3) and len(common) >= 2:
            sets.append(tuple(alike))
    return [items for items in sets if len(items) >= 2]


def _shape(content: Content, item: int, depth: int = 4) -> set[str]:
    paths: set[str] = {content.nodes[item].classes.split(" ")[0]}

    def walk(index: int, path: str, left: int) -> None:
        for child in content.elements(index)[:40]:
            here = f"{path}/{content.nodes[child].tag}"
            paths.add(here)
            if left:
                walk(child, here, left - 1)

    walk(item, "", depth)
    return paths


def _overlap(first: set[str], second: frozenset[str]) -> float:
    union = len(first | second)
    return len(first & second) / union if union else 1.0


def _cousins(content: Content, families: list[Family]) -> list[Family]:
    """Lists under headings of one kind (A, B, C; 2025, 2024) are one list in groups."""
    by_place: dict[tuple[int, str, str], list[Family]] = defaultdict(list)
    for family in families:
        parent = content.nodes[family.box].parent
        if parent < 0 or content.nodes[family.box].tag not in ("ul", "ol", "div"):
            continue
        outer = content.nodes[parent].parent
        if outer >= 0:
            by_place[
                outer, content.nodes[parent].tag + content.nodes[parent].classes, content.nodes[family.box].tag
            ].append(family)
        by_place[parent, "", content.nodes[family.box].tag + content.nodes[family.box].classes].append(family)
    merged = []
    for (outer, _, _), members in by_place.items():
        boxes = {member.box for member in members}
        if len(boxes) < 2 or len(members) != len(boxes):
            continue
        groups = [_group_of(content, member.box, outer) for member in members]
        if not all(groups) and not _items_alike(content, members):
            continue
        items = tuple(item for member in members for item in member.items)
        merged.append(Family(outer, items, tuple(g for g, m in zip(groups, members, strict=True) for _ in m.items)))
    return merged


def _items_alike(content: Content, members: list[Family]) -> bool:
    """Without headings, lists are one list only if their items are `<li>` of one shape."""
    items = [item for member in members for item in member.items]
    if any(content.nodes[item].tag != "li" for item in items):
        return False
    shapes = [frozenset(_shape(content, item)) for item in items[:60]]
    common = Counter(shapes).most_common(1)[0][0]
    return sum(1 for shape in shapes if _overlap(set(shape), common) >= 0.5) * 10 >= len(shapes) * 9


def _group_of(content: Content, box: int, outer: int) -> str:
    for index in range(box - 1, outer, -1):
        if is_title(content.nodes[index]) or content.nodes[index].tag == "dt":
            return content.text(index)[:80]
        if content.nodes[index].tag in ("ul", "ol", "li"):
            return ""
    return ""
