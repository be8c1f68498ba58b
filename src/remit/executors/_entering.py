"""Typing a credential and sending it: each step of the form at most once, and nothing explored meanwhile."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from remit.browser import (
    Ambiguous,
    CodeTarget,
    Filled,
    FillError,
    Frame,
    LoginTarget,
    Observation,
    Session,
    Step,
    code_target,
    identity,
    login_target,
)
from remit.contract import AddressError, Origin, Reason, RemitError
from remit.runs import Call, Effect, EffectKind, Settled

from ._one_time import CodeGoal
from ._route import Goal
from ._sight import calm_sight

if TYPE_CHECKING:
    from remit.vault import Credential

ENABLE_S = 5.0
"""How long a submit control may take to become enabled, in seconds."""


class Entering:
    """What one credential put into one session's forms, and what became of it."""

    def __init__(self, call: Call, session: Session, credential: Credential) -> None:
        self._call = call
        self._session = session
        self._credential = credential
        self._origins = frozenset(credential.origins)
        self._names = frozenset(map(str, credential.origins))
        self._effects: list[Effect] = []
        self._code: Sequence[Filled] = ()
        self.codes: list[str] = []
        self.sent: set[Step] = set()
        self.before: Observation | None = None
        self.form_left: Observation | None = None
        self.failure: Reason | None = None

    @property
    def secret_sent(self) -> bool:
        """The password left."""
        return bool(self.sent & {Step.WHOLE, Step.PASSWORD_SECOND})

    def code_target(self, seen: Observation) -> CodeTarget | Ambiguous | None:
        """Where a code goes that was not asked for before the form was sent."""
        return code_target(seen, self._names, before=self.form_left)

    async def code_stands(self) -> bool:
        """The last code is still where it was typed: the site has not answered."""
        return bool(self._code) and all([await self._session.holds(filled) for filled in self._code])

    def settle(self, outcome: Settled) -> None:
        """Say what was observed of everything sent so far."""
        for effect in self._effects:
            effect.settle(outcome)
        self._effects.clear()

    def posts_home(self, seen: Observation, frame: int, form: int) -> bool:
        """Where a form says that it sends what is typed, that is an origin of the credential, too."""
        found = _frame(seen, frame).forms[form]
        if not found.has_action or not found.action.startswith("http"):
            return True
        try:
            return Origin.of(found.action) in self._origins
        except AddressError:
            return False

    async def enter(self, goal: Goal) -> None:
        """Fill the form and submit it once."""
        try:
            await self._require_own_name(goal)
            await self._submit(goal, await self._fill(goal))
        except RemitError as error:
            if goal.target.step not in self.sent:
                self.failure = error.reason
            raise

    async def _require_own_name(self, goal: Goal) -> None:
        """Whose password is wanted may stand in a field that takes no typing."""
        for field in goal.target.named:
            if await self._session.names_another(goal.seen, goal.target.frame, field, self._credential.username):
                raise RemitError(Reason.IDENTITY_MISMATCH)

    async def enter_code(self, goal: CodeGoal) -> None:
        """Type a code and submit it once, unless the page does at its last character."""
        intended: list[Effect] = []

        def on_dispatch() -> None:
            self.codes.append(goal.code.reveal())
            intended.append(self._call.intend(EffectKind.SUBMIT, "one-time code"))
            self._effects.extend(intended)

        target = goal.target
        try:
            typed = await self._session.type_code(
                goal.seen, target.frame, target.boxes, goal.code, origins=self._origins, on_dispatch=on_dispatch
            )
            self._code, self.before = typed.filled, goal.seen
            if not typed.sent:
                await self._submit_code(goal, typed.filled)
        except RemitError as error:
            if not intended or (not typed.sent and error.reason is not Reason.OUTCOME_UNKNOWN):
                self.failure = error.reason
            raise

    async def _submit_code(self, goal: CodeGoal, filled: Sequence[Filled]) -> None:
        seen = await self._enabled(goal)
        target = self.code_target(seen)
        if not isinstance(target, CodeTarget) or len(target.boxes) != len(goal.target.boxes):
            raise FillError(Reason.TARGET_CHANGED)
        if target.submit is None:
            await self._session.press_enter(seen, target.frame, target.boxes[-1], origins=self._origins, holding=filled)
            return
        await self._session.click(seen, target.frame, target.submit, origins=self._origins, holding=filled)

    async def _enabled(self, goal: CodeGoal) -> Observation:
        """The code form with its submit control enabled."""
        end = time.monotonic() + ENABLE_S
        while True:
            seen = await calm_sight(self._session)
            target = self.code_target(seen)
            if not isinstance(target, CodeTarget) or target.frame != goal.target.frame:
                raise FillError(Reason.TARGET_CHANGED)
            if target.submit is None or _frame(seen, target.frame).controls[target.submit].usable:
                return seen
            if time.monotonic() >= end:
                raise FillError(Reason.SUBMIT_UNAVAILABLE)
            await self._session.changed(1.0)

    async def _fill(self, goal: Goal) -> list[Filled]:
        target, credential = goal.target, self._credential
        filled: list[Filled] = []
        if target.username is not None and credential.username.reveal():
            filled.append(
                await self._session.fill(
                    goal.seen,
                    target.frame,
                    target.username,
                    credential.username,
                    kind="username",
                    origins=self._origins,
                )
            )
        if target.password is not None:
            filled.append(
                await self._session.fill(
                    goal.seen,
                    target.frame,
                    target.password,
                    credential.password,
                    kind="password",
                    origins=self._origins,
                )
            )
        return filled

    async def _submit(self, goal: Goal, filled: list[Filled]) -> None:
        """By the form's own control, once it is enabled; by Enter only where the form has none."""
        if not filled:
            raise FillError(Reason.FILL_MISMATCH)
        seen, target = await self._ready(goal)
        self.before = self.form_left = seen

        def on_dispatch() -> None:
            self.sent.add(goal.target.step)
            self._effects.append(self._call.intend(EffectKind.SUBMIT, f"sign-in form, {goal.target.step.value}"))

        if target.submit is not None:
            await self._session.click(
                seen, target.frame, target.submit, on_dispatch=on_dispatch, origins=self._origins, holding=filled
            )
            return
        field = target.password if target.password is not None else target.username
        assert field is not None
        await self._session.press_enter(
            seen, target.frame, field, origins=self._origins, on_dispatch=on_dispatch, holding=filled
        )

    async def _ready(self, goal: Goal) -> tuple[Observation, LoginTarget]:
        """The same form as it stands after typing, its submit control enabled."""
        end = time.monotonic() + ENABLE_S
        while True:
            seen = await calm_sight(self._session)
            target = login_target(seen, self._names)
            if not isinstance(target, LoginTarget) or _fields(seen, target) != _fields(goal.seen, goal.target):
                raise FillError(Reason.TARGET_CHANGED)
            if not self.posts_home(seen, target.frame, target.form):
                raise FillError(Reason.ORIGIN_NOT_ALLOWED)
            if target.submit is None or _frame(seen, target.frame).controls[target.submit].usable:
                return seen, target
            if time.monotonic() >= end:
                raise FillError(Reason.SUBMIT_UNAVAILABLE)
            await self._session.changed(1.0)


def _frame(seen: Observation, index: int) -> Frame:
    return next(frame for frame in seen.frames if frame.index == index)


def _fields(seen: Observation, target: LoginTarget) -> tuple[object, ...]:
    frame = _frame(seen, target.frame)
    ids = (target.username, target.password)
    return tuple(None if id_ is None else identity(frame, frame.controls[id_]) for id_ in ids)
