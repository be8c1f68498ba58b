"""What the audit log keeps outside its table: the key beside the database, and the head in another folder."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from remit.contract import Reason, RemitError
from remit.state import private_dir, private_file

KEY_BYTES = 32
_MOST_BYTES = 64 * 1024


class AuditError(RemitError):
    """DATA_UNAVAILABLE: the log, its key or its head cannot be used, so nothing that must be logged may happen."""

    def __init__(self) -> None:
        super().__init__(Reason.DATA_UNAVAILABLE)


class Head(BaseModel):
    """How far a log had come: written after each row, so that a log cut short is noticed.

    Attributes:
        chain: the log's random name.
        place: the database's path, so that a log which vanished altogether is noticed.
        since: the row after which this record was begun; 0 where it is as old as the log.
        sequence: the last row; 0 where there is none.
        hash: its hash.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    version: Literal[1] = 1
    chain: str = Field(pattern=r"^[0-9a-f]{32}$")
    place: str
    since: int = Field(ge=0)
    sequence: int = Field(ge=0)
    hash: str = Field(pattern=r"^[0-9a-f]{64}$")


class HeadError(ValueError):
    """The file is there and is no head."""


def ensure_folder(folder: Path) -> None:
    """Make the folder for heads, if it is missing. One that is there keeps its mode: it may not be ours to change."""
    if not folder.is_dir():
        private_dir(folder)


def read_head(folder: Path, chain: str) -> Head | None:
    """The head of a log; None where there is none.

    Raises:
        HeadError: it is damaged, or is another log's.
    """
    head = _read_head(_path(folder, chain))
    if head is not None and head.chain != chain:
        raise HeadError
    return head


def write_head(folder: Path, head: Head) -> None:
    """Replace the head of a log."""
    private_file(_path(folder, head.chain), head.model_dump_json().encode() + b"\n")


def others_at(folder: Path, place: str, chain: str) -> bool:
    """Whether another log with rows once stood in the same database file."""
    for path in folder.glob("audit-*.head"):
        try:
            head = _read_head(path)
        except HeadError:
            continue
        if head is not None and head.place == place and head.chain != chain and head.sequence > 0:
            return True
    return False


def read_key(path: Path) -> bytes | None:
    """The key; None where there is none or what is there is none that others could not know."""
    data = _read(path)
    return data if data is not None and len(data) == KEY_BYTES else None


def ensure_key(path: Path) -> None:
    """Make the key, unless it is there. The caller holds the database, so that of several processes one makes it."""
    if not path.exists():
        private_file(path, os.urandom(KEY_BYTES))


def _path(folder: Path, chain: str) -> Path:
    return folder / f"audit-{chain}.head"


def _read_head(path: Path) -> Head | None:
    data = _read(path)
    if data is None:
        return None
    try:
        return Head.model_validate_json(data)
    except ValidationError:
        raise HeadError from None


def _read(path: Path) -> bytes | None:
    """A private regular file that is not a link; None where there is none; nothing (b"") where it is anything else."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError:
        return b""
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid() or status.st_mode & 0o077:
            return b""
        with open(descriptor, "rb", closefd=False) as file:
            return file.read(_MOST_BYTES)
    finally:
        os.close(descriptor)
