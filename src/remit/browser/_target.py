"""The one form, and the exact fields in it, that a credential would be typed into; or why there is none."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from remit.browser._boxes import LEAST, MOST, keypad
from remit.browser._evidence import FormKind
from remit.browser._fields import IDENTITIES, FieldKind, is_secret, says
from remit.browser._forms import Certainty, RecognisedForm, Step, classify_forms
from remit.browser._panel import common_box, text_in
from remit.browser.observation import Control, Frame, Observation


@dataclass(frozen=True, slots=True)
class LoginTarget:
    """Where a credential goes: control ids within the frame of that index. `covered`: something lies over a field."""

    frame: int
    form: int
    username: int | None
    password: int | None
    submit: int | None
    step: Step
    certainty: Certainty
    remember_me: int | None = None
    identity_text: str = ""
    covered: bool = False
    named: tuple[int, ...] = ()
    """Fields for the name that are shown and take no typing: whose password is wanted stands in them."""


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several forms, or several fields of one form, would do equally: nothing is filled. Pairs of frame and form."""

    candidates: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class CodeTarget:
    """Where a one-time code goes: one field, or as many boxes as it has characters, in their order."""

    frame: int
    form: int
    boxes: tuple[int, ...]
    submit: int | None
    covered: bool = False


def code_target(
    observation: Observation, allowed_frame_origins: Collection[str], *, before: Observation | None = None
) -> CodeTarget | Ambiguous | None:
    """The visible form for a one-time code among the frames of these exact origins; None where there is none.

    A code form that asks for a name or a telephone number as well is another way in, no part of this sign-in. So is one
    beside a login that is still open, unless it was not there `before`.
    """
    frames = [frame for frame in observation.frames if frame.origin in allowed_frame_origins]
    forms = [(frame, form) for frame in frames for form in classify_forms(frame)]
    if any(_stays_open(frame, form) for frame, form in forms):
        known = _known_codes(before)
        forms = [(frame, form) for frame, form in forms if known is not None and _code_names(frame, form) not in known]
    found = [target for frame, form in forms if (target := _code_target(frame, form)) is not None]
    if not found:
        return None
    if len(found) > 1 or len(found[0].boxes) not in (1, *range(LEAST, MOST + 1)):
        return Ambiguous(tuple((t.frame, t.form) for t in found))
    return found[0]


def asks_code(frame: Frame, form: RecognisedForm) -> bool:
    """A visible form for a code alone, sent to someone already named."""
    if form.kind is not FormKind.ONE_TIME_CODE or not frame.forms[form.form].visible:
        return False
    return not _usable(frame, form, FieldKind.PHONE, *IDENTITIES)


def _code_target(frame: Frame, form: RecognisedForm) -> CodeTarget | None:
    boxes = _usable(frame, form, FieldKind.ONE_TIME_CODE) if asks_code(frame, form) else []
    if not boxes:
        return None
    covered = any(c.topmost is False for c in boxes)
    return CodeTarget(frame.index, form.form, tuple(c.id for c in boxes), form.submit, covered)


def _stays_open(frame: Frame, form: RecognisedForm) -> bool:
    """A login that a person could still fill in: nothing lies over it."""
    if not would_fill(form):
        return False
    return any(c.topmost is not False for c in _usable(frame, form, FieldKind.PASSWORD, *IDENTITIES))


def _known_codes(before: Observation | None) -> frozenset[tuple[str, ...]] | None:
    if before is None:
        return None
    return frozenset(_code_names(f, form) for f in before.frames for form in classify_forms(f) if asks_code(f, form))


def _code_names(frame: Frame, form: RecognisedForm) -> tuple[str, ...]:
    """By what a code form is known again in a later observation."""
    fields = [frame.controls[i] for i in form.ids(FieldKind.ONE_TIME_CODE)]
    return (frame.origin, frame.forms[form.form].action, *(c.html_name or c.html_id or c.name for c in fields))


def asks_partial_password(observation: Observation) -> bool:
    """The page wants single characters of a secret, or its digits pressed on keys of the screen: a person must."""
    return any(_asks_partial(frame) for frame in observation.frames)


def _asks_partial(frame: Frame) -> bool:
    forms = [form for form in classify_forms(frame) if frame.forms[form.form].visible]
    if any(form.kind is FormKind.PARTIAL_PASSWORD for form in forms):
        return True
    keys = keypad(c for c in frame.controls if c.form is None)
    if not keys or any(_has_usable_secret(frame, form) for form in forms):
        return False
    box = common_box(frame, keys)
    around = text_in(frame, frame.nodes[box].parent, _AROUND) if box is not None else ""
    return any(_closed_secrets(frame, form) for form in forms) or says("password", around, frame.title)


_AROUND = 400


def would_fill(form: RecognisedForm) -> bool:
    """A login of which the signals leave no doubt worth asking about."""
    return form.kind is FormKind.LOGIN and form.certainty is not Certainty.UNCLEAR


def login_target(observation: Observation, allowed_frame_origins: Collection[str]) -> LoginTarget | Ambiguous | None:
    """The login to fill among the frames of these exact origins; None where there is none.

    Only visible, enabled fields count. A form with two password fields, or two that may take the name, is ambiguous.
    """
    found: list[LoginTarget] = []
    unclear: list[tuple[int, int]] = []
    for frame in observation.frames:
        if frame.origin not in allowed_frame_origins:
            continue
        for form in classify_forms(frame):
            if not would_fill(form):
                continue
            target = _target(frame, form)
            if target is not None:
                found.append(target)
            elif target is None and _has_usable_secret(frame, form):
                unclear.append((frame.index, form.form))
    return _one_of(observation, found, unclear)


def _usable(frame: Frame, form: RecognisedForm, *kinds: FieldKind) -> list[Control]:
    controls = (frame.controls[id_] for id_ in form.ids(*kinds))
    return [c for c in controls if c.usable and not c.readonly and not c.aria_hidden]


def _closed_secrets(frame: Frame, form: RecognisedForm) -> list[Control]:
    """Passwords that are shown but take no typing: keys on the screen fill them."""
    fields = (frame.controls[i] for i in form.ids(FieldKind.PASSWORD, FieldKind.OTHER))
    return [c for c in fields if is_secret(c) and c.visible and c.readonly]


def _has_usable_secret(frame: Frame, form: RecognisedForm) -> bool:
    return bool(_usable(frame, form, FieldKind.PASSWORD))


def _target(frame: Frame, form: RecognisedForm) -> LoginTarget | None:
    passwords = _usable(frame, form, FieldKind.PASSWORD)
    identities = _nearest(_usable(frame, form, *IDENTITIES), passwords)
    if len(passwords) > 1 or len(identities) > 1 or not (passwords or identities):
        return None
    if not passwords and _closed_secrets(frame, form):
        return None
    filled = passwords + identities
    remember = _usable(frame, form, FieldKind.REMEMBER_ME)
    return LoginTarget(
        frame=frame.index,
        form=form.form,
        username=identities[0].id if identities else None,
        password=passwords[0].id if passwords else None,
        submit=form.submit,
        step=form.step,
        certainty=form.certainty,
        remember_me=remember[0].id if remember else None,
        identity_text=form.identity_text,
        covered=any(c.topmost is False for c in filled),
        named=_closed_names(frame, form),
    )


def _closed_names(frame: Frame, form: RecognisedForm) -> tuple[int, ...]:
    fields = (frame.controls[i] for i in form.ids(*IDENTITIES))
    return tuple(c.id for c in fields if c.visible and (c.readonly or c.disabled))


def _nearest(identities: list[Control], passwords: list[Control]) -> list[Control]:
    """Of several names, those asked before the password: what follows it is for another purpose."""
    if len(identities) > 1 and len(passwords) == 1:
        return [c for c in identities if c.id < passwords[0].id] or identities
    return identities


def _one_of(
    observation: Observation, found: list[LoginTarget], unclear: list[tuple[int, int]]
) -> LoginTarget | Ambiguous | None:
    for better in (_in_dialog, _whole, _in_main, _not_covered):
        kept = [t for t in found if better(observation, t)]
        found = kept or found
    if len(found) == 1 and (not unclear or found[0].certainty is Certainty.CERTAIN):
        return found[0]
    if not found and not unclear:
        return None
    if found and not unclear and _same_door(observation, found):
        return found[0]
    return Ambiguous(tuple((t.frame, t.form) for t in found) + tuple(unclear))


def _frame(observation: Observation, target: LoginTarget) -> Frame:
    return next(frame for frame in observation.frames if frame.index == target.frame)


def _in_dialog(observation: Observation, target: LoginTarget) -> bool:
    return _frame(observation, target).forms[target.form].dialog


def _whole(_: Observation, target: LoginTarget) -> bool:
    return target.password is not None


def _in_main(observation: Observation, target: LoginTarget) -> bool:
    return _frame(observation, target).forms[target.form].section.startswith("main")


def _not_covered(_: Observation, target: LoginTarget) -> bool:
    return not target.covered


def _same_door(observation: Observation, found: list[LoginTarget]) -> bool:
    """The same login offered twice, as in a header and in the page: same address, same field names."""

    def door(target: LoginTarget) -> tuple[object, ...]:
        frame = _frame(observation, target)
        names = tuple(frame.controls[i].html_name for i in (target.username, target.password) if i is not None)
        return frame.origin, frame.forms[target.form].action, names, target.step

    first = found[0]
    form = _frame(observation, first).forms[first.form]
    return form.has_action and len({door(target) for target in found}) == 1
