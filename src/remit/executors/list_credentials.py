"""`list_credentials`: which sites have a credential. Never who or what it is."""

from __future__ import annotations

import anyio.to_thread

from remit.contract import ArgumentsModel, Outcome, ResultModel, done
from remit.runs import Call

from ._shared import Handle


class Arguments(ArgumentsModel):
    """None."""


class CredentialItem(ResultModel):
    """One credential's metadata."""

    credential_id: Handle
    origins: tuple[str, ...]
    totp: bool


class Result(ResultModel):
    """All of them."""

    credentials: tuple[CredentialItem, ...]


class ListCredentials:
    """Reads the vault's index."""

    arguments_model = Arguments
    result_model = Result

    async def run(self, call: Call, arguments: Arguments) -> Outcome[Result]:
        """Metadata of every credential."""
        del arguments
        infos = await anyio.to_thread.run_sync(lambda: call.vault.list())
        items = (CredentialItem(credential_id=i.id, origins=tuple(map(str, i.origins)), totp=i.has_totp) for i in infos)
        return done(Result(credentials=tuple(items)))
