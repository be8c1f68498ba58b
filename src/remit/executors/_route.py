"""The way to a sign-in form on a site never seen before: a world for the bounded search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from remit.browser import (
    Ambiguous,
    Frame,
    LoginTarget,
    Observation,
    Session,
    login_target,
    may_lead_in,
    sign_in_entries,
)
from remit.loop import Budget, Look, Option
from remit.runs import Call

from ._exploring import LATE_S, Explorer, options_of

if TYPE_CHECKING:
    from remit.models import Models

ROLES = ("link", "button", "menuitem")


@dataclass(frozen=True, slots=True)
class Goal:
    """The form that was found, and the observation it can be filled in."""

    seen: Observation
    target: LoginTarget


class SignInWorld(Explorer):
    """States are pages, options are controls that may lead to the form. No route is written for a particular site."""

    def __init__(
        self, call: Call, session: Session, origins: frozenset[str], models: Models | None, budget: Budget
    ) -> None:
        super().__init__(call, session, models, budget, session.url)
        self._origins = origins
        self.ambiguous = False

    async def look(self) -> Look[Goal]:
        """The page: the form if it is there, else the ways on, best first."""
        look = await self._look()
        if look.goal is None and not look.options and await self._session.changed(LATE_S):
            look = await self._look()
        return look

    async def form(self) -> Goal | None:
        """The form on this page, also if it comes a little late."""
        for late in (True, False):
            seen = await self.sight()
            target = login_target(seen, self._origins)
            if isinstance(target, LoginTarget):
                return Goal(seen, target)
            if late and not await self._session.changed(LATE_S):
                break
        return None

    async def _look(self) -> Look[Goal]:
        seen = await self.sight()
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
            asked = None if entries.decisive is not None else await self._asked(frame)
            chosen = [*([asked] if asked is not None else []), *(entry.control for entry in entries.account)]
        found = [frame.controls[control] for control in chosen]
        kept = [c for c in found if may_lead_in(frame, c, self._origins)]
        self.elsewhere = self.elsewhere or (bool(entries.explicit) and not kept)
        return options_of(kept, frame)

    async def _asked(self, frame: Frame) -> int | None:
        from remit.models import Intent

        offered = (c for c in frame.controls if c.role in ROLES and may_lead_in(frame, c, self._origins))
        return await self.ask(frame, Intent.SIGN_IN, offered)


def _key(seen: Observation) -> tuple[str, str, frozenset[tuple[str, str]]]:
    """What tells pages apart: the address without its fragment, and the visible controls."""
    parts = urlsplit(seen.main.url)
    shown = frozenset((c.role, c.name) for frame in seen.frames for c in frame.controls if c.visible)
    return parts.path, parts.query, shown


async def replay(world: SignInWorld, path: tuple[Option, ...], budget: Budget) -> Goal | None:
    """Take a way that led to the form before, asking nobody; None as soon as it is not the same way any more."""
    for option in path:
        if not budget.spend_actions():
            return None
        await world.sight()
        if await world.take(option) is not None:
            return None
    return await world.form()
