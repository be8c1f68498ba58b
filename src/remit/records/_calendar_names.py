"""Names of months, quarters and weekdays in every language of CLDR."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from ._lexicon import calendar, words

Name = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Contested:
    """A name that means different numbers in different languages, or may be another word in most; `meanings` has the
    languages of each number.
    """

    meanings: Mapping[int, frozenset[str]]


@cache
def names_of(kind: Literal["months", "quarters", "weekdays"]) -> Mapping[Name, int | Contested]:
    """All names of a kind, folded and split, with their number, negative if no widely written language has the name."""
    return {tuple(name.split(" ")): _entry(found) for name, found in calendar()[kind].items()}


def meaning(name: Name, kind: Literal["months", "quarters"], language: str | None) -> int | Contested | None:
    """The number a name stands for: in `language` if that has the name, else where the languages agree."""
    found = names_of(kind).get(name)
    if not isinstance(found, Contested):
        return found if found is None else abs(found)
    hinted = [number for number, languages in found.meanings.items() if language in languages]
    wide = [number for number, languages in found.meanings.items() if languages & words("widely_written")]
    numbers = hinted or wide
    return numbers[0] if len(numbers) == 1 else found


@cache
def longest(kind: Literal["months", "quarters", "weekdays"]) -> int:
    """Tokens of the longest name of a kind."""
    return max(map(len, names_of(kind)))


@cache
def literals() -> frozenset[str]:
    """What dates have between their parts in some language of CLDR: words, and punctuation that is not ASCII."""
    return frozenset(calendar()["literals"])


def _entry(found: int | Mapping[str, list[str]]) -> int | Contested:
    if isinstance(found, int):
        return found
    return Contested({int(number): frozenset(languages) for number, languages in found.items()})
