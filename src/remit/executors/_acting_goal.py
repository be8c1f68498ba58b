"""One goal on an open session as a bounded task: choose a control, use it once, believe only the declared condition."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from remit.browser import Effect as Seen
from remit.browser import (
    Identity,
    LiveView,
    Observation,
    Picked,
    Session,
    Signs,
    Unclear,
    Wish,
    identity,
    is_forbidden,
    is_reached,
    only_navigates,
    pick,
    signs_of,
)
from remit.contract import Capability, Reason, RemitError
from remit.handoff import Asked, Effect, Question
from remit.loop import Budget, Proposal, Source, Verdict, VerdictKind
from remit.runs import Call, EffectKind, Leave, Settled, fingerprint
from remit.runs import Effect as Sent

from ._exploring import Explorer
from ._received import MOST_BYTES, Kept, keep
from ._shared import in_thread
from ._sight import calm_sight

if TYPE_CHECKING:
    from remit.models import Models

LATE_S = 1.5
"""How long what appears late is waited for after a use, in seconds."""
BEGIN_S = 5.0
"""How long a download may take to begin where nothing else came of the click, in seconds."""
DOWNLOAD_S = 45.0
"""How long a download may take, in seconds."""

_CHANGED = (Reason.TARGET_CHANGED, Reason.CONTROL_GONE)


@dataclass(frozen=True, slots=True)
class Step:
    """A control to use, in the observation it was chosen from."""

    seen: Observation
    control: int
    identity: Identity
    named: bool


@dataclass(frozen=True, slots=True)
class Reached:
    """The condition was observed; the file, if it was a download."""

    kept: Kept | None = None


class ActingGoal:
    """The adapter. No control is used twice; after `most` uses without the condition it is over."""

    def __init__(
        self, call: Call, session: Session, wish: Wish, budget: Budget, models: Models | None, most: int
    ) -> None:
        self._call = call
        self._session = session
        self._wish = wish
        self._most = most
        self._explorer = Explorer(call, session, models, budget, session.url)
        self._before: Signs | None = None
        self._latest: Observation | None = None
        self._used: set[Identity] = set()
        self._here = False
        self._leave: tuple[Identity, Leave] | None = None
        self._failure: Reason | None = None
        self._changed_once = False
        self._kept: Kept | None = None
        self.steps = 0

    async def observe(self) -> Observation:
        """The page as it stands."""
        return await calm_sight(self._session)

    async def verify(self, seen: Observation, last: Proposal[Step] | None) -> Verdict[Reached]:
        """Whether the condition is observed; a thing just used may show it a little late."""
        self._latest = seen
        if self._before is None:
            self._before = signs_of(seen)
        if self._kept is not None or await self._holds(seen, late=last is not None):
            return Verdict(VerdictKind.REACHED, Reached(self._kept))
        if self._failure is None and self.steps >= self._most:
            self._failure = Reason.GOAL_NOT_SEEN
        if self._failure is not None:
            return Verdict(VerdictKind.IMPOSSIBLE, reason=self._failure)
        return Verdict(VerdictKind.NOT_YET)

    async def _holds(self, seen: Observation, *, late: bool) -> bool:
        assert self._before is not None
        if is_reached(self._wish, seen, self._before):
            return True
        if not late or self._wish.until == "download" or not await self._session.changed(LATE_S):
            return False
        self._latest = await self.observe()
        return is_reached(self._wish, self._latest, self._before)

    async def resolve(self, seen: Observation, feedback: Reason | None) -> Proposal[Step] | None:
        """The control that serves the goal: by the words of the page, else by the model, else none."""
        seen = self._latest or seen
        if feedback is not None:
            return None
        picked = pick(seen.main, self._wish, self._used, here=self._here)
        if isinstance(picked, Unclear) and await self._session.changed(LATE_S):
            seen = await self.observe()
            picked = pick(seen.main, self._wish, self._used, here=self._here)
        if isinstance(picked, Picked):
            return Proposal(_step(seen, picked.control, picked.named))
        asked = await self._asked(seen, picked)
        if asked is None:
            nothing = picked.reason is Reason.INCONCLUSIVE and self.steps > 0
            raise RemitError(Reason.GOAL_NOT_SEEN if nothing else picked.reason)
        return Proposal(_step(seen, asked, named=False), Source.MODEL)

    async def _asked(self, seen: Observation, unclear: Unclear) -> int | None:
        """The model chooses among what was enumerated, and anything else is no answer."""
        from remit.models import Intent

        intent = Intent.DOWNLOAD if self._wish.until == "download" else Intent.OTHER
        offered = [seen.main.controls[control] for control in unclear.ask]
        return await self._explorer.ask(seen.main, intent, offered, self._wish.goal) if offered else None

    def admit(self, seen: Observation, proposal: Proposal[Step]) -> Reason | None:
        """Never what signs out, deletes, pays or accepts, whoever proposes it; nothing twice."""
        del seen
        step = proposal.action
        if is_forbidden(step.seen.main.controls[step.control]) or step.identity in self._used:
            return Reason.NOT_ALLOWED
        return None

    async def gate(self, seen: Observation, proposal: Proposal[Step]) -> Reason | None:
        """What only navigates is free; a person must approve anything else, for this one control."""
        del seen
        step = proposal.action
        self._leave = None
        leave = await self._call.leave(
            Capability.BROWSER_ACT, await self._question(step), consented=not self._is_free(step)
        )
        self._leave = (step.identity, leave)
        return None

    async def _question(self, step: Step) -> Question:
        """What a person is asked, bound to this control on this page."""
        control = step.seen.main.controls[step.control]
        sends = control.type in ("submit", "image")
        return Question(
            Asked.CONSENT,
            Reason.APPROVAL_REQUIRED,
            site=self._session.origin,
            session_id=self._session.id,
            tool="act_sites",
            effect=Effect.SEND_FORM if sends else Effect.USE_CONTROL,
            subject=control.name or control.text or "",
            fingerprint=fingerprint(self._session.id, self._session.url, step.identity),
            picture=None if self._is_free(step) else await self._picture(),
        )

    async def _picture(self) -> bytes | None:
        """The page with every field covered, for the person alone; a question can be asked without it."""
        with suppress(RemitError):
            return await LiveView(self._session).picture()
        return None

    def _is_free(self, step: Step) -> bool:
        return only_navigates(step.seen.main, step.seen.main.controls[step.control], self._session.allowed)

    async def execute(self, proposal: Proposal[Step]) -> None:
        """Use the control once. What changed before it was used may be chosen again, once."""
        step, sent = proposal.action, list[Sent]()
        try:
            if self._wish.until == "download":
                came = await self._download(step, sent)
            else:
                came = await self._click(step, sent)
                came = came or await self._session.changed(LATE_S)
        except RemitError as error:
            self._failed(error.reason, sent)
            return
        _settle(sent, Settled.OBSERVED if came else Settled.NOT_OBSERVED)
        self._here = self._here or step.named
        if not came:
            self._failure = Reason.NO_EFFECT
        if not self._session.inside:
            self._failure = Reason.LEFT_SITE

    def _failed(self, reason: Reason, sent: list[Sent]) -> None:
        if not sent and reason in _CHANGED and not self._changed_once:
            self._changed_once = True
            return
        _settle(sent, Settled.NOT_OBSERVED)
        self._failure = reason

    async def _click(self, step: Step, sent: list[Sent]) -> bool:
        effect = await self._press(step, sent)
        return effect.kind != "none"

    async def _press(self, step: Step, sent: list[Sent]) -> Seen:
        frame = step.seen.main
        sends = frame.controls[step.control].type in ("submit", "image")
        kind = EffectKind.SUBMIT if sends and not self._is_free(step) else EffectKind.CLICK

        def dispatching() -> None:
            """Consume the approval, if one is needed, and write the intent: from here on it is never used again."""
            leave, self._leave = self._leave, None
            if leave is None or leave[0] != step.identity:
                raise RemitError(Reason.APPROVAL_REQUIRED)
            leave[1].spend()
            self._used.add(step.identity)
            self.steps += 1
            sent.append(self._call.intend(kind, "goal step"))

        return await self._session.click(
            step.seen,
            frame.index,
            step.control,
            on_dispatch=dispatching,
            origins=self._session.allowed if sends else None,
        )

    async def _download(self, step: Step, sent: list[Sent]) -> bool:
        """Whether anything came of the click; a file that did is kept if it is what was asked."""
        address = self._session.url
        async with self._session.expecting_download(MOST_BYTES) as expected:
            effect = await self._press(step, sent)
            arrived = await expected.arrival(BEGIN_S if effect.kind in ("none", "changed") else LATE_S, DOWNLOAD_S)
        if arrived is None:
            return effect.kind != "none"
        if self._wish.marks and not (step.named or self._here or self._wish.names(arrived.name)):
            raise RemitError(Reason.DOWNLOAD_REFUSED)
        writing = self._call.intend(EffectKind.WRITE_FILE, "download")
        sent.append(writing)
        self._kept = await in_thread(lambda: keep(arrived, self._wish, self._call.settings.files_dir))
        if self._session.url != address:
            await self._session.back()
        return True


def _step(seen: Observation, control: int, named: bool) -> Step:
    return Step(seen, control, identity(seen.main, seen.main.controls[control]), named)


def _settle(effects: list[Sent], outcome: Settled) -> None:
    for effect in effects:
        effect.settle(outcome)
