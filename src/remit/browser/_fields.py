"""What each field of a form is for, from what it says, what its attributes say, and how it is built.

A secret is a field that masks what is typed, whatever it is called; a field that shows what is typed is never one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from functools import lru_cache

from remit.browser._lexicon import lexicon, normalise
from remit.browser._phrases import says_loosely
from remit.browser.observation import Control


class FieldKind(StrEnum):
    """What a field is for. `PASSWORD` is the one that exists; `NEW_PASSWORD` one that is being chosen or repeated."""

    USERNAME = "username"
    EMAIL = "email"
    PHONE = "phone"
    PASSWORD = "password"  # noqa: S105
    NEW_PASSWORD = "new_password"  # noqa: S105
    ONE_TIME_CODE = "one_time_code"
    REMEMBER_ME = "remember_me"
    HONEYPOT = "honeypot"
    CAPTCHA = "captcha"
    CARD = "card"
    SEARCH = "search"
    TENANT = "tenant"
    PERSONAL = "personal"
    TERMS = "terms"
    CHOICE = "choice"
    TEXT = "text"
    OTHER = "other"


IDENTITIES = frozenset({FieldKind.USERNAME, FieldKind.EMAIL})
SECRETS = frozenset({FieldKind.PASSWORD, FieldKind.NEW_PASSWORD})

_AUTOCOMPLETE = {
    "username": FieldKind.USERNAME, "webauthn": FieldKind.USERNAME, "email": FieldKind.EMAIL, "tel": FieldKind.PHONE,
    "current-password": FieldKind.PASSWORD,
    "new-password": FieldKind.NEW_PASSWORD, "one-time-code": FieldKind.ONE_TIME_CODE, "given-name": FieldKind.PERSONAL,
    "family-name": FieldKind.PERSONAL, "name": FieldKind.PERSONAL, "bday": FieldKind.PERSONAL,
    "nickname": FieldKind.PERSONAL,
    "postal-code": FieldKind.PERSONAL, "street-address": FieldKind.PERSONAL, "organization": FieldKind.PERSONAL,
}  # fmt: skip
_NEAR = 60
_SOME_ID = re.compile(r"^(?:\S+ ){0,2}\S*(?<![a-z])id$")
_WORD_BREAK = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_ASP_PREFIX = re.compile(
    r"^(txt|tb|txb|inp|input|frm|edit|fld|field|ctl\d+|mod|jform|data|form)(?= )|(?<= )(txt|tb|txb)(?= )"
)


@lru_cache(maxsize=8192)
def attribute_words(*attributes: str) -> str:
    """Attribute values as words: `txtUserName` and `user[name]` both say "user name"."""
    return " . ".join(_words_of(value) for value in attributes if value)


def _words_of(value: str) -> str:
    words = re.sub(r"[\W_]+", " ", _WORD_BREAK.sub(" ", value)).strip().lower()
    return _ASP_PREFIX.sub("", words).strip()


def says(concept: str, *texts: str) -> bool:
    """One of the texts contains a phrase of the concept."""
    return any(text and lexicon("forms")[concept].occurs_in(text) for text in texts)


def shown_words(control: Control) -> str:
    """What a person reads as the field's name: its label, placeholder or title, else the text just before it."""
    own = own_words(control)
    if control.role in ("checkbox", "radio"):
        return own or control.after or control.before[-_NEAR:]
    return own or control.before[-_NEAR:]


def own_words(control: Control) -> str:
    """What the field itself says: label, accessible name, placeholder, title; examples of addresses left out."""
    said = (control.label, control.name, control.placeholder, control.title)
    return " . ".join(dict.fromkeys(text for text in said if text and "@" not in text))


def names_either(control: Control) -> bool:
    """It asks for a user name or an e-mail address in one breath, as only what knows its users does."""
    shown = shown_words(control)
    return says("username", shown) and says("email", shown)


def is_secret(control: Control) -> bool:
    """What is typed is masked: a password input, or a text input masked by style."""
    return control.tag == "input" and (control.type == "password" or control.masked)


Rule = tuple[FieldKind, Callable[[str], bool]]


def _shown(concept: str) -> Callable[[str], bool]:
    return lambda text: says(concept, text)


def _only_a_code(text: str) -> bool:
    """It speaks of a one-time code and, that phrase apart, of no password."""
    rest = lexicon("forms")["one_time_code"].pattern.sub(" ", normalise(text))
    return says("one_time_code", text) and not says("password", rest)


_SECRET_SHOWN: tuple[Rule, ...] = (
    (FieldKind.NEW_PASSWORD, _shown("new_password")),
    (FieldKind.NEW_PASSWORD, lambda text: says_loosely("new_password", text)),
    (FieldKind.NEW_PASSWORD, _shown("confirm_password")),
    (FieldKind.PASSWORD, _shown("current_password")),
    (FieldKind.CARD, _shown("card")),
    (FieldKind.ONE_TIME_CODE, _only_a_code),
    (FieldKind.PASSWORD, _shown("password")),
)
_SECRET_ATTRIBUTES: tuple[Rule, ...] = (
    (FieldKind.NEW_PASSWORD, _shown("new_password_attribute")),
    (FieldKind.NEW_PASSWORD, _shown("confirm_attribute")),
    (FieldKind.PASSWORD, _shown("current_password_attribute")),
    (FieldKind.ONE_TIME_CODE, _shown("one_time_code_attribute")),
    (FieldKind.PASSWORD, _shown("password_attribute")),
    (FieldKind.CARD, _shown("card_attribute")),
)
_TEXT_SHOWN: tuple[Rule, ...] = (
    (FieldKind.CAPTCHA, _shown("captcha")),
    (FieldKind.ONE_TIME_CODE, _shown("one_time_code")),
    (FieldKind.USERNAME, lambda text: says("username", text) and says("email", text)),
    (FieldKind.EMAIL, _shown("email")),
    (FieldKind.USERNAME, _shown("username")),
    (FieldKind.PHONE, _shown("phone")),
    (FieldKind.CARD, _shown("card")),
    (FieldKind.PERSONAL, _shown("personal")),
    (FieldKind.TENANT, _shown("tenant")),
    (FieldKind.SEARCH, _shown("search")),
    (FieldKind.USERNAME, lambda text: _SOME_ID.search(normalise(text)) is not None),
)
_TEXT_ATTRIBUTES: tuple[Rule, ...] = (
    (FieldKind.HONEYPOT, _shown("honeypot_attribute")),
    (FieldKind.CAPTCHA, _shown("captcha_attribute")),
    (FieldKind.ONE_TIME_CODE, _shown("one_time_code_attribute")),
    (FieldKind.EMAIL, _shown("email_attribute")),
    (FieldKind.PERSONAL, _shown("personal_attribute")),
    (FieldKind.CARD, _shown("card_attribute")),
    (FieldKind.TENANT, _shown("tenant_attribute")),
    (FieldKind.SEARCH, _shown("search_attribute")),
    (FieldKind.USERNAME, _shown("username_attribute")),
)


def field_kind(control: Control) -> FieldKind | None:
    """What this field is for, seen alone; None for what is not a field."""
    if control.tag not in ("input", "textarea", "select") or control.role == "button":
        return None
    if control.type == "hidden":
        return None
    if control.role in ("checkbox", "radio"):
        return _choice_kind(control)
    if control.tag == "select":
        return _select_kind(control)
    if not control.is_text_field:
        return FieldKind.OTHER
    if _is_trap(control):
        return FieldKind.HONEYPOT
    told = _told_by_autocomplete(control)
    if is_secret(control):
        return _secret_kind(control, told)
    if told is FieldKind.PHONE and says("email", shown_words(control)):
        return FieldKind.EMAIL
    if told is FieldKind.USERNAME and control.type == "email":
        return FieldKind.USERNAME if _names_no_address(control) else FieldKind.EMAIL
    if told is not None and told not in SECRETS:
        return told
    if control.tag == "textarea":
        captcha = says("captcha_attribute", attribute_words(control.html_name, control.html_id))
        return FieldKind.CAPTCHA if captcha else FieldKind.TEXT
    return _text_kind(control)


def _names_no_address(control: Control) -> bool:
    """It says user name and nowhere e-mail: the site makes the address out of it."""
    return says("username", own_words(control)) and not says("email", own_words(control))


def _told_by_autocomplete(control: Control) -> FieldKind | None:
    for token in control.autocomplete.split():
        if token.startswith("cc-"):
            return FieldKind.CARD
        if token in _AUTOCOMPLETE:
            return _AUTOCOMPLETE[token]
    return None


def _is_trap(control: Control) -> bool:
    words = attribute_words(control.html_name, control.html_id, control.html_class)
    return says("honeypot_attribute", words, attribute_words(control.label)) or bool(_DECOY.search(words))


def _secret_kind(control: Control, told: FieldKind | None) -> FieldKind:
    if control.maxlength is not None and control.maxlength <= 2:
        return FieldKind.OTHER
    if told in SECRETS or told in (FieldKind.ONE_TIME_CODE, FieldKind.CARD):
        return told if told is not None else FieldKind.PASSWORD
    words = attribute_words(control.html_name, control.html_id)
    short = control.maxlength is not None and control.maxlength <= 4
    if short and says("card_attribute", words):
        return FieldKind.CARD
    by_attributes = _first(_SECRET_ATTRIBUTES, words)
    by_text = _first(_SECRET_SHOWN, own_words(control) or ("" if by_attributes else control.before[-_NEAR:]))
    if FieldKind.CARD in (by_text, by_attributes) and FieldKind.PASSWORD not in (by_text, by_attributes):
        return FieldKind.CARD
    if by_attributes is FieldKind.NEW_PASSWORD and by_text in (None, FieldKind.PASSWORD):
        return FieldKind.NEW_PASSWORD
    return by_text or by_attributes or FieldKind.PASSWORD


# Keys for digits serve more than telephone numbers.
_NOT_DIALLED = IDENTITIES | {FieldKind.ONE_TIME_CODE, FieldKind.CAPTCHA, FieldKind.CARD}


def _text_kind(control: Control) -> FieldKind:
    words = attribute_words(control.html_name, control.html_id)
    if control.role == "searchbox":
        return FieldKind.SEARCH
    if control.type == "email":
        return FieldKind.EMAIL
    if says("one_time_code_attribute", words):
        return FieldKind.ONE_TIME_CODE
    if _ABOUT_A_MESSAGE.search(words) or _ABOUT_A_MESSAGE.search(normalise(own_words(control))):
        return FieldKind.TEXT
    by_own = _first(_TEXT_SHOWN, own_words(control))
    if control.type == "tel" and by_own not in _NOT_DIALLED:
        near = _kind_by_text_before(control) if by_own is None else by_own
        return near if near in _NOT_DIALLED else FieldKind.PHONE
    by_attributes = _first(_TEXT_ATTRIBUTES, words)
    if by_own is FieldKind.PERSONAL and by_attributes in IDENTITIES:
        return by_attributes
    if by_own is None and (says("password", own_words(control)) or says("password_attribute", words)):
        return FieldKind.OTHER
    return by_own or by_attributes or _kind_by_text_before(control)


def _kind_by_text_before(control: Control) -> FieldKind:
    near = control.before[-_NEAR:]
    kind = _first(_TEXT_SHOWN, near)
    return kind or (FieldKind.OTHER if says("password", near) else FieldKind.TEXT)


# What sites put before a form so that browsers fill it instead of the real field.
_DECOY = re.compile(r"\bfake|\bdummy|\bdecoy|\b(?:prevent|disable)? ?autofill ?(?:pass|user|name|mail)")
# A part of a message, not the address it goes to.
_ABOUT_A_MESSAGE = re.compile(r"\be ?mail (?:title|subject|body|message|content|template|tab|text|format)s?$")


def _choice_kind(control: Control) -> FieldKind:
    shown, words = shown_words(control), attribute_words(control.html_name, control.html_id)
    if control.role == "checkbox" and (
        says("remember_me", shown)
        or re.search(r"remember|persist|autologin|auto login|stay|keep.?me|cookieuser|rememb", words)
    ):
        return FieldKind.REMEMBER_ME
    return (
        FieldKind.TERMS
        if says("terms", shown) or re.search(r"\b(terms|tos|agree|accept)\b", words)
        else FieldKind.CHOICE
    )


def _select_kind(control: Control) -> FieldKind:
    words = attribute_words(control.html_name, control.html_id)
    return (
        FieldKind.PERSONAL if says("personal_attribute", words) or says("personal", control.label) else FieldKind.CHOICE
    )


def _first(rules: tuple[Rule, ...], text: str) -> FieldKind | None:
    return next((kind for kind, holds in rules if holds(text)), None) if text else None
