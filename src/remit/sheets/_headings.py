"""Which field each heading of a sheet takes: a certain answer, or none."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from remit.contract import Reason

from ._errors import SheetError

Fold = Callable[[str], str]
"""Makes names comparable that differ in case, accents and punctuation only."""

LONGEST_HEADING: Final = 200


@dataclass(frozen=True, slots=True)
class Binding:
    """For each heading the index of the field it takes, or None.

    `ambiguous` are fields that several headings fit, or that share a heading with other fields; `unplaced` those that
    none fits. `missing` are headings named by the caller that are not there, or more than once.
    """

    places: tuple[int | None, ...]
    ambiguous: tuple[int, ...]
    unplaced: tuple[int, ...]
    missing: tuple[str, ...]

    @property
    def fits(self) -> int:
        """How many fields the headings speak of."""
        return len({place for place in self.places if place is not None}) + len(self.ambiguous)


def steps(fold: Fold) -> tuple[Callable[[str], str], ...]:
    """How names are compared, the strictest first: as they stand; without case and outer spaces; folded."""
    return (lambda name: name, lambda name: name.strip().casefold(), fold)


def check_fields(fields: Sequence[str], chosen: Mapping[str, str]) -> None:
    """An explicit binding to a field that is not there is refused.

    Raises:
        SheetError: `UNKNOWN_FIELD`.
    """
    if any(field not in fields for field in chosen.values()):
        raise SheetError(Reason.UNKNOWN_FIELD)


def bind(headings: Sequence[str], fields: Sequence[str], chosen: Mapping[str, str], fold: Fold) -> Binding:
    """Bind headings to fields: what the caller chose (heading to field) first, then by name.

    By exact name; then by a unique match ignoring case and outer spaces; then by one ignoring punctuation and accents.
    A step at which a field fits several headings, or a heading several fields, leaves those unresolved: never the first
    of several, and no looser step decides between them.
    """
    places: dict[int, int] = {}
    missing = [
        heading for heading, field in chosen.items() if not _choose(heading, field, headings, fields, places, fold)
    ]
    open_fields = [at for at in range(len(fields)) if at not in places.values() and fields[at] not in chosen.values()]
    open_headings = [at for at, heading in enumerate(headings) if at not in places and heading.strip()]
    ambiguous: list[int] = []
    for step in steps(fold):
        pairs = _pairs(open_headings, headings, open_fields, fields, step)
        for heading, field in pairs:
            alone = sum(pair[0] == heading for pair in pairs) == sum(pair[1] == field for pair in pairs) == 1
            if alone:
                places[heading] = field
            elif field not in ambiguous:
                ambiguous.append(field)
        done = {field for _, field in pairs}
        open_fields = [field for field in open_fields if field not in done]
        open_headings = [at for at in open_headings if at not in {heading for heading, _ in pairs}]
    return Binding(
        tuple(places.get(at) for at in range(len(headings))), tuple(ambiguous), tuple(open_fields), tuple(missing)
    )


def _choose(
    heading: str, field: str, headings: Sequence[str], fields: Sequence[str], places: dict[int, int], fold: Fold
) -> bool:
    for step in steps(fold):
        found = [at for at, name in enumerate(headings) if name.strip() and step(name) == step(heading)]
        if found:
            if len(found) == 1:
                places[found[0]] = fields.index(field)
            return len(found) == 1
    return False


def _pairs(
    open_headings: Sequence[int],
    headings: Sequence[str],
    open_fields: Sequence[int],
    fields: Sequence[str],
    step: Callable[[str], str],
) -> list[tuple[int, int]]:
    named = [(field, step(fields[field])) for field in open_fields]
    return [
        (heading, field)
        for heading in open_headings
        for field, name in named
        if name and step(headings[heading]) == name
    ]


class Names:
    """The names a heading may have to be of interest, tested quickly: a sheet may hold millions of texts."""

    def __init__(self, names: Sequence[str], fold: Fold) -> None:
        self._fold = fold
        self._folded = {fold(name) for name in names} - {""}
        self._stripped = {name.strip().casefold() for name in names} - {""}
        self._initials = {text[0] for text in self._folded | self._stripped}

    @property
    def pattern(self) -> bytes:
        """A regular expression over bytes that the beginning of every such name fits, and of little else.

        What is ASCII must have the letters and digits of a name, in any case and with any punctuation between; what has
        other characters, signs that fold to words or escapes may be anything.
        """
        between = b"[^A-Za-z0-9<]*"
        spelled = {"".join(filter(str.isalnum, name)) for name in self._folded | self._stripped}
        plain = sorted(name.encode() for name in spelled if name.isascii())
        names = (between.join(bytes([letter]) for letter in name) + between + b"<" for name in plain)
        return b"(?i:" + between + b"(?:" + b"|".join((*names, rb"[^<&#\x80-\xff]*[&#\x80-\xff]")) + b"))"

    def __contains__(self, text: str) -> bool:
        text = text.strip()
        if not text or len(text) > LONGEST_HEADING:
            return False
        first = text[0]
        if first.isascii() and first.isalnum() and first.lower() not in self._initials:
            return False
        return text.casefold() in self._stripped or self._fold(text) in self._folded
