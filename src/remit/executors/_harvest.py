"""From the rows of a page to entries of a dataset: filtered, told apart, counted. Pure but for the dataset itself."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from remit.browser import Cell, Frame, RecordList, Row, row_opener
from remit.records import DateInterval, DateRules, Entry, Period, Place, read_date, type_of_name, year_in

from ._rows import Key, grown_rows, key_of, moved_rows, own_numbers

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
    ambiguous: int = 0
    lacking: int = 0
    headers_left_out: int = 0
    totals_left_out: int = 0


class Sink(Protocol):
    """Where entries go, durable at once."""

    def append(self, dataset_id: str, entries: Sequence[Entry]) -> int:
        """Add them; how many there are."""


@dataclass(frozen=True, slots=True)
class Pending:
    """A row that lacks fields which its own page may have (`address`), or the row itself once it is opened."""

    entry: Entry
    address: str
    missing: tuple[str, ...]
    key: Key = ("", ())


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
        self.addresses: Counter[str] = Counter()
        self.dates: list[DateInterval | None] = []
        self.counts = Counts()
        self.shown = 0
        """Rows the present branch showed, those that another one had shown included."""
        self.repeats_here = 0
        self.torn = False
        """A window of a list that scrolls joined none before it: rows between them may never have been shown."""
        self.pending: list[Pending] = []
        self.closed: deque[Pending] = deque()
        """Rows of the page read last that have to be opened."""

    def begin(self) -> None:
        """Another branch: its first page is new whatever was read before."""
        self._branch += 1
        self._before = []
        self._windows.clear()
        self.shown = self.repeats_here = 0

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
        new = moved_rows(self._windows, keys) if overlapping else grown_rows(self._before, keys)
        self.counts.pages += bool(new) or not self._before
        self.torn |= overlapping and bool(keys) and bool(self._before) and len(new) == len(keys)
        self.counts.headers_left_out += found.headers_left_out
        self.counts.totals_left_out += found.totals_left_out
        page = _Page(frame, columns, own_numbers(found) is not None, year_in(found.heading))
        entries = [entry for at in new if (entry := self._entry(page, found.rows[at], keys[at], at)) is not None]
        self._before = keys
        self._windows.append(keys)
        self._append(entries)

    def add(self, entry: Entry) -> None:
        """Add a row whose missing fields were read elsewhere."""
        self._append([entry])

    def single(self, cells: Mapping[str, Cell], key: Key) -> None:
        """Take a record that stands alone beside the list."""
        if self._is_repeat(key, own=True):
            return
        self.counts.seen += 1
        if self._passes(cells, self._wanted.rules):
            self._append([self._as_entry(cells, key, None, None, None)])

    def _append(self, entries: Sequence[Entry]) -> None:
        if entries:
            self._sink.append(self._dataset_id, entries)
            self.counts.exported += len(entries)

    def _is_repeat(self, key: Key, *, own: bool) -> bool:
        """Whether a row was read on another page, or in another branch."""
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
        if not self._passes(cells, self._wanted.rules.in_year(year)):
            return None
        self.counts.flagged += known
        entry = self._as_entry(cells, key, at, year, page.columns)
        entry = replace(entry, flag="duplicate" if known else None)
        return self._held(page, row, key, entry)

    def _held(self, page: _Page, row: Row, key: Key, entry: Entry) -> Entry | None:
        """The entry, or nothing where what it lacks is to be read first."""
        missing = tuple(name for name in self._wanted.fields if page.columns.get(name) is None)
        if not missing:
            return entry
        detail = page.frame.controls[row.link].href if row.link is not None else ""
        waiting = Pending(entry, detail, missing, key)
        if row_opener(page.frame, row) is not None:
            self.closed.append(waiting)
        elif detail:
            self.pending.append(waiting)
        else:
            self.counts.lacking += 1
            return entry
        return None

    def _as_entry(
        self,
        cells: Mapping[str, Cell],
        key: Key,
        at: int | None,
        year: int | None,
        columns: Mapping[str, int | None] | None,
    ) -> Entry:
        shown = [cells.get(name, Cell()) for name in self._wanted.fields]
        return Entry(
            texts=tuple(cell.text for cell in shown),
            machines=tuple(cell.machine or None for cell in shown),
            key=key[0] or None,
            page=self.counts.pages or 1,
            row=at,
            cells=None if columns is None else tuple(columns.get(name) for name in self._wanted.fields),
            context_year=year,
        )

    def _passes(self, cells: Mapping[str, Cell], rules: DateRules) -> bool:
        dated = self._dated(cells, rules)
        for name, text in self._wanted.where.items():
            if name not in cells or _plain(cells[name].text) != _plain(text):
                self.counts.filtered += 1
                return False
        return self._wanted.period_field is None or self._placed(self._wanted.period.place(dated))

    def _dated(self, cells: Mapping[str, Cell], rules: DateRules) -> DateInterval | None:
        name = self._wanted.dated_by
        if name is None or name not in cells:
            return None
        read = read_date(cells[name].text, cells[name].machine or None, rules)
        dated = read if isinstance(read, DateInterval) else None
        self.dates.append(dated)
        return dated

    def _placed(self, place: Place) -> bool:
        self.counts.filtered += place == "outside"
        self.counts.straddling += place == "straddling"
        self.counts.undated += place == "undated"
        return place == "inside"


@dataclass(frozen=True, slots=True)
class _Page:
    """What all rows of a page share."""

    frame: Frame
    columns: Mapping[str, int | None]
    numbered: bool
    year: int | None


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
