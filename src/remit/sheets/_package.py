"""A workbook's parts: read where needed, copied raw where not (ECMA-376 part 2, "Open Packaging Conventions")."""

from __future__ import annotations

import copy
import posixpath
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final, Self

from lxml import etree

from remit.contract import Reason

from ._errors import SheetError

LARGEST_PART: Final = 4 << 30
"""Bytes of the largest part that is streamed, unpacked."""
LARGEST_PARSED: Final = 64 << 20
"""Bytes of the largest part that is parsed as a whole, unpacked: styles, tables, relations, drawings."""
MOST_PARTS: Final = 20_000
_BLOCK: Final = 1 << 20
_LOCAL_HEADER: Final = struct.Struct("<4s22xHH")
_ENCRYPTED_FLAG: Final = 0x1
_DESCRIPTOR_FLAG: Final = 0x08
_BROKEN: Final = (zipfile.BadZipFile, zlib.error, EOFError, struct.error, NotImplementedError, ValueError, KeyError)


@contextmanager
def understood() -> Iterator[None]:
    """Whatever goes wrong in reading a file's structure is `FILE_DAMAGED`; no text of the file gets out."""
    try:
        yield
    except (*_BROKEN, etree.LxmlError):
        raise SheetError(Reason.FILE_DAMAGED) from None


def parse(data: bytes) -> etree._Element:
    """A small part as a tree; nothing outside it is read, and no entity is expanded."""
    if b"<!DOCTYPE" in data[:4096]:
        raise SheetError(Reason.FILE_DAMAGED)
    return etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True, remove_blank_text=False))


def serialise(root: etree._Element) -> bytes:
    """The tree as a part."""
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


def local(element: etree._Element) -> str:
    """The name of an element without its namespace: the transitional and the strict one are read alike."""
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


class Package:
    """An opened package. Part names are compared without case, as the standard asks."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        infos = archive.infolist()
        if len(infos) > MOST_PARTS or any(info.file_size > LARGEST_PART for info in infos):
            raise SheetError(Reason.FILE_OVER_LIMIT)
        if any(info.flag_bits & _ENCRYPTED_FLAG for info in infos):
            raise SheetError(Reason.FILE_ENCRYPTED)
        self._archive = archive
        self._infos = {info.filename.lstrip("/").lower(): info for info in infos}
        if len(self._infos) != len(infos):
            raise SheetError(Reason.FILE_DAMAGED)

    @classmethod
    @contextmanager
    def open(cls, path: Path) -> Iterator[Self]:
        """The package in a file.

        Raises:
            SheetError: `FILE_DAMAGED`, `FILE_OVER_LIMIT`, `FILE_ENCRYPTED`.
        """
        with understood(), zipfile.ZipFile(path) as archive:
            yield cls(archive)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all parts, in lower case, in the order of the file."""
        return tuple(self._infos)

    def __contains__(self, name: str) -> bool:
        return name.lower() in self._infos

    def size(self, name: str) -> int:
        """Bytes of a part, unpacked."""
        return self._infos[name.lower()].file_size

    def stream(self, name: str) -> IO[bytes]:
        """A part, to be read piece by piece."""
        return self._archive.open(self._infos[name.lower()])

    def read(self, name: str) -> bytes:
        """A whole part, if it is small."""
        if self.size(name) > LARGEST_PARSED:
            raise SheetError(Reason.FILE_OVER_LIMIT)
        return self._archive.read(self._infos[name.lower()])

    def tree(self, name: str) -> etree._Element:
        """A small part, parsed."""
        return parse(self.read(name))

    def content_type(self, name: str) -> str:
        """The declared type of a part, or "" where none is."""
        wanted = "/" + name.lower()
        for entry in self.tree("[content_types].xml"):
            if local(entry) == "Override" and (entry.get("PartName") or "").lower() == wanted:
                return entry.get("ContentType") or ""
        return ""

    def relations(self, name: str) -> Mapping[str, tuple[str, str]]:
        """What a part refers to inside the package: for each id, the last word of the kind, and the part's name."""
        folder, file = posixpath.split(name.lower())
        rels = posixpath.join(folder, "_rels", file + ".rels")
        found: dict[str, tuple[str, str]] = {}
        for entry in self.tree(rels) if rels in self else ():
            if local(entry) != "Relationship" or entry.get("TargetMode") == "External":
                continue
            target = posixpath.normpath(posixpath.join("/" + folder, entry.get("Target") or ""))
            found[entry.get("Id") or ""] = ((entry.get("Type") or "").rsplit("/", 1)[-1], target.lstrip("/").lower())
        return found

    def copy_except(self, changed: frozenset[str], target: zipfile.ZipFile) -> None:
        """Copy every other part as it is packed, without unpacking it."""
        target.comment = self._archive.comment
        for name, info in self._infos.items():
            if name not in changed:
                _copy_packed(self._archive, info, target)

    def successor(self, name: str, level: int | None = None) -> zipfile.ZipInfo:
        """The entry for a part that replaces `name`, with its name and date; `level` is how hard to compress."""
        old = self._infos[name.lower()]
        info = zipfile.ZipInfo(old.filename, old.date_time)
        info.compress_type = zipfile.ZIP_DEFLATED
        info.external_attr, info.create_system = old.external_attr, old.create_system
        # Python 3.13 gave this attribute its public name.
        setattr(info, "compress_level" if hasattr(info, "compress_level") else "_compresslevel", level)
        return info


def _copy_packed(source: zipfile.ZipFile, info: zipfile.ZipInfo, target: zipfile.ZipFile) -> None:
    """Move one entry's packed bytes. Sizes and checksum are known, so it needs no descriptor after the data."""
    read, write = source.fp, target.fp
    if read is None or write is None:
        raise SheetError(Reason.FILE_DAMAGED)
    read.seek(info.header_offset)
    signature, name_length, extra_length = _LOCAL_HEADER.unpack(read.read(_LOCAL_HEADER.size))
    if signature != b"PK\x03\x04":
        raise SheetError(Reason.FILE_DAMAGED)
    read.seek(name_length + extra_length, 1)
    moved = copy.copy(info)
    moved.flag_bits &= ~_DESCRIPTOR_FLAG
    write.seek(target.start_dir)
    moved.header_offset = write.tell()
    write.write(moved.FileHeader())
    left = info.compress_size
    while left:
        block = read.read(min(left, _BLOCK))
        if not block:
            raise SheetError(Reason.FILE_DAMAGED)
        write.write(block)
        left -= len(block)
    target.filelist.append(moved)
    target.NameToInfo[moved.filename] = moved
    target.start_dir = write.tell()
