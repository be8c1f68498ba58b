"""`open_sites`: a private browser session per address."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from remit.contract import ArgumentsModel, Branch, Origin, Outcome, Reason, RemitError, ResultModel, Status
from remit.runs import Call, EffectKind, Settled

from ._batch import overall
from ._sessions import note_signed_in
from ._shared import Handle, ReasonCode, StatusCode, in_thread

if TYPE_CHECKING:
    from remit.browser import Session

Address = Annotated[str, Field(max_length=2000)]


class Arguments(ArgumentsModel):
    """Where to go."""

    urls: Annotated[tuple[Address, ...], Field(max_length=16)]


class SessionItem(ResultModel):
    """One address: its session, or why there is none. `signed_in` by a kept session, no secret used."""

    session_id: Handle | None = None
    status: StatusCode
    reason: ReasonCode | None = None
    signed_in: bool | None = None


class OpenItem(ResultModel):
    """A session that is open already."""

    session_id: Handle
    site: str


class Result(ResultModel):
    """In the order of the addresses; where there are too many, what is open."""

    sessions: tuple[SessionItem, ...]
    open: tuple[OpenItem, ...] | None = None


class OpenSites:
    """Opens each address in a session of its own."""

    arguments_model = Arguments
    result_model = Result

    async def run(self, call: Call, arguments: Arguments) -> Outcome[Result]:
        """Done when every page was observed."""
        items: list[SessionItem] = []
        for number, url in enumerate(arguments.urls):
            call.progress(number, len(arguments.urls), f"opening site {number + 1} of {len(arguments.urls)}")
            items.append(await _open(call, url))
            call.checkpoint(Result(sessions=tuple(items)))
        status, reason = overall([(item.status, item.reason) for item in items])
        following = "login_sites" if any(item.session_id for item in items) else None
        full = any(item.reason is Reason.TOO_MANY_SESSIONS for item in items)
        result = Result(sessions=tuple(items), open=await _open_now(call) if full else None)
        return Outcome(status, result, reason, following)


async def _open(call: Call, url: str) -> SessionItem:
    try:
        kept = await _kept(call, Origin.of(url))
        broker = await call.broker()
        effect = call.intend(EffectKind.OPEN, "site")
        session = await broker.open(url, owner=call.principal, storage=kept[1] if kept else None)
        effect.settle(Settled.OBSERVED)
        call.sessions.session_opened(session.id, call.principal)
    except RemitError as error:
        return SessionItem(status=Status.FAILED, reason=error.reason)
    signed_in = kept is not None and await _still_in(call, session, kept[0])
    return SessionItem(session_id=session.id, status=Status.DONE, signed_in=signed_in or None)


async def _kept(call: Call, origin: Origin) -> tuple[str, bytes] | None:
    """The kept session for the origin; none where the vault is closed, for a site can be opened without it."""
    from ._kept_session import kept_for

    try:
        return await kept_for(await in_thread(lambda: call.vault), origin)
    except RemitError as error:
        if error.reason.branch is not Branch.VAULT:
            raise
        return None


async def _still_in(call: Call, session: Session, credential_id: str) -> bool:
    from ._kept_session import still_in

    try:
        signed_in = await still_in(call.vault, session, credential_id)
        if signed_in:
            await note_signed_in(call, call.vault, session, keep=True)
    except RemitError:
        return False
    return signed_in


async def _open_now(call: Call) -> tuple[OpenItem, ...]:
    sessions = (await call.broker()).sessions(call.principal)
    return tuple(OpenItem(session_id=session.id, site=str(Origin.of(session.home))) for session in sessions)
