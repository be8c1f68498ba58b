"""What comes back from asking: an answer, or one closed reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, Protocol, TypeVar

from remit.contract import Reason, RemitError

from ._question import Answer, Kind, Question

A = TypeVar("A", bound=Answer)
A_co = TypeVar("A_co", bound=Answer, covariant=True)


class BackendName(StrEnum):
    """Who decides."""

    OLLAMA = "ollama"
    EMBEDDED = "embedded"
    SCRIPTED = "scripted"
    NONE = "none"


class ModelError(RemitError):
    """A local model that cannot be used; carries one of the `MODEL_*` reasons."""


@dataclass(frozen=True, slots=True)
class Decision(Generic[A_co]):
    """The end of one question: `answer` or `reason`, never both, never neither.

    `abstained` says that the backend understood and declined to say; `seconds` is wall time; `calls` how many times a
    backend was asked, groups included.
    """

    answer: A_co | None
    reason: Reason | None
    backend: BackendName
    seconds: float = 0.0
    abstained: bool = False
    calls: int = 1


@dataclass(frozen=True, slots=True)
class Description:
    """What a backend is, for `remit doctor`: nothing secret, nothing measured by asking the model."""

    name: BackendName
    model: str
    answers: frozenset[Kind]
    isolation: str = ""


class Backend(Protocol):
    """Somebody who may be asked. Never raises for a bad model: every end is a Decision."""

    group_size: int
    """Most candidates of one choice in one question."""

    async def ask(self, question: Question[A], timeout_s: float) -> Decision[A]:
        """Ask once, for at most `timeout_s` seconds. A timeout never cancels a load that `warm` began."""
        ...

    async def warm(self) -> Reason | None:
        """Load the model, outside any decision's time; None when it is ready, else why not. Safe to cancel."""
        ...

    def describe(self) -> Description:
        """What this backend is."""
        ...

    async def aclose(self) -> None:
        """Let go of processes and connections."""
        ...
