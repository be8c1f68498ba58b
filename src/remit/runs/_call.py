"""What an executor gets to work with: its limits, its rooms, its journal, and a way to say how far it is."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

import anyio.to_thread
from pydantic import BaseModel

from remit.authority import AuditKind, Facts, Grants
from remit.contract import Capability, Envelope, Manifest, Outcome, Reason, RemitError, ResultModel, Spent
from remit.handoff import Answer, NeedsPersonError, Pending, Question, Through, Verdict
from remit.loop import Budget, Clock
from remit.settings import Settings

from ._authority import Authority, Leave
from ._kept import KeptSession, kept_session

if TYPE_CHECKING:
    from remit.browser import Broker
    from remit.models import Models
    from remit.records import Datasets
    from remit.vault import Vault

    from ._journal import Journal, StoredRun
    from ._rooms import Rooms

A_contra = TypeVar("A_contra", bound=BaseModel, contravariant=True)
R_co = TypeVar("R_co", bound=ResultModel, covariant=True)


_NOES = {
    Verdict.REFUSED: Reason.REFUSED,
    Verdict.CANCELLED: Reason.CANCELLED,
    Verdict.EXPIRED: Reason.NOT_ANSWERED,
}
Report = Callable[[float, float | None, str], Awaitable[None]]
"""Sends progress to the client: done, total, message. `done` always increases."""


class Executor(Protocol[A_contra, R_co]):
    """One tool's work. `Arguments` and `Result` are the models the manifest is held against."""

    arguments_model: ClassVar[type[BaseModel]]
    result_model: ClassVar[type[ResultModel]]

    async def run(self, call: Call, arguments: A_contra) -> Outcome[Any]:
        """Do it. A RemitError becomes a typed failure; anything else an internal one."""


class EffectKind(StrEnum):
    """What changes something outside Remit."""

    OPEN = "open"
    CLICK = "click"
    TYPE = "type"
    SUBMIT = "submit"
    WRITE_FILE = "write_file"
    CLOSE = "close"


class Settled(StrEnum):
    """What became of an effect."""

    OBSERVED = "observed"
    NOT_OBSERVED = "not_observed"
    NOT_SENT = "not_sent"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a call is: counts, and a phrase of ours."""

    done: float
    total: float | None
    message: str


@dataclass(frozen=True, slots=True)
class Effect:
    """An effect with an intent in the journal."""

    id: int
    _settle: Callable[[int, str], None]

    def settle(self, outcome: Settled) -> None:
        """Say what was observed of it."""
        if self.id:
            self._settle(self.id, outcome.value)


class Call:
    """One call of one executor. Rooms open only where the manifest grants the capability."""

    def __init__(
        self,
        *,
        run_id: str | None,
        principal: str,
        manifest: Manifest,
        rooms: Rooms,
        clock: Clock,
        on_progress: Callable[[Progress], None],
        attend: Callable[[str, str, bool, Report | None], Awaitable[Envelope]],
        ask: Callable[[Question], Awaitable[Pending]],
        resumes: str | None = None,
    ) -> None:
        self.run_id = run_id
        self.resumes = resumes
        self.principal = principal
        self.manifest = manifest
        self.limits = manifest.limits
        self.budget = Budget(manifest.limits, clock)
        self._clock = clock
        self._targets: list[Budget] = []
        self.kept: dict[str, Any] = {}
        self._grants = Grants(manifest.capabilities)
        self._rooms = rooms
        self._on_progress = on_progress
        self._attend = attend
        self._ask = ask

    @property
    def settings(self) -> Settings:
        """The configuration of this process."""
        return self._rooms.settings

    @property
    def spent(self) -> Spent:
        """What the call cost so far."""
        budgets = (self.budget, *self._targets)
        return Spent(
            self.budget.elapsed,
            sum(budget.attempts for budget in budgets),
            sum(budget.actions for budget in budgets),
            sum(budget.model_calls for budget in budgets),
        )

    def budget_for_target(self) -> Budget:
        """The manifest's limits anew, for one of several targets of the call; its cost is the call's."""
        budget = Budget(self.limits, self._clock)
        self._targets.append(budget)
        return budget

    async def broker(self) -> Broker:
        """Browser sessions."""
        self._grants.require(Capability.BROWSER_NAVIGATE, Capability.BROWSER_ACT)
        return await self._rooms.broker()

    async def models(self) -> Models:
        """The local model."""
        self._grants.require(Capability.MODEL_LOCAL)
        return await self._rooms.models()

    @property
    def vault(self) -> Vault:
        """Credentials."""
        self._grants.require(Capability.VAULT_USE, Capability.VAULT_LIST, Capability.VAULT_WRITE)
        return self._rooms.vault

    @property
    def sessions(self) -> Journal:
        """What is remembered of browser sessions beyond their process."""
        self._grants.require(Capability.BROWSER_NAVIGATE, Capability.BROWSER_ACT)
        return self._rooms.journal

    async def kept_session(self, session_id: str) -> KeptSession | None:
        """The encrypted browser state of a session that ended with its process, where its credential keeps it.

        No credential is opened for it, so it needs no authority over the vault.

        Raises:
            RemitError: UNKNOWN_SESSION, this principal never had it; or why the vault could not be read.
        """
        self._grants.require(Capability.BROWSER_NAVIGATE, Capability.BROWSER_ACT)
        before = self._rooms.journal.session_of_before(session_id, self.principal)
        if before is None:
            raise RemitError(Reason.UNKNOWN_SESSION)
        if before.credential_id is None:
            return None
        return await anyio.to_thread.run_sync(kept_session, self._rooms, session_id, before.credential_id)

    @property
    def datasets(self) -> Datasets:
        """Collected records."""
        self._grants.require(Capability.RECORDS_READ, Capability.RECORDS_WRITE)
        return self._rooms.datasets.of(self.principal)

    def progress(self, done: float, total: float | None, message: str) -> None:
        """Say how far the call is. `message` is ours: counts and words of Remit, nothing of a page."""
        self._on_progress(Progress(done, total, message))

    @property
    def clicked_earlier(self) -> bool:
        """The run that this one takes up again used a control."""
        earlier = [] if self.resumes is None else self._rooms.journal.effects(self.resumes)
        return any(kind in (EffectKind.CLICK, EffectKind.SUBMIT) for kind, _, _ in earlier)

    def intend(self, kind: EffectKind, target: str) -> Effect:
        """Journal that an effect is about to be sent; call it immediately before the dispatch.

        `target` is in closed words or a digest, never an address, a name on a page or a value.
        """
        if self.run_id is None:
            return Effect(0, lambda _id, _outcome: None)
        number = self._rooms.journal.intend(self.run_id, kind.value, target)
        facts = {"executor": self.manifest.name, "effect": kind, "number": number}
        self._rooms.log.append(AuditKind.EFFECT_INTENDED, self.run_id, Facts.model_validate(facts))
        return Effect(number, self._settle)

    def _settle(self, number: int, outcome: str) -> None:
        self._rooms.journal.settle(number, outcome)
        facts = Facts(executor=self.manifest.name, outcome=Settled(outcome), number=number)
        self._rooms.log.append(AuditKind.EFFECT_SETTLED, self.run_id, facts)

    def checkpoint(self, fields: ResultModel, notes: dict[str, Any] | None = None) -> None:
        """Keep a result that stands even if the run ends here; `notes` are for the run that may take it up again."""
        self.kept = fields.model_dump(mode="json", exclude_none=True)
        if self.run_id is not None:
            self._rooms.journal.checkpoint(self.run_id, self.kept, notes)

    def together(self) -> AbstractContextManager[None]:
        """What is written of records, checkpoints and effects inside is on disk as a whole or not at all."""
        return self._rooms.database.transaction()

    @property
    def earlier(self) -> StoredRun | None:
        """The run that this one takes up again, as it ended."""
        return self._rooms.journal.get(self.resumes) if self.resumes is not None else None

    async def ask(self, question: Question) -> Answer:
        """Ask a person and wait; every clock of the call stands still meanwhile, and nothing is reset.

        Raises:
            NeedsPersonError: this call is no run, so nobody could answer it.
            RemitError: REFUSED, CANCELLED, or NOT_ANSWERED in time.
        """
        return (await self._answered(question)).given

    async def leave(
        self, capability: Capability, question: Question, *, consented: bool = True, within: str | None = None
    ) -> Leave:
        """Obtain leave for one effect; asks a person, as `ask` does, where neither policy nor an earlier yes decides.

        Spend it immediately before the dispatch. For the arguments and errors see `Authority.leave`.
        """
        authority = Authority(
            self.manifest,
            self.principal,
            self.run_id,
            self._rooms.policy,
            lambda: self._rooms.approvals,
            self._rooms.log,
            self._answered,
        )
        return await authority.leave(capability, question, consented=consented, within=within)

    async def _answered(self, question: Question) -> Pending:
        if self.run_id is None:
            raise NeedsPersonError(question)
        with ExitStack() as clocks:
            for budget in (self.budget, *self._targets):
                clocks.enter_context(budget.paused())
            pending = await self._ask(question)
        if not pending.given.is_yes:
            raise RemitError(_NOES[pending.given.verdict])
        return pending

    def withdraw(self, session_id: str) -> None:
        """Cancel the questions of this principal's runs that wait with a session, for the session is about to end."""
        for pending in self._rooms.desk.open_questions():
            if pending.question.session_id == session_id and pending.principal == self.principal:
                self._rooms.desk.answer(pending.id, Answer(Verdict.CANCELLED, Through.RUN))

    async def attend(self, run_id: str, *, cancel: bool = False) -> Envelope:
        """Wait for, or cancel, another run of the same principal."""

        async def report(done: float, total: float | None, message: str) -> None:
            self.progress(done, total, message)

        return await self._attend(run_id, self.principal, cancel, report)
