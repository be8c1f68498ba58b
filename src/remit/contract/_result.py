"""The one envelope of every result, and the only door through which anything leaves for the planner."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict

from ._reasons import Reason


class Status(StrEnum):
    """How a call ended, or that it has not."""

    DONE = "done"
    PARTIAL = "partial"
    NEEDS_USER = "needs_user"
    FAILED = "failed"
    RUNNING = "running"


ENVELOPE_PROPERTIES: dict[str, dict[str, Any]] = {
    "status": {"enum": [status.value for status in Status]},
    "reason": {"type": "string"},
    "message": {"type": "string"},
    "run_id": {"type": "string"},
    "spent": {"type": "object"},
    "next": {"type": "string"},
    "link": {"type": "string"},
}


class ResultModel(BaseModel):
    """Base of the typed fields an executor adds to the envelope. Every field is optional for the planner."""

    model_config = ConfigDict(frozen=True, extra="forbid")


R = TypeVar("R", bound=ResultModel)


@dataclass(frozen=True, slots=True)
class Spent:
    """What a call cost so far. `seconds` is active time."""

    seconds: float = 0.0
    attempts: int = 0
    actions: int = 0
    model_calls: int = 0
    frontier_calls: int = 0

    def payload(self) -> dict[str, Any]:
        """Only what is not zero."""
        values = {
            "seconds": round(self.seconds, 1),
            "attempts": self.attempts,
            "actions": self.actions,
            "model_calls": self.model_calls,
            "frontier_calls": self.frontier_calls,
        }
        return {name: value for name, value in values.items() if value}


@dataclass(frozen=True, slots=True)
class Outcome(Generic[R]):
    """What an executor returns: a status, its typed result if any, and why it is not simply done.

    `next` names the tool the planner may sensibly call now. `stored` is a whole payload that left before (another
    run's result, told again); it stands in for everything else.
    """

    status: Status
    result: R | None = None
    reason: Reason | None = None
    next: str | None = None
    stored: dict[str, Any] | None = None


def done(result: R, *, next: str | None = None) -> Outcome[R]:  # noqa: A002
    """The postcondition was observed."""
    return Outcome(Status.DONE, result, next=next)


def failed(reason: Reason, result: R | None = None) -> Outcome[R]:
    """A typed end without success; `result` may still say what was established."""
    return Outcome(Status.FAILED, result, reason)


@dataclass(frozen=True, slots=True)
class Envelope:
    """A result as it leaves: closed codes, our words, typed fields.

    `detail` is Remit's own text (field names, never values). `fields` are the executor's. `told` is a payload that left
    before and is told again as it was. `link` is the panel's page of the question that the run waits with.
    """

    status: Status
    reason: Reason | None = None
    detail: str | None = None
    run_id: str | None = None
    spent: Spent = field(default_factory=Spent)
    next: str | None = None
    link: str | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)
    told: dict[str, Any] | None = None

    @classmethod
    def of(cls, outcome: Outcome[Any]) -> Envelope:
        """Wrap an executor's outcome."""
        if outcome.stored is not None:
            return cls.again(outcome.stored)
        fields = {} if outcome.result is None else outcome.result.model_dump(mode="json", exclude_none=True)
        return cls(outcome.status, outcome.reason, next=outcome.next, fields=fields)

    @classmethod
    def again(cls, payload: dict[str, Any]) -> Envelope:
        """What was told before, word for word."""
        return cls(Status(payload["status"]), told=payload)

    @classmethod
    def error(cls, reason: Reason, *, detail: str | None = None) -> Envelope:
        """A failure before or outside an executor."""
        return cls(Status.FAILED, reason, detail)

    def payload(self) -> dict[str, Any]:
        """The structured content: envelope fields that say something, then the executor's own."""
        if self.told is not None:
            return self.told
        found: dict[str, Any] = {"status": self.status.value}
        if self.reason is not None:
            found["reason"] = self.reason.value
            found["message"] = f"{self.reason.sentence} ({self.detail})" if self.detail else self.reason.sentence
        if self.run_id is not None:
            found["run_id"] = self.run_id
        if cost := self.spent.payload():
            found["spent"] = cost
        if self.next is not None:
            found["next"] = self.next
        if self.link is not None:
            found["link"] = self.link
        return {**found, **self.fields}

    def text(self) -> str:
        """The same as compact JSON, for clients that read only text."""
        return compact(self.payload())


def compact(value: Any) -> str:
    """JSON without white space."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
