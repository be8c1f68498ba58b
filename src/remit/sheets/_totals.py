"""Rows that sum up the rows above them."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Final

from ._headings import Fold

LONGEST_LABEL: Final = 60
_AGGREGATE: Final = re.compile(
    r"\b(?:SUM|SUBTOTAL|AGGREGATE|AVERAGE|COUNT|COUNTA|MIN|MAX|SUMIFS?|PRODUCT)\((.*)\)", re.IGNORECASE | re.DOTALL
)
_VERTICAL: Final = re.compile(r"(?<![\w!:])\$?([A-Z]{1,3})\$?(\d+):\$?([A-Z]{1,3})\$?(\d+)")


@cache
def _words() -> tuple[str, ...]:
    listed = tomllib.loads(files(__package__).joinpath("lexicon/totals.toml").read_text("utf-8"))
    return tuple(dict.fromkeys(word for words in listed.values() for word in words))


class TotalLabels:
    """Tells texts that name a sum, in any language of the lexicon."""

    def __init__(self, fold: Fold) -> None:
        self._fold = fold
        self._words = frozenset(map(fold, _words()))
        self._initials = frozenset(word[0] for word in self._words)
        self._longest = max(word.count(" ") for word in self._words) + 1

    def __contains__(self, text: str) -> bool:
        text = text.strip()
        if not text or len(text) > LONGEST_LABEL:
            return False
        if text[0].isascii() and text[0].lower() not in self._initials:
            return False
        words = self._fold(text).split(" ")
        return any(" ".join(words[:count]) in self._words for count in range(1, self._longest + 1))


def sums_up(formula: str, row: int) -> bool:
    """Whether a formula in `row` aggregates a range of several rows above it, or a column of a table."""
    found = _AGGREGATE.search(formula)
    if found is None:
        return False
    if "[" in found[1]:
        return "@" not in found[1] and "#This Row" not in found[1]
    return any(
        left == right and int(top) < int(bottom) < row
        for left, top, right, bottom in _VERTICAL.findall(found[1].upper())
    )
