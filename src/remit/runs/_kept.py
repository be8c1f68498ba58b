"""Browser sessions that outlive their process: encrypted in the vault, only where the credential allows it."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from remit.vault import Vault

    from ._rooms import Rooms

STATE, PLACES = "session", "places"
"""The kinds of the vault's private records, each under the credential's id: the state, and where sessions were."""
MOST_PLACES = 16


@dataclass(frozen=True, slots=True)
class KeptSession:
    """Where a session was, and the state that signs it in."""

    credential_id: str
    url: str = field(repr=False)
    state: bytes = field(repr=False)


def kept_session(rooms: Rooms, session_id: str, credential_id: str) -> KeptSession | None:
    """What is kept for a session of this credential. Raises VaultError."""
    vault = rooms.vault
    allowed = {info.id for info in vault.list() if info.keep_session}
    url = _places(vault, credential_id).get(session_id)
    state = vault.get_private(STATE, credential_id)
    if credential_id not in allowed or url is None or state is None:
        return None
    return KeptSession(credential_id, url, state)


def note_place(vault: Vault, credential_id: str, session_id: str, url: str) -> None:
    """Remember where a session is, sealed; the latest `MOST_PLACES` of a credential."""
    places = _places(vault, credential_id)
    places.pop(session_id, None)
    places[session_id] = url
    for oldest in list(places)[:-MOST_PLACES]:
        del places[oldest]
    vault.put_private(PLACES, credential_id, json.dumps(places).encode())


def _places(vault: Vault, credential_id: str) -> dict[str, str]:
    places: dict[str, str] = {}
    with suppress(ValueError):
        places = json.loads(vault.get_private(PLACES, credential_id) or b"{}")
    return places
