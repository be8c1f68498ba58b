"""Ways into the area where the requested records are, and ways that are never taken."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from remit.browser._content import word_set
from remit.browser._lexicon import lexicon, normalise
from remit.browser._record_list import Row
from remit.browser.observation import Control, Frame

AREAS = (
    "invoices", "orders", "billing", "payments", "documents", "archive", "tickets", "products", "customers", "posts",
    "comments", "account", "edits", "packages", "subscriptions",
)  # fmt: skip
"""The concepts of the lexicon that are areas of a site."""
_NEXT_TO = {
    "invoices": ("billing", "payments", "documents", "orders", "account"),
    "orders": ("account", "payments", "products"),
    "billing": ("invoices", "payments", "account"), "payments": ("billing", "invoices", "account"),
    "documents": ("account", "archive"),
    "tickets": ("account",), "subscriptions": ("account", "billing"), "customers": ("account",),
}  # fmt: skip
"""Areas that often lead on to another, the likelier first."""
_FORBIDDEN_PATH = re.compile(
    r""
    r"(?:^|[/?&=._-])(?:log-?_?out|sign-?_?out|log-?off|delete|remove|destroy|trash|unsubscribe|pay-?now|checkout|drop|purge)(?:$|[/?&=._-])",
    re.IGNORECASE,
)
_CLEAR_LEAD = 1.5
_SMALL_WORDS = word_set(
    "all my the of a an of show list every alle tutti tutte todos todas tous toutes i le la mis mes meine"
)


@dataclass(frozen=True, slots=True)
class Lead:
    """A control that may lead to the records, with its score. `decisive` is set on the first only, where no other
    comes near.
    """

    control: int
    score: float
    decisive: bool = False


def is_forbidden(control: Control) -> bool:
    """Signing out, deleting, paying, accepting, unsubscribing and the like, in any language of the lexicon: never
    followed.
    """
    for text in (control.text, control.name, control.title):
        words = normalise(text)
        if words and (lexicon("areas")["forbidden"].is_exactly(words) or _begins_forbidden(words)):
            return True
    parts = urlsplit(control.href)
    return bool(control.href) and bool(_FORBIDDEN_PATH.search(unquote(f"{parts.path}?{parts.query}")))


def _begins_forbidden(words: str) -> bool:
    """At most six words that begin with the act: "Delete invoice 12", "Sign out of this account"."""
    if len(words.split()) > 6:
        return False
    concept = lexicon("areas")["forbidden"]
    found = concept.pattern.match(words)
    return found is not None and not any(lexicon("areas")[area].is_exactly(words) for area in AREAS)


def record_areas(frame: Frame, words: str, passed: Sequence[int] = ()) -> tuple[Lead, ...]:
    """Links and buttons that may lead to the records named by `words`, best first; `passed` are ids already tried.

    Full agreement counts most, then each shared word, then an area of the lexicon that the words belong to, then an
    area
    that usually leads there. Links of the navigation count a little more than links in records.
    """
    wanted = normalise(words)
    areas = [area for area in AREAS if lexicon("areas")[area].occurs_in(wanted)]
    leads = []
    for control in frame.controls:
        if control.id in passed or not _may_lead(control, frame):
            continue
        score = _score(control, wanted, areas, frame)
        if score > 0:
            leads.append(Lead(control.id, score))
    leads = _without_twins(sorted(leads, key=lambda lead: (-lead.score, lead.control)), frame)
    if leads and leads[0].score >= 2.5 and (len(leads) == 1 or leads[0].score >= leads[1].score * _CLEAR_LEAD):
        leads[0] = Lead(leads[0].control, leads[0].score, True)
    return tuple(leads)


def row_detail_link(row: Row) -> int | None:
    """The link from a record to its own page: its only one with an address, or that of its heading or first linked
    cell.
    """
    return row.link


def _may_lead(control: Control, frame: Frame) -> bool:
    if (
        not control.usable
        or control.role not in ("link", "button", "tab", "menuitem", "generic", "treeitem")
        or is_forbidden(control)
    ):
        return False
    if control.type in ("submit", "reset") or control.download:
        return False
    return (
        not control.href
        or not control.href.startswith("http")
        or urlsplit(control.href).netloc == urlsplit(frame.url).netloc
    )


def _score(control: Control, wanted: str, areas: list[str], frame: Frame) -> float:
    text = normalise(control.text or control.name)
    if not text or len(text) > 80:
        return 0
    score = 0.0
    if text == wanted:
        score += 6
    elif lexicon("areas")["archive"].is_exactly(text) and text not in wanted:
        score += 0.5
    mine, yours = set(text.split()) - _SMALL_WORDS, set(wanted.split()) - _SMALL_WORDS
    shared = mine & yours
    if shared:
        score += 3 * len(shared) / len(yours) + len(shared) / len(mine)
    elif _singular(mine) & _singular(yours):
        score += 1.5
    for area in areas:
        concept = lexicon("areas")[area]
        score += 2.5 if concept.is_exactly(text) else 1.2 if concept.occurs_in(text) and len(text.split()) <= 4 else 0
        for place, nearby in enumerate(_NEXT_TO.get(area, ())):
            if lexicon("areas")[nearby].is_exactly(text):
                score += 1.2 - 0.2 * place
                break
    named = _in_address(control, yours)
    if lexicon("areas")["rows"].is_exactly(text) and (named or not score):
        # "Select data" on the page of a table: the way from what describes the records to the records.
        score += 2.5 if named else 0.4
    if score and named:
        score += 1
    if score and control.href and control.href.split("#")[0] == frame.url.split("#")[0]:
        return 0 if "#" not in control.raw_href else score - 2
    return score + (0.3 if score and control.section.startswith(("navigation", "menu")) else 0)


def _singular(words: set[str]) -> set[str]:
    return {word[:-1] if len(word) > 4 and word.endswith(("s", "i", "e", "n", "a", "y")) else word for word in words}


def _in_address(control: Control, wanted: set[str]) -> bool:
    parts = urlsplit(control.href)
    address = set(re.split(r"[\W_]+", unquote(f"{parts.path} {parts.query}").lower()))
    return bool(wanted) and wanted <= address


def _without_twins(leads: list[Lead], frame: Frame) -> list[Lead]:
    """One of several links to the same address, or of the same name without one."""
    controls = {control.id: control for control in frame.controls}
    seen: set[str] = set()
    kept = []
    for lead in leads:
        control = controls[lead.control]
        key = control.href.split("#")[0] if control.raw_href.strip("#") else normalise(control.text or control.name)
        if key not in seen:
            seen.add(key)
            kept.append(lead)
    return kept
