"""The vault's one file: its format, and how its parts vouch for each other.

    remit-vault 1 <SHA-256 of the rest, hex>
    {"header": {…}, "index": "…", "entries": {"<random>": "…", …}}

The header names the key's kind and holds the wrapped data key, bound to the rest of the header. The index, sealed,
holds a generation number, and for each entry its kind, its id and its digest; each entry is sealed with kind and id as
associated data. So a part that is changed, exchanged, added, missing, or older than the index is found, and an older
index too. The checksum finds damage before any key is asked for, so that damage is not mistaken for a wrong key. It has
no key: a header that somebody edits, checksum and all, reads as a wrong key.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from remit.contract import Reason

from . import _files
from ._errors import VaultError
from ._keys import KeyKind, Stretching
from ._sealing import FORMAT, Seal

FILE = "vault"

_MAGIC = b"remit-vault %d " % FORMAT


class _Stored(BaseModel):
    model_config = ConfigDict(
        frozen=True, extra="forbid", ser_json_bytes="base64", val_json_bytes="base64", hide_input_in_errors=True
    )


class Lock(_Stored):
    """What a key must fit: everything in the header but the wrapped data key, which is bound to it."""

    vault_id: str
    kind: KeyKind
    stretching: Stretching | None


class Header(_Stored):
    """The part that is readable without a key."""

    lock: Lock
    wrapped_key: bytes


class Document(_Stored):
    """The file as it is stored."""

    header: Header
    index: bytes
    entries: dict[str, bytes]


class _Row(_Stored):
    kind: str
    id: str
    digest: bytes


class _Index(_Stored):
    generation: int = Field(ge=1)
    rows: dict[str, _Row]


@dataclass(slots=True)
class Contents:
    """An opened document. Entries stay sealed until they are asked for, and keep the order in which they came."""

    generation: int = 0
    sealed: dict[tuple[str, str], bytes] = field(default_factory=dict)
    """By kind and id."""


def wrap(lock: Lock, master: bytes, data_key: bytes) -> Header:
    """The header of a new vault."""
    return Header(lock=lock, wrapped_key=Seal(master).close(data_key, "key", lock.model_dump_json()))


def unwrap(header: Header, master: bytes) -> bytes:
    """The data key. `vault_wrong_key` if `master` does not fit."""
    try:
        return Seal(master).open(header.wrapped_key, "key", header.lock.model_dump_json())
    except VaultError:
        raise VaultError(Reason.VAULT_WRONG_KEY) from None


def read_document(folder: Path) -> Document | None:
    """The stored document, undamaged but not yet proven; None if there is no vault."""
    data = _files.read(folder / FILE) if _files.holds_anything(folder) else None
    if data is None:
        return None
    first, _, body = data.partition(b"\n")
    if first != _first_line(body):
        raise VaultError(Reason.VAULT_TAMPERED)
    try:
        return Document.model_validate_json(body)
    except ValidationError:
        raise VaultError(Reason.VAULT_TAMPERED) from None


def write_document(folder: Path, document: Document) -> None:
    """Replace the stored document. The caller holds the folder's lock."""
    body = document.model_dump_json().encode()
    _files.write(folder / FILE, _first_line(body) + b"\n" + body)


def open_document(document: Document, seal: Seal) -> Contents:
    """Prove index and entries against each other; `vault_tampered` if they are not of one write."""
    vault_id = document.header.lock.vault_id
    try:
        index = _Index.model_validate_json(seal.open(document.index, vault_id, "index"))
    except ValidationError:
        raise VaultError(Reason.VAULT_TAMPERED) from None
    if {name: row.digest for name, row in index.rows.items()} != {
        name: _digest(sealed) for name, sealed in document.entries.items()
    }:
        raise VaultError(Reason.VAULT_TAMPERED)
    sealed = {(row.kind, row.id): document.entries[name] for name, row in index.rows.items()}
    return Contents(index.generation, sealed)


def close_document(header: Header, contents: Contents, seal: Seal) -> Document:
    """The document that holds `contents`, under fresh random names."""
    entries, rows = {}, {}
    for (kind, entry_id), sealed in contents.sealed.items():
        name = secrets.token_hex(8)
        entries[name] = sealed
        rows[name] = _Row(kind=kind, id=entry_id, digest=_digest(sealed))
    index = _Index(generation=contents.generation, rows=rows).model_dump_json().encode()
    return Document(header=header, index=seal.close(index, header.lock.vault_id, "index"), entries=entries)


def _first_line(body: bytes) -> bytes:
    return _MAGIC + hashlib.sha256(body).hexdigest().encode()


def _digest(sealed: bytes) -> bytes:
    return hashlib.sha256(sealed).digest()
