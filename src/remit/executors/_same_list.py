"""Finding the chosen list again on its next page: the same places give the same fields, whatever stands in them."""

from __future__ import annotations

from remit.browser import Chosen, Frame, RecordList, find_lists

from ._area import select
from ._harvest import Wanted

Place = tuple[str, str, int]
"""A column's name, the words of its place, and which of the columns with both it is."""


class SameList:
    """Remembers which columns gave the fields. A page whose values suggest another mapping does not change it."""

    def __init__(self, wanted: Wanted, first: Chosen) -> None:
        self._wanted = wanted
        self._kind = first.list.kind
        self._heading = first.list.heading
        self._unmatched = first.unmatched
        places = _places(first.list)
        self._places = {name: places[column] for name, column in first.columns.items() if column is not None}

    def find(self, frame: Frame) -> Chosen | None:
        """The list with all of these columns; else what a first look would choose."""
        fitting = [chosen for each in find_lists(frame) if (chosen := self._fit(each)) is not None]
        same = [chosen for chosen in fitting if chosen.list.heading == self._heading]
        if same or len(fitting) == 1:
            return (same or fitting)[0]
        return select(frame, self._wanted)

    def _fit(self, read: RecordList) -> Chosen | None:
        if read.kind != self._kind or not self._places:
            return None
        at = {place: column for column, place in enumerate(_places(read))}
        columns: dict[str, int | None] = {name: at.get(place) for name, place in self._places.items()}
        if None in columns.values():
            return None
        columns |= dict.fromkeys(self._unmatched)
        return Chosen(read, columns, self._unmatched, ())


def _places(read: RecordList) -> list[Place]:
    """In the order of the columns, whose indexes are their positions."""
    seen: dict[tuple[str, str], int] = {}
    places = []
    for column in read.columns:
        key = column.name, column.slot
        seen[key] = seen.get(key, 0) + 1
        places.append((*key, seen[key]))
    return places
