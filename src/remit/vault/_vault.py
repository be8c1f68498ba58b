"""The vault itself: credentials, and the private records of other rooms."""

from __future__ import annotations

import os
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from pydantic import ValidationError

from remit.contract import Origin, Reason
from remit.settings import Settings

from . import _files
from ._credential import Credential, CredentialInfo, Halves, NewCredential, info_of, new_id
from ._document import (
    Contents,
    Document,
    Header,
    Lock,
    close_document,
    open_document,
    read_document,
    unwrap,
    wrap,
    write_document,
)
from ._errors import VaultError
from ._keys import AskPassphrase, kind_for_new, master_key, new_master_key
from ._sealing import KEY_BYTES, Seal

_PUBLIC, _HIDDEN, _PRIVATE = "credential", "credential-secret", "private/"


@dataclass(frozen=True, slots=True)
class _Unlocked:
    header: Header
    seal: Seal


class Vault:
    """One encrypted store of credentials, safe under several threads and processes.

    Every call reads the file anew, so it sees what others stored; every change is made under the folder's lock and is
    whole or absent. The file is made by the first change, not by opening. Readable on disk are the kind of the key, how
    many entries there are, and their size in steps of 255 bytes.

    **Not detected:** a whole vault file put back as it was earlier, or removed, between two openings (an open vault
    notices both); and, with `vault_key = "auto"`, a whole vault of somebody else's in its place. Nothing in the folder
    can vouch for the folder. Nothing here defends against a program that runs as the same user with the key at hand.

    All methods raise `VaultError`.
    """

    def __init__(self, settings: Settings, passphrase: AskPassphrase | None) -> None:
        self._settings = settings
        self._folder: Path = settings.vault_dir
        self._ask = passphrase
        self._unlocked: _Unlocked | None = None
        self._generation = 0
        self._turn = threading.RLock()

    @classmethod
    def open(cls, settings: Settings, passphrase: AskPassphrase | None = None) -> Self:
        """Open the vault of `settings` and prove it whole; one that does not exist yet is empty.

        Args:
            settings: `vault_dir` says where; `vault_key` which kind of key. `auto` takes the kind an existing vault
                has; a new one gets a passphrase if `REMIT_VAULT_PASSPHRASE` is set, else the OS keyring if there is
                one, else a key file.
            passphrase: asked, at most once, for a vault under a passphrase when the variable is not set.
        """
        vault = cls(settings, passphrase)
        vault._contents()
        return vault

    def add(self, new: NewCredential) -> CredentialInfo:
        """Store a credential under a new id."""
        credential_id, halves = new_id(), Halves.of(new)
        with self._change() as (contents, seal):
            _put(contents, seal, _PUBLIC, credential_id, halves.public)
            _put(contents, seal, _HIDDEN, credential_id, halves.hidden)
        return info_of(credential_id, halves.public)

    def for_origin(self, origin: Origin) -> list[CredentialInfo]:
        """The credentials that list exactly this origin, oldest first."""
        return [info for info in self.list() if origin in info.origins]

    def list(self) -> list[CredentialInfo]:
        """What may be told of each credential, oldest first. No password is decrypted for it."""
        contents = self._contents()
        with _readable_records():
            return [
                info_of(entry_id, self._opened(contents, kind, entry_id))
                for kind, entry_id in contents.sealed
                if kind == _PUBLIC
            ]

    def get(self, credential_id: str) -> Credential:
        """A credential with its secrets; `unknown_credential` if there is none."""
        contents = self._contents()
        if (_PUBLIC, credential_id) not in contents.sealed:
            raise VaultError(Reason.UNKNOWN_CREDENTIAL)
        with _readable_records():
            return Halves(
                self._opened(contents, _PUBLIC, credential_id), self._opened(contents, _HIDDEN, credential_id)
            ).whole(credential_id)

    def remove(self, credential_id: str) -> None:
        """Forget a credential and every private record kept under its id; `unknown_credential` if there is none."""
        with self._change() as (contents, _):
            if (_PUBLIC, credential_id) not in contents.sealed:
                raise VaultError(Reason.UNKNOWN_CREDENTIAL)
            for key in [key for key in contents.sealed if key[1] == credential_id]:
                del contents.sealed[key]

    def put_private(self, kind: str, id: str, data: bytes) -> None:  # noqa: A002
        """Keep `data` of another room, for instance a browser session, replacing what was there."""
        with self._change() as (contents, seal):
            _put(contents, seal, _PRIVATE + kind, id, data)

    def get_private(self, kind: str, id: str) -> bytes | None:  # noqa: A002
        """What `put_private` kept, or None."""
        contents = self._contents()
        if (_PRIVATE + kind, id) not in contents.sealed:
            return None
        return self._opened(contents, _PRIVATE + kind, id)

    def delete_private(self, kind: str, id: str) -> None:  # noqa: A002
        """Forget what `put_private` kept; nothing happens if there is nothing."""
        if (_PRIVATE + kind, id) in self._contents().sealed:
            with self._change() as (contents, _):
                contents.sealed.pop((_PRIVATE + kind, id), None)

    def _contents(self) -> Contents:
        """The file as it is now, proven. Under one thread's turn, so that generations are compared in order."""
        with self._turn:
            document = read_document(self._folder)
            if document is None:
                if self._unlocked is not None:
                    raise VaultError(Reason.VAULT_TAMPERED)
                return Contents()
            contents = open_document(document, self._unlock(document).seal)
            if contents.generation < self._generation:
                raise VaultError(Reason.VAULT_TAMPERED)
            self._generation = contents.generation
            return contents

    @contextmanager
    def _change(self) -> Iterator[tuple[Contents, Seal]]:
        """Read again under the lock, let the caller edit, write. Nothing is written if the caller raises."""
        with self._turn, _files.one_writer(self._folder):
            contents = self._contents()
            unlocked = self._unlocked or self._created()
            yield contents, unlocked.seal
            contents.generation += 1
            write_document(self._folder, close_document(unlocked.header, contents, unlocked.seal))
            self._unlocked, self._generation = unlocked, contents.generation

    def _unlock(self, document: Document) -> _Unlocked:
        if self._unlocked is None:
            lock = document.header.lock
            if self._settings.vault_key not in ("auto", lock.kind):
                raise VaultError(Reason.VAULT_WRONG_KEY)
            master = master_key(lock.kind, self._folder, lock.vault_id, lock.stretching, self._ask)
            self._unlocked = _Unlocked(document.header, Seal(unwrap(document.header, master)))
        if document.header != self._unlocked.header:
            raise VaultError(Reason.VAULT_TAMPERED)
        return self._unlocked

    def _created(self) -> _Unlocked:
        kind, vault_id, data_key = kind_for_new(self._settings), secrets.token_hex(16), os.urandom(KEY_BYTES)
        master, stretching = new_master_key(kind, self._folder, vault_id, self._ask)
        lock = Lock(vault_id=vault_id, kind=kind, stretching=stretching)
        return _Unlocked(wrap(lock, master, data_key), Seal(data_key))

    def _opened(self, contents: Contents, kind: str, entry_id: str) -> bytes:
        if self._unlocked is None or (kind, entry_id) not in contents.sealed:
            raise VaultError(Reason.VAULT_TAMPERED)
        return self._unlocked.seal.open(contents.sealed[kind, entry_id], kind, entry_id)


def _put(contents: Contents, seal: Seal, kind: str, entry_id: str, data: bytes) -> None:
    contents.sealed[kind, entry_id] = seal.close(data, kind, entry_id)


@contextmanager
def _readable_records() -> Iterator[None]:
    """A record that was sealed by this key and does not parse was not written by this version of Remit."""
    try:
        yield
    except ValidationError:
        raise VaultError(Reason.VAULT_TAMPERED) from None
