"""What is known of one form: its fields, its buttons, and the words that it carries itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from urllib.parse import urlsplit

from remit.browser._boxes import asks_characters, code_boxes, keypad
from remit.browser._buttons import ButtonKind, button_kind, kind_of_words
from remit.browser._fields import (
    IDENTITIES,
    SECRETS,
    FieldKind,
    attribute_words,
    field_kind,
    is_secret,
    says,
    shown_words,
)
from remit.browser._panel import panel_heading
from remit.browser._phrases import says_loosely
from remit.browser.observation import Control, Form, Frame


class FormKind(StrEnum):
    """What a form is for."""

    LOGIN = "login"
    REGISTRATION = "registration"
    RECOVERY = "recovery"
    NEWSLETTER = "newsletter"
    SEARCH = "search"
    CHANGE_PASSWORD = "change_password"  # noqa: S105
    ONE_TIME_CODE = "one_time_code"
    PARTIAL_PASSWORD = "partial_password"  # noqa: S105
    CONTACT = "contact"
    OTHER = "other"


EMAIL_SHAPE = re.compile(r"[\w.+*•-]+@[\w.*•-]+\.[a-z*•]{2,}", re.IGNORECASE)
"""An address, also one partly hidden by dots or stars."""
_PLAIN = (FieldKind.TEXT, FieldKind.OTHER)
_ACTING = ("submit", "image", "button")
_TYPED = frozenset(FieldKind) - {FieldKind.CHOICE, FieldKind.TERMS, FieldKind.REMEMBER_ME, FieldKind.HONEYPOT}


@dataclass(frozen=True)
class Evidence:
    """A form with what is known of its fields and buttons."""

    form: Form
    controls: tuple[Control, ...]
    kinds: Mapping[int, FieldKind]
    page: str = ""
    """The page's title and the end of its address, as words; never a reason for a login."""
    weakly_new: bool = False
    """The only secret is "new" by an attribute alone, as sites write to keep browsers from filling it in."""
    panel: str = ""
    """For one step without a heading of its own: the only heading of the box that holds this form alone."""

    @classmethod
    def of(cls, frame: Frame, form: Form, controls: tuple[Control, ...] | None = None) -> Evidence:
        """Gather what belongs to a form; of a visible form, only what can be used counts."""
        controls = frame.fields_of(form) if controls is None else controls
        kinds = {c.id: kind for c in controls if (kind := field_kind(c)) is not None}
        kinds |= dict.fromkeys(_out_of_reach(controls, kinds), FieldKind.HONEYPOT)
        weak = _weakly_new(controls, kinds)
        kinds |= dict.fromkeys(weak, FieldKind.PASSWORD)
        kinds |= dict.fromkeys(_sent_codes(controls, kinds), FieldKind.ONE_TIME_CODE)
        path = urlsplit(frame.url).path
        page = " . ".join((frame.title[:80], attribute_words("/".join(path.rsplit("/", 2)[-2:]))))
        found = cls(form, controls, kinds, page, bool(weak))
        if found._is_lone_code():
            found = replace(found, kinds=kinds | {found.typed[0].id: FieldKind.ONE_TIME_CODE})
        lone = len(found.typed) == len(found.identities) + len(found.secrets) == 1 and not found.title
        return replace(found, panel=panel_heading(frame, controls)) if lone else found

    @cached_property
    def counted(self) -> tuple[Control, ...]:
        """The controls a person sees; all of them where the form is hidden as a whole."""
        fields = [c for c in self.controls if c.usable and c.is_text_field]
        return tuple(c for c in self.controls if c.usable) if fields else self.controls

    def fields(self, *kinds: FieldKind) -> tuple[Control, ...]:
        """The counted fields of these kinds."""
        return tuple(c for c in self.counted if self.kinds.get(c.id) in kinds)

    @cached_property
    def secrets(self) -> tuple[Control, ...]:
        """Masked fields that may take a password."""
        return self.fields(*SECRETS)

    @cached_property
    def typed(self) -> tuple[Control, ...]:
        """Fields that take typed text, traps left out."""
        return tuple(c for c in self.counted if c.is_text_field and self.kinds.get(c.id) in _TYPED)

    @cached_property
    def identities(self) -> tuple[Control, ...]:
        """Fields that may take a user name or e-mail address."""
        return self.fields(*IDENTITIES)

    @cached_property
    def buttons(self) -> tuple[tuple[Control, ButtonKind], ...]:
        """The counted controls that act, with what they say; links are among them."""
        seen = self.counted + tuple(c for c in self.controls if c.visible and c.disabled and not c.inert)
        return tuple((c, button_kind(c)) for c in seen if c.id not in self.kinds)

    @cached_property
    def acting(self) -> frozenset[ButtonKind]:
        """What the buttons that are no links say."""
        return frozenset(kind for c, kind in self.buttons if c.role == "button" or c.type in _ACTING)

    @cached_property
    def linked(self) -> frozenset[ButtonKind]:
        """What the links say."""
        return frozenset(kind for c, kind in self.buttons if c.role != "button")

    @cached_property
    def title(self) -> str:
        """The form's own heading or accessible name."""
        return self.form.name or self.form.heading

    @cached_property
    def title_kind(self) -> ButtonKind:
        """What the own heading announces, also with a name put into it: "Create your Acme account"."""
        kind = kind_of_words(self.title) if self.title else ButtonKind.UNNAMED
        vague = kind in (ButtonKind.OTHER, ButtonKind.ACCOUNT)
        return ButtonKind.SIGN_UP if vague and says_loosely("sign_up", self.title) else kind

    @cached_property
    def code_boxes(self) -> tuple[Control, ...]:
        """Fields that take one character of a code each."""
        return code_boxes(self.controls, self.kinds, self._speaks_of_code)

    @cached_property
    def asks_single_characters(self) -> bool:
        """It wants some characters of a secret, or its digits pressed on keys in any order: nothing to be typed."""
        text = self._said
        return asks_characters(self.controls, text, self._speaks_of_code) or self._has_only_keys(text)

    @cached_property
    def _said(self) -> str:
        return " . ".join((self.title or self.form.outer_heading, self.form.text))

    @cached_property
    def _speaks_of_code(self) -> bool:
        return says("one_time_code", self._said) or bool(self.fields(FieldKind.ONE_TIME_CODE))

    def _is_lone_code(self) -> bool:
        """One plain field called a code, where heading, text or title speak of a code for once."""
        if self.secrets or len(self.typed) != 1 or self.kinds[self.typed[0].id] not in _PLAIN:
            return False
        field = self.typed[0]
        called = says("code_attribute", shown_words(field), attribute_words(field.html_name, field.html_id))
        return called and says("one_time_code", self._said, self.page)

    def _has_only_keys(self, text: str) -> bool:
        secrets = [c for c in self.controls if self.kinds.get(c.id) in SECRETS and c.visible]
        if any(c.usable and not c.readonly for c in secrets) or not keypad(self.controls):
            return False
        return bool(secrets) or says("password", text)

    @cached_property
    def attributes(self) -> str:
        """The form's identifiers and the end of its address, as words."""
        path = urlsplit(self.form.action)
        tail = "/".join(path.path.rsplit("/", 2)[-2:]) if self.form.has_action else ""
        query = path.query[:80] if self.form.has_action else ""
        return attribute_words(self.form.html_id, self.form.html_name, self.form.html_class, tail, query)

    def attributes_say(self, concept: str) -> bool:
        """The identifiers contain a phrase of the concept."""
        return says(concept, self.attributes)

    def page_says(self, *concepts: str) -> bool:
        """The page's title or address contains a phrase of one of the concepts."""
        return any(says(concept, self.page) for concept in concepts)

    def text_says(self, concept: str) -> bool:
        """The visible text of the form contains a phrase of the concept."""
        return says(concept, self.form.text)


def _out_of_reach(controls: tuple[Control, ...], kinds: Mapping[int, FieldKind]) -> list[int]:
    """Fields hidden from assistive technology, or behind something else, in a form whose other fields of their kind are
    not: only a robot would fill them.
    """
    fields = [c for c in controls if c.is_text_field and c.visible]
    open_fields = [c for c in fields if not c.aria_hidden]
    return [
        *(c.id for c in fields if c.aria_hidden and any(is_secret(o) == is_secret(c) for o in open_fields)),
        *(c.id for c in open_fields if c.topmost is False and any(_stands_for(o, c, kinds) for o in open_fields)),
    ]


def _stands_for(one: Control, other: Control, kinds: Mapping[int, FieldKind]) -> bool:
    """It can be reached, and takes what the other seems to ask for."""
    both = {kinds.get(one.id), kinds.get(other.id)}
    return one.topmost is True and (both <= IDENTITIES or (is_secret(one) and is_secret(other)))


_LONGEST_CODE = 10


def _sent_codes(controls: tuple[Control, ...], kinds: Mapping[int, FieldKind]) -> list[int]:
    """The field beside a button that sends a code takes it, also where a captcha is called by the same word."""
    found: list[int] = []
    for button in controls:
        if button.role == "button" and says("send_code", button.name or button.text):
            typed = [c for c in controls if c.is_text_field]
            beside = [*[c for c in typed if c.id < button.id][-1:], *[c for c in typed if c.id > button.id][:1]]
            found += [c.id for c in beside if _may_take_a_code(c, kinds.get(c.id))]
    return found


def _may_take_a_code(control: Control, kind: FieldKind | None) -> bool:
    if kind is FieldKind.TEXT:
        return control.maxlength is not None and control.maxlength <= _LONGEST_CODE
    drawn = says("captcha_attribute", attribute_words(control.html_name, control.html_id))
    return kind is FieldKind.CAPTCHA and not drawn


def _weakly_new(controls: tuple[Control, ...], kinds: Mapping[int, FieldKind]) -> list[int]:
    secrets = [c for c in controls if kinds.get(c.id) in SECRETS]
    if any(c.usable for c in secrets):
        secrets = [c for c in secrets if c.usable]
    if len(secrets) != 1 or kinds[secrets[0].id] is not FieldKind.NEW_PASSWORD:
        return []
    shown = shown_words(secrets[0])
    attributes = attribute_words(secrets[0].html_name, secrets[0].html_id)
    plain = not says("new_password", shown) and not says("confirm_password", shown)
    return [secrets[0].id] if plain and not says("new_password_attribute", attributes) else []
