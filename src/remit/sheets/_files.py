"""New files that are whole or not there at all, under names that are safe everywhere."""

from __future__ import annotations

import errno
import os
import tempfile
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal

from remit.contract import Reason

from ._errors import SheetError

Suffix = Literal[".xlsx", ".xlsm", ".csv"]

_RESERVED: Final = frozenset(
    {"con", "prn", "aux", "nul", "clock$", "conin$", "conout$"}
    | {f"{port}{digit}" for port in ("com", "lpt") for digit in "0123456789¹²³"}
)
_FORBIDDEN: Final = frozenset('/\\:*?"<>|')
_SPREADSHEETS: Final = (".xlsx", ".xlsm", ".xltx", ".xltm", ".xlsb", ".xls", ".csv", ".tsv", ".ods")
_NO_LINKS: Final = frozenset({errno.EPERM, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK, errno.EXDEV})

LONGEST_NAME = 150
"""Bytes of the longest name written: file systems allow 255, and backups and temporary names must fit too."""


def safe_file_name(name: str, suffix: Suffix) -> str:
    """`name` as one path component ending in `suffix`, which is added where it is missing; in Unicode form NFC.

    Raises:
        SheetError: `FILE_NAME`: separators, control or invisible characters, a leading dot or dash, a name Windows
            reserves, another spreadsheet suffix, empty, or too long.
    """
    stem = unicodedata.normalize("NFC", name).strip()
    if stem.lower().endswith(suffix):
        stem = stem[: -len(suffix)]
    whole = stem + suffix
    bad = (
        not stem
        or stem[0] in ".-~"
        or stem[-1] in ". "
        or any(char in _FORBIDDEN or unicodedata.category(char)[0] == "C" for char in stem)
        or any(unicodedata.category(char) in ("Zl", "Zp") for char in stem)
        or stem.split(".")[0].strip().lower() in _RESERVED
        or stem.lower().endswith(_SPREADSHEETS)
        or len(whole.encode("utf-8", "replace")) > LONGEST_NAME
    )
    if bad:
        raise SheetError(Reason.FILE_NAME)
    return whole


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """A place to write in; when the block ends well, what was written there appears at `path`, complete.

    The missing parents of `path` are made. An existing file is never replaced: of two writers, one wins. On any failure
    nothing is left at `path` nor beside it.

    Raises:
        SheetError: `FILE_EXISTS`, or `FILE_UNWRITABLE` for whatever the file system refuses.
    """
    try:
        if os.path.lexists(path):
            raise SheetError(Reason.FILE_EXISTS)
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".remit-", dir=path.parent) as folder:
            draft = Path(folder) / path.name
            yield draft
            to_disk(draft)
            _appear(draft, path)
        sync_folder(path.parent)
    except OSError:
        raise SheetError(Reason.FILE_UNWRITABLE) from None


def _appear(draft: Path, path: Path) -> None:
    """Give the draft its name, if nobody has it: a hard link is refused where the name exists."""
    draft.chmod(0o600)
    try:
        _link_or_reserve(draft, path)
    except FileExistsError:
        raise SheetError(Reason.FILE_EXISTS) from None


def _link_or_reserve(draft: Path, path: Path) -> None:
    try:
        os.link(draft, path)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        # A file system without links (FAT, some network shares): reserve the name, then replace our own empty file.
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        draft.replace(path)


def to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(path: Path) -> None:
    if os.name == "posix":
        to_disk(path)
