"""A goal in the planner's words, and what a page must show for it to be reached."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal
from urllib.parse import urlsplit

from remit.browser._content import Content, content_of, is_heading
from remit.browser._lexicon import Concept, lexicon, normalise
from remit.browser._links import AREAS
from remit.browser.observation import Control, Frame, Observation

Until = Literal["opened", "download", "shown", "gone"]

KINDS = {
    "pdf": ("pdf",), "csv": ("csv",), "xml": ("xml", "p7m"), "zip": ("zip",), "json": ("json",), "txt": ("txt",),
    "excel": ("xlsx", "csv"), "xlsx": ("xlsx",), "word": ("docx",), "docx": ("docx",), "png": ("png",),
    "jpg": ("jpg",), "jpeg": ("jpg",), "p7m": ("p7m",),
}  # fmt: skip
"""Words for kinds of files, the same in every language, and the kinds that each takes in."""
_YEAR = re.compile(r"19[5-9]\d|20[0-3]\d")
"""A number that is more likely a year than a record's: such a record is told by `row`."""
_TOKEN = re.compile(r"\w+")
_TITLE_PARTS = re.compile(r"\s+[|–—·•»:/-]+\s+|:\s+")
_MENUS = ("navigation", "menu", "banner")


@dataclass(frozen=True)
class Wish:
    """What is wanted: the goal, the closed kind of its condition, words for the condition, words of the row."""

    goal: str
    until: Until
    words: str = ""
    row: str = ""

    @cached_property
    def nouns(self) -> str:
        """The goal without what is to be done: no verb, no small word."""
        left = normalise(self.goal)
        for name in ("download", "open", "small"):
            left = _without(lexicon("goals")[name], left)
        return " ".join(left.split()) or normalise(self.goal)

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds of file that the goal names; empty where it names none."""
        return frozenset(kind for word in normalise(self.goal).split() for kind in KINDS.get(word, ()))

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """What in the goal tells one record from all others: words with two digits or more that are no year."""
        words = (word.strip(".,;:!?()[]{}\"'«»“”‘’") for word in self.goal.split())
        return tuple(w for w in words if sum(c.isdigit() for c in w) > 1 and not _YEAR.fullmatch(w))

    @cached_property
    def marks(self) -> tuple[re.Pattern[str], ...]:
        """What the row of the record must say, all of it."""
        return tuple(_phrase(text) for text in (self.row, *self.numbers) if _TOKEN.search(text))

    def names(self, text: str) -> bool:
        """The text tells the record that is wanted; False where the goal names none."""
        return bool(self.marks) and all(mark.search(text) for mark in self.marks)

    def names_another(self, text: str) -> bool:
        """The text has a number, and not the wanted ones."""
        return bool(self.marks) and re.search(r"\d{3}", text) is not None and not self.names(text)


@dataclass(frozen=True, slots=True)
class Signs:
    """What a page says that it is: `firm` at any time, `title` and `lesser` headings only where they are new."""

    place: tuple[str, str]
    firm: frozenset[str]
    title: frozenset[str]
    lesser: frozenset[str]


def signs_of(seen: Observation) -> Signs:
    """Main headings, dialogs, the current page's link, chosen tabs and open sections are firm.

    A heading with a link in it leads to what it names, the banner names the site, and an open menu only offers ways:
    none of these is a sign of being there. A title is taken in its parts, one of which is often the site's name.
    """
    frame, parts = seen.main, urlsplit(seen.main.url)
    firm = {overlay.name for overlay in frame.overlays if overlay.role in ("dialog", "alertdialog")}
    firm |= {label(control) for control in frame.controls if control.usable and _stands_open(control)}
    main, lesser = _headings(frame)
    title = frozenset(_TITLE_PARTS.split(frame.title))
    return Signs((parts.path, parts.fragment), frozenset((*firm, *main)), title, frozenset(lesser))


def is_reached(wish: Wish, seen: Observation, before: Signs) -> bool:
    """The condition holds on this page. `before` is what was said before anything was done; a download shows nowhere.

    Lesser headings are signs in the place where they came up: elsewhere a page may only have a section of that name.
    Fields' values and hidden text count for nothing.
    """
    if wish.until == "opened":
        signs = signs_of(seen)
        lesser = signs.lesser - before.lesser if signs.place == before.place else frozenset()
        return any(_says(wish, text) for text in signs.firm | (signs.title - before.title) | lesser)
    if wish.until == "download":
        return False
    return is_visible(seen, wish.words) is (wish.until == "shown")


def is_visible(seen: Observation, words: str) -> bool:
    """A line of text, or the words on a control, have these words in this order."""
    phrase = _phrase(words)
    return any(phrase.search(text) for frame in seen.frames for text in _texts(frame))


def main_headings(frame: Frame) -> tuple[str, ...]:
    """What the page itself is about."""
    return _headings(frame)[0]


def label(control: Control) -> str:
    """The visible words on a control: those of an input button are its name."""
    return control.name if control.tag == "input" else control.text


def _texts(frame: Frame) -> Iterator[str]:
    if frame.nodes:
        yield from content_of(frame).lines(0)
    yield from (label(control) for control in frame.controls if control.visible)


def _stands_open(control: Control) -> bool:
    if control.current or (control.selected and control.role == "tab"):
        return True
    return bool(control.expanded) and not control.haspopup and not control.section.startswith(_MENUS)


def _headings(frame: Frame) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The main ones, which are of the first level or, without any, the only one of the next; and the others."""
    content = content_of(frame)
    levels: dict[str, list[str]] = {}
    for index, node in enumerate(frame.nodes):
        if is_heading(node):
            inside = (content.controls.get(control) for control in content.controls_in(index))
            if all(c is None or (c.expanded and c.role == "button") for c in inside):
                level = "banner" if _is_in_banner(content, index) else node.tag
                levels.setdefault(level, []).append(content.text(index))
    first = next((level for level in ("h1", "h2", "h3") if level in levels), "")
    main = levels.pop(first) if first == "h1" or len(levels.get(first, ())) == 1 else []
    return tuple(main), tuple(text for texts in levels.values() for text in texts)


def _is_in_banner(content: Content, index: int) -> bool:
    """In the header of the page, not that of a part of it (HTML-AAM, `header`)."""
    tags = [content.nodes[above].tag for above in content.ancestors(index)]
    roles = {content.nodes[above].role for above in content.ancestors(index)}
    return "banner" in roles or ("header" in tags and not {"main", "article", "section", "aside"} & set(tags))


def _says(wish: Wish, text: str) -> bool:
    """All of the words, each as it stands or by what it means for the area of a site.

    Without words for the condition they are the goal's, and a record's number says it alone.
    """
    words, said = wish.words or wish.nouns, normalise(text)
    told = Wish(wish.words or wish.goal, "opened")
    if told.marks and not (wish.words and told.names(text)):
        return told.names(text)
    left = _without(lexicon("goals")["small"], normalise(words))
    meant = [concept for concept in _areas() if concept.found_in(left) and concept.found_in(said)]
    for concept in meant:
        left = _without(concept, left)
    return bool(left.strip() or meant) and set(left.split()) <= set(said.split())


def _areas() -> Iterable[Concept]:
    return (lexicon("areas")[area] for area in AREAS)


def _without(concept: Concept, text: str) -> str:
    return concept.pattern.sub(" ", text)


def _phrase(words: str) -> re.Pattern[str]:
    """The words in their order, whatever stands between; "INV-2041" is neither in "INV-20411" nor in "INV-2041-B"."""
    joined = r"[\W_]*".join(map(re.escape, _TOKEN.findall(words)))
    return re.compile(rf"(?<!\w)(?<!\d[-/.,]){joined}(?!\w)(?![-/]\w)(?![.,]\d)", re.IGNORECASE)
