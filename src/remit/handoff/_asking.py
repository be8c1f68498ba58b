"""What only a person may answer, and what an answer can be. A model, a page or a planner never answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from remit.authority import Scope
from remit.contract import Origin, Reason, RemitError, Secret


class Asked(StrEnum):
    """What a person may be asked for."""

    CONSENT = "consent"
    ONE_TIME_CODE = "one_time_code"
    CHALLENGE = "challenge"
    CREDENTIAL = "credential"
    CHOICE = "choice"
    SITE_DEMAND = "site_demand"


class Effect(StrEnum):
    """What is about to happen, in our words: what a person is asked to allow."""

    SIGN_IN = "sign_in"
    USE_CONTROL = "use_control"
    SEND_FORM = "send_form"
    DOWNLOAD = "download"
    READ_VALUES = "read_values"
    REMOVE_CREDENTIAL = "remove_credential"


@dataclass(frozen=True, slots=True)
class Question:
    """One question.

    Attributes:
        asked: what is wanted of the person.
        reason: the closed reason that names it to the planner.
        site: the exact origin it is about.
        session_id: the open session whose page shows it.
        tool: the executor that asks.
        effect: what is to be allowed, where consent is asked.
        subject: the control's or row's visible text, shown in the panel only: it is the page's, so never the planner's.
        choices: what may be chosen among, by visible text; the panel's only.
        picture: JPEG of the page, every field covered; the panel's only.
        fingerprint: digest of the exact control and page that an approval is bound to.
        reach: how long a yes may stand, where consent is asked.
    """

    asked: Asked
    reason: Reason
    site: Origin | None = None
    session_id: str | None = None
    tool: str = ""
    effect: Effect | None = None
    subject: str = field(default="", repr=False)
    choices: tuple[str, ...] = field(default=(), repr=False)
    picture: bytes | None = field(default=None, repr=False)
    fingerprint: str = ""
    reach: Scope = Scope.ONCE

    @property
    def offers(self) -> tuple[Verdict, ...]:
        """The ways to say yes to it, the narrowest first. Any question can be refused or cancelled."""
        if self.asked is not Asked.CONSENT:
            return _YES[self.asked]
        return tuple(verdict for verdict, scope in _REACH.items() if scope.reach <= self.reach.reach)


class Verdict(StrEnum):
    """What became of a question. Everything but the first six is a no."""

    ALLOWED_ONCE = "allowed_once"
    ALLOWED_FOR_RUN = "allowed_for_run"
    ALLOWED_FOR_SITE = "allowed_for_site"
    CODE = "code"
    CHOSEN = "chosen"
    RESUMED = "resumed"
    REFUSED = "refused"
    CANCELLED = "cancelled"
    EXPIRED = "expired"


class Through(StrEnum):
    """The way an answer came."""

    PANEL = "panel"
    CLIENT = "client"
    CLOCK = "clock"
    RUN = "run"


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer: a verdict, with the code or the number of the choice where the question was for one."""

    verdict: Verdict
    through: Through = Through.PANEL
    code: Secret | None = None
    choice: int | None = None

    @property
    def is_yes(self) -> bool:
        """Whether the run may go on."""
        return self.verdict not in (Verdict.REFUSED, Verdict.CANCELLED, Verdict.EXPIRED)


_REACH = {
    Verdict.ALLOWED_ONCE: Scope.ONCE,
    Verdict.ALLOWED_FOR_RUN: Scope.PER_RUN,
    Verdict.ALLOWED_FOR_SITE: Scope.PER_TARGET,
}
_YES: dict[Asked, tuple[Verdict, ...]] = {
    Asked.ONE_TIME_CODE: (Verdict.CODE, Verdict.RESUMED),
    Asked.CHALLENGE: (Verdict.RESUMED,),
    Asked.CREDENTIAL: (Verdict.RESUMED,),
    Asked.CHOICE: (Verdict.CHOSEN,),
    Asked.SITE_DEMAND: (Verdict.RESUMED,),
}


class NeedsPersonError(RemitError):
    """Nobody can be asked in this call; it ends as `needs_user` with the question's reason."""

    def __init__(self, question: Question) -> None:
        super().__init__(question.reason)
        self.question = question
