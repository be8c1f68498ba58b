"""The way to a sign-in form on a site never seen before: a world for the bounded search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from remit.browser import (
    Ambiguous,
    ControlError,
    Frame,
    Identity,
    LoginTarget,
    Observation,
    Session,
    identity,
    login_target,
    same_reading,
    sign_in_entries,
)
from remit.contract import Reason
from remit.loop import Budget, Look, Option

from ._sight import calm_sight

if TYPE_CHECKING:
    from remit.models import Models

LATE_S = 1.5
"""How long a menu or form that appears late is waited for after a click, in seconds."""


@dataclass(frozen=True, slots=True)
class Goal:
    """The form that was found, and the observation it can be filled in."""

    seen: Observation
    target: LoginTarget


class SignInWorld:
    """States are pages, options are controls that may lead to the form. No route is written for a particular site."""

    def __init__(self, session: Session, origins: frozenset[str], models: Models | None, budget: Budget) -> None:
        self._session = session
        self._origins = origins
        self._models = models
        self._budget = budget
        self._start = session.url
        self._seen: Observation | None = None
        self.ambiguous = False

    async def look(self) -> Look[Goal]:
        """The page: the form if it is there, else the ways on, best first."""
        look = await self._look()
        if look.goal is None and not look.options and await self._session.changed(LATE_S):
            look = await self._look()
        return look

    async def _look(self) -> Look[Goal]:
        seen = self._seen = await calm_sight(self._session)
        key = _key(seen)
        target = login_target(seen, self._origins)
        if isinstance(target, LoginTarget):
            return Look(key, Goal(seen, target))
        if isinstance(target, Ambiguous):
            self.ambiguous = True
            return Look(key)
        return Look(key, options=await self._options(seen.main))

    async def _options(self, frame: Frame) -> tuple[Option, ...]:
        entries = sign_in_entries(frame)
        chosen = [entry.control for entry in entries.explicit]
        if not chosen:
            asked = None if entries.decisive is not None else await self._ask(frame)
            chosen = [*([asked] if asked is not None else []), *(entry.control for entry in entries.account)]
        identities = (identity(frame, frame.controls[control]) for control in dict.fromkeys(chosen))
        return tuple(Option(each) for each in dict.fromkeys(identities))

    async def _ask(self, frame: Frame) -> int | None:
        """Ask the model which control leads to the form: only where no signal decides, only among what is there."""
        if self._models is None:
            return None
        from remit.models import Candidate, Choose, Intent

        offered = [c for c in frame.controls if c.usable and c.role in ("link", "button", "menuitem") and c.name]
        candidates = tuple(Candidate(f"c{c.id}", c.role, c.name, c.section) for c in offered)
        if not candidates:
            return None
        decision = await self._models.decide(Choose(Intent.SIGN_IN, candidates, language=frame.language))
        self._budget.model_calls += decision.calls
        answer = decision.answer
        return int(answer.id[1:]) if answer is not None and answer.id is not None else None

    async def take(self, option: Option) -> Reason | None:
        """Use a control once; the reason why it led nowhere."""
        assert isinstance(option.id, Identity)
        assert self._seen is not None
        frame = self._seen.main
        control = find(frame, option.id)
        if isinstance(control, Reason):
            return control
        try:
            effect = await self._session.click(self._seen, frame.index, control)
        except ControlError as error:
            return error.reason
        if not self._session.inside:
            return Reason.ORIGIN_NOT_ALLOWED
        if effect.kind == "none" and not await self._session.changed(LATE_S):
            return Reason.NO_EFFECT
        return None

    async def go_back(self, path: tuple[Option, ...]) -> bool:
        """Open the start again and repeat the verified way."""
        await self._session.goto(self._start)
        for option in path:
            self._seen = await calm_sight(self._session)
            if await self.take(option) is not None:
                return False
        self._seen = await calm_sight(self._session)
        return True


def find(frame: Frame, wanted: Identity) -> int | Reason:
    """The control with this identity; equal links to one destination are one."""
    found = [c for c in frame.controls if c.role == wanted.role and c.name == wanted.name and c.visible]
    found = [c for c in found if identity(frame, c) == wanted]
    if not found:
        return Reason.CONTROL_GONE
    if len(same_reading(frame, found[0])) > 1 and not found[0].href:
        return Reason.AMBIGUOUS
    return found[0].id


def _key(seen: Observation) -> tuple[str, str, frozenset[tuple[str, str]]]:
    """What tells pages apart: the address without its fragment, and the visible controls."""
    parts = urlsplit(seen.main.url)
    shown = frozenset((c.role, c.name) for frame in seen.frames for c in frame.controls if c.visible)
    return parts.path, parts.query, shown
