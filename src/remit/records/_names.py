"""Which offered column a field asked for by name is: one certain answer, several, or none."""

from __future__ import annotations

import tomllib
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, Literal

from ._evidence import ColumnType
from ._lexicon import read
from ._words import fold

Concept = str
Step = Literal["exact", "case", "punctuation", "synonym", "kind"]

_NUMBER_SIGNS: Final = str.maketrans({"°": "o", "º": "o", "№": "no", "#": " number "})


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several columns fit equally well at `step`; none is taken."""

    indexes: tuple[int, ...]
    step: Step


def match_name(wanted: str, offered: Sequence[str]) -> int | Ambiguous | None:
    """The index of the offered name that is `wanted`, by the first step at which any fits.

    Exact; ignoring case and outer spaces; ignoring punctuation and accents; a synonym of the same field; a more general
    or more special field. At each step a single fit is taken, and several are ambiguous: never the first of several.
    """
    steps: tuple[tuple[Step, Callable[[str], bool]], ...] = (
        ("exact", lambda name: name == wanted),
        ("case", lambda name: name.strip().casefold() == wanted.strip().casefold() != ""),
        ("punctuation", lambda name: plain_name(name) == plain_name(wanted) != ""),
        ("synonym", lambda name: bool(concepts_of(name) & concepts_of(wanted))),
        ("kind", lambda name: bool(_related(concepts_of(wanted)) & concepts_of(name))),
    )
    for step, fits in steps:
        found = tuple(index for index, name in enumerate(offered) if fits(name))
        if found:
            return found[0] if len(found) == 1 else Ambiguous(found, step)
    return None


def type_of_name(name: str) -> ColumnType | None:
    """The type the values of a field have by its name, as a hint; None if the name tells none, or several."""
    types = {_lexicon().types[concept] for concept in concepts_of(name) if concept in _lexicon().types}
    return types.pop() if len(types) == 1 else None


def concepts_of(name: str) -> frozenset[Concept]:
    """The fields a name may mean in any language of the lexicon."""
    return _lexicon().concepts.get(plain_name(name), frozenset())


def plain_name(name: str) -> str:
    """A name without case, accents and punctuation; its words apart by one space."""
    text = fold(name.translate(_NUMBER_SIGNS))
    kept = (char if unicodedata.category(char)[0] in "LMN" else " " for char in text if char not in "'’")
    return " ".join("".join(kept).split())


@dataclass(frozen=True, slots=True)
class _Lexicon:
    concepts: Mapping[str, frozenset[Concept]]
    related: Mapping[Concept, frozenset[Concept]]
    types: Mapping[Concept, ColumnType]


@cache
def _lexicon() -> _Lexicon:
    concepts: dict[str, set[Concept]] = defaultdict(set)
    for _, fields in languages():
        for concept, names in fields.items():
            for name in names:
                concepts[plain_name(name)].add(concept)
    related: dict[Concept, set[Concept]] = defaultdict(set)
    kinds, types = kinds_and_types()
    for general, specials in kinds.items():
        for special in specials:
            related[general].add(special)
            related[special].add(general)
    by_concept = {concept: kind for kind, of_kind in types.items() for concept in of_kind}
    return _Lexicon(
        {name: frozenset(found) for name, found in concepts.items()},
        {concept: frozenset(found) for concept, found in related.items()},
        by_concept,
    )


def languages() -> Iterator[tuple[str, dict[Concept, list[str]]]]:
    """Each language of the lexicon with its names of fields."""
    for entry in sorted(files(__package__).joinpath("lexicon").iterdir(), key=lambda entry: entry.name):
        if entry.name.startswith("fields."):
            yield entry.name.split(".")[1], tomllib.loads(entry.read_text("utf-8"))


def kinds_and_types() -> tuple[dict[Concept, list[Concept]], dict[ColumnType, list[Concept]]]:
    """Which fields are kinds of which, and the type of each field's values."""
    data = tomllib.loads(read("kinds.toml"))
    return data["kinds"], data["types"]


def _related(concepts: frozenset[Concept]) -> frozenset[Concept]:
    found: set[Concept] = set()
    for concept in concepts:
        found |= _lexicon().related.get(concept, frozenset())
    return frozenset(found)
