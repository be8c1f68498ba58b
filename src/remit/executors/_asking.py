"""From a reason that only a person can remove to the question that is put to one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.contract import Reason
from remit.handoff import Asked, Question

if TYPE_CHECKING:
    from remit.browser import Session

ASKED = {
    Reason.CHALLENGE: Asked.CHALLENGE,
    Reason.ONE_TIME_CODE: Asked.ONE_TIME_CODE,
    Reason.PARTIAL_PASSWORD: Asked.SITE_DEMAND,
    Reason.CHANGE_PASSWORD: Asked.SITE_DEMAND,
    Reason.TERMS: Asked.SITE_DEMAND,
    Reason.CONSENT_REQUIRED: Asked.SITE_DEMAND,
    Reason.NO_CREDENTIAL: Asked.CREDENTIAL,
}
"""What a person is asked for where a run met one of these."""


def question_of(reason: Reason, session: Session, tool: str) -> Question:
    """The question for one of the reasons in `ASKED`, about the page of an open session."""
    return Question(ASKED[reason], reason, site=session.origin, session_id=session.id, tool=tool)
