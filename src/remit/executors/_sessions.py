"""An open session by its id; after a restart, the same session again where its credential allows that."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from remit.contract import Reason, RemitError

from ._shared import in_thread

if TYPE_CHECKING:
    from remit.browser import Session
    from remit.runs import Call
    from remit.vault import Vault


async def session_of(call: Call, session_id: str) -> Session:
    """The session, restored if it ended with an earlier process and its state was kept.

    Raises:
        RemitError: UNKNOWN_SESSION; SESSION_LOST, it existed and is gone; LEFT_SITE and what opening may raise.
    """
    broker = await call.broker()
    try:
        return broker.session(session_id, call.principal)
    except RemitError as error:
        if error.reason is not Reason.UNKNOWN_SESSION:
            raise
    kept = await call.kept_session(session_id)
    if kept is None:
        raise RemitError(Reason.SESSION_LOST)
    session = await broker.open(kept.url, owner=call.principal, storage=kept.state, session_id=session_id)
    session.credential_id = kept.credential_id
    call.sessions.session_opened(session_id, call.principal)
    call.sessions.session_signed_in(session_id, kept.credential_id)
    return session


async def note_signed_in(call: Call, vault: Vault, session: Session, *, keep: bool) -> None:
    """Remember what a session was signed in with, and where it is, if it may be kept."""
    from remit.runs import note_place

    credential_id = session.credential_id
    assert credential_id is not None
    if keep:
        call.sessions.session_signed_in(session.id, credential_id)
        with suppress(RemitError):
            await in_thread(lambda: note_place(vault, credential_id, session.id, session.home))
