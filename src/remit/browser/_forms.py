"""Recognising forms: what each is for, what its fields are for, and by which control it is sent."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from remit.browser._buttons import ButtonKind, button_kind, leads_away, says_exactly, words_of
from remit.browser._evidence import EMAIL_SHAPE, Evidence, FormKind
from remit.browser._fields import IDENTITIES, FieldKind, names_either, own_words, says
from remit.browser._lexicon import normalise
from remit.browser._once import once
from remit.browser._signals import scores
from remit.browser.observation import Control, Form, Frame


class Step(StrEnum):
    """Which part of a sign-in a form is."""

    WHOLE = "whole"
    IDENTIFIER_FIRST = "identifier_first"
    PASSWORD_SECOND = "password_second"  # noqa: S105


class Certainty(StrEnum):
    """How far the signals agree."""

    CERTAIN = "certain"
    LIKELY = "likely"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class RecognisedForm:
    """A form and what it is for.

    `fields` maps control ids to meanings; `identity_text` is the address that a second step shows.
    """

    form: int
    kind: FormKind
    certainty: Certainty
    fields: Mapping[int, FieldKind]
    submit: int | None
    step: Step
    identity_text: str = ""

    def ids(self, *kinds: FieldKind) -> tuple[int, ...]:
        """The controls of these kinds, in document order."""
        return tuple(id_ for id_, kind in self.fields.items() if kind in kinds)


_NUMBERED = re.compile(r"\b(?:number|numero|numer|nummer|nr|no|номер|αριθμος|numarasi)\b|番号|号码|번호|رقم")
_NAMES_NOBODY = {FormKind.OTHER, FormKind.CONTACT, FormKind.SEARCH, FormKind.NEWSLETTER}
_LEAST = {FormKind.LOGIN: 6, FormKind.ONE_TIME_CODE: 6, FormKind.CHANGE_PASSWORD: 7}
_LEAST_OF_OTHERS = 4
_CERTAIN_LEAD = 5


@once
def classify_forms(frame: Frame) -> tuple[RecognisedForm, ...]:
    """Each form of a frame that has fields, recognised."""
    members: dict[int, list[Control]] = {}
    for control in frame.controls:
        if control.form is not None:
            members.setdefault(control.form, []).append(control)
    return tuple(_recognise(frame, form, tuple(members.get(form.id, ()))) for form in frame.forms)


def _recognise(frame: Frame, form: Form, controls: tuple[Control, ...]) -> RecognisedForm:
    evidence = Evidence.of(frame, form, controls)
    kind, certainty = _decide(evidence)
    fields = _in_context(evidence, kind)
    identity = _identity_text(frame, evidence, kind)
    return RecognisedForm(
        form=form.id,
        kind=kind,
        certainty=certainty,
        fields=fields,
        submit=_submit(frame, evidence, kind),
        step=_step(evidence, kind, identity),
        identity_text=identity,
    )


def _decide(evidence: Evidence) -> tuple[FormKind, Certainty]:
    if not evidence.typed and not evidence.kinds:
        return FormKind.OTHER, Certainty.CERTAIN
    totals = scores(evidence)
    ranked = sorted((FormKind(k) for k in totals if k is not FormKind.OTHER), key=lambda k: -totals[k])
    best, second = ranked[0], ranked[1]
    if totals[best] < _LEAST.get(best, _LEAST_OF_OTHERS):
        return FormKind.OTHER, Certainty.LIKELY
    lead = totals[best] - max(totals[second], 0)
    if lead >= _CERTAIN_LEAD:
        return best, Certainty.CERTAIN
    return best, Certainty.LIKELY if lead > 1 else Certainty.UNCLEAR


def _in_context(evidence: Evidence, kind: FormKind) -> dict[int, FieldKind]:
    fields = dict(evidence.kinds)
    secrets = [c.id for c in evidence.controls if fields.get(c.id) in (FieldKind.PASSWORD, FieldKind.NEW_PASSWORD)]
    if kind is FormKind.REGISTRATION:
        fields.update(_asked_on_top(evidence))
    if kind is FormKind.REGISTRATION or (evidence.weakly_new and kind is not FormKind.LOGIN):
        fields.update(dict.fromkeys(secrets, FieldKind.NEW_PASSWORD))
    if kind is not FormKind.LOGIN:
        both = [
            c.id for c in evidence.controls if fields.get(c.id) is FieldKind.USERNAME and says("email", own_words(c))
        ]
        fields.update(dict.fromkeys(both, FieldKind.EMAIL))
    if kind in _NAMES_NOBODY and not secrets:
        declared = {c.id for c in evidence.controls if "username" in c.autocomplete or names_either(c)}
        names = [i for i, k in fields.items() if k is FieldKind.USERNAME and i not in declared]
        fields.update(dict.fromkeys(names, FieldKind.TEXT))
    if kind is FormKind.ONE_TIME_CODE:
        fields.update(dict.fromkeys((c.id for c in evidence.code_boxes), FieldKind.ONE_TIME_CODE))
    if kind is FormKind.LOGIN:
        if not evidence.identities:
            fields.update(_unnamed_identity(evidence))
        counted = {c.id for c in evidence.counted}
        unseen = [i for i, k in fields.items() if k in IDENTITIES and i not in counted]
        fields.update(dict.fromkeys(unseen if evidence.identities else (), FieldKind.OTHER))
    return fields


def _asked_on_top(evidence: Evidence) -> dict[int, FieldKind]:
    """In a registration, a code proves an address, and a number behind the password is of a card or a membership."""
    fields = {c.id: FieldKind.OTHER for c in evidence.fields(FieldKind.ONE_TIME_CODE)}
    if evidence.secrets and evidence.fields(FieldKind.EMAIL):
        behind = (c for c in evidence.fields(FieldKind.USERNAME) if c.id > evidence.secrets[0].id)
        fields |= {c.id: FieldKind.TEXT for c in behind if _is_numbered(c)}
    return fields


def _is_numbered(control: Control) -> bool:
    return bool(_NUMBERED.search(normalise(own_words(control))))


def _unnamed_identity(evidence: Evidence) -> dict[int, FieldKind]:
    """The one plain field before the password of a login is its user name, whatever it says."""
    if len(evidence.secrets) != 1:
        return {}
    plain = (FieldKind.TEXT, FieldKind.PERSONAL, FieldKind.PHONE, FieldKind.OTHER, FieldKind.CARD, FieldKind.TENANT)
    before = [
        c for c in evidence.fields(*plain) if c.id < evidence.secrets[0].id and c.tag == "input" and c.is_text_field
    ]
    return {before[-1].id: FieldKind.USERNAME} if len(before) == 1 else {}


def _step(evidence: Evidence, kind: FormKind, identity: str) -> Step:
    if kind is not FormKind.LOGIN:
        return Step.WHOLE
    if not evidence.secrets:
        return Step.IDENTIFIER_FIRST
    return Step.PASSWORD_SECOND if identity else Step.WHOLE


def _identity_text(frame: Frame, evidence: Evidence, kind: FormKind) -> str:
    if kind is not FormKind.LOGIN or evidence.identities or not evidence.secrets:
        return ""
    found = EMAIL_SHAPE.search(evidence.form.text) or EMAIL_SHAPE.search(_text_around(frame, evidence.secrets[0].id))
    return found.group() if found else ""


_AROUND = 400


def _text_around(frame: Frame, control: int) -> str:
    """The text of the box that holds a control's form, links left out; nothing where that box is more than a panel."""
    index = next((i for i, node in enumerate(frame.nodes) if node.control == control), -1)
    while index >= 0 and frame.nodes[index].tag != "form":
        index = frame.nodes[index].parent
    if index < 0 or frame.nodes[index].parent < 0:
        return ""
    parts: list[str] = []
    below = [frame.nodes[index].parent]
    while below:
        current = below.pop()
        if frame.nodes[current].tag != "a":
            parts.append(frame.nodes[current].text)
            below.extend(reversed(frame.children[current]))
    text = " ".join(parts)
    return text if len(text) <= _AROUND else ""


_NEVER = {
    ButtonKind.FORGOT,
    ButtonKind.PROVIDER,
    ButtonKind.SHOW_PASSWORD,
    ButtonKind.CANCEL,
    ButtonKind.HELP,
    ButtonKind.SIGN_OUT,
}
_VAGUE = {ButtonKind.NEXT: 5, ButtonKind.GO: 4, ButtonKind.OTHER: 1, ButtonKind.UNNAMED: 1}
_SAID = {
    FormKind.LOGIN: {ButtonKind.SIGN_IN: 9, **_VAGUE},
    FormKind.REGISTRATION: {ButtonKind.SIGN_UP: 9, **_VAGUE},
    FormKind.RECOVERY: {ButtonKind.FORGOT: 9, **_VAGUE},
    FormKind.SEARCH: {ButtonKind.SEARCH: 9, **_VAGUE},
}
_SAID_ELSEWHERE = dict.fromkeys(set(ButtonKind) - _NEVER, 2)


def _submit(frame: Frame, evidence: Evidence, kind: FormKind) -> int | None:
    said = _SAID.get(kind, _SAID_ELSEWHERE)
    last_field = max((c.id for c in evidence.typed), default=-1)
    best: tuple[int, int] | None = None
    for control, words in evidence.buttons:
        weight = _submit_weight(control, words, said, last_field)
        if weight is not None and (best is None or weight > best[0]):
            best = weight, control.id
    if best is None and kind is FormKind.LOGIN:
        return _submit_outside(frame, last_field)
    return best[1] if best else None


def _submit_weight(control: Control, words: ButtonKind, said: Mapping[ButtonKind, int], last_field: int) -> int | None:
    if control.type == "reset" or words not in said:
        return None
    native = control.type in ("submit", "image")
    if not native and words is not ButtonKind.SIGN_IN and said[words] < 4:
        return None
    if control.role != "button" and (said[words] < 9 or leads_away(control)):
        return None
    exact = says_exactly("sign_in", words_of(control))
    return said[words] * 2 + 2 * exact + 6 * native + 2 * (control.role == "button") + 2 * (control.id > last_field)


def _submit_outside(frame: Frame, last_field: int) -> int | None:
    """Where the form's tag closes too early, its button is the next that says sign in and belongs to no form."""
    following = [c for c in frame.controls[last_field + 1 : last_field + 8] if c.form is None and c.role == "button"]
    return next((c.id for c in following if button_kind(c) is ButtonKind.SIGN_IN), None)
