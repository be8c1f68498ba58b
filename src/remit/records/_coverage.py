"""Which days of a list a run read whole: said for the days asked for, and kept for each run."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import accumulate
from typing import Literal

from remit.state import Database

from ._entries import Receipt
from ._intervals import DateInterval, Period

ListOrder = Literal["newest_first", "oldest_first"]
DAY = timedelta(days=1)

_SCHEMA = """CREATE TABLE IF NOT EXISTS coverages (
    dataset_id TEXT NOT NULL REFERENCES datasets (id) ON DELETE CASCADE, source TEXT NOT NULL, field TEXT NOT NULL,
    asked_start TEXT, asked_end TEXT, covers INTEGER NOT NULL, start TEXT, last TEXT,
    PRIMARY KEY (dataset_id, field))"""


@dataclass(frozen=True, slots=True)
class Coverage:
    """What one run read of the days it was asked for, by one dated field.

    `covered` are the days of which every record was read, None if that can be said of none; `gaps` is the rest of
    `asked`. `earliest` and `latest` are of all dates seen. `order` is the list's order if it was verified.
    `without_record` are whole months of the days asked for, between the earliest and the latest date where these are
    open, in which no record was seen: a piece of information, not a claim that there is none.
    """

    field: str
    asked: Period
    covered: Period | None
    gaps: tuple[Period, ...]
    earliest: date | None
    latest: date | None
    order: ListOrder | None
    without_record: tuple[Period, ...]
    dated: int
    undated: int

    def receipt(self) -> Receipt:
        """The same as lines of a dataset's receipt, in ISO days and months."""
        return {
            "dated by": self.field,
            "period asked for": _said(self.asked),
            "period covered": None if self.covered is None else _said(self.covered),
            "gaps": [_said(gap) for gap in self.gaps],
            "earliest": None if self.earliest is None else self.earliest.isoformat(),
            "latest": None if self.latest is None else self.latest.isoformat(),
            "order verified": self.order,
            "months without a record": [_months_said(months) for months in self.without_record],
            "records without a date": self.undated,
        }


def cover(
    field: str,
    dates: Iterable[DateInterval | None],
    asked: Period,
    *,
    exhausted: bool,
    order: ListOrder | None = None,
) -> Coverage:
    """What was covered by reading records of these dates, in the list's order; None is a record without a date.

    `dates` are of every record seen, those outside the period too. A list read to its end (`exhausted`) covers all that
    was asked for. One that was left earlier covers what lies before the last date in its order, if that `order` was
    verified; else nothing is said to be covered.
    """
    tally = _Tally()
    for dated in dates:
        tally.see(dated)
    covered = asked if exhausted else _up_to(tally.last, asked, order)
    return Coverage(
        field=field,
        asked=asked,
        covered=covered,
        gaps=uncovered(asked, () if covered is None else (covered,)),
        earliest=tally.earliest,
        latest=tally.latest,
        order=order,
        without_record=tuple(tally.empty_months(asked)),
        dated=tally.dated,
        undated=tally.undated,
    )


def order_of(dates: Iterable[DateInterval | None]) -> ListOrder | None:
    """The order all dates of a list are in; None if in neither, or if none differ, which proves no order.

    Dates of which one lies within the other are in any order.
    """
    seen = [dated for dated in dates if dated is not None]
    rising = falling = False
    for least, greatest, dated in zip(_bounds(seen, min), _bounds(seen, max), seen, strict=True):
        rising = rising or (dated.start > least[0] and dated.end > least[1])
        falling = falling or (dated.start < greatest[0] and dated.end < greatest[1])
    if rising == falling:
        return None
    return "oldest_first" if rising else "newest_first"


def uncovered(asked: Period, covered: Iterable[Period]) -> tuple[Period, ...]:
    """The days of `asked` in none of `covered`, in order: what a run still has to read."""
    gaps = [(asked.start or date.min, asked.end or date.max)]
    for part in covered:
        start, end = part.start or date.min, part.end or date.max
        gaps = [left for gap in gaps for left in _cut(gap, start, end)]
    return tuple(_period(start, end) for start, end in gaps if start <= end)


class Coverages:
    """The coverage of every run, beside its dataset."""

    def __init__(self, db: Database) -> None:
        self._db = db
        db.ensure(_SCHEMA)

    def record(self, dataset_id: str, source: str, coverage: Coverage) -> None:
        """Keep what a run covered. A second record of the same dataset and field replaces the first."""
        asked, covered = coverage.asked, coverage.covered
        days = (asked.start, asked.end, covered and covered.start, covered and covered.end)
        asked_start, asked_end, start, end = (day.isoformat() if day else None for day in days)
        self._db.execute(
            "INSERT OR REPLACE INTO coverages VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (dataset_id, source, coverage.field, asked_start, asked_end, covered is not None, start, end),
        )

    def of_source(self, source: str, field: str) -> tuple[tuple[str, Period], ...]:
        """Each run that covered days of a list, with these days, oldest first."""
        found = self._db.all(
            """SELECT datasets.run_id, start, last FROM coverages JOIN datasets ON datasets.id = dataset_id
            WHERE source = ? AND field = ? AND covers ORDER BY created_at, datasets.rowid""",
            (source, field),
        )
        return tuple((row["run_id"], Period(_day(row["start"]), _day(row["last"]))) for row in found)


class _Tally:
    """The extremes of the dates seen, and the months they touch."""

    def __init__(self) -> None:
        self.dated = self.undated = 0
        self.earliest: date | None = None
        self.latest: date | None = None
        self.last: DateInterval | None = None
        self._months: set[int] = set()

    def see(self, dated: DateInterval | None) -> None:
        if dated is None:
            self.undated += 1
            return
        self.dated += 1
        self.last = dated
        self.earliest = min(self.earliest or dated.start, dated.start)
        self.latest = max(self.latest or dated.end, dated.end)
        self._months.update(range(_month(dated.start), _month(dated.end) + 1))

    def empty_months(self, asked: Period) -> Iterator[Period]:
        """Runs of months without a date."""
        start, end = asked.start or self.earliest, asked.end or self.latest
        if start is None or end is None:
            return
        first: int | None = None
        for month in range(_month(start), _month(end) + 2):
            empty = month not in self._months and month <= _month(end)
            if empty and first is None:
                first = month
            elif not empty and first is not None:
                yield Period(_first_day(first), _last_day(month - 1))
                first = None


def _up_to(last: DateInterval | None, asked: Period, order: ListOrder | None) -> Period | None:
    """The days asked for that lie before the last date read, in the order of the list."""
    if last is None or order is None:
        return None
    start, end = asked.start, asked.end
    if order == "newest_first":
        start = max(start or date.min, last.end + DAY)
    else:
        end = min(end or date.max, last.start - DAY)
    return None if start is not None and end is not None and start > end else Period(start, end)


def _bounds(dates: Iterable[DateInterval], least: Callable[[date, date], date]) -> Iterator[tuple[date, date]]:
    """The extreme start and the extreme end of the dates up to each one."""
    pairs = ((dated.start, dated.end) for dated in dates)
    return accumulate(pairs, lambda left, right: (least(left[0], right[0]), least(left[1], right[1])))


def _cut(gap: tuple[date, date], start: date, end: date) -> Sequence[tuple[date, date]]:
    first, last = gap
    if start > last or end < first:
        return (gap,)
    before = ((first, start - DAY),) if start > first else ()
    return (*before, (end + DAY, last)) if end < last else before


def _period(start: date, end: date) -> Period:
    return Period(None if start == date.min else start, None if end == date.max else end)


def _day(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)


def _month(day: date) -> int:
    return day.year * 12 + day.month - 1


def _first_day(month: int) -> date:
    return date(month // 12, month % 12 + 1, 1)


def _last_day(month: int) -> date:
    first = _first_day(month)
    return first.replace(day=monthrange(first.year, first.month)[1])


def _said(period: Period) -> str:
    return f"{period.start or '...'} to {period.end or '...'}"


def _months_said(months: Period) -> str:
    assert months.start is not None
    assert months.end is not None
    first, last = f"{months.start:%Y-%m}", f"{months.end:%Y-%m}"
    return first if first == last else f"{first} to {last}"
