"""The master key: from the OS keyring, a key file, or a passphrase. It wraps the data key that seals the entries.

A key file lies in the vault's folder: it protects a backup or a disk that holds only the other file, and it makes
headless machines work; against someone who can read the folder it protects nothing. The keyring and the passphrase do.
"""

from __future__ import annotations

import base64
import binascii
import os
import unicodedata
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import assert_never

import keyring
import keyring.core
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
from pydantic import BaseModel, ConfigDict, Field

from remit.contract import Reason, Secret
from remit.settings import Settings

from . import _files
from ._errors import VaultError
from ._sealing import KEY_BYTES

PASSPHRASE_VARIABLE = "REMIT_VAULT_PASSPHRASE"  # noqa: S105 - the name of a variable
KEY_FILE = "master.key"

_SERVICE = "remit-vault"

AskPassphrase = Callable[[], Secret]


class KeyKind(StrEnum):
    """Where the master key comes from."""

    KEYRING = "keyring"
    FILE = "file"
    PASSPHRASE = "passphrase"  # noqa: S105 - the name of a kind


class Stretching(BaseModel):
    """Argon2id's parameters. The defaults are the second recommended option of RFC 9106, section 4.

    The bounds keep an edited file from asking for all memory.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_bytes="base64", val_json_bytes="base64")

    salt: bytes = Field(default_factory=lambda: os.urandom(16), min_length=16, max_length=64)
    memory_kib: int = Field(default=64 * 1024, ge=64, le=1024 * 1024)
    passes: int = Field(default=3, ge=1, le=64)
    lanes: int = Field(default=4, ge=1, le=8)

    def key(self, passphrase: Secret) -> bytes:
        """The master key of a passphrase, in whichever Unicode form it was typed (RFC 8265: NFC)."""
        text = unicodedata.normalize("NFC", passphrase.reveal())
        return Argon2id(
            salt=self.salt, length=KEY_BYTES, iterations=self.passes, lanes=self.lanes, memory_cost=self.memory_kib
        ).derive(text.encode(errors="surrogatepass"))


def kind_for_new(settings: Settings) -> KeyKind:
    """Which kind a vault would get that does not exist yet."""
    if settings.vault_key != "auto":
        return KeyKind(settings.vault_key)
    if os.environ.get(PASSPHRASE_VARIABLE):
        return KeyKind.PASSPHRASE
    return KeyKind.KEYRING if _has_keyring() else KeyKind.FILE


def new_master_key(
    kind: KeyKind, folder: Path, vault_id: str, ask: AskPassphrase | None
) -> tuple[bytes, Stretching | None]:
    """Make a master key and put it where `master_key` finds it; for a passphrase, also how it was stretched."""
    match kind:
        case KeyKind.KEYRING:
            return _into_keyring(vault_id, os.urandom(KEY_BYTES)), None
        case KeyKind.FILE:
            return _into_file(folder / KEY_FILE), None
        case KeyKind.PASSPHRASE:
            stretching = Stretching()
            return stretching.key(_passphrase(ask)), stretching
    assert_never(kind)


def master_key(
    kind: KeyKind, folder: Path, vault_id: str, stretching: Stretching | None, ask: AskPassphrase | None
) -> bytes:
    """The master key of an existing vault.

    Raises:
        VaultError: `vault_locked` if there is none, `vault_wrong_key` if what is there is no key, `vault_unsafe`.
    """
    match kind:
        case KeyKind.KEYRING:
            return _decoded(_from_keyring(vault_id))
        case KeyKind.FILE:
            return _decoded(_files.read(folder / KEY_FILE))
        case KeyKind.PASSPHRASE:
            if stretching is None:
                raise VaultError(Reason.VAULT_TAMPERED)
            return stretching.key(_passphrase(ask))
    assert_never(kind)


def _passphrase(ask: AskPassphrase | None) -> Secret:
    from_environment = os.environ.get(PASSPHRASE_VARIABLE)
    if from_environment:
        return Secret(from_environment)
    passphrase = ask() if ask else None
    if passphrase is None or not passphrase.reveal():
        raise VaultError(Reason.VAULT_LOCKED)
    return passphrase


def _into_file(path: Path) -> bytes:
    """A key file that is already there belongs to a vault whose making was interrupted; it is used."""
    existing = _files.read(path)
    if existing is not None:
        return _decoded(existing)
    key = os.urandom(KEY_BYTES)
    _files.write(path, base64.b64encode(key) + b"\n")
    return key


def _decoded(stored: bytes | None) -> bytes:
    if stored is None:
        raise VaultError(Reason.VAULT_LOCKED)
    try:
        key = base64.b64decode(stored.strip(), validate=True)
    except (binascii.Error, ValueError):
        raise VaultError(Reason.VAULT_WRONG_KEY) from None
    if len(key) != KEY_BYTES:
        raise VaultError(Reason.VAULT_WRONG_KEY)
    return key


def _has_keyring() -> bool:
    """Whether a backend that is more than a placeholder answers. keyring gives those a priority below 1."""
    try:
        return bool(keyring.core.recommended(keyring.get_keyring()))
    except Exception:  # noqa: BLE001 - backends raise what their platform raises
        return False


def _into_keyring(vault_id: str, key: bytes) -> bytes:
    """Store a key and read it back: a vault whose key was not really kept is lost."""
    if not _has_keyring():
        raise VaultError(Reason.VAULT_LOCKED)
    try:
        keyring.set_password(_SERVICE, vault_id, base64.b64encode(key).decode())
    except Exception:  # noqa: BLE001 - as above
        raise VaultError(Reason.VAULT_LOCKED) from None
    if _decoded(_from_keyring(vault_id)) != key:
        raise VaultError(Reason.VAULT_LOCKED)
    return key


def _from_keyring(vault_id: str) -> bytes | None:
    try:
        stored = keyring.get_password(_SERVICE, vault_id)
    except Exception:  # noqa: BLE001 - as above
        raise VaultError(Reason.VAULT_LOCKED) from None
    return None if stored is None else stored.encode()
