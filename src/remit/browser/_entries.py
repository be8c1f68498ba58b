"""Ways to a sign-in form: links, buttons and menu entries that name it, and account areas that may hide one."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

from remit.browser._buttons import ButtonKind, button_kind, says_exactly, words_of
from remit.browser._evidence import FormKind
from remit.browser._fields import attribute_words, says
from remit.browser._forms import classify_forms
from remit.browser._lexicon import normalise
from remit.browser._links import is_forbidden
from remit.browser.observation import Control, Frame
from remit.contract import AddressError, Origin


class EntryKind(StrEnum):
    """How a control would lead to the form: it names it, or it opens a place that may hold it."""

    EXPLICIT = "explicit"
    ACCOUNT = "account"
    MENU = "menu"


@dataclass(frozen=True, slots=True)
class Entry:
    """A control worth following. `rank` orders entries of one observation, greater first."""

    control: int
    kind: EntryKind
    rank: int


@dataclass(frozen=True, slots=True)
class SignInEntries:
    """What leads to the form. `decisive` is the one to follow without asking, if the signals leave no doubt."""

    explicit: tuple[Entry, ...]
    account: tuple[Entry, ...]
    decisive: int | None


_LONGEST = 40
_NOT_SITES_OWN = re.compile(
    r"\b(blog|help|support|docs|community|partner|partners|vendor|developer|developers|status)\b"
)
_PLACES = (("banner", 3), ("navigation", 3), ("dialog", 2), ("main", 1), ("contentinfo", -2))


def sign_in_entries(frame: Frame) -> SignInEntries:
    """Rank what leads to a sign-in form, best first. Sign up, sign out, help and other parties' sign-ins never do."""
    kinds = {form.form: form.kind for form in classify_forms(frame)}
    tabs = _password_tabs(frame)
    candidates = [
        c
        for c in frame.controls
        if c.id not in tabs and _may_lead(c) and not _belongs(c, kinds.get(-1 if c.form is None else c.form))
    ]
    found = [(c, kind) for c in candidates if (kind := entry_kind(c)) is not None and not _acts(frame, c)]
    shown = [Entry(id_, EntryKind.EXPLICIT, _OF_A_TAB) for id_ in tabs]
    explicit = (*shown, *_ranked(found, EntryKind.EXPLICIT))
    account = _ranked(found, EntryKind.ACCOUNT) or _ranked(found, EntryKind.MENU)
    return SignInEntries(explicit, account, _decisive(frame, explicit, account))


_NO_WAY_IN = {
    ButtonKind.SIGN_UP,
    ButtonKind.SIGN_OUT,
    ButtonKind.FORGOT,
    ButtonKind.PROVIDER,
    ButtonKind.NEWSLETTER,
    ButtonKind.CONTACT,
    ButtonKind.SEARCH,
}


def may_lead_in(frame: Frame, control: Control, origins: Collection[str]) -> bool:
    """Whether a control may be used on the way to a sign-in form, whoever proposes it.

    Never what acts instead of leading on (it deletes, pays, signs up, posts a form), and nothing that leads to an
    origin other than these.
    """
    if _acts(frame, control) or (button_kind(control) in _NO_WAY_IN and not _offers_both(control)):
        return False
    kinds = {form.form: form.kind for form in classify_forms(frame)}
    sends = control.form is not None and control.type in ("submit", "image") and _has_fields(frame, control.form)
    if (sends and button_kind(control) is not ButtonKind.SIGN_IN) or _belongs(
        control, kinds.get(-1 if control.form is None else control.form)
    ):
        return False
    return not control.href.startswith("http") or _origin(control.href) in origins


def _has_fields(frame: Frame, form: int) -> bool:
    return any(c.is_text_field for c in frame.controls if c.form == form)


def _origin(address: str) -> str:
    try:
        return str(Origin.of(address))
    except AddressError:
        return ""


def _acts(frame: Frame, control: Control) -> bool:
    """It does something, by its words or by posting a form. A button opens an account only where it says no more."""
    if is_forbidden(control):
        return True
    if control.href or button_kind(control) is ButtonKind.SIGN_IN:
        return False
    if button_kind(control) is ButtonKind.ACCOUNT and not says_exactly("account", words_of(control)):
        return True
    posts = control.form is not None and control.type in ("submit", "image")
    return posts and frame.forms[control.form or 0].method == "post"


_OF_A_TAB = 20
"""Greater than any other: the sign-in is open already, by another way."""


def _password_tabs(frame: Frame) -> tuple[int, ...]:
    """What shows the fields for a password where another way of signing in is shown: a tab beside one that names it."""
    acting = [c for c in frame.controls if _may_lead(c) and len(words_of(c)) <= _LONGEST]
    ways = [c for c in acting if _is_tab(c)]
    others = any(says("other_way", words_of(c)) or says("phone", words_of(c)) for c in ways)
    by_tab = [c for c in ways if not c.selected and _names_password(c, among_ways=others)]
    by_words = [c for c in acting if c not in ways and says_exactly("by_password", words_of(c))]
    return tuple(c.id for c in (*by_tab, *by_words))


def _is_tab(control: Control) -> bool:
    return control.role == "tab" or control.section.startswith("tablist")


def _names_password(control: Control, *, among_ways: bool) -> bool:
    words = words_of(control)
    if _leads_another_way(words):
        return False
    if says("by_password", words):
        return True
    return among_ways and any(says_exactly(c, words) for c in ("password", "username", "email", "account", "sign_in"))


def _belongs(control: Control, form: FormKind | None) -> bool:
    """It works on a form that has a purpose of its own; in a login, links still lead elsewhere."""
    if form is FormKind.LOGIN:
        return control.role == "button"
    return form not in (None, FormKind.OTHER)


def _may_lead(control: Control) -> bool:
    acts = control.role in ("link", "button", "menuitem", "tab") or control.rank in ("handler", "pointer")
    return acts and control.usable and not control.aria_hidden and not control.is_text_field and not control.download


def _ranked(found: list[tuple[Control, EntryKind]], kind: EntryKind) -> tuple[Entry, ...]:
    entries = [Entry(c.id, kind, _rank(c)) for c, own in found if own is kind]
    return tuple(sorted(entries, key=lambda e: (-e.rank, e.control)))


def entry_kind(control: Control) -> EntryKind | None:
    """What this control is on the way to a sign-in; None for nearly all."""
    words = words_of(control)
    if len(words) > _LONGEST and not says_exactly("sign_in", control.title):
        return None
    kind = button_kind(control)
    if kind is ButtonKind.SIGN_IN:
        return None if _speaks_of_more(words) or _leads_another_way(words) else EntryKind.EXPLICIT
    if kind is ButtonKind.SIGN_UP and _offers_both(control):
        return EntryKind.EXPLICIT
    if kind is ButtonKind.ACCOUNT:
        return EntryKind.ACCOUNT
    if kind in (ButtonKind.UNNAMED, ButtonKind.OTHER) and len(words) < _LONGEST:
        return _by_attributes(control)
    return None


def _offers_both(control: Control) -> bool:
    """A link to a page where one signs in or up, as in "Log in or register"."""
    words = words_of(control)
    others = any(says(concept, words) for concept in ("forgot", "help", "contact", "newsletter"))
    return bool(control.href) and says("sign_in", words) and not others and not _leads_another_way(words)


def _speaks_of_more(words: str) -> bool:
    """The sign-in is not what it offers, as in "Why sign in?"."""
    return any(says(concept, words) for concept in ("sign_up", "sign_out", "forgot", "help", "contact", "newsletter"))


def _leads_another_way(words: str) -> bool:
    """To a code by telephone or a picture to scan, where no password is asked."""
    return says("other_way", words) and not says("password", words) and not says("by_password", words)


def _by_attributes(control: Control) -> EntryKind | None:
    """Icons without words speak through their identifiers and address; a menu button through what it opens."""
    if normalise(words_of(control)) and not control.haspopup:
        return None
    identifiers = attribute_words(control.html_id, control.html_class, control.title)
    path = attribute_words(urlsplit(control.href).path.rsplit("/", 1)[-1]) if control.href else ""
    if any(says(c, identifiers, path) for c in ("sign_out", "sign_up", "registration_attribute", "recovery_attribute")):
        return None
    if says("sign_in", identifiers, path):
        return EntryKind.EXPLICIT
    if says("account", identifiers, path):
        return EntryKind.ACCOUNT
    menu = control.haspopup in ("menu", "true", "dialog") or re.search(
        r"\b(menu|hamburger|burger|navbar toggler?)\b", identifiers
    )
    return EntryKind.MENU if menu else None


def _rank(control: Control) -> int:
    words, path = words_of(control), urlsplit(control.href)
    rank = 6 * says_exactly("sign_in", words) + 4 * says_exactly("account", words)
    rank += next((weight for place, weight in _PLACES if control.section.startswith(place)), 0)
    rank += 2 * says("login_attribute", attribute_words(path.path.rsplit("/", 1)[-1]))
    rank -= 4 * bool(_NOT_SITES_OWN.search(normalise(f"{words} {path.hostname or ''}")))
    rank -= 2 * (control.topmost is False) + 2 * (control.target == "_blank")
    return rank - len(normalise(words)) // 12


def _decisive(frame: Frame, explicit: tuple[Entry, ...], account: tuple[Entry, ...]) -> int | None:
    entries = explicit or account
    if not entries:
        return None
    best = entries[0]
    rivals = [e for e in entries[1:] if not _same_way(frame.controls[e.control], frame.controls[best.control])]
    if not rivals or best.rank - rivals[0].rank >= 3:
        return best.control
    return None


def _same_way(one: Control, other: Control) -> bool:
    """The same address or, for controls without, the same words: a header and a footer often offer both."""
    if one.href or other.href:
        return one.href.split("#")[0] == other.href.split("#")[0] and not one.raw_href.startswith("#")
    return normalise(words_of(one)) == normalise(words_of(other)) and one.controls == other.controls
