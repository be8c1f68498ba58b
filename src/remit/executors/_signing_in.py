"""One sign-in as a bounded task: find the form, fill it, submit once, and believe only what is then observed."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from remit.browser import (
    Ambiguous,
    CodeTarget,
    LoginFact,
    LoginTarget,
    Observation,
    Session,
    account_came,
    challenge_stands,
    login_outcome,
    login_target,
    may_name,
    signed_in_signs,
)
from remit.contract import Capability, Reason, RemitError, Secret
from remit.handoff import Asked, Effect, Question
from remit.loop import Budget, NotFound, Proposal, Verdict, VerdictKind, run_search
from remit.runs import Call, Settled, fingerprint

from ._cool_down import seconds_left
from ._entering import Entering
from ._known_route import Path
from ._one_time import MOST_CODES, CodeGoal, code_length, fresh_code, takes_code
from ._route import Goal, SignInWorld, replay
from ._shared import in_thread
from ._sight import calm_sight

if TYPE_CHECKING:
    from remit.models import Models
    from remit.vault import Credential

PATIENCE_S = 12.0
"""How long the page is watched after a submit before being signed in counts as not observed, in seconds."""
PROBE_S = 4.0
"""After so long without a sign, the page that asked to sign in is opened again, in seconds."""

_FACTS = {
    LoginFact.REJECTED: Reason.REJECTED,
    LoginFact.CHALLENGE: Reason.CHALLENGE,
    LoginFact.ONE_TIME_CODE: Reason.ONE_TIME_CODE,
    LoginFact.PARTIAL_PASSWORD: Reason.PARTIAL_PASSWORD,
    LoginFact.TOO_MANY_ATTEMPTS: Reason.TOO_MANY_ATTEMPTS,
    LoginFact.CHANGE_PASSWORD: Reason.CHANGE_PASSWORD,
    LoginFact.ACCEPT_TERMS: Reason.TERMS,
    LoginFact.ACCOUNT_LOCKED: Reason.ACCOUNT_LOCKED,
    LoginFact.MAINTENANCE: Reason.MAINTENANCE,
}
_STANDING = (
    LoginFact.PARTIAL_PASSWORD,
    LoginFact.CHALLENGE,
    LoginFact.ONE_TIME_CODE,
    LoginFact.CHANGE_PASSWORD,
    LoginFact.MAINTENANCE,
)
"""What may stand where a sign-in form was looked for."""

Act = Goal | CodeGoal


@dataclass(frozen=True, slots=True)
class SignedIn:
    """Being signed in was observed; `already` before anything was typed."""

    already: bool


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A sign-in whose password left, and that a person must go on with: what a later look is held against."""

    credential_id: str
    before: Observation
    form_left: Observation | None
    marks: Mapping[str, str]


class SignIn:
    """The adapter. One credential for the whole way; each step of the form is sent at most once.

    `known` is the way to the form that led to being signed in before; `route` the one that was taken now.
    """

    def __init__(
        self,
        call: Call,
        session: Session,
        credential: Credential,
        budget: Budget,
        models: Models | None,
        *,
        known: Path = (),
        unfinished: Unfinished | None = None,
        code: Secret | None = None,
    ) -> None:
        self._call = call
        self._session = session
        self._credential = credential
        self._budget = budget
        self._models = models
        self._known = known
        self._names = frozenset(map(str, credential.origins))
        self._entering = Entering(call, session, credential)
        self._marks: Mapping[str, str] = {}
        self._asked_for: str | None = None
        self._latest: Observation | None = None
        self._resumed = unfinished
        self._given = code
        self._has_leave = False
        self.route: Path = ()

    @property
    def secret_sent(self) -> bool:
        """The password left, now or before a person was waited for."""
        return self._resumed is not None or self._entering.secret_sent

    @property
    def unfinished(self) -> Unfinished | None:
        """What a later look is held against; None before the password left."""
        before = self._entering.before
        if not self.secret_sent or before is None:
            return None
        return Unfinished(self._credential.id, before, self._entering.form_left, self._marks)

    async def observe(self) -> Observation:
        """The page as it stands."""
        return await calm_sight(self._session)

    async def verify(self, seen: Observation, last: Proposal[Act] | None) -> Verdict[SignedIn]:
        """Whether being signed in, or something that forbids it, is observed."""
        if last is None and self._resumed is not None:
            self._entering.before, self._marks = self._resumed.before, self._resumed.marks
            self._entering.form_left = self._resumed.form_left
            return await self._watch(seen)
        if last is None:
            return await self._first(seen)
        if self._entering.failure is not None:
            return Verdict(VerdictKind.IMPOSSIBLE, reason=self._entering.failure)
        return await self._watch(seen)

    async def _first(self, seen: Observation) -> Verdict[SignedIn]:
        self._marks = await self._session.cookie_marks(self._credential.session_cookies)
        target = login_target(seen, self._names)
        if signed_in_signs(seen.main).strong and target is None:
            seen, target = await self._as_it_is_now(seen)
        if signed_in_signs(seen.main).strong and target is None:
            return Verdict(VerdictKind.REACHED, SignedIn(True))
        if isinstance(target, LoginTarget) and _place(self._session.url) != _place(self._session.home):
            self._asked_for = self._session.home
        return Verdict(VerdictKind.NOT_YET)

    async def _as_it_is_now(self, seen: Observation) -> tuple[Observation, LoginTarget | Ambiguous | None]:
        """Opened anew where an earlier call signed in: an old page does not tell whether the session still lives."""
        if self._session.credential_id is not None:
            await self._session.goto(self._session.url)
            seen = self._latest = await calm_sight(self._session)
        return seen, login_target(seen, self._names)

    async def _watch(self, seen: Observation) -> Verdict[SignedIn]:
        """Look until something decides or patience ends. Nothing is sent meanwhile."""
        start = time.monotonic()
        end = start + min(PATIENCE_S, max(1.0, self._budget.seconds_left))
        while True:
            self._latest = seen
            verdict = await self._judge(seen)
            if verdict is not None:
                return verdict
            if time.monotonic() - start >= min(PROBE_S, PATIENCE_S) and self._may_ask_again(seen):
                return await self._ask_again()
            left = end - time.monotonic()
            if left <= 0:
                return self._undecided(seen)
            await self._session.changed(min(1.0, left))
            seen = await calm_sight(self._session)

    async def _judge(self, seen: Observation) -> Verdict[SignedIn] | None:
        target = login_target(seen, self._names)
        fact = self._fact(seen)
        if fact is LoginFact.ONE_TIME_CODE and self.secret_sent and self._has_code:
            return await self._judge_code()
        if fact in _FACTS and (self.secret_sent or fact is not LoginFact.REJECTED):
            return self._impossible(_FACTS[fact])
        if isinstance(target, LoginTarget) and target.step not in self._entering.sent and not self.secret_sent:
            self._entering.settle(Settled.OBSERVED)
            return Verdict(VerdictKind.NOT_YET)
        if self.secret_sent and target is None and (self._is_signed_in(seen) or await self._cookie_changed()):
            self._entering.settle(Settled.OBSERVED)
            return Verdict(VerdictKind.REACHED, SignedIn(False))
        return None

    @property
    def _has_code(self) -> bool:
        return self._given is not None or self._credential.totp is not None

    def _fact(self, seen: Observation) -> LoginFact:
        before = self._entering.before
        return login_outcome(before, seen).fact if before is not None else LoginFact.NONE

    async def _judge_code(self) -> Verdict[SignedIn] | None:
        """A code is asked for, and the credential may answer: once, and once more after a rejection."""
        if await self._entering.code_stands():
            return None
        if len(self._entering.codes) >= MOST_CODES:
            return self._impossible(Reason.CODE_REJECTED)
        self._entering.settle(Settled.OBSERVED)
        return Verdict(VerdictKind.NOT_YET)

    def _impossible(self, reason: Reason) -> Verdict[SignedIn]:
        self._entering.settle(Settled.OBSERVED)
        return Verdict(VerdictKind.IMPOSSIBLE, reason=reason)

    def _undecided(self, seen: Observation) -> Verdict[SignedIn]:
        """Patience is over: the same form again, emptied, is a rejection; anything else is not known."""
        self._entering.settle(Settled.NOT_OBSERVED)
        target = login_target(seen, self._names)
        again = isinstance(target, LoginTarget) and target.password is not None and self._entering.secret_sent
        if challenge_stands(seen):
            return Verdict(VerdictKind.IMPOSSIBLE, reason=Reason.CHALLENGE)
        return Verdict(VerdictKind.IMPOSSIBLE, reason=Reason.REJECTED if again else Reason.NOT_VERIFIED)

    def _is_signed_in(self, seen: Observation) -> bool:
        """After a submit: the page asks for no sign-in any more, and offers a sign-out or account that is new."""
        signs, before = signed_in_signs(seen.main), self._entering.before
        if seen.main.origin not in self._names or not signs.no_login_surface or before is None:
            return False
        left = signs.sign_out and not signed_in_signs(before.main).sign_out
        return left or account_came(before.main, seen.main)

    async def _cookie_changed(self) -> bool:
        names = self._credential.session_cookies
        return bool(names) and await self._session.cookie_marks(names) != self._marks

    def _may_ask_again(self, seen: Observation) -> bool:
        """Nothing on the page decides, and the page that was opened at first led to the form: it can be a witness."""
        if self._asked_for is None or not self.secret_sent or not _empty(seen, self._names):
            return False
        return self._budget.spend_actions()

    async def _ask_again(self) -> Verdict[SignedIn]:
        """Open the page that led to the sign-in form before; if it does not any more, that is being signed in."""
        wanted, self._asked_for = self._asked_for or "", None
        await self._session.goto(wanted)
        there = await calm_sight(self._session)
        let_in = _place(self._session.url) == _place(wanted) and _empty(there, self._names)
        self._entering.settle(Settled.OBSERVED if let_in else Settled.NOT_OBSERVED)
        if let_in:
            return Verdict(VerdictKind.REACHED, SignedIn(False))
        return Verdict(VerdictKind.IMPOSSIBLE, reason=Reason.NOT_VERIFIED)

    async def resolve(self, seen: Observation, feedback: Reason | None) -> Proposal[Act] | None:
        """The form to fill: on this page, else where the search finds it."""
        if feedback is not None:
            return None
        seen = self._latest or seen  # the page went on while it was watched
        if self.secret_sent:
            return await self._code(seen)
        if await in_thread(lambda: seconds_left(self._call.vault, self._credential.id)):
            raise RemitError(Reason.COOL_DOWN)
        target = login_target(seen, self._names)
        if isinstance(target, LoginTarget):
            return Proposal(Goal(seen, target))
        if isinstance(target, Ambiguous):
            raise RemitError(Reason.AMBIGUOUS)
        return None if self._entering.sent else await self._search()

    async def _code(self, seen: Observation) -> Proposal[Act] | None:
        target = self._entering.code_target(seen)
        given, self._given = self._given, None
        length = len(given.reveal()) if given is not None else code_length(self._credential)
        if not isinstance(target, CodeTarget) or not takes_code(seen, target, length):
            raise RemitError(Reason.ONE_TIME_CODE)
        code = given or await fresh_code(self._credential, self._entering.codes)
        now = await calm_sight(self._session)
        target = self._entering.code_target(now)
        return Proposal(CodeGoal(now, target, code)) if isinstance(target, CodeTarget) else None

    async def _search(self) -> Proposal[Act]:
        if self._credential.login_url is not None:
            await self._session.goto(self._credential.login_url)
        world = SignInWorld(self._call, self._session, self._names, self._models, self._budget)
        if self._known:
            goal = await replay(world, self._known, self._budget)
            if goal is not None:
                self.route = self._known
                return Proposal(goal)
            await self._session.goto(world.start)
        found = await run_search(world, self._budget)
        if isinstance(found, NotFound):
            raise RemitError(await self._why_not(world, found))
        self.route = found.path
        return Proposal(found.goal)

    async def _why_not(self, world: SignInWorld, found: NotFound) -> Reason:
        if world.ambiguous:
            return Reason.AMBIGUOUS
        if found.reason is not Reason.INCONCLUSIVE:
            return found.reason
        seen = await calm_sight(self._session)
        nothing = replace(seen.main, controls=(), forms=(), overlays=(), nodes=())
        facts = login_outcome(Observation((nothing,)), seen).facts
        everywhere = frozenset(frame.origin for frame in seen.frames if frame.origin)
        elsewhere = world.elsewhere or isinstance(login_target(seen, everywhere), LoginTarget)
        nowhere = Reason.ORIGIN_NOT_ALLOWED if elsewhere else Reason.NO_LOGIN_FORM
        return next((_FACTS[fact] for fact in _STANDING if fact in facts), nowhere)

    def admit(self, seen: Observation, proposal: Proposal[Act]) -> Reason | None:
        """Never a step twice, never another's name, never a field that is covered."""
        del seen
        goal = proposal.action
        if goal.target.covered:
            return Reason.COVERED
        if not self._entering.posts_home(goal.seen, goal.target.frame, goal.target.form):
            return Reason.ORIGIN_NOT_ALLOWED
        return None if isinstance(goal, CodeGoal) else self._admit_login(goal.target)

    def _admit_login(self, target: LoginTarget) -> Reason | None:
        if target.step in self._entering.sent or (self.secret_sent and target.password is not None):
            return Reason.NOT_VERIFIED
        own = self._credential.username.reveal()
        return None if may_name(target.identity_text, own) else Reason.IDENTITY_MISMATCH

    async def gate(self, seen: Observation, proposal: Proposal[Act]) -> Reason | None:
        """A person gave the authority when the credential was stored for this origin; the policy may want more."""
        del seen, proposal
        if not self._has_leave:
            leave = await self._call.leave(Capability.VAULT_USE, self._question(), consented=False)
            leave.spend()
            self._has_leave = True
        return None

    def _question(self) -> Question:
        return Question(
            Asked.CONSENT,
            Reason.APPROVAL_REQUIRED,
            site=self._session.origin,
            session_id=self._session.id,
            tool="login_sites",
            effect=Effect.SIGN_IN,
            subject=self._credential.label,
            fingerprint=fingerprint(self._session.id, self._credential.id),
        )

    async def execute(self, proposal: Proposal[Act]) -> None:
        """Fill and submit once. Once typing begins, no model is asked and nothing is explored."""
        goal = proposal.action
        if isinstance(goal, CodeGoal):
            await self._entering.enter_code(goal)
        else:
            await self._entering.enter(goal)


def _place(url: str) -> tuple[str, str, str]:
    """What tells pages apart: origin, path and fragment; a query may carry anything."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}", parts.path.rstrip("/"), parts.fragment


def _empty(seen: Observation, names: frozenset[str]) -> bool:
    """A page of the credential's own that asks for nothing a sign-in asks for."""
    if seen.main.origin not in names or login_target(seen, names) is not None:
        return False
    return signed_in_signs(seen.main).no_login_surface and not login_outcome(seen, seen).facts & set(_FACTS)
