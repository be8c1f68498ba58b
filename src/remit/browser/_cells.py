"""Reading one cell: its text and lines without the row's own controls, and what else it carries."""

from __future__ import annotations

from collections.abc import Callable

from remit.browser._content import Content, split_words, squash, word_set
from remit.browser._lexicon import lexicon, normalise
from remit.browser._record_list import Cell
from remit.browser.observation import Control

_ELLIPSIS = ("…", "...")
Repeated = Callable[[int], bool]
"""Whether the control of this id reads the same in most rows: something to do with a row rather than its data."""


def read_cell(content: Content, nodes: tuple[int, ...], repeated: Repeated) -> Cell:
    """The cell that these subtrees make up."""
    controls = tuple(c for node in nodes for c in content.controls_in(node))
    several = sum(1 for c in controls if _is_link(content.controls.get(c))) > 1
    skip = frozenset(content.node_of[c] for c in controls if _is_action(content.controls.get(c), repeated, several))
    skip |= _badges(content, nodes)
    lines = tuple(
        line
        for node in nodes
        for line in content.lines(node, skip)
        if any(c.isalnum() for c in line) or line in "-–—✓✔✗×"
    )
    text = squash(" ".join(lines))
    links = [c for c in controls if _is_link(content.controls.get(c)) and content.node_of[c] not in skip]
    title = _first(content, nodes, "title", skip)
    return Cell(
        text=_whole(text, title),
        lines=lines,
        machine=_first(content, nodes, "machine", skip),
        title=title,
        alt=_alternative(content, nodes),
        controls=controls,
        link=links[0] if len(links) == 1 else None,
        node=nodes[0] if nodes else -1,
    )  # fmt: skip


def repeated_controls(content: Content, rows: list[int]) -> Repeated:
    """Controls whose name occurs in at least six of ten rows and is a word for an action, or that are fields."""
    counts: dict[str, int] = {}
    for row in rows:
        for name in {normalise(_name(content.controls[c])) for c in content.controls_in(row) if c in content.controls}:
            counts[name] = counts.get(name, 0) + 1
    often = {name for name, count in counts.items() if len(rows) >= 2 and count * 10 >= len(rows) * 6}
    return lambda control: normalise(_name(content.controls[control])) in often


def is_action_word(name: str) -> bool:
    """A word for doing something with a record: "Edit", "Copy", "Delete", "Download"."""
    return lexicon("areas")["actions"].is_exactly(name)


_BADGES = word_set("badge badges count counter bubble")


def _badges(content: Content, nodes: tuple[int, ...]) -> frozenset[int]:
    """Counts shown beside a name (of comments, of unread messages): marked as such, and not all that the cell says."""
    found = []
    for node in nodes:
        for index in content.inside(node):
            if index != node and _BADGES & set(split_words(content.nodes[index].classes).split()):
                text = content.text(index)
                if text.strip("()").isdigit() and content.text(node) != text:
                    found.append(index)
    return frozenset(found)


def _alternative(content: Content, nodes: tuple[int, ...]) -> str:
    images = (content.nodes[i] for node in nodes for i in content.inside(node) if content.nodes[i].tag == "img")
    return next((image.text.strip() for image in images), "")


def _name(control: Control) -> str:
    """Its text; once, where an icon's words repeat it."""
    name = control.text or control.name
    half = len(name) // 2
    return name[:half] if name[:half] == name[half + 1 :] else name


def _is_link(control: Control | None) -> bool:
    return (
        control is not None
        and control.visible
        and bool(control.raw_href.strip("# "))
        and not control.raw_href.lower().startswith("javascript:")
    )


def _is_action(control: Control | None, repeated: Repeated, several: bool) -> bool:
    if (
        control is None
        or not control.visible
        or control.role in ("checkbox", "radio", "switch", "combobox", "textbox", "spinbutton")
    ):
        return True
    name = _name(control)
    if is_action_word(name):
        return True
    return (control.role == "button" or several) and (repeated(control.id) or not name)


def _first(content: Content, nodes: tuple[int, ...], what: str, skip: frozenset[int]) -> str:
    for node in nodes:
        for index in content.inside(node):
            if any(s <= index < content.ends[s] for s in skip):
                continue
            value: str = content.nodes[index].machine if what == "machine" else content.nodes[index].title
            if value:
                return value
    return ""


def _whole(text: str, title: str) -> str:
    """The title, where the text is its beginning with an ellipsis."""
    for mark in _ELLIPSIS:
        if text.endswith(mark):
            begun = text[: -len(mark)].strip()
            if begun and title.casefold().startswith(begun.casefold()):
                return title
    return text
