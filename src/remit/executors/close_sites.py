"""`close_sites`: end browser sessions and forget what they hold."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from remit.contract import ArgumentsModel, Outcome, Reason, RemitError, ResultModel, Status
from remit.runs import Call, EffectKind, Settled

from ._batch import overall
from ._shared import Handle, in_thread

if TYPE_CHECKING:
    from remit.browser import Session


class Arguments(ArgumentsModel):
    """Which sessions."""

    session_ids: Annotated[tuple[Handle, ...], Field(max_length=64)]


class Result(ResultModel):
    """How many were closed."""

    closed: int


class CloseSites:
    """Closes sessions. Closing does not sign out: the site's own session ends as the site decides."""

    arguments_model = Arguments
    result_model = Result

    async def run(self, call: Call, arguments: Arguments) -> Outcome[Result]:
        """Done when none of the sessions exists any more."""
        broker = await call.broker()
        ends: list[tuple[Status, Reason | None]] = []
        for session_id in dict.fromkeys(arguments.session_ids):
            try:
                effect = call.intend(EffectKind.CLOSE, "session")
                call.withdraw(session_id)
                await _keep(call, broker.session(session_id, call.principal))
                await broker.close(session_id, call.principal)
                call.sessions.session_closed(session_id)
                effect.settle(Settled.OBSERVED)
                ends.append((Status.DONE, None))
            except RemitError as error:
                effect.settle(Settled.NOT_SENT)
                ends.append((Status.FAILED, error.reason))
        status, reason = overall(ends)
        return Outcome(status, Result(closed=sum(end is Status.DONE for end, _ in ends)), reason)


async def _keep(call: Call, session: Session) -> None:
    """Where the credential allows it, the state as it is at the end: sites renew their cookies."""
    from ._kept_session import keep

    chosen = session.credential_id
    if chosen is None or session.lost:
        return
    with suppress(RemitError):
        infos = await in_thread(lambda: call.vault.list())
        for info in infos:
            if info.id == chosen:
                await keep(call.vault, session, info)
