"""`open_sites`: a private browser session per address."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from remit.contract import ArgumentsModel, Origin, Outcome, RemitError, ResultModel, Status
from remit.runs import Call, EffectKind, Settled

from ._batch import overall
from ._shared import Handle, ReasonCode, StatusCode

Address = Annotated[str, Field(max_length=2000)]


class Arguments(ArgumentsModel):
    """Where to go."""

    urls: Annotated[tuple[Address, ...], Field(max_length=16)]


class SessionItem(ResultModel):
    """One address: its session, or why there is none."""

    session_id: Handle | None = None
    status: StatusCode
    reason: ReasonCode | None = None


class Result(ResultModel):
    """In the order of the addresses."""

    sessions: tuple[SessionItem, ...]


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
        return Outcome(status, Result(sessions=tuple(items)), reason, following)


async def _open(call: Call, url: str) -> SessionItem:
    try:
        Origin.of(url)
        broker = await call.broker()
        effect = call.intend(EffectKind.OPEN, "site")
        session = await broker.open(url)
        effect.settle(Settled.OBSERVED)
    except RemitError as error:
        return SessionItem(status=Status.FAILED, reason=error.reason)
    return SessionItem(session_id=session.id, status=Status.DONE)
