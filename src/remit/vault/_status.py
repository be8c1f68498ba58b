"""How the vault is, for `remit doctor`."""

from __future__ import annotations

from dataclasses import dataclass

from remit.contract import Reason
from remit.settings import Settings

from ._document import read_document
from ._errors import VaultError
from ._keys import KeyKind, kind_for_new
from ._vault import Vault


@dataclass(frozen=True, slots=True)
class VaultStatus:
    """What can be said of a vault without asking anybody.

    Attributes:
        kind: the kind of key it has, or would get; None if its file cannot be read.
        present: whether something was ever stored.
        count: how many credentials; None if it could not be opened.
        problem: why not; `vault_locked` is ordinary for a vault under a passphrase that is not in the environment.
    """

    kind: KeyKind | None
    present: bool
    count: int | None
    problem: Reason | None


def status(settings: Settings) -> VaultStatus:
    """Look at the vault. Never raises, prompts for a passphrase, or creates anything."""
    kind, present = None, True
    try:
        document = read_document(settings.vault_dir)
        present = document is not None
        kind = document.header.lock.kind if document else kind_for_new(settings)
        return VaultStatus(kind, present, len(Vault.open(settings).list()), None)
    except VaultError as error:
        return VaultStatus(kind, present, None, error.reason)
