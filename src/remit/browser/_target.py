"""The one form, and the exact fields in it, that a credential would be typed into; or why there is none."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from remit.browser._evidence import FormKind
from remit.browser._fields import IDENTITIES, FieldKind
from remit.browser._forms import Certainty, RecognisedForm, Step, classify_forms
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


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several forms, or several fields of one form, would do equally: nothing is filled. Pairs of frame and form."""

    candidates: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class CodeTarget:
    """Where a one-time code goes: one field, or as many boxes as it has characters."""

    frame: int
    form: int
    boxes: tuple[int, ...]
    submit: int | None
    covered: bool = False


def code_target(observation: Observation, allowed_frame_origins: Collection[str]) -> CodeTarget | Ambiguous | None:
    """The form for a one-time code among the frames of these exact origins; None where there is none."""
    found = [
        CodeTarget(
            frame=frame.index,
            form=form.form,
            boxes=tuple(c.id for c in boxes),
            submit=form.submit,
            covered=any(c.topmost is False for c in boxes),
        )
        for frame in observation.frames
        if frame.origin in allowed_frame_origins
        for form in classify_forms(frame)
        if form.kind is FormKind.ONE_TIME_CODE
        and frame.forms[form.form].visible
        and (boxes := _usable(frame, form, FieldKind.ONE_TIME_CODE))
    ]
    if len(found) > 1:
        return Ambiguous(tuple((t.frame, t.form) for t in found))
    return found[0] if found else None


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


def _has_usable_secret(frame: Frame, form: RecognisedForm) -> bool:
    return bool(_usable(frame, form, FieldKind.PASSWORD))


def _target(frame: Frame, form: RecognisedForm) -> LoginTarget | None:
    passwords = _usable(frame, form, FieldKind.PASSWORD)
    identities = _nearest(_usable(frame, form, *IDENTITIES), passwords)
    if len(passwords) > 1 or len(identities) > 1 or not (passwords or identities):
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
    )


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
