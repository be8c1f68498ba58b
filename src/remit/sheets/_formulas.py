"""Formulas when rows move down: which cells they speak of, and how they read afterwards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from openpyxl.formula import Tokenizer
from openpyxl.formula.tokenizer import Token, TokenizerError

from ._ranges import read_area
from ._values import MAX_ROWS

_REFERENCE: Final = re.compile(r"^((?:'(?:[^']|'')+'|[^'!\[\]]+)!)?(.+)$", re.DOTALL)
_END: Final = re.compile(r"(\$?[A-Z]{1,3}\$?)(\d+)")


@dataclass(frozen=True, slots=True)
class Move:
    """Rows of `sheet` from `below` on move by `shift`; data ended at `last` and now ends at `last + count`."""

    sheet: str
    last: int
    count: int
    below: int
    shift: int

    def row(self, number: int) -> int:
        """Where a row is afterwards."""
        return number + self.shift if number >= self.below else number

    def bottom(self, top: int, number: int) -> int:
        """Where the end of a range is afterwards: one that ended with the data, or in the gap, takes the new rows."""
        if number >= self.below:
            return number + self.shift
        if top <= self.last <= number:
            return max(number + self.shift if number > self.last else 0, self.last + self.count)
        return number


def speaks_of(formula: str, sheet: str, from_row: int, *, own: bool) -> bool:
    """Whether a formula names a cell of `sheet` in row `from_row` or further down; `own` if it stands in that sheet.

    Whole columns do not count: they stay whole. What cannot be read, or is put together while computing, counts.
    """
    if "INDIRECT(" in formula.upper():
        return True
    for name, area in _areas(formula):
        if area == "?":
            return True
        if name is None and not own:
            continue
        if name is not None and not _names(name, sheet):
            continue
        found = read_area(area.upper())
        if found and from_row <= found.bottom and not (found.top == 1 and found.bottom == MAX_ROWS):
            return True
    return False


def moved_formula(formula: str, move: Move) -> str | None:
    """The formula of a cell that moves, so that it means the same and sums up the new rows too; None if it cannot be.

    An array or a reference that is no plain range is left as it stands where no row of it moves.
    """
    try:
        tokens = Tokenizer("=" + formula).items
    except (TokenizerError, IndexError):
        return None
    return "".join(_moved_token(token, move) for token in tokens)


def _moved_token(token: Token, move: Move) -> str:
    written: str = token.value
    found = _REFERENCE.match(written)
    if token.type != Token.OPERAND or token.subtype != Token.RANGE or found is None:
        return written
    name, rest = found[1] or "", found[2].upper()
    ends = _END.findall(rest)
    if (name and not _names(name[:-1], move.sheet)) or not ends or _END.sub("", rest) not in ("", ":"):
        return written
    top = int(ends[0][1])
    numbers = [move.row(top)] if len(ends) == 1 else [move.row(top), move.bottom(top, int(ends[1][1]))]
    return name + ":".join(f"{column}{number}" for (column, _), number in zip(ends, numbers, strict=True))


def _areas(formula: str) -> Iterator[tuple[str | None, str]]:
    """The references of a formula: the sheet named, if one is, and the area; "?" where it cannot be read."""
    try:
        tokens = Tokenizer("=" + formula).items
    except (TokenizerError, IndexError):
        yield None, "?"
        return
    for token in tokens:
        if token.type == Token.OPERAND and token.subtype == Token.RANGE:
            found = _REFERENCE.match(token.value)
            if found:
                yield (found[1][:-1] if found[1] else None), found[2]


def _names(written: str, sheet: str) -> bool:
    """Whether a sheet's name in a formula is this one; a span of sheets counts, for it may take it in."""
    plain = written.strip("'").replace("''", "'")
    return plain.casefold() == sheet.casefold() or ":" in plain
