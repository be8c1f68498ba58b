"""Seeing a page calmly: settled, and without a cookie banner over it."""

from __future__ import annotations

from remit.browser import BannerOutcome, Observation, Session, dismiss_banner, find_banner
from remit.contract import Reason
from remit.handoff import Asked, NeedsPersonError, Question


async def calm_sight(session: Session, *, content: bool = True) -> Observation:
    """The page as it stands once it is calm; a cookie banner is refused first.

    Raises:
        NeedsPersonError: the site only offers to accept or to pay.
    """
    seen = await session.observe(content=content, calm=True)
    if find_banner(seen) is None:
        return seen
    outcome = await dismiss_banner(session, seen)
    if outcome is BannerOutcome.ACCEPT_OR_PAY:
        raise NeedsPersonError(Question(Asked.CONSENT, Reason.CONSENT_REQUIRED))
    return await session.observe(content=content, calm=True)
