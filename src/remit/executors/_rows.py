"""What tells rows apart, and which rows of a list that is seen again are new. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from remit.browser import Frame, RecordList, Row
from remit.records import match_name

Key = tuple[str, tuple[str, ...]]
"""What tells rows apart: where the row's own link leads, and the texts of all its cells."""


def grown_rows(before: Sequence[Key], now: Sequence[Key]) -> range:
    """Which rows of `now` are new: those behind what the list held before, where it grew; else all."""
    grew = bool(before) and list(now[: len(before)]) == list(before)
    return range(len(before) if grew else 0, len(now))


def moved_rows(windows: Iterable[Sequence[Key]], now: Sequence[Key]) -> list[int]:
    """Which rows of a window that moves over a list are new: those that no recent window held as often.

    Windows overlap, may be half drawn when they are read, and may jump back a little while the page measures its rows.
    """
    held: Counter[Key] = Counter()
    for window in windows:
        held |= Counter(window)
    here: Counter[Key] = Counter()
    new: list[int] = []
    for at, key in enumerate(now):
        here[key] += 1
        if here[key] > held[key]:
            new.append(at)
    return new


def key_of(frame: Frame, row: Row) -> Key:
    """What tells the row from others."""
    address = frame.controls[row.link].href if row.link is not None else ""
    return address, tuple(cell.text for cell in row.cells)


_OWN_NUMBERS = ("number", "id", "reference")


def own_numbers(found: RecordList) -> int | None:
    """The column that identifies the records, if the list has one that is named so and tells all its rows apart."""
    named = [column for column in found.columns if column.name and column.part_of is None]
    for name in _OWN_NUMBERS:
        at = match_name(name, [column.name for column in named])
        if isinstance(at, int):
            texts = [row.cells[named[at].index].text for row in found.rows]
            return named[at].index if all(texts) and len(set(texts)) == len(texts) else None
    return None
