"""A downloaded file: what it is by its content, whether that is admitted, and where it is kept.

The name a page gives a file is the page's text: it only says which kind the file claims to be. The file is named in the
planner's own words, so that its path tells the planner nothing it did not say itself.
"""

from __future__ import annotations

import io
import json
import os
import re
import unicodedata
import zipfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from remit.browser import Arrived, Wish
from remit.contract import Reason, RemitError
from remit.state import private_dir, private_file

FOLDER = "Downloads"
MOST_BYTES = 64 * 1024 * 1024
LONGEST_STEM = 60
_MOST_SAME = 1000

_MAGIC = ((b"\x89PNG\r\n\x1a\n", "png"), (b"\xff\xd8\xff", "jpg"), (b"PK\x03\x04", "zip"))
_TEXTS = frozenset({"csv", "xml", "json", "txt"})
_KINDS = frozenset({"pdf", "png", "jpg", "zip", "xlsx", "docx", "p7m", *_TEXTS})
_ALIASES = {"jpeg": "jpg", "text": "txt"}
_SERVERS = frozenset({"", "php", "asp", "aspx", "ashx", "do", "jsp", "cgi", "action", "bin"})
"""What stands behind the last point of an address that makes files: says nothing of the kind."""
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
"""What no text holds, and programs do."""
_ACTIVE = re.compile(r"<!doctype\s+html|<html[\s>]|<svg[\s>]|<script[\s>]|<\?php", re.IGNORECASE)
_OFFICE = {"xl/workbook.xml": "xlsx", "word/document.xml": "docx"}
_MACROS = ("vbaproject.bin", ".class", ".exe", ".dll", ".js", ".vbs", ".bat", ".cmd", ".ps1", ".scr", ".msi", ".lnk")


@dataclass(frozen=True, slots=True)
class Kept:
    """A file in the private folder."""

    path: Path
    size: int
    kind: str


def kind_of(data: bytes, name: str) -> str | None:
    """The kind by the content; None where it is none of the closed list, active, or not what the name says."""
    claimed = name.rpartition(".")[2].lower() if "." in name else ""
    claimed = _ALIASES.get(claimed, claimed)
    if claimed not in _KINDS and claimed not in _SERVERS:
        return None
    found = _by_magic(data) or _as_signed(data, claimed) or _as_text(data, claimed)
    return found if claimed in (found, *_SERVERS) else None


def _by_magic(data: bytes) -> str | None:
    if b"%PDF-" in data[:1024]:
        return "pdf"
    kind = next((kind for magic, kind in _MAGIC if data.startswith(magic)), None)
    return _in_zip(data) if kind == "zip" else kind


def _in_zip(data: bytes) -> str | None:
    """A zip, or the office document in one; nothing that runs."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = [name.lower() for name in archive.namelist()]
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        return None
    if any(name.endswith(_MACROS) for name in names):
        return None
    return next((kind for name, kind in _OFFICE.items() if name in names), "zip")


def _as_signed(data: bytes, claimed: str) -> str | None:
    """A signed envelope (CMS in DER, RFC 5652) has no magic of its own: it begins as a sequence."""
    return "p7m" if claimed == "p7m" and data[:1] == b"\x30" and data[1:2] in (b"\x80", b"\x82", b"\x83") else None


def _as_text(data: bytes, claimed: str) -> str | None:
    text = _text(data)
    if text is None or not text.strip() or text.startswith("#!") or _ACTIVE.search(text[:4096]):
        return None
    if claimed == "xml" or text.lstrip().startswith("<?xml"):
        return "xml" if text.lstrip().startswith("<") else None
    if claimed == "json":
        with suppress(ValueError, RecursionError):
            json.loads(text)
            return "json"
        return None
    return claimed if claimed in _TEXTS else "txt"


def _text(data: bytes) -> str | None:
    encodings = ("utf-16",) if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig", "cp1252")
    for encoding in encodings:
        with suppress(UnicodeDecodeError):
            text = data.decode(encoding)
            return None if _CONTROLS.search(text) else text
    return None


def keep(arrived: Arrived, wish: Wish, files_dir: Path) -> Kept:
    """Check the file and write it, mode 0600, under a new name in a folder of mode 0700.

    Raises:
        RemitError: DOWNLOAD_REFUSED; FILE_UNWRITABLE.
    """
    kind = kind_of(arrived.data, arrived.name)
    if kind is None or (wish.kinds and kind not in wish.kinds) or not _is_asked(arrived, wish, kind):
        raise RemitError(Reason.DOWNLOAD_REFUSED)
    try:
        path = _write(private_dir(files_dir / FOLDER), stem_of(wish), kind, arrived.data)
    except OSError:
        raise RemitError(Reason.FILE_UNWRITABLE) from None
    return Kept(path, len(arrived.data), kind)


def _is_asked(arrived: Arrived, wish: Wish, kind: str) -> bool:
    """The words of the condition, if there are any, stand in the file's own name or its text."""
    text = (_text(arrived.data) or "") if kind in _TEXTS else ""
    said = f"{Path(arrived.name).stem}\n{text}".casefold()
    return all(word in said for word in re.findall(r"\w+", wish.words.casefold()))


def stem_of(wish: Wish) -> str:
    """`download-` and what in the planner's own words tells the record: letters, digits and dashes alone."""
    words = unicodedata.normalize("NFC", wish.row or " ".join(wish.numbers))
    return "-".join(["download", *re.findall(r"[^\W_]+", words)])[:LONGEST_STEM].rstrip("-")


def _write(folder: Path, stem: str, kind: str, data: bytes) -> Path:
    """Whole or not there; a file of the same name is never replaced."""
    draft = folder / f".{stem}.{os.urandom(6).hex()}"
    private_file(draft, data)
    try:
        for number in range(1, _MOST_SAME):
            path = folder / (f"{stem}.{kind}" if number == 1 else f"{stem}-{number}.{kind}")
            with suppress(FileExistsError):
                os.link(draft, path)
                return path
    finally:
        draft.unlink(missing_ok=True)
    raise FileExistsError
