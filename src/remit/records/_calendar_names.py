"""Names of months, quarters and weekdays in every language of CLDR."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from ._lexicon import calendar, words

Name = tuple[str, ...]

LONGEST = 6
"""Tokens of the longest name there is: "mweri wa ikumi na umwe"."""


@dataclass(frozen=True, slots=True)
class Contested:
    """A name that means different numbers in different languages; `meanings` has each number's languages."""

    meanings: Mapping[int, frozenset[str]]


@cache
def names_of(kind: Literal["months", "quarters", "weekdays"]) -> Mapping[Name, int | Contested]:
    """All names of a kind, folded and split, with their number."""
    return {tuple(name.split(" ")): _entry(found) for name, found in calendar()[kind].items()}


def meaning(name: Name, kind: Literal["months", "quarters"], language: str | None) -> int | Contested | None:
    """The number a name stands for: in `language` if that has the name, else where the languages agree."""
    found = names_of(kind).get(name)
    if not isinstance(found, Contested):
        return found
    hinted = [number for number, languages in found.meanings.items() if language in languages]
    wide = [number for number, languages in found.meanings.items() if languages & words("widely_written")]
    numbers = hinted or wide
    return numbers[0] if len(numbers) == 1 else found


def _entry(found: int | Mapping[str, list[str]]) -> int | Contested:
    if isinstance(found, int):
        return found
    return Contested({int(number): frozenset(languages) for number, languages in found.items()})
