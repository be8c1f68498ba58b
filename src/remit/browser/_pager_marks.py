"""What a single control or text says about pages: a number, a direction by word, or an arrow.

Words come from the lexicon; arrows are a closed set. "»" alone means next, but last where a "›" stands beside it: that
is
settled by the run in which it stands (see `_pager_runs`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Literal

from remit.browser._content import Content, split_words, squash, word_set
from remit.browser._lexicon import lexicon, normalise
from remit.browser.observation import Control

Role = Literal["next", "prev", "first", "last", "page", "older", "newer", "more", "size", "input", "select"]
Evidence = Literal["phrase", "word", "arrow", "double", "class", "number", "field"]
"""`phrase`: several words that mean only this ("next page"); `word`: one word; `double`: an arrow that may mean the
very end."""

_ARROWS: dict[str, tuple[Role, Evidence]] = {
    **dict.fromkeys(
        word_set("> › → ▶ ► ⟩ ❯ ⇒ ➔ ➜ ➡ ▸ ❭ ⏵ 〉 ＞ ⇾ ⟶ chevron_right navigate_next arrow_forward"), ("next", "arrow")
    ),
    **dict.fromkeys(word_set("keyboard_arrow_right arrow_right"), ("next", "arrow")),
    **dict.fromkeys(
        word_set("< ‹ ← ◀ ◄ ⟨ ❮ ⇐ ⬅ ◂ ❬ ⏴ 〈 ＜ ⇽ ⟵ chevron_left navigate_before arrow_back"), ("prev", "arrow")
    ),
    **dict.fromkeys(word_set("keyboard_arrow_left arrow_left"), ("prev", "arrow")),
    **dict.fromkeys(word_set("» >> ›› ≫ ⟫ ⏩ >>> ▶▶ ►► 》 keyboard_double_arrow_right"), ("last", "double")),
    **dict.fromkeys(word_set("« << ‹‹ ≪ ⟪ ⏪ <<< ◀◀ ◄◄ 《 keyboard_double_arrow_left"), ("first", "double")),
    **dict.fromkeys(word_set("⏭ →| ⇥ ▶| ►| >| ›| »| last_page"), ("last", "arrow")),
    **dict.fromkeys(word_set("⏮ |← ⇤ |◀ |◄ |< |‹ |« first_page"), ("first", "arrow")),
}

_ONE_NUMBER = re.compile(
    r"^[\[(\s]*(\d{1,3}[.,]\d{3}|\d{1,5})[\])\s]*(?:\((?:current|aktuell|attuale|actual|courante?)\))?$"
)
_DIRECTIONS: tuple[Role, ...] = ("next", "prev", "first", "last", "older", "newer", "more")
_CLASS_WORDS: dict[Role, frozenset[str]] = {
    "next": word_set("next nextpage nextposts forward siguiente suivant weiter succ pagenext pagernext"),
    "prev": word_set("prev previous prevpage prevposts back anterior zurueck prec precedent pageprev"),
    "first": word_set("first firstpage"),
    "last": word_set("last lastpage"),
}
_DISABLED_WORDS = frozenset({"disabled", "inactive", "unavailable", "nolink", "nonactive", "deactivated"})
_CURRENT_WORDS = frozenset(
    {"active", "current", "selected", "on", "highlight", "currentpage", "activepage", "curr", "aktiv"}
)


@dataclass(frozen=True, slots=True)
class Mark:
    """One element of a pager. `control` is None where it is plain text: the page shown now, or a direction that leads
    nowhere.
    """

    role: Role
    evidence: Evidence
    node: int
    control: int | None = None
    number: int | None = None
    disabled: bool = False
    current: bool = False
    points: Literal["next", "prev", ""] = ""

    def turned(self, role: Role) -> Mark:
        """The same with another role."""
        return replace(self, role=role)


@cache
def direction_of(text: str) -> tuple[Role, Evidence] | None:
    """The direction that a whole text names: by an arrow, or by words after leaving out arrows and counts ("Next 50
    »").
    """
    text = squash(text)
    if not text or len(text) > 80:
        return None
    arrow = _ARROWS.get(text) or _ARROWS.get(text.strip("[]()| "))
    if arrow:
        return arrow
    words = normalise(re.sub(r"\d+", " ", text.split(" - ")[0]))
    half = len(words) // 2
    if len(words) > 4 and words[:half] == words[half + 1 :]:
        words = words[:half]
    for role in _DIRECTIONS:
        if words in lexicon("pager")[role].phrases:
            return role, "phrase" if " " in words or lexicon("pager")["page"].occurs_in(words) else "word"
    return None


def mark_of(control: Control, content: Content, node: int) -> Mark | None:
    """What a control means in a pager, if anything."""
    field = _field(control)
    if field is not None:
        return Mark(field, "field", node, control.id, disabled=control.disabled)
    found = _number(control) or _direction(control, content, node)
    if found is None:
        return None
    role, evidence, number = found
    near = _class_words(control, content, node)
    disabled = control.disabled or bool(near & _DISABLED_WORDS)
    current = control.current or control.selected or (role == "page" and bool(near & _CURRENT_WORDS))
    points = _pointing(control) if role in ("older", "newer") else ""
    return Mark(role, evidence, node, control.id, number, disabled, current, points)


def mark_of_text(text: str, node: int) -> tuple[Mark, ...] | None:
    """What loose text says between the controls of a pager; None where it says something else, so that a pager ends
    there.
    """
    said = direction_of(text.strip("()[]|·•,/ "))
    if said is not None:
        return (Mark(said[0], said[1], node, disabled=True),)
    if text.strip("[]() ") in ("…", "...", "···", "⋯"):
        return ()
    if len(text) > 90 or (_FILLING.sub(" ", normalise(text)).strip() and not _is_filling(text)):
        return None
    numbers = re.findall(r"(?<![\d.,])\d{1,5}(?![\d.,]?\d)", text)
    lone = (
        [int(number) for number in numbers] if re.fullmatch(r"[\W\d_]*", text) and ".." not in text.strip(".… ") else []
    )
    return tuple(Mark("page", "number", node, number=number, current=True) for number in lone) if len(lone) == 1 else ()


_FILLING = re.compile(r"\d+")
_FILLING_CONCEPTS = ("size", "showing", "items", "page", "total", "of", "to", *_DIRECTIONS)


def _is_filling(text: str) -> bool:
    """Nothing but words that stand in pagers: "Page 2 of 10", "1..50 out of 191", "Pages:", "go to page"."""
    return _are_filling_words(_FILLING.sub(" ", normalise(text)))


@lru_cache(maxsize=4096)
def _are_filling_words(words: str) -> bool:
    for concept in _FILLING_CONCEPTS:
        if lexicon("pager")[concept].found_in(words):
            words = lexicon("pager")[concept].pattern.sub(" ", words)
    return not re.sub(
        r"\b(?:go|goto|jump|current|or|and|e|y|et|und|in|the|s|a|all|alle|tutti|todos|tous|gehe|zu|vai)\b", " ", words
    ).strip()


def _field(control: Control) -> Role | None:
    if control.tag == "select":
        numbers = [option for option in control.options if re.fullmatch(r"\W*\d{1,5}\W*", option)]
        if len(numbers) < 2 or len(numbers) * 2 <= len(control.options):
            return None
        return "select" if any(re.sub(r"\D", "", number) == "1" for number in numbers) else "size"
    if control.is_text_field:
        said = f"{control.name} {control.html_name} {control.before[-30:]}"
        return (
            "input" if lexicon("pager")["page"].occurs_in(split_words(said)) or "paged" in control.html_name else None
        )
    return None


def _number(control: Control) -> tuple[Role, Evidence, int | None] | None:
    shown = control.text or (control.name if control.tag == "input" and control.role == "button" else "")
    match = _ONE_NUMBER.match(shown)
    if match:
        return "page", "number", int(re.sub(r"\D", "", match.group(1)))
    for name in (shown, control.name):
        words = normalise(name)
        numbers = re.findall(r"\d+", words)
        if len(numbers) == 1 and len(words) <= 40 and lexicon("pager")["page"].occurs_in(words) and _is_filling(words):
            return "page", "number", int(numbers[0])
    return None


def _direction(control: Control, content: Content, node: int) -> tuple[Role, Evidence, int | None] | None:
    named = [direction_of(text) for text in (control.text, control.name, control.title)]
    worded = next((found for found in named if found and found[1] in ("word", "phrase")), None)
    found = worded or next((found for found in named if found), None)
    if found is not None:
        return *found, None
    if not control.text and (not control.name or control.name == control.title):
        return _by_class(control, content, node)
    own = set(split_words(control.html_class).split())
    return ("next", "class", None) if own >= {"next", "page"} else None


def _pointing(control: Control) -> Literal["next", "prev", ""]:
    """Where the arrow or the class words of "older" and "newer" point: sites do not agree on which of the two comes
    next.
    """
    words = set(split_words(f"{control.html_class} {control.rel}").split())
    ahead = bool(re.search(r"[>›→▶►»]\s*$", control.text)) or bool(words & _CLASS_WORDS["next"])
    behind = bool(re.match(r"\s*[<‹←◀◄«]", control.text)) or bool(words & _CLASS_WORDS["prev"])
    return "" if ahead == behind else "next" if ahead else "prev"


def _by_class(control: Control, content: Content, node: int) -> tuple[Role, Evidence, int | None] | None:
    """An icon without a name: its relation or its class words tell."""
    inner = " ".join(content.nodes[i].classes for i in content.inside(node))
    words = set(split_words(f"{control.html_class} {control.html_id} {control.rel} {inner}").split())
    roles = [role for role, known in _CLASS_WORDS.items() if words & known]
    if not roles and words & {"right", "left"}:
        roles = ["next"] if "right" in words else ["prev"]
    return (roles[0], "class", None) if len(roles) == 1 else None


def _class_words(control: Control, content: Content, node: int) -> set[str]:
    parent = content.nodes[node].parent
    classes = control.html_class
    if parent >= 0 and len(content.elements(parent)) == 1:
        classes += " " + content.nodes[parent].classes
    return set(split_words(classes).split())
