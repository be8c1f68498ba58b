"""Finding secrets where they should not be, in whatever clothes.

A canary is a distinctive string. `Canaries` looks for it plainly (in any letter case), backwards, URL-, HTML- and
JSON-escaped, in hex, in UTF-16, and in base64 at all three alignments, in bytes, files, archives and folders. A hit
tells where, which and how, and never repeats the secret.
"""

from __future__ import annotations

import base64
import gzip
import html
import io
import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, quote_plus

SHORTEST = 6
"""Shorter strings occur by accident, most of all in base64."""


@dataclass(frozen=True, slots=True, order=True)
class Hit:
    """A canary was found: in which place, which one, and in which encoding."""

    where: str
    canary: str
    encoding: str


def encodings(secret: str) -> dict[str, frozenset[bytes]]:
    """What to look for, by the name of the encoding.

    Raises:
        ValueError: the string is too short to be told from chance.
    """
    if len(secret) < SHORTEST:
        raise ValueError(f"a canary needs at least {SHORTEST} characters")
    raw = secret.encode()
    texts = {
        "url": {quote(secret, safe=""), quote(secret), quote_plus(secret), quote(quote(secret, safe=""), safe="")},
        "html": {html.escape(secret), html.escape(secret, quote=False)},
        "json": {json.dumps(secret)[1:-1], json.dumps(json.dumps(secret)[1:-1])[1:-1]},
        "hex": {raw.hex(), raw.hex(" "), raw.hex(":")},
        "reversed": {secret[::-1]},
    }
    found = {name: frozenset(text.encode() for text in forms) for name, forms in texts.items()}
    utf16 = {secret.encode("utf-16-le"), secret.encode("utf-16-be")}
    return {"plain": frozenset({raw}), **found, "utf-16": frozenset(utf16), "base64": frozenset(_base64(raw))}


def _base64(raw: bytes) -> Iterator[bytes]:
    """The characters that depend on the secret alone, for each place it may have in a group of three bytes."""
    for before in range(3):
        first, last = -(-before * 8 // 6), (before + len(raw)) * 8 // 6
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            yield encode(b"\0" * before + raw)[first:last]


class Canaries:
    """Some named canaries to look for; empty ones are left out, as a credential may lack a user name."""

    def __init__(self, secrets: Mapping[str, str]) -> None:
        self._needles = [
            (canary, encoding, form if encoding == "base64" else form.lower())
            for canary, secret in secrets.items()
            if secret
            for encoding, forms in encodings(secret).items()
            for form in sorted(forms)
        ]

    def in_bytes(self, data: bytes, where: str) -> list[Hit]:
        """The hits in some bytes; the same kind once."""
        folded = data.lower()
        found = {
            Hit(where, canary, encoding)
            for canary, encoding, needle in self._needles
            if needle in (data if encoding == "base64" else folded)
        }
        return self._without_echoes(found)

    def in_text(self, text: str, where: str) -> list[Hit]:
        """The hits in a text."""
        return self.in_bytes(text.encode(errors="surrogatepass"), where)

    def in_file(self, path: Path, where: str | None = None) -> list[Hit]:
        """The hits in a file, its name, and, when it is an archive, its members."""
        name = where or path.name
        hits = self.in_text(path.name, f"name of {path.parent.name}/…")
        for inner, data in _unpacked(name, path.read_bytes()):
            hits += self.in_bytes(data, inner)
        return hits

    def in_folder(self, folder: Path) -> list[Hit]:
        """The hits in all files below a folder; what is no regular file is skipped, what vanished meanwhile too."""
        hits: list[Hit] = []
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.is_symlink():
                try:
                    hits += self.in_file(path, str(path.relative_to(folder)))
                except FileNotFoundError:
                    continue
        return hits

    @staticmethod
    def _without_echoes(found: Iterable[Hit]) -> list[Hit]:
        """A secret without special characters is the same in several encodings: then `plain` says enough."""
        hits = sorted(found)
        plain = {hit.canary for hit in hits if hit.encoding == "plain"}
        same = {"url", "html", "json"}
        return [hit for hit in hits if not (hit.encoding in same and hit.canary in plain)]


def _unpacked(name: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    yield name, data
    if zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for member in archive.namelist():
                yield f"{name}!{member}", archive.read(member)
    elif data[:2] == b"\x1f\x8b":
        yield f"{name}!", gzip.decompress(data)
