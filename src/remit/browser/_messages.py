"""What a page tells about a sign-in: sentences in alerts, at the form, or as a heading, that were not there before."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from remit.browser._evidence import FormKind
from remit.browser._forms import RecognisedForm, classify_forms
from remit.browser._once import once
from remit.browser._panel import below, form_box, text_in, upward
from remit.browser.observation import Frame, Node, Observation


class Place(StrEnum):
    """Where a message stands."""

    TITLE = "title"
    SECTION = "section"
    ALERT = "alert"
    FORM = "form"


@dataclass(frozen=True, slots=True)
class Message:
    """A short text that speaks of what was just done, or may."""

    text: str
    place: Place

    @property
    def statements(self) -> str:
        """Without its questions: "Account locked? Read here" tells of no lock."""
        return _QUESTION.sub(" ", self.text)


_LONGEST = 300
_QUESTION = re.compile(r"[^.!?。！？؟]*[?？؟]")
_NUMBERS = re.compile(r"\d+")
_ALERT_ROLES = {"alert", "alertdialog", "status"}
_ALERT_CLASS = re.compile(
    r"error|alert|invalid|warn|danger|fail|notice|message|flash|toast|feedback|validation|notification", re.IGNORECASE
)
_SECTIONS = {"h2", "h3", "legend"}
_ASIDE = {"article", "aside", "nav", "footer"}
_ASIDE_ROLES = {"article", "complementary", "navigation", "contentinfo", "feed"}
_LISTED = {"li", "td", "dd"}
_OF_SIGN_IN = {FormKind.LOGIN, FormKind.ONE_TIME_CODE, FormKind.CHANGE_PASSWORD, FormKind.PARTIAL_PASSWORD}


def new_messages(before: Observation, after: Observation) -> tuple[Message, ...]:
    """The messages of a page, and of its frames that hold a sign-in, that stood nowhere on the page before.

    A number that changed makes no new message: a clock that runs says the same.
    """
    known = frozenset[str]().union(*(_all_texts(frame) for frame in before.frames))
    frames = [f for f in after.frames if f is after.main or any(_of_sign_in(f))]
    return tuple(m for f in frames for m in _messages(f) if _same(m.text) not in known)


def _same(text: str) -> str:
    return _NUMBERS.sub("0", " ".join(text.split())).casefold()


@once
def _all_texts(frame: Frame) -> frozenset[str]:
    said = [frame.title, *(node.text for node in frame.nodes), *(message.text for message in _messages(frame))]
    return frozenset(_same(text) for text in said if text.strip())


def _of_sign_in(frame: Frame) -> Iterator[RecognisedForm]:
    return (f for f in classify_forms(frame) if f.kind in _OF_SIGN_IN and frame.forms[f.form].visible)


@once
def _messages(frame: Frame) -> tuple[Message, ...]:
    roots = _roots(frame)
    inside = frozenset(index for root in roots for index in below(frame, root))
    beside = frozenset(index for root in roots for index in _beside(frame, root))
    found = [Message(frame.title, Place.TITLE)]
    for index, node in enumerate(frame.nodes):
        place = _place(frame, index, node)
        if place is None and node.control is None and (index in inside or index in beside):
            place = Place.FORM
        if place is None or _is_aside(frame, index, node):
            continue
        own = place is Place.FORM and index not in beside
        found.append(Message(node.text.strip() if own else text_in(frame, index, _LONGEST), place))
    return tuple(message for message in found if 0 < len(message.text) <= _LONGEST)


def _place(frame: Frame, index: int, node: Node) -> Place | None:
    if node.role in _ALERT_ROLES:
        return Place.ALERT
    if node.tag == "h1" or node.tag in _SECTIONS:
        return _heading(frame, index, node)
    return Place.ALERT if _ALERT_CLASS.search(f"{node.classes} {node.html_id}") else None


def _is_aside(frame: Frame, index: int, node: Node) -> bool:
    """It stands in what the page is not about, and is not announced."""
    if node.role in _ALERT_ROLES:
        return False
    return any(frame.nodes[i].tag in _ASIDE or frame.nodes[i].role in _ASIDE_ROLES for i in upward(frame, index))


def _heading(frame: Frame, index: int, node: Node) -> Place | None:
    """A heading that is a link, or stands in a list, names something to be read elsewhere."""
    above = list(upward(frame, index))
    listed = any(frame.nodes[i].tag in _LISTED for i in above)
    linked = any(frame.nodes[i].tag == "a" for i in [*below(frame, index), *above])
    if listed or linked:
        return None
    return Place.TITLE if node.tag == "h1" else Place.SECTION


def _roots(frame: Frame) -> frozenset[int]:
    """The boxes of the forms of a sign-in."""
    found = (form_box(frame, frame.forms[form.form]) for form in _of_sign_in(frame))
    return frozenset(root for root in found if root is not None)


def _beside(frame: Frame, root: int) -> Iterator[int]:
    """What stands next to a form in its own box and takes no input: where pages without a style put a refusal."""
    parent = frame.nodes[root].parent
    siblings = [index for index in frame.children[parent] if index != root] if parent >= 0 else []
    return (index for index in siblings if not any(frame.nodes[i].control is not None for i in below(frame, index)))
