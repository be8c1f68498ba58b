"""`save_credentials`: a person enters a credential in the panel. Only the site passes through the planner."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from remit.contract import AddressError, ArgumentsModel, Origin, Outcome, Reason, RemitError, ResultModel, Status, done
from remit.handoff import Asked, Question
from remit.runs import Call

from ._shared import Handle, in_thread


class Arguments(ArgumentsModel):
    """Which site."""

    site: Annotated[str, Field(max_length=2000, description="address")]


class Result(ResultModel):
    """What is stored for the site now."""

    credential_ids: tuple[Handle, ...]
    added: int


class SaveCredentials:
    """Leads a person to the form, and believes only what is in the vault afterwards."""

    arguments_model = Arguments
    result_model = Result
    resumes_after = frozenset({Reason.WAS_WAITING})

    async def run(self, call: Call, arguments: Arguments) -> Outcome[Result]:
        """Done when a credential for the site is stored that was not there before."""
        try:
            origin = Origin.of(arguments.site)
        except AddressError:
            raise RemitError(Reason.BAD_ADDRESS) from None
        before = await _stored(call, origin)
        await call.ask(Question(Asked.CREDENTIAL, Reason.NO_CREDENTIAL, site=origin, tool="save_credentials"))
        after = await _stored(call, origin)
        added = len(set(after) - set(before))
        result = Result(credential_ids=after, added=added)
        if not added:
            return Outcome(Status.FAILED, result, Reason.NO_CREDENTIAL)
        return done(result, next="login_sites")


async def _stored(call: Call, origin: Origin) -> tuple[str, ...]:
    return tuple(info.id for info in await in_thread(lambda: call.vault.for_origin(origin)))
