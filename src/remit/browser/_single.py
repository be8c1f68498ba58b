"""Records that stand alone beside their list: the newest bill in a card of its own above the table of the others."""

from __future__ import annotations

from remit.browser._content import Content, content_of, is_heading
from remit.browser._lexicon import lexicon, normalise
from remit.browser._links import AREAS
from remit.browser._record_list import RecordList
from remit.browser._shape import kind_of
from remit.browser.observation import Frame

_MOST_NODES = 60
_BOXES = frozenset({"section", "article", "div", "aside"})


def single_records(frame: Frame, near: RecordList, items: str) -> tuple[range, ...]:
    """Parts of the page, as ranges of nodes, that are headed as one of the records and hold a date or an amount.

    Nothing inside the list, around it, or in menus is one.
    """
    content = content_of(frame)
    found: list[range] = []
    for index, node in enumerate(content.nodes):
        if is_heading(node) and node.tag not in ("caption", "legend") and _names_one(content.text(index), items):
            box = _box(content, index, near)
            if box is not None and not any(box in each for each in found) and _has_values(content, box):
                found.append(content.inside(box))
    return tuple(found)


def _names_one(text: str, items: str) -> bool:
    """As in "Current bill": the present or the last one of what is sought."""
    words = normalise(text)
    concepts = [name for name in AREAS if lexicon("areas")[name].occurs_in(normalise(items))]
    about = any(lexicon("areas")[name].occurs_in(word) for name in concepts for word in _singulars(words))
    return about and lexicon("areas")["newest"].occurs_in(words)


def _singulars(words: str) -> tuple[str, str]:
    return words, " ".join(f"{word}s" for word in words.split())


def _box(content: Content, heading: int, near: RecordList) -> int | None:
    """The smallest box around a heading that holds more than it, unless the list is in it."""
    for index in content.ancestors(heading):
        if content.contains(index, near.node) or content.ends[index] - index > _MOST_NODES:
            return None
        if content.contains(near.node, index) or content.nodes[index].tag in ("nav", "footer", "header"):
            return None
        if content.nodes[index].tag in _BOXES and content.ends[index] > content.ends[heading]:
            return index
    return None


def _has_values(content: Content, box: int) -> bool:
    texts = [content.own(index) for index in content.inside(box) if content.own(index)]
    return any(kind_of([text]) in ("date", "amount") for text in texts)
