"""Ways from a list to more of its kind: other periods, archives, accounts and tabs, each group told apart by its kind.

Pure functions over a frame. Only the words on the controls decide; where they lead is seen when they are used.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from remit.browser._content import Content, content_of, split_words
from remit.browser._identity import Identity, identity
from remit.browser._lexicon import Concept, lexicon, normalise
from remit.browser._links import AREAS, is_forbidden
from remit.browser._pager import find_pagers
from remit.browser._record_list import RecordList, Row
from remit.browser.observation import Control, Frame

RouteKind = Literal["tab", "archive", "period", "account"]
ORDER: tuple[RouteKind, ...] = ("tab", "archive", "period", "account")

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_COUNT = re.compile(r"[\[(]?\s*\d[\d.,]*\s*[\])]?\s*$")
_ROLES = frozenset({"link", "tab", "button", "menuitem", "menuitemradio", "option", "generic"})
_OUTSIDE = ("contentinfo", "banner")
_OPENERS = frozenset({"+", "▸", "▶", "►", "▾", "▼", "⌄", "⋯", "…", "›", "expand_more", "chevron_right"})
_CURRENT = frozenset({"active", "current", "selected", "is active"})
_MOST = 60


@dataclass(frozen=True, slots=True)
class Way:
    """One member of a group: a control, or (`option`) one of a `<select>`'s options.

    `whole` says that it shows what all others show together; `named` that its words are known, not only its role.
    """

    kind: RouteKind
    group: str
    control: int
    label: str
    option: int | None = None
    current: bool = False
    whole: bool = False
    named: bool = True


def find_routes(frame: Frame, near: RecordList) -> tuple[Way, ...]:
    """All ways that stand outside the rows and pagers, group after group, in the order of the page."""
    content = content_of(frame)
    held = {control for row in near.rows for control in row.controls}
    held |= {c for pager in find_pagers(frame) for link in pager.links for c in (link.control, *link.twins)}
    free = [c for c in frame.controls if c.usable and c.id not in held and not _is_outside(c)]
    ways = [*_of_selects(free), *_of_controls(content, free, near)]
    return tuple(sorted(ways[:_MOST], key=lambda way: ORDER.index(way.kind)))


def find_popups(frame: Frame, near: RecordList) -> tuple[int, ...]:
    """Closed menus beside the list that, by their words, hold accounts or periods: controls, in the order of the page.

    One in the page's banner is the visitor's own account, and leads to no records.
    """
    held = {control for row in near.rows for control in row.controls}
    free = (c for c in frame.controls if c.usable and c.id not in held and not _is_outside(c))
    return tuple(c.id for c in free if _is_closed_popup(c) and (_says("choices", c.name) or _is_period(c.name)))


def menu_items(frame: Frame, before: Collection[Identity]) -> list[Way]:
    """What an opened menu shows that was not visible before; `named` where it leads to an address of its own."""
    items = []
    for control in frame.controls:
        text = control.text or control.name
        if control.role not in _ROLES or not control.usable or not text or len(text) > 60 or is_forbidden(control):
            continue
        if identity(frame, control) not in before and not (control.current or control.selected or control.checked):
            leads = control.href.startswith("http") and not control.raw_href.startswith(("#", "javascript:"))
            items.append(Way("account", "menu", control.id, text, named=leads))
    return items[:_MOST]


def _is_closed_popup(control: Control) -> bool:
    chooses = control.role == "combobox" and not control.is_text_field
    opens = chooses or control.haspopup in ("menu", "listbox", "true")
    return opens and control.tag != "select" and control.expanded is not True and not control.href.startswith("http")


def row_opener(frame: Frame, row: Row) -> int | None:
    """The one control that shows more of a row in its place, where exactly one reads so."""
    found = [c for c in row.controls if _opens(frame.controls[c])]
    return found[0] if len(found) == 1 else None


def says_none(frame: Frame) -> bool:
    """The page says in a short text of its own that there is nothing to show."""
    concept = lexicon("areas")["none_found"]
    return any(len(node.text) <= 160 and concept.occurs_in(node.text) for node in frame.nodes if node.text)


def _opens(control: Control) -> bool:
    if not control.usable or is_forbidden(control) or control.href.startswith("http"):
        return False
    if control.haspopup in ("menu", "true", "listbox") or control.role in ("checkbox", "combobox", "textbox"):
        return False
    shown = control.text.strip() or control.name
    return control.expanded is False or shown in _OPENERS or lexicon("areas")["open_row"].is_exactly(shown)


def _is_outside(control: Control) -> bool:
    return control.section.startswith(_OUTSIDE) or is_forbidden(control) or control.download or control.dialog


def _of_selects(free: Iterable[Control]) -> Iterator[Way]:
    for number, control in enumerate(c for c in free if c.tag == "select" and c.role == "combobox"):
        kind = _kind_of_select(control)
        for at, label in enumerate(control.options if kind else ()):
            if kind and label and not _is_placeholder(label):
                whole = _is_all(label) or _is_all(label.split()[0])  # "All dates", "All categories"
                yield Way(kind, f"select {number}", control.id, label, at, whole=whole)


def _kind_of_select(control: Control) -> RouteKind | None:
    told = " ".join((control.label, control.name, control.before, split_words(control.html_name), control.title))
    labels = [label for label in control.options if label]
    if len(labels) < 2 or all(label.replace(" ", "").isdigit() and int(label) < 1900 for label in labels if label):
        return "period" if _says("periods", told) and len(labels) == 12 else None
    dated = sum(1 for label in labels if _YEAR.search(label))
    if dated * 2 > len(labels) or (dated and dated >= len(labels) - 1) or _says("periods", told):
        return "period"
    if _says("choices", told):
        return "account"
    known = sum(1 for label in labels if _is_status(label))
    return "tab" if known * 2 > len(labels) and len(labels) > 1 else None


def _says(concept: str, text: str) -> bool:
    return lexicon("areas")[concept].occurs_in(text)


def _is_placeholder(label: str) -> bool:
    return label.strip(" -–—.…") == "" or label.rstrip().endswith(("…", "..."))


def _of_controls(content: Content, free: Iterable[Control], near: RecordList) -> Iterator[Way]:
    groups: defaultdict[tuple[RouteKind, int], list[Control]] = defaultdict(list)
    for control in free:
        kind = _kind_of(control)
        node = content.node_of.get(control.id)
        if kind is not None and node is not None and not content.contains(near.node, node):
            groups[kind, _box(content, node, kind)].append(control)
    for (kind, _), members in groups.items():
        yield from _group(content, kind, members)


def _kind_of(control: Control) -> RouteKind | None:
    text = control.text or control.name
    if control.role not in _ROLES or not text or len(text) > 60:
        return None
    if lexicon("areas")["archives"].is_exactly(text):
        return "archive"
    if _is_period(text):
        return "period"
    if control.role == "tab":
        return "tab"
    if _says("choices", control.section.partition(": ")[2]) or _says_group(control):
        return "account"
    return "tab" if _is_status(text) else None


def _says_group(control: Control) -> bool:
    """An item of a menu whose heading speaks of accounts."""
    return control.role in ("menuitemradio", "option") and _says("choices", control.heading)


def _is_status(text: str) -> bool:
    bare = _COUNT.sub("", text)
    return lexicon("areas")["statuses"].is_exactly(bare) or _is_all(bare)


def _is_all(text: str) -> bool:
    return lexicon("areas")["every"].is_exactly(_COUNT.sub("", text) or text)


def _is_period(text: str) -> bool:
    """A year, alone or with a month, a quarter or what the records are called: never one within a sentence."""
    years = _YEAR.findall(text)
    rest = [word for word in normalise(_YEAR.sub(" ", text)).split() if not word.isdigit()]
    if not years or len(years) > 2 or len(rest) > 2:
        return False
    known: list[Concept] = [lexicon("areas")[name] for name in (*AREAS, "periods", "archives")]
    return len(rest) <= 1 or any(concept.occurs_in(" ".join(rest)) for concept in known)


def _box(content: Content, node: int, kind: RouteKind) -> int:
    """What holds the group: the list, menu or tab list around the control, else its parent's parent."""
    above = list(content.ancestors(node))[:4]
    for index in above:
        found = content.nodes[index]
        if found.tag in ("ul", "ol", "nav") or found.role in ("tablist", "menu", "listbox", "navigation", "radiogroup"):
            return index
    parent = above[0] if above else node
    alone = len(content.elements(parent)) == 1 and len(above) > 1 and kind != "archive"
    return above[1] if alone else parent


def _group(content: Content, kind: RouteKind, members: list[Control]) -> Iterator[Way]:
    """The members as ways. A lone status beside nothing is a word, and no tab."""
    if kind in ("tab", "account") and len(members) < 2:
        return
    others = [area for area in AREAS if area not in ("archive", "account")]
    for control in members:
        text = control.text or control.name
        named = kind != "tab" or _is_status(text)
        if not named and any(lexicon("areas")[area].is_exactly(text) for area in others):
            continue
        group = f"{kind} {members[0].role} {members[0].section}"
        current = _is_current(control, content)
        yield Way(kind, group, control.id, text, None, current, _is_all(text), named)


def _is_current(control: Control, content: Content) -> bool:
    here = content.frame.url.split("#")[0]
    same = control.href.split("#")[0] == here and control.raw_href.strip("# ") != "" and "#" not in control.raw_href
    words = set(split_words(control.html_class).split())
    node = content.node_of.get(control.id)
    parent = content.nodes[content.nodes[node].parent] if node is not None and node > 0 else None
    if parent is not None and parent.tag == "li":
        words |= set(split_words(parent.classes).split())
    return control.current or control.selected or same or bool(words & _CURRENT)
