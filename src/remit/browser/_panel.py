"""Where a form stands in the page: the box that holds it and no other, and what that box says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from remit.browser._once import once
from remit.browser.observation import Control, Form, Frame

_HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6", "legend"}


@once
def node_of_control(frame: Frame) -> dict[int, int]:
    """For each control in the content tree, the index of its node."""
    return {node.control: index for index, node in enumerate(frame.nodes) if node.control is not None}


def common_box(frame: Frame, controls: Sequence[Control]) -> int | None:
    """The index of the smallest node that holds all these controls; None where the tree holds none of them."""
    places = node_of_control(frame)
    paths = [list(upward(frame, places[c.id])) for c in controls if c.id in places]
    if not paths:
        return None
    shared = set(paths[0]).intersection(*paths[1:])
    return next((index for index in paths[0] if index in shared), None)


def form_box(frame: Frame, form: Form) -> int | None:
    """The index of a form's own node; of the smallest box of its controls where it has none."""
    box = common_box(frame, frame.fields_of(form))
    above = upward(frame, box) if box is not None else iter(())
    return next((index for index in above if frame.nodes[index].tag == "form"), box)


def upward(frame: Frame, index: int) -> Iterator[int]:
    """The node itself and what it stands in."""
    while index >= 0:
        yield index
        index = frame.nodes[index].parent


def below(frame: Frame, index: int) -> Iterator[int]:
    """The node and all in it, in document order."""
    stack = [index]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(frame.children[current]))


def text_in(frame: Frame, index: int, limit: int) -> str:
    """The text in a node, cut a little behind `limit` characters."""
    parts: list[str] = []
    for current in below(frame, index):
        parts.append(frame.nodes[current].text.strip())
        if sum(map(len, parts)) > limit:
            break
    return " ".join(part for part in parts if part)


def panel_heading(frame: Frame, controls: Sequence[Control]) -> str:
    """The heading of a form that stands before it in its own box: the only one of the smallest box with a heading.

    Nothing if that box holds fields of another form too, or a second heading: then it announces more than this form.
    """
    fields = {c.id for c in controls if c.is_text_field}
    start = common_box(frame, [c for c in controls if c.id in fields or c.role == "button"])
    for index in upward(frame, start) if start is not None else ():
        inside = list(below(frame, index))
        if any(_is_foreign_field(frame, i, fields) for i in inside):
            return ""
        headings = [i for i in inside if frame.nodes[i].tag in _HEADINGS or frame.nodes[i].role == "heading"]
        if headings:
            return text_in(frame, headings[0], 200) if len(headings) == 1 else ""
    return ""


def _is_foreign_field(frame: Frame, index: int, own: set[int]) -> bool:
    control = frame.nodes[index].control
    return control is not None and control not in own and frame.controls[control].is_text_field
