"""`delete_credentials`: forget credentials, each with a person's consent."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from remit.contract import ArgumentsModel, Capability, Outcome, Reason, RemitError, ResultModel, Status
from remit.handoff import Asked, Effect, Question
from remit.runs import Call, fingerprint

from ._batch import overall
from ._shared import Handle, ReasonCode, StatusCode, in_thread


class Arguments(ArgumentsModel):
    """Which ones."""

    credential_ids: Annotated[tuple[Handle, ...], Field(max_length=16)]


class DeletedItem(ResultModel):
    """One credential: whether it is gone, or why not."""

    credential_id: Handle
    status: StatusCode
    reason: ReasonCode | None = None


class Result(ResultModel):
    """In the order of the ids."""

    credentials: tuple[DeletedItem, ...]


class DeleteCredentials:
    """Removes credentials and all that is kept for them."""

    arguments_model = Arguments
    result_model = Result
    resumes_after = frozenset({Reason.WAS_WAITING})

    async def run(self, call: Call, arguments: Arguments) -> Outcome[Result]:
        """Done when none of them is in the vault any more."""
        items: list[DeletedItem] = []
        for credential_id in dict.fromkeys(arguments.credential_ids):
            items.append(await _delete(call, credential_id))
            call.checkpoint(Result(credentials=tuple(items)))
        status, reason = overall([(item.status, item.reason) for item in items])
        return Outcome(status, Result(credentials=tuple(items)), reason)


async def _delete(call: Call, credential_id: str) -> DeletedItem:
    try:
        stored = {info.id: info for info in await in_thread(lambda: call.vault.list())}
        if credential_id not in stored:
            raise RemitError(Reason.UNKNOWN_CREDENTIAL)
        question = Question(
            Asked.CONSENT,
            Reason.APPROVAL_REQUIRED,
            site=stored[credential_id].origins[0],
            tool="delete_credentials",
            effect=Effect.REMOVE_CREDENTIAL,
            subject=stored[credential_id].label,
            fingerprint=fingerprint(credential_id),
        )
        leave = await call.leave(Capability.VAULT_WRITE, question)
        leave.spend()
        await in_thread(lambda: call.vault.remove(credential_id))
    except RemitError as error:
        return DeletedItem(credential_id=credential_id, status=Status.FAILED, reason=error.reason)
    return DeletedItem(credential_id=credential_id, status=Status.DONE)
