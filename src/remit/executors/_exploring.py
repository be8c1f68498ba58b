"""What every search through pages shares: using a control once, going back, and asking the model about the rest."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from remit.browser import Control, ControlError, Frame, Identity, Observation, Session, identity, same_reading
from remit.contract import Reason
from remit.loop import Budget, Option
from remit.runs import Call, Effect, EffectKind, Settled

from ._sight import calm_sight

if TYPE_CHECKING:
    from remit.models import Intent, Models

LATE_S = 1.5
"""How long what appears late (a menu, a form, records) is waited for after a click, in seconds."""


class Explorer:
    """The part of a world that acts. Options are identities of controls; nothing is used twice from one state."""

    def __init__(self, call: Call, session: Session, models: Models | None, budget: Budget, start: str) -> None:
        self._call = call
        self._session = session
        self._models = models
        self._budget = budget
        self.start = start
        self._seen: Observation | None = None
        self._followed = False
        self.elsewhere = False
        """A way led, or would lead, to an origin that is not allowed."""

    async def sight(self) -> Observation:
        """The page, calm; what `take` acts on."""
        self._seen = await calm_sight(self._session)
        return self._seen

    async def take(self, option: Option) -> Reason | None:
        """Use a control once; the reason why it led nowhere."""
        assert isinstance(option.id, Identity)
        assert self._seen is not None
        frame = self._seen.main
        control = find(frame, option.id)
        if isinstance(control, Reason):
            return control
        effects: list[Effect] = []
        try:
            effect = await self._session.click(
                self._seen,
                frame.index,
                control,
                on_dispatch=lambda: effects.append(self._call.intend(EffectKind.CLICK, "way on")),
            )
        except ControlError as error:
            return error.reason
        for each in effects:
            each.settle(Settled.OBSERVED)
        if not self._session.inside:
            self.elsewhere = True
            return Reason.ORIGIN_NOT_ALLOWED
        if effect.kind == "none" and not await self._session.changed(LATE_S):
            return Reason.NO_EFFECT
        self._followed = True
        return None

    async def go_back(self, path: tuple[Option, ...]) -> bool:
        """Open the start again and repeat the verified way."""
        await self._session.goto(self.start)
        for option in path:
            await self.sight()
            if await self.take(option) is not None:
                return False
        await self.sight()
        self._followed = bool(path)
        return True

    async def ask(self, frame: Frame, intent: Intent, offered: Iterable[Control], goal: str = "") -> int | None:
        """The control the model chooses: only where no signal decides, only among what is there; often none."""
        if self._models is None:
            return None
        from remit.models import Candidate, Choose

        candidates = tuple(Candidate(f"c{c.id}", c.role, c.name, c.section) for c in offered if c.usable and c.name)
        if not candidates:
            return None
        decision = await self._models.decide(Choose(intent, candidates, goal=goal, language=frame.language))
        self._budget.model_calls += decision.calls
        answer = decision.answer
        return int(answer.id[1:]) if answer is not None and answer.id is not None else None


def options_of(controls: Iterable[Control], frame: Frame) -> tuple[Option, ...]:
    """Options in the order given, one for each identity."""
    return tuple(Option(each) for each in dict.fromkeys(identity(frame, control) for control in controls))


def find(frame: Frame, wanted: Identity) -> int | Reason:
    """The control with this identity; equal links to one destination are one."""
    found = [c for c in frame.controls if c.role == wanted.role and c.name == wanted.name and c.visible]
    found = [c for c in found if identity(frame, c) == wanted]
    if not found:
        return Reason.CONTROL_GONE
    if len(same_reading(frame, found[0])) > 1 and not found[0].href:
        return Reason.AMBIGUOUS
    return found[0].id
