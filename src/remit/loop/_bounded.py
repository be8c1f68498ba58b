"""observe → verify → resolve → admit → gate → execute, again, within limits. A generator: it asks, a driver does.

The postcondition is looked at first, so work that is already done ends at once and nothing is sent for it. After each
execution it is looked at again; what an execution itself says proves nothing.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, Protocol, TypeVar

from remit.contract import Reason

from ._budget import Budget

P = TypeVar("P")
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
O_contra = TypeVar("O_contra", contravariant=True)


class Stage(StrEnum):
    """The operations a driver carries out."""

    OBSERVE = "observe"
    VERIFY = "verify"
    RESOLVE = "resolve"
    ADMIT = "admit"
    GATE = "gate"
    EXECUTE = "execute"


class Source(StrEnum):
    """Who made a proposal."""

    DETERMINISTIC = "deterministic"
    MODEL = "model"


class Ending(StrEnum):
    """How a loop ends."""

    COMPLETED = "completed"
    INCONCLUSIVE = "inconclusive"
    EXHAUSTED = "exhausted"


class VerdictKind(StrEnum):
    """What an observation says of the postcondition."""

    REACHED = "reached"
    NOT_YET = "not_yet"
    IMPOSSIBLE = "impossible"


@dataclass(frozen=True, slots=True)
class Verdict(Generic[T]):
    """The postcondition as observed. `value` is what was established, `reason` why it cannot be reached."""

    kind: VerdictKind
    value: T | None = None
    reason: Reason | None = None


@dataclass(frozen=True, slots=True)
class Proposal(Generic[P]):
    """Something to do, and who proposed it."""

    action: P
    source: Source = Source.DETERMINISTIC


@dataclass(frozen=True, slots=True)
class Attempt:
    """One round, in closed terms only."""

    number: int
    source: Source | None
    stage: Stage
    reason: Reason | None


@dataclass(frozen=True, slots=True)
class LoopOutcome(Generic[T]):
    """The end of a loop. `source` is who proposed the last thing done, None if nothing was."""

    ending: Ending
    value: T | None = None
    source: Source | None = None
    reason: Reason | None = None
    attempts: tuple[Attempt, ...] = field(default_factory=tuple)


class Adapter(Protocol[O_contra, P, T_co]):
    """What a task must bring. Methods may be plain or, for the asynchronous driver, coroutines."""

    def observe(self) -> Any:
        """See the world as it is: O."""

    def verify(self, observation: O_contra, last: Proposal[P] | None) -> Any:
        """Hold the observation against the postcondition: Verdict[T]."""

    def resolve(self, observation: O_contra, feedback: Reason | None) -> Any:
        """Propose one thing to do, or None: Proposal[P] | None. `feedback` says why the last one was rejected."""

    def admit(self, observation: O_contra, proposal: Proposal[P]) -> Any:
        """Say why the proposal may not be done: Reason | None. Nothing happens here."""

    def gate(self, observation: O_contra, proposal: Proposal[P]) -> Any:
        """Obtain the authority to do it: Reason | None, a reason meaning no."""

    def execute(self, proposal: Proposal[P]) -> Any:
        """Do it once."""


@dataclass(frozen=True, slots=True)
class Operation:
    """What the generator asks the driver to call: an adapter's method and its arguments."""

    stage: Stage
    arguments: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """What the driver answers: a value, or the reason why the stage failed."""

    value: Any = None
    failure: Reason | None = None


class _EndedError(Exception):
    """Leaves the rounds with an ending."""

    def __init__(self, ending: Ending, stage: Stage, reason: Reason | None, value: Any = None) -> None:
        self.ending, self.stage, self.reason, self.value = ending, stage, reason, value


Asking = Generator[Operation, Reply, Any]


def bounded(budget: Budget) -> Generator[Operation, Reply, LoopOutcome[Any]]:
    """Drive one task to an end.

    Ends as completed when `verify` says reached; inconclusive when nothing is admitted, authority is refused or a stage
    fails; exhausted when attempts, actions or time are gone. The elapsed limit stops further attempts and never cancels
    an operation under way, which has a timeout of its own.
    """
    history: list[Attempt] = []
    last: Proposal[Any] | None = None
    try:
        while True:
            observation = yield from _value(Stage.OBSERVE)
            verdict: Verdict[Any] = yield from _value(Stage.VERIFY, observation, last)
            _judge(verdict)
            last = yield from _round(budget, history, observation)
    except _EndedError as end:
        history.append(Attempt(budget.attempts, last.source if last else None, end.stage, end.reason))
        kept = tuple(history[-budget.limits.history_items :]) if budget.limits.history_items else ()
        return LoopOutcome(end.ending, end.value, last.source if last else None, end.reason, kept)


def _judge(verdict: Verdict[Any]) -> None:
    if verdict.kind is VerdictKind.REACHED:
        raise _EndedError(Ending.COMPLETED, Stage.VERIFY, verdict.reason, verdict.value)
    if verdict.kind is VerdictKind.IMPOSSIBLE:
        raise _EndedError(Ending.INCONCLUSIVE, Stage.VERIFY, verdict.reason, verdict.value)


def _round(budget: Budget, history: list[Attempt], observation: Any) -> Generator[Operation, Reply, Proposal[Any]]:
    """One attempt: at most one rejected proposal, at most one execution."""
    proposal = yield from _admitted(budget, history, observation)
    refusal = yield from _value(Stage.GATE, observation, proposal)
    if refusal is not None:
        raise _EndedError(Ending.INCONCLUSIVE, Stage.GATE, refusal)
    if not budget.spend_actions():
        raise _EndedError(Ending.EXHAUSTED, Stage.GATE, Reason.ACTION_LIMIT)
    reply = yield Operation(Stage.EXECUTE, (proposal,))
    # A failed execution may still have acted: the next observation decides, not the error.
    history.append(Attempt(budget.attempts, proposal.source, Stage.EXECUTE, reply.failure))
    return proposal


def _admitted(budget: Budget, history: list[Attempt], observation: Any) -> Generator[Operation, Reply, Proposal[Any]]:
    feedback: Reason | None = None
    while True:
        _spend_attempt(budget)
        proposal: Proposal[Any] | None = yield from _value(Stage.RESOLVE, observation, feedback)
        if proposal is None:
            raise _EndedError(Ending.INCONCLUSIVE, Stage.RESOLVE, feedback or Reason.INCONCLUSIVE)
        rejection: Reason | None = yield from _value(Stage.ADMIT, observation, proposal)
        if rejection is None:
            return proposal
        history.append(Attempt(budget.attempts, proposal.source, Stage.ADMIT, rejection))
        if feedback is not None:
            raise _EndedError(Ending.INCONCLUSIVE, Stage.ADMIT, rejection)
        feedback = rejection


def _spend_attempt(budget: Budget) -> None:
    if budget.out_of_time:
        raise _EndedError(Ending.EXHAUSTED, Stage.RESOLVE, Reason.TIME_LIMIT)
    if budget.attempts >= budget.limits.attempts:
        raise _EndedError(Ending.EXHAUSTED, Stage.RESOLVE, Reason.EXHAUSTED)
    budget.attempts += 1


def _value(stage: Stage, *arguments: Any) -> Asking:
    reply = yield Operation(stage, arguments)
    if reply.failure is not None:
        raise _EndedError(Ending.INCONCLUSIVE, stage, reply.failure)
    return reply.value
