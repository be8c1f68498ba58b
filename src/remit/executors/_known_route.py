"""The way to a site's sign-in form that led to being signed in once: taken again without asking anybody.

It is only a way. What is found at its end is recognised anew, and only what is observed after the submit is success.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from remit.browser import Identity
from remit.loop import Option

from ._shared import in_thread

if TYPE_CHECKING:
    from remit.vault import Vault

KIND = "route"

Path = tuple[Option, ...]


async def remember(vault: Vault, credential_id: str, path: Path) -> None:
    """Keep a verified way, encrypted: it holds what a site calls its controls."""
    data = json.dumps([asdict(option.id) for option in path if isinstance(option.id, Identity)]).encode()

    def write() -> None:
        if vault.get_private(KIND, credential_id) != data:
            vault.put_private(KIND, credential_id, data)

    await in_thread(write)


async def known(vault: Vault, credential_id: str) -> Path:
    """The way that was kept; empty where there is none."""
    data = await in_thread(lambda: vault.get_private(KIND, credential_id))
    if data is None:
        return ()
    return tuple(Option(Identity(**{**each, "form": tuple(each["form"])})) for each in json.loads(data))


async def forget(vault: Vault, credential_id: str) -> None:
    """It does not lead to the form any more."""
    await in_thread(lambda: vault.delete_private(KIND, credential_id))
