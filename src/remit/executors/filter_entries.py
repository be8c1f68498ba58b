"""`filter_entries`: some records of a dataset to a new one. Counts leave, rows do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Final, Literal

import anyio.to_thread
from pydantic import Field, StringConstraints

from remit.contract import ArgumentsModel, Outcome, Reason, ResultModel, Status, done
from remit.runs import Call

from ._shared import Handle

if TYPE_CHECKING:
    from remit.records import Filtered

FieldName = Annotated[str, StringConstraints(min_length=1, max_length=80)]
LONGEST_NAME: Final = 40
Wanted = Annotated[str, StringConstraints(max_length=200)]


class Arguments(ArgumentsModel):
    """Which records to keep: those that meet every condition, the others, or those that cannot be told."""

    dataset_id: Handle
    where: Annotated[
        dict[FieldName, Wanted],
        Field(min_length=1, max_length=6, description="a|b, *part*, 1..9, 2026-01.."),
    ]
    keep: Literal["matching", "others", "unclear"] = "matching"
    date_order: Literal["dmy", "mdy"] | None = None


class Result(ResultModel):
    """`matching`, `outside`, `straddling` and `unreadable` add up to the records of the old dataset.

    `undated` and `unread` count by field, in the caller's words, the records that could not be judged. `complete` is
    the old dataset's.
    """

    dataset_id: str
    kept: int
    matching: int
    outside: int
    straddling: int | None = None
    unreadable: int | None = None
    undated: dict[str, int] | None = None
    unread: dict[str, int] | None = None
    currencies: int | None = None
    suggestion: str | None = None
    complete: bool | None = None


class FilterEntries:
    """Compares typed values; what cannot be read is counted, and never taken for either."""

    arguments_model = Arguments
    result_model = Result

    async def run(self, call: Call, arguments: Arguments) -> Outcome[Result]:
        """Done when every record was judged; partial where some had no value to judge by."""
        result = await anyio.to_thread.run_sync(_filter, call, arguments)
        following = "write_spreadsheet" if result.kept else None
        if result.unreadable:
            return Outcome(Status.PARTIAL, result, Reason.UNREADABLE_VALUES, following)
        return done(result, next=following)


def _filter(call: Call, arguments: Arguments) -> Result:
    from remit.records import Filtering, filter_dataset

    datasets = call.datasets.of(call.principal)
    complete = datasets.info(arguments.dataset_id).complete
    asked = Filtering(arguments.where, arguments.keep, date_order=arguments.date_order)
    found = filter_dataset(datasets, arguments.dataset_id, call.run_id or "", asked)
    return _told(found, complete)


def _told(found: Filtered, complete: bool | None) -> Result:
    return Result(
        dataset_id=found.dataset_id,
        kept=found.kept,
        matching=found.matching,
        outside=found.outside,
        straddling=found.straddling or None,
        unreadable=found.unreadable or None,
        undated=_by_name(found.undated),
        unread=_by_name(found.unread),
        currencies=len(found.currencies) if len(found.currencies) > 1 else None,
        suggestion=found.suggestion,
        complete=complete,
    )


def _by_name(counts: Mapping[str, int]) -> dict[str, int] | None:
    """None where there are none. The names are the caller's; long ones are cut, so that a result stays small."""
    told: Counter[str] = Counter()
    for name, count in counts.items():
        told[name[:LONGEST_NAME]] += count
    return dict(told) or None
