"""The content tree of a frame, prepared for reading: where subtrees end, what they say, which controls they hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import islice

from remit.browser._once import once
from remit.browser.observation import Control, Frame, Node


def word_set(text: str) -> frozenset[str]:
    """A set of words, written as one text."""
    return frozenset(text.split())


INLINE = word_set(
    "a abbr b bdi bdo button cite code data dfn em font i img input kbd label mark q s samp small span strong "
    "sub sup svg time u var #text"
)
"""Elements that do not begin a new line of text, as browsers lay them out without a style sheet."""

_SPACE = re.compile(r"[^\S\n]+")
_LINES = re.compile(r"\s*\n\s*")


def squash(text: str) -> str:
    """All white space collapsed."""
    return " ".join(text.split())


class Content:
    """A frame's nodes with their extents. Nodes are in document order, so a subtree is a range of indexes."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.nodes = frame.nodes
        self.children = frame.children
        self.controls = {control.id: control for control in frame.controls}

    @cached_property
    def ends(self) -> tuple[int, ...]:
        """For each node, the index behind its last descendant."""
        ends = [index + 1 for index in range(len(self.nodes))]
        for index in range(len(self.nodes) - 1, 0, -1):
            parent = self.nodes[index].parent
            if parent >= 0:
                ends[parent] = max(ends[parent], ends[index])
        return tuple(ends)

    @cached_property
    def node_of(self) -> dict[int, int]:
        """For each control in the tree, its node."""
        return {node.control: index for index, node in enumerate(self.nodes) if node.control is not None}

    def inside(self, index: int) -> range:
        """The node and its descendants."""
        return range(index, self.ends[index])

    def ancestors(self, index: int) -> Iterator[int]:
        """From the node's parent up to the root."""
        parent = self.nodes[index].parent
        while parent >= 0:
            yield parent
            parent = self.nodes[parent].parent

    def contains(self, outer: int, inner: int) -> bool:
        """`inner` is `outer` or one of its descendants."""
        return outer <= inner < self.ends[outer]

    def common(self, first: int, second: int) -> int:
        """The lowest node that holds both."""
        while not self.contains(first, second):
            first = self.nodes[first].parent
        return first

    def controls_in(self, index: int) -> tuple[int, ...]:
        """Ids of the controls of a subtree, in order."""
        return tuple(self.nodes[i].control for i in self.inside(index) if self.nodes[i].control is not None)  # type: ignore[misc]

    def raw(self, index: int, skip: frozenset[int] = frozenset()) -> str:
        """Text of a subtree with a line break at each block boundary and `<br>`; `skip` are subtrees to leave out."""
        parts: list[str] = []
        self._collect(index, parts, skip)
        return "".join(parts)

    def _collect(self, index: int, parts: list[str], skip: frozenset[int]) -> None:
        if index in skip:
            parts.append("\n")
            return
        node = self.nodes[index]
        block = node.tag not in INLINE
        if block:
            parts.append("\n")
        parts.append(" " if node.tag == "img" else node.text)
        for child in self.children[index]:
            self._collect(child, parts, skip)
        if block:
            parts.append("\n")

    def lines(self, index: int, skip: frozenset[int] = frozenset()) -> tuple[str, ...]:
        """The visible lines of a subtree, white space collapsed, empty ones left out."""
        return tuple(line for line in (squash(part) for part in self.raw(index, skip).split("\n")) if line)

    def text(self, index: int, skip: frozenset[int] = frozenset()) -> str:
        """The visible text of a subtree on one line."""
        return squash(self.raw(index, skip))

    def own(self, index: int) -> str:
        """The element's direct text, without that of its child elements."""
        node = self.nodes[index]
        parts = [node.text, *(self.nodes[c].text for c in self.children[index] if self.nodes[c].tag == "#text")]
        return squash(" ".join(parts)) if node.tag != "img" else ""

    def elements(self, index: int) -> list[int]:
        """Child elements, without loose text."""
        return [child for child in self.children[index] if self.nodes[child].tag != "#text"]

    def control(self, index: int) -> Control | None:
        """The control that this node is."""
        found = self.nodes[index].control
        return None if found is None else self.controls.get(found)

    def words_above(self, index: int, levels: int = 400) -> str:
        """Class words, ids, roles and labels of the node and what holds it, for words such as "pagination" or
        "carousel".
        """
        parts: list[str] = []
        for i in (index, *islice(self.ancestors(index), levels)):
            node = self.nodes[i]
            parts += [node.classes, node.html_id, node.role, node.label]
        return split_words(" ".join(part for part in parts if part))


_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def split_words(names: str) -> str:
    """Class names and ids as lower-case words: `pagerNext page-numbers` becomes `pager next page numbers`."""
    return re.sub(r"[\W_]+", " ", _CAMEL.sub(" ", names)).lower().strip()


def is_title(node: Node) -> bool:
    """h1 to h6, or the role: what names a part of the page, not a group of fields."""
    return node.role == "heading" or node.tag in ("h1", "h2", "h3", "h4", "h5", "h6")


def is_heading(node: Node) -> bool:
    """h1 to h6, caption, legend, or the role."""
    return node.role == "heading" or node.tag in ("h1", "h2", "h3", "h4", "h5", "h6", "caption", "legend", "summary")


@once
def content_of(frame: Frame) -> Content:
    """The frame's content, prepared once."""
    return Content(frame)
