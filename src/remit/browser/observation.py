"""What was seen on a page, as plain data. Everything that decides is a pure function over these types.

Nothing here leaves the browser room for the planner: addresses, names and texts are the page's.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, Literal, Self, TypeVar

_T = TypeVar("_T")
Rank = Literal["native", "role", "handler", "pointer"]
Box = tuple[int, int, int, int]
"""x, y, width, height in CSS pixels of the frame's viewport."""


@dataclass(frozen=True)  # without slots: `_made` leaves the defaults to the class
class Control:
    """Something a person could use: link, button, field, or an element that reacts.

    `id` is unique within its frame and only for this observation. `name` is the accessible name; `text` the visible
    text; `row` the visible text of the table row, list item or card that holds the control. `before` is the text that
    precedes a field since the previous field, for forms without labels; `after` the text behind a checkbox. `topmost`
    is None where it could not be measured (outside the viewport).
    """

    id: int
    tag: str
    role: str
    rank: Rank
    name: str = ""
    text: str = ""
    label: str = ""
    type: str = ""
    form: int | None = None
    section: str = ""
    heading: str = ""
    row: str = ""
    before: str = ""
    after: str = ""
    placeholder: str = ""
    title: str = ""
    autocomplete: str = ""
    inputmode: str = ""
    pattern: str = ""
    maxlength: int | None = None
    options: tuple[str, ...] = ()
    html_id: str = ""
    html_name: str = ""
    html_class: str = ""
    href: str = ""
    raw_href: str = ""
    rel: str = ""
    target: str = ""
    controls: str = ""
    haspopup: str = ""
    form_method: str = ""
    form_action: str = ""
    download: bool = False
    visible: bool = False
    disabled: bool = False
    readonly: bool = False
    required: bool = False
    invalid: bool = False
    checked: bool = False
    masked: bool = False
    selected: bool = False
    current: bool = False
    expanded: bool | None = None
    dialog: bool = False
    aria_hidden: bool = False
    inert: bool = False
    untabbable: bool = False
    topmost: bool | None = None
    box: Box | None = None

    @property
    def usable(self) -> bool:
        """Visible, enabled, and not hidden from assistive technology."""
        return self.visible and not self.disabled and not self.inert

    @property
    def is_text_field(self) -> bool:
        """Takes typed text."""
        return self.tag in ("input", "textarea") and self.role in ("textbox", "searchbox", "spinbutton", "combobox")


@dataclass(frozen=True, slots=True)
class Form:
    """A `<form>`, or (`kind` = group) the smallest box that holds loose fields and a button."""

    id: int
    kind: Literal["form", "group"]
    name: str = ""
    heading: str = ""
    outer_heading: str = ""
    action: str = ""
    has_action: bool = False
    method: str = ""
    html_id: str = ""
    html_name: str = ""
    html_class: str = ""
    section: str = ""
    dialog: bool = False
    visible: bool = False
    text: str = ""
    hidden_names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Overlay:
    """A dialog, or a fixed or sticky box; `controls` are the ids of what is inside."""

    role: str
    modal: bool
    name: str
    text: str
    controls: tuple[int, ...]
    html_id: str
    html_class: str
    position: str
    box: Box


@dataclass(frozen=True)  # as `Control`
class Node:
    """A visible element of the content tree, in document order; `parent` is an index, -1 for the root.

    `text` is the element's own text before its first child element; text between children is a node of tag `#text`.
    Text keeps its line breaks only where `<br>` stood; trailing space says that white space follows the element.
    `machine` is a machine-readable value (`datetime`, sort keys). `announced` is the number of rows or items that the
    element claims to have (-1: it does not know), `scrolls` the pixels by which its content is higher than its own
    scrolling box.
    """

    parent: int
    tag: str
    role: str = ""
    classes: str = ""
    text: str = ""
    label: str = ""
    title: str = ""
    control: int | None = None
    colspan: int = 1
    rowspan: int = 1
    scope: str = ""
    machine: str = ""
    headers: str = ""
    html_id: str = ""
    announced: int = 0
    scrolls: int = 0


_NODE_KEYS = {
    "p": "parent", "t": "tag", "r": "role", "c": "classes", "x": "text", "n": "label", "h": "title", "k": "control",
    "cs": "colspan", "rs": "rowspan", "sc": "scope", "dt": "machine", "hd": "headers", "i": "html_id",
    "ac": "announced", "so": "scrolls",
}  # fmt: skip


@dataclass(frozen=True)
class Frame:
    """One document: the page itself (`index` 0) or an embedded frame. `origin` is what the browser says it is."""

    index: int
    origin: str
    url: str
    title: str = ""
    language: str = ""
    ready: bool = True
    truncated: bool = False
    viewport: tuple[int, int] = (0, 0)
    scroll: tuple[int, int, int, int] = (0, 0, 0, 0)
    box: Box | None = None
    controls: tuple[Control, ...] = ()
    forms: tuple[Form, ...] = ()
    overlays: tuple[Overlay, ...] = ()
    nodes: tuple[Node, ...] = ()

    @classmethod
    def parse(cls, text: str, *, index: int, origin: str, box: Box | None = None) -> Self:
        """Read what `observe.js` returned."""
        raw: dict[str, Any] = json.loads(text)
        return cls(
            index=index,
            origin=origin,
            box=box,
            url=raw["url"],
            title=raw["title"],
            language=raw["language"],
            ready=raw["ready"],
            truncated=raw["truncated"],
            viewport=tuple(raw["viewport"]),
            scroll=tuple(raw["scroll"]),
            controls=tuple(_control(item) for item in raw["controls"]),
            forms=tuple(Form(**{**item, "hidden_names": tuple(item["hidden_names"])}) for item in raw["forms"]),
            overlays=tuple(
                Overlay(**{**o, "controls": tuple(o["controls"]), "box": tuple(o["box"])}) for o in raw["overlays"]
            ),
            nodes=tuple(_made(Node, {_NODE_KEYS[key]: value for key, value in item.items()}) for item in raw["nodes"]),
        )

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """For each node, the indexes of its children in order."""
        lists: list[list[int]] = [[] for _ in self.nodes]
        for index, node in enumerate(self.nodes):
            if node.parent >= 0:
                lists[node.parent].append(index)
        return tuple(tuple(items) for items in lists)

    def fields_of(self, form: Form) -> tuple[Control, ...]:
        """The controls that belong to a form, in document order."""
        return tuple(control for control in self.controls if control.form == form.id)


def _control(item: dict[str, Any]) -> Control:
    if "options" in item:
        item["options"] = tuple(item["options"])
    if "box" in item:
        item["box"] = tuple(item["box"])
    return _made(Control, item)


def _made(kind: type[_T], given: dict[str, Any]) -> _T:
    """A frozen object of what is given alone: ten times as fast as its `__init__`, which sets each default in turn."""
    made = object.__new__(kind)
    made.__dict__.update(given)
    return made


@dataclass(frozen=True)
class Observation:
    """All frames of a page at one moment; the first is the page itself."""

    frames: tuple[Frame, ...] = field(default_factory=tuple)

    @property
    def main(self) -> Frame:
        """The page's own document."""
        return self.frames[0]

    def dump(self) -> str:
        """A recording: JSON from which `load` makes an equal observation."""
        return json.dumps([asdict(frame) for frame in self.frames], ensure_ascii=False)

    @classmethod
    def load(cls, text: str) -> Self:
        """Read a recording made by `dump`."""
        return cls(tuple(_frame(item) for item in json.loads(text)))


def _frame(item: dict[str, Any]) -> Frame:
    item["controls"] = tuple(_control(control) for control in item["controls"])
    item["forms"] = tuple(Form(**{**form, "hidden_names": tuple(form["hidden_names"])}) for form in item["forms"])
    item["overlays"] = tuple(
        Overlay(**{**o, "controls": tuple(o["controls"]), "box": tuple(o["box"])}) for o in item["overlays"]
    )
    item["nodes"] = tuple(Node(**node) for node in item["nodes"])
    for key in ("viewport", "scroll", "box"):
        item[key] = tuple(item[key]) if item[key] is not None else None
    return Frame(**item)
