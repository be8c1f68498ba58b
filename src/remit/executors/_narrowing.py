"""What was asked of the records, applied once all were read: only then is it known how a column is to be read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from remit.records import DateInterval, Filtering, filter_dataset, read_condition

from ._harvest import Counts, Wanted

if TYPE_CHECKING:
    from remit.records import Datasets, DateOrder, Field, FieldTyping


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The dataset that answers the request, its fields, and the days of all records that were read."""

    dataset_id: str
    fields: tuple[Field, ...]
    dates: Sequence[DateInterval | None]


def require_conditions(wanted: Wanted) -> None:
    """Refuse a condition that means nothing before anything is done.

    Raises:
        DatasetError: INVALID_ARGUMENTS.
    """
    for name, text in wanted.where.items():
        read_condition(name, "text", text)


def narrow(
    datasets: Datasets,
    dataset_id: str,
    run_id: str,
    wanted: Wanted,
    typings: Mapping[str, FieldTyping],
    counts: Counts,
) -> Narrowed:
    """Type the fields on all records; keep those that meet the conditions, and the fields asked for; count the others.

    What cannot be compared, or lies only partly in the period, is in neither: it is counted for itself.
    """
    datasets.type_fields(dataset_id, typings)
    dates = _dates(datasets, dataset_id, wanted)
    for where in _conditions(wanted):
        found = filter_dataset(datasets, dataset_id, run_id, Filtering(where, date_order=_order(typings)))
        counts.filtered += found.outside
        counts.straddling += found.straddling
        counts.undated += sum(found.undated.values())
        counts.incomparable += sum(found.unread.values())
        counts.exported = found.kept
        dataset_id = found.dataset_id
    if wanted.names != wanted.fields:
        dataset_id = filter_dataset(datasets, dataset_id, run_id, Filtering(fields=wanted.fields)).dataset_id
    return Narrowed(dataset_id, datasets.info(dataset_id).fields, dates)


def _conditions(wanted: Wanted) -> list[dict[str, str]]:
    """The filter and the period, at once unless they are about the same field."""
    name = wanted.period_field
    days = f"{wanted.period.start or ''}..{wanted.period.end or ''}"
    period = {} if name is None or days == ".." else {name: days}
    if period and name in wanted.where:
        return [dict(wanted.where), period]
    both = {**wanted.where, **period}
    return [both] if both else []


def _order(typings: Mapping[str, FieldTyping]) -> DateOrder | None:
    return next((typing.date_order for typing in typings.values()), None)


def _dates(datasets: Datasets, dataset_id: str, wanted: Wanted) -> list[DateInterval | None]:
    name = wanted.dated_by
    if name is None or name not in wanted.names:
        return []
    at = wanted.names.index(name)
    values = (row.cells[at].value for row in datasets.rows(dataset_id))
    return [value if isinstance(value, DateInterval) else None for value in values]
