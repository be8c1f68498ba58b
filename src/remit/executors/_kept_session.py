"""Signed-in browser state between runs: only encrypted, only where the credential allows it, only its own origins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.contract import Origin

from ._shared import in_thread
from ._sight import calm_sight

if TYPE_CHECKING:
    from remit.browser import Session
    from remit.vault import Credential, CredentialInfo, Vault

KIND = "session"


async def keep(vault: Vault, session: Session, credential: Credential | CredentialInfo) -> None:
    """Keep the session's state, in place of what was kept before."""
    if credential.keep_session:
        state = await session.storage_state(frozenset(credential.origins))
        await in_thread(lambda: vault.put_private(KIND, credential.id, state))


async def kept(vault: Vault, credential_id: str) -> bytes | None:
    """What was kept for a credential."""
    return await in_thread(lambda: vault.get_private(KIND, credential_id))


async def forget(vault: Vault, credential_id: str) -> None:
    """The kept state is no good any more."""
    await in_thread(lambda: vault.delete_private(KIND, credential_id))


async def kept_for(vault: Vault, origin: Origin) -> tuple[str, bytes] | None:
    """The one credential that keeps sessions for exactly this origin, and its state; None where several do."""
    infos = await in_thread(lambda: [info for info in vault.for_origin(origin) if info.keep_session])
    if len(infos) != 1:
        return None
    state = await kept(vault, infos[0].id)
    return None if state is None else (infos[0].id, state)


async def restore(vault: Vault, session: Session, credential: Credential) -> bool:
    """Give a session the state that was kept for the credential: whether it is signed in by that."""
    state = await kept(vault, credential.id) if credential.keep_session else None
    if state is None:
        return False
    await session.restore(state)
    return await still_in(vault, session, credential.id)


async def still_in(vault: Vault, session: Session, credential_id: str) -> bool:
    """Whether a restored session is seen to be signed in; state that leads to a sign-in again is forgotten."""
    from remit.browser import signed_in_signs

    signs = signed_in_signs((await calm_sight(session)).main)
    if signs.strong:
        session.credential_id = credential_id
    elif not signs.no_login_surface:
        await forget(vault, credential_id)
    return signs.strong
