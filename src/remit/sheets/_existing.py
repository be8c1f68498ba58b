"""Existing files: found inside one folder, told apart by their content, and replaced whole with a backup kept."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import stat
import tempfile
import unicodedata
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Final, Literal

from remit.contract import Reason
from remit.state import private_dir

from ._errors import SheetError
from ._files import safe_file_name, sync_folder, to_disk

Kind = Literal[".xlsx", ".xlsm", ".csv"]

LARGEST_FILE: Final = 512 << 20
"""Bytes of the largest file that is read or added to."""
BACKUPS: Final = ".remit-backups"
"""The private folder beside the files where what was replaced is kept."""
KEPT: Final = 10
"""Backups kept of one file; the oldest go first."""
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED: Final = ("EncryptedPackage".encode("utf-16-le"), "EncryptionInfo".encode("utf-16-le"))
_MAIN_TYPES: Final = {
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml": ".xlsx",
    "application/vnd.ms-excel.sheet.macroenabled.main+xml": ".xlsm",
}


@dataclass(frozen=True, slots=True)
class Existing:
    """A file that is there, as it was found."""

    path: Path
    kind: Kind
    state: os.stat_result

    def is_unchanged(self) -> bool:
        """Whether the name still leads to the same content."""
        now = self.path.lstat()
        return (now.st_ino, now.st_dev, now.st_size, now.st_mtime_ns) == (
            self.state.st_ino,
            self.state.st_dev,
            self.state.st_size,
            self.state.st_mtime_ns,
        )


def existing_file(folder: Path, name: str) -> Existing:
    """The spreadsheet of this name directly in `folder`; a name without an ending means .xlsx.

    Raises:
        SheetError: `FILE_NAME`, `FILE_MISSING` (a link and a folder count as missing), `FILE_OVER_LIMIT`,
            `FILE_ENCRYPTED`, or `FILE_KIND` where the content is something else.
    """
    ending = Path(name.strip()).suffix.lower()
    kind: Kind = ".csv" if ending == ".csv" else ".xlsm" if ending == ".xlsm" else ".xlsx"
    safe = safe_file_name(name, kind)
    given = name.strip()
    for candidate in dict.fromkeys((given, safe, unicodedata.normalize("NFD", safe))):
        path = folder / candidate
        try:
            state = path.lstat()
        except (OSError, ValueError):
            continue
        if stat.S_ISREG(state.st_mode):
            found = Existing(path, kind, state)
            _check_content(found)
            return found
    raise SheetError(Reason.FILE_MISSING)


@contextmanager
def replacing(found: Existing) -> Iterator[tuple[Path, Path]]:
    """A place to write the successor of a file, and where its backup will be; when the block ends well, both are there.

    The old file becomes the backup by a second name, so nothing is copied where the file system has links.

    Raises:
        SheetError: `FILE_LOCKED` if another program has the file open, `FILE_READ_ONLY`, `FILE_CHANGED` if it was saved
            meanwhile, `FILE_UNWRITABLE`. The file is then as it was.
    """
    _check_locks(found)
    try:
        with _held(found.path), tempfile.TemporaryDirectory(prefix=".remit-", dir=found.path.parent) as folder:
            draft = Path(folder) / found.path.name
            backup = _backup_of(found.path)
            yield draft, backup
            draft.chmod(stat.S_IMODE(found.state.st_mode))
            to_disk(draft)
            _check_locks(found)
            _exchange(found, draft, backup)
        sync_folder(found.path.parent)
    except OSError as error:
        read_only = error.errno in (errno.EACCES, errno.EPERM, errno.EROFS)
        raise SheetError(Reason.FILE_READ_ONLY if read_only else Reason.FILE_UNWRITABLE) from None
    _forget_old(found.path)


def _exchange(found: Existing, draft: Path, backup: Path) -> None:
    if not found.is_unchanged():
        raise SheetError(Reason.FILE_CHANGED)
    private_dir(backup.parent)
    try:
        os.link(found.path, backup)
    except OSError:
        shutil.copy2(found.path, backup)
    try:
        draft.replace(found.path)
    except OSError:
        backup.unlink(missing_ok=True)
        raise


@contextmanager
def _held(path: Path) -> Iterator[IO[bytes]]:
    """One writer at a time."""
    with path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SheetError(Reason.FILE_LOCKED) from None
        yield file


def _check_locks(found: Existing) -> None:
    """LibreOffice and Excel leave a small file beside a document that they have open."""
    beside = (f".~lock.{found.path.name}#", f"~${found.path.name}")
    if any(os.path.lexists(found.path.with_name(name)) for name in beside):
        raise SheetError(Reason.FILE_LOCKED)
    # The mode is asked, not the right to write: an administrator may write everywhere.
    if not found.state.st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH):
        raise SheetError(Reason.FILE_READ_ONLY)


def _backup_of(path: Path) -> Path:
    now = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
    return path.parent / BACKUPS / f"{path.stem}.{now}{path.suffix}"


def _forget_old(path: Path) -> None:
    stamp = len("20260101-000000-000000")
    mine = sorted(
        entry
        for entry in (path.parent / BACKUPS).iterdir()
        if entry.suffix == path.suffix and entry.stem[: -stamp - 1] == path.stem
    )
    for old in mine[:-KEPT]:
        with suppress(OSError):
            old.unlink()


def _check_content(found: Existing) -> None:
    if found.state.st_size > LARGEST_FILE:
        raise SheetError(Reason.FILE_OVER_LIMIT)
    try:
        with found.path.open("rb") as file:
            start = file.read(8)
            if start == _OLE:
                raise SheetError(Reason.FILE_ENCRYPTED if _is_encrypted(file) else Reason.FILE_KIND)
    except OSError:
        raise SheetError(Reason.FILE_DAMAGED) from None
    if found.kind == ".csv":
        if start.startswith(b"PK\x03\x04"):
            raise SheetError(Reason.FILE_KIND)
    elif start.startswith(b"PK") and not zipfile.is_zipfile(found.path):
        raise SheetError(Reason.FILE_DAMAGED)
    elif _workbook_kind(found.path) != found.kind:
        raise SheetError(Reason.FILE_KIND)


def _is_encrypted(file: IO[bytes]) -> bool:
    """An encrypted workbook is a compound file with a stream of this name (MS-OFFCRYPTO, 2.3.4)."""
    overlap = len(max(_ENCRYPTED, key=len))
    before = b""
    while block := file.read(1 << 20):
        if any(mark in before + block for mark in _ENCRYPTED):
            return True
        before = block[-overlap:]
    return False


def _workbook_kind(path: Path) -> str | None:
    """The ending a package's content asks for; None where it is no workbook of this family."""
    if not zipfile.is_zipfile(path):
        return None
    from ._workbook import main_type

    return _MAIN_TYPES.get(main_type(path).lower())
