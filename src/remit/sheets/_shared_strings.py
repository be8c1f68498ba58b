"""The shared strings of a workbook, of which only the few that matter are kept."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import IO, Final

from remit.contract import Reason

from ._errors import SheetError
from ._sheet_xml import BLOCK, Tags

LONGEST_ITEM: Final = 16 << 20
LONGEST_KEPT: Final = 2000
"""Bytes of XML beyond which a text is of no interest as a heading or label."""
_ROOT: Final = re.compile(rb"<(?:([A-Za-z_][\w.-]*):)?sst[\s>]")


def kept_strings(stream: IO[bytes], keep: Callable[[str], bool]) -> dict[int, str]:
    """The strings that `keep` wants, by their index. The part is read as a stream.

    Raises:
        SheetError: `FILE_DAMAGED`.
    """
    buffer = stream.read(BLOCK)
    root = _ROOT.search(buffer)
    if root is None or b"<!" in buffer[: root.start()]:
        raise SheetError(Reason.FILE_DAMAGED)
    tags = Tags(root[1] + b":" if root[1] else b"")
    item = re.compile(rb"<%bsi\b[^>]*?(?:/>|>(.*?)</%bsi>)" % (tags.prefix, tags.prefix), re.DOTALL)
    found: dict[int, str] = {}
    index = 0
    while True:
        at = 0
        for match in item.finditer(buffer):
            body, at = match[1], match.end()
            if body and len(body) <= LONGEST_KEPT:
                text = tags.plain_text(body)
                if keep(text):
                    found[index] = text
            index += 1
        block = stream.read(BLOCK)
        if not block:
            return found
        buffer = buffer[at:] + block
        if len(buffer) > LONGEST_ITEM:
            raise SheetError(Reason.FILE_DAMAGED)
