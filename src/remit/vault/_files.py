"""The vault's folder: who may read it, reading without a gap for exchange, and one writer at a time."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from remit.contract import Reason
from remit.state import private_dir, private_file

from ._errors import VaultError

_LOCK = "lock"


@contextmanager
def typed_os_errors() -> Iterator[None]:
    """An operating system error carries a path; outside it is `vault_unreadable` and nothing else."""
    try:
        yield
    except OSError:
        raise VaultError(Reason.VAULT_UNREADABLE) from None


def prepare_folder(folder: Path) -> None:
    """Make the folder 0700, unless it holds something already that others may read.

    Raises:
        VaultError: `vault_unsafe` or `vault_unreadable`.
    """
    with typed_os_errors():
        if not holds_anything(folder):
            private_dir(folder)
        _check(folder.stat())


def holds_anything(folder: Path) -> bool:
    """Whether the folder exists and is not empty: an empty one shows nobody anything, whatever its mode.

    Raises:
        VaultError: `vault_unsafe` if it does and others may enter it or own it; `vault_unreadable`.
    """
    with typed_os_errors():
        try:
            empty = not any(folder.iterdir())
        except FileNotFoundError:
            return False
        if not empty:
            _check(folder.stat())
        return not empty


def read(path: Path) -> bytes | None:
    """The content of a private file, or None if there is none.

    The open file itself is judged, not its name, so that it cannot be exchanged in between. Links are not followed.

    Raises:
        VaultError: `vault_unsafe` or `vault_unreadable`.
    """
    try:
        # Without O_NONBLOCK, opening a pipe in the file's place would wait for ever.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as error:
        reason = Reason.VAULT_UNSAFE if error.errno == errno.ELOOP else Reason.VAULT_UNREADABLE
        raise VaultError(reason) from None
    with typed_os_errors(), os.fdopen(descriptor, "rb") as file:
        _check_file(os.fstat(descriptor))
        return file.read()


def write(path: Path, data: bytes) -> None:
    """Replace a private file atomically, and drop what a killed writer left. The caller holds the lock."""
    with typed_os_errors():
        for left in path.parent.glob(f".{path.name}.*"):
            left.unlink(missing_ok=True)
        private_file(path, data)


@contextmanager
def one_writer(folder: Path) -> Iterator[None]:
    """Hold the folder's lock against other threads and processes; it ends with the process, however that ends."""
    prepare_folder(folder)
    with typed_os_errors():
        descriptor = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        with typed_os_errors():
            _check_file(os.fstat(descriptor))
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _check_file(status: os.stat_result) -> None:
    _check(status)
    if not stat.S_ISREG(status.st_mode):
        raise VaultError(Reason.VAULT_UNSAFE)


def _check(status: os.stat_result) -> None:
    if status.st_uid != os.geteuid() or stat.S_IMODE(status.st_mode) & 0o077:
        raise VaultError(Reason.VAULT_UNSAFE)
