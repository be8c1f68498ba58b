"""Places in an item or cell where text stands: by the path of tags and first classes, so that they align over items."""

from __future__ import annotations

import re
from collections import Counter

from remit.browser._content import Content, split_words

MAX_SLOTS = 40
"""More places than this are not columns that anybody asks for."""


def slots_of(content: Content, item: int) -> dict[str, int]:
    """Text-bearing places of an item: by the path of tags and first classes, numbered where a path repeats."""
    found: dict[str, int] = {}
    seen: Counter[str] = Counter()

    def add(path: str, index: int) -> None:
        seen[path] += 1
        key = path if seen[path] == 1 else f"{path}#{seen[path]}"
        if len(found) < MAX_SLOTS * 3:
            found[key] = index

    def walk(index: int, path: str) -> None:
        node = content.nodes[index]
        children = content.elements(index)
        own = content.own(index)
        if (
            any(c.isalnum() for c in own)
            or node.machine
            or (not children and own)
            or (node.control is not None and content.text(index))
        ):
            add(path, index)
        for child in children:
            inner = content.nodes[child]
            first = inner.classes.split(" ")[0] if inner.classes else ""
            if re.search(r"\d{2,}", first):
                first = ""
            walk(child, f"{path}/{inner.tag}" + (f".{first}" if first else ""))

    walk(item, "")
    return found


def slot_words(key: str) -> str:
    """The tags and classes at the end of a path, as words."""
    return split_words(" ".join(key.split("/")[-2:]).split("#")[0])


def names_the_item(key: str) -> bool:
    """A place for the name of the thing: a heading, or classed as title or name."""
    return bool(re.search(r"/h[1-6]\b|title|heading|name", key))
