"""Questions that only a person may answer. A model, a page or a planner never can.

In this version no channel to a person is open during a call, so `ask` always ends the call as `needs_user`: the reason
says what the person has to do, the session stays open, and the planner calls again afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NoReturn

from remit.contract import Reason, RemitError


class Asked(StrEnum):
    """What a person may be asked for."""

    CONSENT = "consent"
    ONE_TIME_CODE = "one_time_code"
    CHALLENGE = "challenge"
    CREDENTIAL = "credential"
    CHOICE = "choice"
    SITE_DEMAND = "site_demand"


@dataclass(frozen=True, slots=True)
class Question:
    """One question: what for, and the closed reason that names it to the planner."""

    asked: Asked
    reason: Reason


class NeedsPersonError(RemitError):
    """Nobody could be asked now; the call ends as `needs_user` with the question's reason."""

    def __init__(self, question: Question) -> None:
        super().__init__(question.reason)
        self.question = question


def ask(question: Question) -> NoReturn:
    """Ask a person.

    Raises:
        NeedsPersonError: always, in this version.
    """
    raise NeedsPersonError(question)
