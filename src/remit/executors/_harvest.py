"""From the rows of a page to entries of a dataset: filtered, told apart, counted. Pure but for the dataset itself."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from remit.browser import Cell, Frame, RecordList, Row
from remit.records import DateRules, Entry, Period, Place, read_date

Key = tuple[str, tuple[str, ...]]
"""What tells rows apart: where the row's own link leads, and the texts of all its cells."""


WINDOWS = 8
"""How many windows of a list that is read by scrolling are remembered to tell what was read already."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the planner asked for. `where` compares texts without case; `period` filters by the field of that name."""

    items: str
    fields: tuple[str, ...]
    where: Mapping[str, str] = field(default_factory=dict)
    period_field: str | None = None
    period: Period = field(default_factory=Period)
    rules: DateRules = field(default_factory=DateRules)

    @property
    def names(self) -> tuple[str, ...]:
        """Every field that must be found, those that only filter included."""
        filters = (*self.where, *([self.period_field] if self.period_field else []))
        return tuple(dict.fromkeys((*self.fields, *filters)))


@dataclass(slots=True)
class Counts:
    """What became of the rows that were seen."""

    pages: int = 0
    seen: int = 0
    exported: int = 0
    repeats: int = 0
    flagged: int = 0
    filtered: int = 0
    straddling: int = 0
    undated: int = 0
    headers_left_out: int = 0
    totals_left_out: int = 0


class Sink(Protocol):
    """Where entries go, durable at once."""

    def append(self, dataset_id: str, entries: Sequence[Entry]) -> int:
        """Add them; how many there are."""


@dataclass(frozen=True, slots=True)
class Pending:
    """A row that lacks fields its own page may have."""

    entry: Entry
    address: str
    missing: tuple[str, ...]


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


class Harvest:
    """Takes pages in order. Rows that repeat across pages are left out by key; equal rows without one stay, flagged."""

    def __init__(self, wanted: Wanted, sink: Sink, dataset_id: str) -> None:
        self._wanted = wanted
        self._sink = sink
        self._dataset_id = dataset_id
        self._texts: dict[tuple[str, ...], int] = {}
        self._links: dict[Key, int] = {}
        self._before: list[Key] = []
        self._windows: deque[list[Key]] = deque(maxlen=WINDOWS)
        self.counts = Counts()
        self.pending: list[Pending] = []

    def keys(self, frame: Frame, found: RecordList) -> list[Key]:
        """The keys of a page's rows."""
        return [_key(frame, row) for row in found.rows]

    def is_new(self, keys: Sequence[Key]) -> bool:
        """Whether these rows differ from the ones read last."""
        return list(keys) != self._before

    def take(self, frame: Frame, found: RecordList, columns: Mapping[str, int | None], *, overlapping: bool) -> None:
        """Read a page's new rows into the dataset, in one transaction."""
        keys = self.keys(frame, found)
        new = moved_rows(self._windows, keys) if overlapping else grown_rows(self._before, keys)
        self.counts.pages += bool(new) or not self._before
        self.counts.headers_left_out += found.headers_left_out
        self.counts.totals_left_out += found.totals_left_out
        entries = [
            entry for at in new if (entry := self._entry(frame, found.rows[at], keys[at], columns, at)) is not None
        ]
        self._before = keys
        self._windows.append(keys)
        if entries:
            self._sink.append(self._dataset_id, entries)
            self.counts.exported += len(entries)

    def add(self, entry: Entry) -> None:
        """Add a row whose missing fields were read on its own page."""
        self._sink.append(self._dataset_id, [entry])
        self.counts.exported += 1

    def _entry(self, frame: Frame, row: Row, key: Key, columns: Mapping[str, int | None], at: int) -> Entry | None:
        page, address = self.counts.pages, key[0]
        earlier = self._links.get(key) if address else None
        if earlier is not None and earlier != page:
            self.counts.repeats += 1
            return None
        known = earlier is not None or (not address and key[1] in self._texts)
        self._links[key] = self._texts[key[1]] = page
        self.counts.seen += 1
        cells = {name: row.cells[column] for name, column in columns.items() if column is not None}
        if not self._passes(cells):
            return None
        self.counts.flagged += known
        shown = [cells.get(name, Cell()) for name in self._wanted.fields]
        entry = Entry(
            texts=tuple(cell.text for cell in shown),
            machines=tuple(cell.machine or None for cell in shown),
            key=address or None,
            page=page,
            row=at,
            flag="duplicate" if known else None,
        )
        missing = tuple(name for name in self._wanted.fields if columns.get(name) is None)
        detail = frame.controls[row.link].href if row.link is not None else ""
        if missing and detail:
            self.pending.append(Pending(entry, detail, missing))
            return None
        return entry

    def _passes(self, cells: Mapping[str, Cell]) -> bool:
        for name, text in self._wanted.where.items():
            if name not in cells or _plain(cells[name].text) != _plain(text):
                self.counts.filtered += 1
                return False
        if self._wanted.period_field is None:
            return True
        cell = cells.get(self._wanted.period_field, Cell())
        return self._placed(self._wanted.period.place(read_date(cell.text, cell.machine or None, self._wanted.rules)))

    def _placed(self, place: Place) -> bool:
        self.counts.filtered += place == "outside"
        self.counts.straddling += place == "straddling"
        self.counts.undated += place == "undated"
        return place == "inside"


def _key(frame: Frame, row: Row) -> Key:
    address = frame.controls[row.link].href if row.link is not None else ""
    return address, tuple(cell.text for cell in row.cells)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
