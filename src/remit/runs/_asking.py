"""How a run's question finds its person: through the client, or by a link to the local panel."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from remit.handoff import Answer, Pending, Question


class Shown(Enum):
    """What a client did with a question that it did not answer itself."""

    LED = "led"
    """It led its person to the panel."""
    NOWHERE = "nowhere"
    """It declined or could not show it. That may have been the client alone: the question stays open in the panel."""


class Channel(Protocol):
    """A client that may be able to ask its person. Secrets never come this way."""

    @property
    def parks(self) -> bool:
        """The client is asked by the end of the call, and calls again with the reply (protocol 2026-07-28)."""

    def can_put(self, question: Question) -> bool:
        """Whether the client can show this question, or lead to it."""

    async def put(self, question: Pending, ticket: str | None) -> Answer | Shown:
        """Ask now, in the middle of the call; `ticket` is a link to the panel that lets its person in."""


class Door(Protocol):
    """The way for a person to a question in the panel."""

    async def link(self, question_id: str) -> str | None:
        """The question's address. It lets nobody in who is not paired with the panel already: planners see it."""

    async def ticket(self, question_id: str) -> str | None:
        """The same with a one-time token that lets a person in: for clients, never in a result."""

    async def announce(self, question_id: str) -> None:
        """Show the question to whoever sits in front of this machine, if that is possible and wanted."""


class NoDoor:
    """There is no panel."""

    async def link(self, question_id: str) -> str | None:
        """None."""
        del question_id
        return None

    async def ticket(self, question_id: str) -> str | None:
        """None."""
        del question_id
        return None

    async def announce(self, question_id: str) -> None:
        """Nothing."""
        del question_id


@dataclass(frozen=True, slots=True)
class Parked:
    """The call ends with a question for the client's person; the run waits."""

    question: Pending
    ticket: str | None
