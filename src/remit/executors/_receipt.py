"""What a collection says of itself: the whole receipt beside the data, and the little of it that the planner gets."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from remit.contract import Reason

if TYPE_CHECKING:
    from remit.records import Coverage, DateInterval, Field, ListOrder

    from ._forks import Skipped, Told
    from ._harvest import Harvest, Wanted

TYPES_CHARS = 200
"""Longest sum of field names whose types a result tells; a wider dataset tells them where it is read."""


class Stop(StrEnum):
    """Why a collection ended."""

    EXHAUSTED = "exhausted"
    TIME = "time"
    ACTIONS = "actions"
    DEPTH = "depth"
    READING_LIMIT = "reading_limit"
    NO_EFFECT = "no_effect"
    SIGNED_OUT = "signed_out"
    BLOCKED = "blocked"
    USER_NEEDED = "user_needed"


_STOPS: Mapping[Reason, Stop] = {
    Reason.TIME_LIMIT: Stop.TIME,
    Reason.ACTION_LIMIT: Stop.ACTIONS,
    Reason.EXHAUSTED: Stop.ACTIONS,
    Reason.DEPTH_LIMIT: Stop.DEPTH,
    Reason.READING_LIMIT: Stop.READING_LIMIT,
    Reason.NO_EFFECT: Stop.NO_EFFECT,
    Reason.SIGNED_OUT: Stop.SIGNED_OUT,
    Reason.CONSENT_REQUIRED: Stop.USER_NEEDED,
    Reason.CHALLENGE: Stop.USER_NEEDED,
    Reason.ONE_TIME_CODE: Stop.USER_NEEDED,
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether everything seen was read, and if not, why and what ended it."""

    reason: Reason | None
    stop: Stop

    @property
    def complete(self) -> bool:
        """Every route that was seen was read, and nothing contradicts it."""
        return self.reason is None


def judge(harvest: Harvest, told: Told) -> Verdict:
    """The first thing that speaks against completeness, the gravest first."""
    if told.stop is not None:
        return Verdict(told.stop, _STOPS.get(told.stop, Stop.BLOCKED))
    if told.truncated:
        return Verdict(Reason.READING_LIMIT, Stop.READING_LIMIT)
    if told.mismatch:
        return Verdict(Reason.COUNT_MISMATCH, Stop.EXHAUSTED)
    if told.unread:
        cause = told.unread.most_common(1)[0][0]
        reason = Reason.DEPTH_LIMIT if set(told.unread) == {Reason.DEPTH_LIMIT} else Reason.ROUTES_UNREAD
        return Verdict(reason, _STOPS.get(cause, Stop.BLOCKED))
    if told.goes_on and announced(told) != harvest.counts.seen:
        return Verdict(Reason.INTERRUPTED, Stop.BLOCKED)
    if harvest.counts.undated or harvest.counts.straddling or harvest.counts.incomparable:
        return Verdict(Reason.UNREADABLE_VALUES, Stop.EXHAUSTED)
    return Verdict(Reason.FIELDS_NOT_FOUND if harvest.counts.lacking else None, Stop.EXHAUSTED)


def announced(told: Told) -> int | None:
    """What the branches announce together; None where one that was read says nothing."""
    said = [each for each in told.announced if each is not None]
    return sum(said) if said and len(said) == len(told.announced) else None


def coverage(dates: Sequence[DateInterval | None], wanted: Wanted, verdict: Verdict) -> Coverage | None:
    """The days of which every record was read, by the field that dates the records."""
    from remit.records import cover, order_of

    name = wanted.dated_by
    if name is None or not dates:
        return None
    order: ListOrder | None = order_of(dates)
    finished = verdict.complete or verdict.reason is Reason.UNREADABLE_VALUES
    return cover(name, dates, wanted.period, exhausted=finished, order=order)


def source_of(address: str, items: str) -> str:
    """A digest that is the same for the same list on another day; its address cannot be told from it."""
    return hashlib.sha256(f"{address.split('?')[0]}\n{items.casefold()}".encode()).hexdigest()[:32]


def lines(
    harvest: Harvest, told: Told, verdict: Verdict, fields: Sequence[Field], covered: Coverage | None
) -> dict[str, str | int | bool | list[str] | None]:
    """The receipt that stays with the dataset."""
    counts = harvest.counts
    return {
        "complete": verdict.complete,
        "pages": counts.pages,
        "branches read": told.read,
        "branches unread": sum(told.unread.values()),
        "unread because": _counted(told.unread),
        "branches not needed": _counted(told.skipped),
        "ways that led to something else": told.elsewhere,
        "rows seen": counts.seen,
        "exported": counts.exported,
        "announced by the site": announced(told),
        "duplicates left out": counts.repeats,
        "equal rows kept": counts.flagged,
        "outside the filter": counts.filtered,
        "partly in the period": counts.straddling,
        "without a date": counts.undated,
        "not comparable": counts.incomparable,
        "ambiguous": counts.ambiguous,
        "rows with a missing field": counts.lacking,
        "unreadable by field": _counted(unreadable(fields)),
        "totals and repeated headers left out": counts.headers_left_out + counts.totals_left_out,
        "stopped because": verdict.stop.value,
        **(covered.receipt() if covered is not None else {}),
    }


def _counted(counts: Mapping[Reason, int] | Mapping[Skipped, int] | Mapping[str, int]) -> list[str]:
    return [f"{name}: {count}" for name, count in counts.items()]


def unreadable(fields: Sequence[Field]) -> Counter[str]:
    """How many texts of each field could not be read as its type."""
    return Counter({field.name: field.unresolved for field in fields if field.unresolved})


def types(fields: Sequence[Field]) -> dict[str, str] | None:
    """The types of the fields, where telling them stays short."""
    if sum(len(field.name) + 8 for field in fields) > TYPES_CHARS:
        return None
    return {field.name: field.type for field in fields}


def shortened(counts: Mapping[str, int]) -> dict[str, int] | None:
    """The first few, where the rest is in the receipt."""
    kept = dict(list(counts.items())[:2])
    return {name[:40]: count for name, count in kept.items()} or None


def gaps(covered: Coverage | None) -> tuple[str, ...] | None:
    """The days asked for that were not read whole, at most three stretches of them."""
    if covered is None or covered.asked.start is None or covered.asked.end is None:
        return None
    return tuple(f"{gap.start} to {gap.end}" for gap in covered.gaps[:3]) or None
