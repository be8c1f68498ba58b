"""What a button, link or menu entry says it does."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache, lru_cache

from remit.browser._fields import attribute_words, says
from remit.browser._lexicon import lexicon, normalise
from remit.browser.observation import Control


class ButtonKind(StrEnum):
    """The meaning of a control's own words."""

    SIGN_IN = "sign_in"
    SIGN_UP = "sign_up"
    SIGN_OUT = "sign_out"
    FORGOT = "forgot"
    NEWSLETTER = "newsletter"
    SEARCH = "search"
    CONTACT = "contact"
    NEXT = "next"
    GO = "go"
    SHOW_PASSWORD = "show_password"  # noqa: S105
    CANCEL = "cancel"
    ACCOUNT = "account"
    HELP = "help"
    PROVIDER = "provider"
    UNNAMED = "unnamed"
    OTHER = "other"


# What is asked first wins: "Forgot password? Sign in help" must not count as a sign-in.
_EXACT = (
    "sign_in", "sign_out", "sign_up", "forgot", "search", "next", "go", "show_password", "cancel", "account", "help",
    "newsletter",
)  # fmt: skip
_WITHIN = (
    "sign_out", "forgot", "sign_up", "sign_in", "show_password", "newsletter", "contact", "search", "next", "help",
    "account", "cancel", "go",
)  # fmt: skip
_LONGEST = 60
_UNSPACED = re.compile(r"[぀-ヿ㐀-鿿가-힯฀-๿]")
# Characters set apart for looks, as in "登 录".
_SPACED_OUT = re.compile(r"(?<=[぀-ヿ㐀-鿿가-힯])\s+(?=[぀-ヿ㐀-鿿가-힯])")


def words_of(control: Control) -> str:
    """The control's name; for one without, what its title says."""
    return control.name or control.text or control.title


@cache
def _first_words() -> frozenset[str]:
    """The words with which phrases begin: a text without any of them needs no closer look."""
    concepts = {*_EXACT, *_WITHIN, "provider"}
    return frozenset(p.split(" ", 1)[0] for concept in concepts for p in lexicon("forms")[concept].phrases)


def _may_mean_something(text: str) -> bool:
    return bool(_UNSPACED.search(text)) or not _first_words().isdisjoint(normalise(text).split())


@lru_cache(maxsize=8192)
def kind_of_words(text: str) -> ButtonKind:
    """The meaning of a short text on a control."""
    if not normalise(text):
        return ButtonKind.UNNAMED
    # Korean sets spaces between words, and so do some between any two characters.
    written = tuple(dict.fromkeys((text, _SPACED_OUT.sub("", text))))
    if not any(_may_mean_something(t) for t in written):
        return ButtonKind.OTHER
    if any(is_provider(t) for t in written):
        return ButtonKind.PROVIDER
    exact = next((c for c in _EXACT if any(says_exactly(c, t) for t in written)), None)
    if exact is None and len(text) > _LONGEST:
        return ButtonKind.OTHER
    found = exact or next((c for c in _WITHIN if says(c, *written)), None)
    return ButtonKind(found) if found else ButtonKind.OTHER


def button_kind(control: Control) -> ButtonKind:
    """The meaning of a control, from its words; from its attributes where it has none."""
    kind = kind_of_words(words_of(control))
    if kind is not ButtonKind.UNNAMED and not (kind is ButtonKind.GO and normalise(words_of(control)) == "submit"):
        return kind
    attributes = attribute_words(control.html_id, control.html_name, control.html_class)
    for concept in ("forgot", "sign_up", "sign_in", "show_password", "search"):
        if says(concept, attributes):
            return ButtonKind(concept)
    return kind


def says_exactly(concept: str, text: str) -> bool:
    """The whole text is a phrase of the concept."""
    return lexicon("forms")[concept].is_exactly(text)


def is_provider(text: str) -> bool:
    """Another party's sign-in: "Continue with Google", or the provider's bare name."""
    names = lexicon("forms")["provider"]
    return names.is_exactly(text) or (names.occurs_in(text) and says("provider_lead", text))


def leads_away(control: Control) -> bool:
    """A link with an address of its own, not one that a script uses as a button."""
    raw = control.raw_href.strip()
    return control.role == "link" and raw not in ("", "#") and not raw.lower().startswith("javascript:")
