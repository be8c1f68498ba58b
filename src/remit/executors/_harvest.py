"""From the rows of a page to entries of a dataset: filtered, told apart, counted. Pure but for the dataset itself."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from remit.browser import Cell, Frame, RecordList, Row, row_opener
from remit.records import Entry, Period, type_of_name, year_in

from ._rows import Key, grown_rows, key_of, moved_rows, own_numbers

WINDOWS = 8
"""How many windows of a list that is read by scrolling are remembered to tell what was read already."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the planner asked for. `where` has for each field what `read_condition` reads, `period` the days of a field.

    Both are applied to all records at the end: how a column is to be read is known once all of it was read.
    """

    items: str
    fields: tuple[str, ...]
    where: Mapping[str, str] = field(default_factory=dict)
    period_field: str | None = None
    period: Period = field(default_factory=Period)

    @property
    def dated_by(self) -> str | None:
        """The field that says when a record is of: the period's, else the first that is a date by its name."""
        dates = (name for name in self.fields if type_of_name(name) in ("date", "datetime"))
        return self.period_field or next(dates, None)

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
    incomparable: int = 0
    ambiguous: int = 0
    lacking: int = 0
    headers_left_out: int = 0
    totals_left_out: int = 0


class Sink(Protocol):
    """Where entries go, durable at once."""

    def append(self, dataset_id: str, entries: Sequence[Entry]) -> int:
        """Add them; how many there are."""

    def replace(self, dataset_id: str, position: int, entry: Entry) -> None:
        """Put an entry in the place of another."""


@dataclass(frozen=True, slots=True)
class Pending:
    """A row that lacks fields which its own page may have (`address`), or the row itself once it is opened.

    The dataset holds it already, at `position`.
    """

    entry: Entry
    address: str
    missing: tuple[str, ...]
    key: Key = ("", ())
    position: int = -1


class Harvest:
    """Takes pages in order, of one branch after another.

    Rows that come again on another page are left out by what identifies them: where their link leads, or a number of
    their own. Equal rows without either stay, flagged.
    """

    def __init__(self, wanted: Wanted, sink: Sink, dataset_id: str) -> None:
        self._wanted = wanted
        self._sink = sink
        self._dataset_id = dataset_id
        self._texts: set[int] = set()
        self._known: dict[int, tuple[int, int]] = {}
        self._before: list[Key] = []
        self._windows: deque[list[Key]] = deque(maxlen=WINDOWS)
        self._branch = 0
        self._earlier: frozenset[str] = frozenset()
        self.addresses: Counter[str] = Counter()
        self.counts = Counts()
        self.shown = 0
        """Rows the present branch showed, those that another one had shown included."""
        self.repeats_here = 0
        self.language = ""
        """Of the pages, as the last one says it."""
        self.torn = False
        """A window of a list that scrolls joined none before it: rows between them may never have been shown."""
        self.pending: list[Pending] = []
        self.closed: deque[Pending] = deque()
        """Rows of the page read last that have to be opened."""

    def restore(self, rows: int, pages: int, links: Iterable[str]) -> None:
        """Go on where another process was killed: so many rows are in the dataset, and these links are known."""
        self.counts.seen = self.counts.exported = self.shown = rows
        self.counts.pages = pages
        self._earlier = frozenset(links)

    def begin(self, *, shown: int = 0) -> None:
        """Another branch: its first page is new whatever was read before. So many rows of it were read earlier."""
        self._branch += 1
        self._before = []
        self._windows.clear()
        self.shown, self.repeats_here = shown, 0

    def keys(self, frame: Frame, found: RecordList) -> list[Key]:
        """The keys of a page's rows."""
        return [key_of(frame, row) for row in found.rows]

    def is_new(self, keys: Sequence[Key]) -> bool:
        """Whether these rows differ from the ones read last."""
        return list(keys) != self._before

    def saw(self, keys: Sequence[Key]) -> None:
        """The page reads so by now, and holds nothing new."""
        self._before = list(keys)

    def take(self, frame: Frame, found: RecordList, columns: Mapping[str, int | None], *, overlapping: bool) -> None:
        """Read a page's new rows into the dataset, in one transaction."""
        keys = self.keys(frame, found)
        self.language = frame.language or self.language
        new = moved_rows(self._windows, keys) if overlapping else grown_rows(self._before, keys)
        self.counts.pages += bool(new) or not self._before
        self.torn |= overlapping and bool(keys) and bool(self._before) and len(new) == len(keys)
        self.counts.headers_left_out += found.headers_left_out
        self.counts.totals_left_out += found.totals_left_out
        page = _Page(frame, columns, own_numbers(found) is not None, year_in(found.heading))
        entries = [entry for at in new if (entry := self._entry(page, found.rows[at], keys[at], at)) is not None]
        self._before = keys
        self._windows.append(keys)
        start = self._append(entries)
        for at, entry in enumerate(entries):
            self._wait(page, found.rows[entry.row or 0], keys[entry.row or 0], entry, start + at)

    def settle(self, pending: Pending) -> None:
        """A row that waited is done with: what was read elsewhere joins it where it stands."""
        self.counts.lacking += bool(pending.missing)
        self._sink.replace(self._dataset_id, pending.position, pending.entry)

    def single(self, cells: Mapping[str, Cell], key: Key) -> None:
        """Take a record that stands alone beside the list."""
        if self._is_repeat(key, own=True):
            return
        self.counts.seen += 1
        self._append([self._as_entry(cells, key, None, None, None)])

    def _append(self, entries: Sequence[Entry]) -> int:
        """Where the first of them stands."""
        if not entries:
            return 0
        end = self._sink.append(self._dataset_id, entries)
        self.counts.exported += len(entries)
        return end - len(entries)

    def _is_repeat(self, key: Key, *, own: bool) -> bool:
        """Whether a row was read on another page, or in another branch."""
        if own and key[0] and key[0] in self._earlier:
            self.counts.repeats += 1
            return True
        here, mark = (self._branch, self.counts.pages), hash(key)
        earlier = self._known.setdefault(mark, here) if own else here
        if earlier == here:
            return False
        self.counts.repeats += 1
        self.repeats_here += earlier[0] == self._branch
        return True

    def _entry(self, page: _Page, row: Row, key: Key, at: int) -> Entry | None:
        self.shown += 1
        if self._is_repeat(key, own=bool(key[0]) or page.numbered):
            return None
        known = hash(key) in self._texts
        self._texts.add(hash(key))
        self.counts.seen += 1
        self.addresses[key[0]] += bool(key[0]) and not known
        cells = {name: row.cells[column] for name, column in page.columns.items() if column is not None}
        year = year_in(row.group) or page.year
        self.counts.flagged += known
        entry = self._as_entry(cells, key, at, year, page.columns)
        return replace(entry, flag="duplicate" if known else None)

    def _wait(self, page: _Page, row: Row, key: Key, entry: Entry, position: int) -> None:
        """What a row lacks is to be read from where it is opened, or on its own page; else it is said to be missing."""
        missing = tuple(name for name in self._wanted.names if page.columns.get(name) is None)
        if not missing:
            return
        detail = page.frame.controls[row.link].href if row.link is not None else ""
        waiting = Pending(entry, detail, missing, key, position)
        if row_opener(page.frame, row) is not None:
            self.closed.append(waiting)
        elif detail:
            self.pending.append(waiting)
        else:
            self.counts.lacking += 1

    def _as_entry(
        self,
        cells: Mapping[str, Cell],
        key: Key,
        at: int | None,
        year: int | None,
        columns: Mapping[str, int | None] | None,
    ) -> Entry:
        shown = [cells.get(name, Cell()) for name in self._wanted.names]
        return Entry(
            texts=tuple(cell.text for cell in shown),
            machines=tuple(cell.machine or None for cell in shown),
            key=key[0] or None,
            page=self.counts.pages or 1,
            row=at,
            cells=None if columns is None else tuple(columns.get(name) for name in self._wanted.names),
            context_year=year,
        )


@dataclass(frozen=True, slots=True)
class _Page:
    """What all rows of a page share."""

    frame: Frame
    columns: Mapping[str, int | None]
    numbered: bool
    year: int | None
