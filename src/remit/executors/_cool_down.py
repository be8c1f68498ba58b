"""The same secret is not sent again right after a rejection: a pause per credential, growing, kept in the vault."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

from remit.vault import Vault

KIND = "cool_down"
FIRST_S = 60.0
LONGEST_S = 24 * 3600.0

Now = Callable[[], float]
"""Seconds of wall-clock time: the pause outlives the process."""


def seconds_left(vault: Vault, credential_id: str, now: Now = time.time) -> float:
    """How long the credential must still rest."""
    until, _ = _read(vault, credential_id)
    return max(0.0, until - now())


def note_rejection(vault: Vault, credential_id: str, now: Now = time.time) -> None:
    """Begin a pause twice as long as the one before."""
    _, count = _read(vault, credential_id)
    until = now() + min(FIRST_S * 2**count, LONGEST_S)
    vault.put_private(KIND, credential_id, json.dumps([until, count + 1]).encode())


def forget(vault: Vault, credential_id: str) -> None:
    """The credential was accepted."""
    vault.delete_private(KIND, credential_id)


def _read(vault: Vault, credential_id: str) -> tuple[float, int]:
    stored = vault.get_private(KIND, credential_id)
    if stored is None:
        return 0.0, 0
    until, count = json.loads(stored)
    return float(until), int(count)
