"""One sign-in as a bounded task: find the form, fill it, submit once, and believe only what is then observed."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from remit.browser import (
    Ambiguous,
    Filled,
    FillError,
    Frame,
    LoginFact,
    LoginTarget,
    Observation,
    Session,
    Step,
    account_came,
    identity,
    login_outcome,
    login_target,
    signed_in_signs,
)
from remit.contract import AddressError, Origin, Reason, RemitError
from remit.loop import Budget, NotFound, Proposal, Verdict, VerdictKind, run_search
from remit.runs import Call, Effect, Settled
from remit.runs import EffectKind as JournalKind

from ._route import Goal, SignInWorld
from ._sight import calm_sight

if TYPE_CHECKING:
    from remit.models import Models
    from remit.vault import Credential

PATIENCE_S = 12.0
"""How long the page is watched after a submit before being signed in counts as not observed, in seconds."""
ENABLE_S = 5.0
"""How long a submit control may take to become enabled, in seconds."""

_FACTS = {
    LoginFact.REJECTED: Reason.REJECTED,
    LoginFact.CHALLENGE: Reason.CHALLENGE,
    LoginFact.ONE_TIME_CODE: Reason.ONE_TIME_CODE,
    LoginFact.TOO_MANY_ATTEMPTS: Reason.TOO_MANY_ATTEMPTS,
    LoginFact.CHANGE_PASSWORD: Reason.CHANGE_PASSWORD,
    LoginFact.ACCEPT_TERMS: Reason.TERMS,
    LoginFact.ACCOUNT_LOCKED: Reason.ACCOUNT_LOCKED,
    LoginFact.MAINTENANCE: Reason.MAINTENANCE,
}


@dataclass(frozen=True, slots=True)
class SignedIn:
    """Being signed in was observed; `already` before anything was typed."""

    already: bool


class SignIn:
    """The adapter. One credential for the whole way; each step of the form is sent at most once."""

    def __init__(
        self, call: Call, session: Session, credential: Credential, budget: Budget, models: Models | None
    ) -> None:
        self._call = call
        self._session = session
        self._credential = credential
        self._budget = budget
        self._models = models
        self._origins = frozenset(credential.origins)
        self._names = frozenset(map(str, credential.origins))
        self._sent: set[Step] = set()
        self._before: Observation | None = None
        self._failure: Reason | None = None
        self._effects: list[Effect] = []
        self._marks: dict[str, str] = {}

    @property
    def secret_sent(self) -> bool:
        """The password left."""
        return bool(self._sent & {Step.WHOLE, Step.PASSWORD_SECOND})

    async def observe(self) -> Observation:
        """The page as it stands."""
        return await calm_sight(self._session)

    async def verify(self, seen: Observation, last: Proposal[Goal] | None) -> Verdict[SignedIn]:
        """Whether being signed in, or something that forbids it, is observed."""
        if last is None:
            self._marks = await self._session.cookie_marks(self._credential.session_cookies)
            already = signed_in_signs(seen.main).strong and login_target(seen, self._names) is None
            return Verdict(VerdictKind.REACHED, SignedIn(True)) if already else Verdict(VerdictKind.NOT_YET)
        if self._failure is not None:
            return Verdict(VerdictKind.IMPOSSIBLE, reason=self._failure)
        return await self._watch(seen)

    async def _watch(self, seen: Observation) -> Verdict[SignedIn]:
        """Look until something decides or patience ends. Nothing is sent meanwhile."""
        end = time.monotonic() + min(PATIENCE_S, max(1.0, self._budget.seconds_left))
        while True:
            verdict = await self._judge(seen)
            if verdict is not None:
                return verdict
            left = end - time.monotonic()
            if left <= 0:
                return self._undecided(seen)
            await self._session.changed(min(1.0, left))
            seen = await calm_sight(self._session)

    async def _judge(self, seen: Observation) -> Verdict[SignedIn] | None:
        target = login_target(seen, self._names)
        fact = login_outcome(self._before, seen).fact if self._before is not None else LoginFact.NONE
        if fact in _FACTS and (self.secret_sent or fact is not LoginFact.REJECTED):
            self._settle(Settled.OBSERVED)
            return Verdict(VerdictKind.IMPOSSIBLE, reason=_FACTS[fact])
        if isinstance(target, LoginTarget) and target.step not in self._sent and not self.secret_sent:
            self._settle(Settled.OBSERVED)
            return Verdict(VerdictKind.NOT_YET)
        if self.secret_sent and target is None and (self._is_signed_in(seen) or await self._cookie_changed()):
            self._settle(Settled.OBSERVED)
            return Verdict(VerdictKind.REACHED, SignedIn(False))
        return None

    def _undecided(self, seen: Observation) -> Verdict[SignedIn]:
        """Patience is over: the same form again, emptied, is a rejection; anything else is not known."""
        self._settle(Settled.NOT_OBSERVED)
        target = login_target(seen, self._names)
        again = isinstance(target, LoginTarget) and target.password is not None and self.secret_sent
        return Verdict(VerdictKind.IMPOSSIBLE, reason=Reason.REJECTED if again else Reason.NOT_VERIFIED)

    def _is_signed_in(self, seen: Observation) -> bool:
        """After a submit: the page asks for no sign-in any more, and offers a sign-out or account that is new."""
        signs = signed_in_signs(seen.main)
        if seen.main.origin not in self._names or not signs.no_login_surface or self._before is None:
            return False
        left = signs.sign_out and not signed_in_signs(self._before.main).sign_out
        return left or account_came(self._before.main, seen.main)

    async def _cookie_changed(self) -> bool:
        names = self._credential.session_cookies
        return bool(names) and await self._session.cookie_marks(names) != self._marks

    def _settle(self, outcome: Settled) -> None:
        for effect in self._effects:
            effect.settle(outcome)
        self._effects.clear()

    async def resolve(self, seen: Observation, feedback: Reason | None) -> Proposal[Goal] | None:
        """The form to fill: on this page, else where the search finds it."""
        if feedback is not None:
            return None
        target = login_target(seen, self._names)
        if isinstance(target, LoginTarget):
            return Proposal(Goal(seen, target))
        if isinstance(target, Ambiguous):
            raise RemitError(Reason.AMBIGUOUS)
        return None if self._sent else await self._search()

    async def _search(self) -> Proposal[Goal]:
        if self._credential.login_url is not None:
            await self._session.goto(self._credential.login_url)
        world = SignInWorld(self._call, self._session, self._names, self._models, self._budget)
        found = await run_search(world, self._budget)
        if isinstance(found, NotFound):
            if world.ambiguous:
                raise RemitError(Reason.AMBIGUOUS)
            raise RemitError(Reason.NO_LOGIN_FORM if found.reason is Reason.INCONCLUSIVE else found.reason)
        return Proposal(found.goal)

    def admit(self, seen: Observation, proposal: Proposal[Goal]) -> Reason | None:
        """Never a step twice, never another's name, never a field that is covered."""
        del seen
        target = proposal.action.target
        if target.step in self._sent or (self.secret_sent and target.password is not None):
            return Reason.NOT_VERIFIED
        if target.covered:
            return Reason.COVERED
        if not self._posts_home(proposal.action.seen, target):
            return Reason.ORIGIN_NOT_ALLOWED
        shown, own = target.identity_text.casefold(), self._credential.username.reveal().casefold()
        return Reason.IDENTITY_MISMATCH if shown and "@" in own and shown != own else None

    def _posts_home(self, seen: Observation, target: LoginTarget) -> bool:
        """Where a form says that it sends what is typed, that is an origin of the credential, too."""
        form = seen.frames[_at(seen, target)].forms[target.form]
        if not form.has_action or not form.action.startswith("http"):
            return True
        try:
            return Origin.of(form.action) in self._origins
        except AddressError:
            return False

    def gate(self, seen: Observation, proposal: Proposal[Goal]) -> Reason | None:
        """A person gave the authority when the credential was stored for this origin."""
        del seen, proposal
        return None

    async def execute(self, proposal: Proposal[Goal]) -> None:
        """Fill and submit once. Once typing begins, no model is asked and nothing is explored."""
        goal = proposal.action
        try:
            filled = await self._fill(goal)
            await self._submit(goal, filled)
        except RemitError as error:
            if goal.target.step not in self._sent:
                self._failure = error.reason
            raise

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
        self._before = seen

        def on_dispatch() -> None:
            self._sent.add(goal.target.step)
            self._effects.append(self._call.intend(JournalKind.SUBMIT, f"sign-in form, {goal.target.step.value}"))

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
            if not self._posts_home(seen, target):
                raise FillError(Reason.ORIGIN_NOT_ALLOWED)
            if target.submit is None or seen.frames[_at(seen, target)].controls[target.submit].usable:
                return seen, target
            if time.monotonic() >= end:
                raise FillError(Reason.SUBMIT_UNAVAILABLE)
            await self._session.changed(1.0)


def _at(seen: Observation, target: LoginTarget) -> int:
    return next(at for at, frame in enumerate(seen.frames) if frame.index == target.frame)


def _fields(seen: Observation, target: LoginTarget) -> tuple[object, ...]:
    frame: Frame = seen.frames[_at(seen, target)]
    ids = (target.username, target.password)
    return tuple(None if id_ is None else identity(frame, frame.controls[id_]) for id_ in ids)
