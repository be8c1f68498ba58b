"""`collect_sites`: every matching record of open sessions, across pages, into datasets that stay here."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, StringConstraints

from remit.contract import ArgumentsModel, Outcome, Reason, RemitError, ResultModel, Status
from remit.handoff import NeedsPersonError
from remit.runs import Call

from ._batch import overall
from ._shared import Handle, ReasonCode, StatusCode, Text

if TYPE_CHECKING:
    from remit.browser import Session
    from remit.loop import Budget
    from remit.models import Models
    from remit.records import FieldTyping

    from ._harvest import Harvest, Wanted
    from ._paging import Paging

FieldName = Annotated[str, StringConstraints(min_length=1, max_length=80)]
Day = Annotated[date, Field(description="ISO day")]


class PeriodArgument(ArgumentsModel):
    """Days, both included, that a date field must lie in."""

    field: FieldName
    first: date | None = Field(default=None, alias="from")
    last: date | None = Field(default=None, alias="to")


class Arguments(ArgumentsModel):
    """What to collect: which objects, which of them, and which fields. All of it applies to every record."""

    session_ids: Annotated[tuple[Handle, ...], Field(max_length=16)]
    items: Text
    fields: Annotated[tuple[FieldName, ...], Field(min_length=1, max_length=40)]
    where: dict[str, str] | None = None
    period: PeriodArgument | None = None
    start: Annotated[Text | None, Field(description="words of the area")] = None
    date_order: Literal["dmy", "mdy"] | None = None


class Collection(ResultModel):
    """One session's receipt."""

    session_id: Handle
    status: StatusCode
    reason: ReasonCode | None = None
    dataset_id: Handle | None = None
    types: dict[str, str] | None = None
    pages: int | None = None
    seen: int | None = None
    exported: int | None = None
    duplicates: int | None = None
    announced: int | None = None
    filtered: int | None = None
    undated: int | None = None
    unread: int | None = None
    stop: str | None = None


class Result(ResultModel):
    """In the order of the sessions."""

    collections: tuple[Collection, ...]


class CollectSites:
    """Finds the list, reads all of it, and says what it saw."""

    arguments_model = Arguments
    result_model = Result

    async def run(self, call: Call, arguments: Arguments) -> Outcome[Result]:
        """Done when every list was seen to end and nothing contradicts it; partial says why."""
        items: list[Collection] = []
        models = (await call.models()).for_run(decision_s=call.limits.decision_s)
        for session_id in dict.fromkeys(arguments.session_ids):
            items.append(await _collect(call, models, session_id, arguments, tuple(items)))
            call.checkpoint(Result(collections=tuple(items)))
        status, reason = overall([(item.status, item.reason) for item in items])
        following = "write_spreadsheet" if any(item.exported for item in items) else None
        return Outcome(status, Result(collections=tuple(items)), reason, following)


async def _collect(
    call: Call, models: Models, session_id: str, arguments: Arguments, before: tuple[Collection, ...]
) -> Collection:
    try:
        session = (await call.broker()).session(session_id, call.principal)
        with session.use():
            return await _Collecting(call, models, session, arguments, before).run()
    except NeedsPersonError as error:
        return Collection(session_id=session_id, status=Status.NEEDS_USER, reason=error.reason)
    except RemitError as error:
        return Collection(session_id=session_id, status=Status.FAILED, reason=error.reason)


@dataclass
class _Collecting:
    """One collection of one session."""

    call: Call
    models: Models
    session: Session
    arguments: Arguments
    before: tuple[Collection, ...]

    async def run(self) -> Collection:
        from remit.loop import Ending, LoopOutcome, NotFound, run_bounded

        from ._area import find_area
        from ._harvest import Harvest
        from ._paging import Paging
        from ._same_list import SameList

        budget, wanted = self.call.budget_for_target(), _wanted(self.arguments)
        found = await find_area(self.call, self.session, wanted, self.arguments.start, self.models, budget)
        if isinstance(found, NotFound):
            raise RemitError(found.reason)
        dataset_id = self.call.datasets.create(self.call.run_id or "", wanted.fields)
        harvest = Harvest(wanted, self.call.datasets, dataset_id)
        paging = Paging(self.call, self.session, budget, harvest, SameList(wanted, found.goal.chosen).find)
        paging.on_page = lambda: self._keep(dataset_id, harvest, paging)
        outcome: LoopOutcome[None] = await run_bounded(paging, budget)
        stop = None if outcome.ending is Ending.COMPLETED else (outcome.reason or Reason.EXHAUSTED)
        stop = await self._details(harvest, wanted, budget, paging) or stop
        return self._receipt(dataset_id, harvest, paging, stop)

    def _keep(self, dataset_id: str, harvest: Harvest, paging: Paging) -> None:
        """What stands if the run ends here: the rows are in the dataset already."""
        counts = harvest.counts
        so_far = Collection(
            session_id=self.session.id,
            status=Status.PARTIAL,
            dataset_id=dataset_id,
            pages=counts.pages,
            seen=counts.seen,
            exported=counts.exported,
            announced=paging.announced,
        )
        self.call.checkpoint(Result(collections=(*self.before, so_far)))

    async def _details(self, harvest: Harvest, wanted: Wanted, budget: Budget, paging: Paging) -> Reason | None:
        """Read the fields the list lacks on each record's own page; a record whose page says nothing keeps its gap."""
        from ._details import complete
        from ._sight import calm_sight

        unread = 0
        reason: Reason | None = None
        for number, pending in enumerate(harvest.pending):
            entry = pending.entry
            if reason is None and (budget.out_of_time or not budget.spend_actions()):
                reason = Reason.TIME_LIMIT if budget.out_of_time else Reason.ACTION_LIMIT
            if reason is None:
                self.call.progress(number, len(harvest.pending), f"details {number + 1} of {len(harvest.pending)}")
                await self.session.goto(pending.address)
                entry, lacking = complete(pending, (await calm_sight(self.session)).main, wanted)
                unread += bool(lacking)
            harvest.add(entry)
        missing = paging.unmatched and not harvest.pending and harvest.counts.exported
        paging.unread = unread + (harvest.counts.exported if missing else 0)
        return reason

    def _receipt(self, dataset_id: str, harvest: Harvest, paging: Paging, stop: Reason | None) -> Collection:
        counts = harvest.counts
        fields = self.call.datasets.type_fields(dataset_id, _typings(self.arguments))
        reason = stop or _contradiction(harvest, paging)
        receipt = {
            "complete": reason is None,
            "pages": counts.pages,
            "rows seen": counts.seen,
            "exported": counts.exported,
            "announced by the site": paging.announced,
            "duplicates left out": counts.repeats,
            "equal rows kept": counts.flagged,
            "outside the filter": counts.filtered,
            "partly in the period": counts.straddling,
            "without a date": counts.undated,
            "rows with a missing field": paging.unread,
            "totals and repeated headers left out": counts.headers_left_out + counts.totals_left_out,
            "stopped because": stop.value if stop else "exhausted",
        }
        self.call.datasets.finish(dataset_id, receipt)
        return Collection(
            session_id=self.session.id,
            status=Status.DONE if reason is None else Status.PARTIAL,
            reason=reason,
            dataset_id=dataset_id,
            types={field.name: field.type for field in fields},
            pages=counts.pages,
            seen=counts.seen,
            exported=counts.exported,
            duplicates=counts.repeats or None,
            announced=paging.announced,
            filtered=counts.filtered or None,
            undated=(counts.undated + counts.straddling) or None,
            unread=paging.unread or None,
            stop=stop.value if stop else "exhausted",
        )


def _contradiction(harvest: Harvest, paging: Paging) -> Reason | None:
    """What speaks against completeness although the list was seen to end."""
    counts = harvest.counts
    if paging.truncated:
        return Reason.READING_LIMIT
    if paging.announced is not None and paging.announced != counts.seen + counts.repeats:
        return Reason.COUNT_MISMATCH
    if paging.announced is not None and counts.repeats:
        return Reason.COUNT_MISMATCH
    if counts.undated or counts.straddling:
        return Reason.UNREADABLE_VALUES
    return Reason.FIELDS_NOT_FOUND if paging.unread else None


def _wanted(arguments: Arguments) -> Wanted:
    from remit.records import DateRules, Period

    from ._harvest import Wanted

    asked = arguments.period
    return Wanted(
        items=arguments.items,
        fields=tuple(dict.fromkeys(arguments.fields)),
        where=arguments.where or {},
        period_field=asked.field if asked else None,
        period=Period(asked.first, asked.last) if asked else Period(),
        rules=DateRules(order=arguments.date_order or "dmy"),
    )


def _typings(arguments: Arguments) -> dict[str, FieldTyping]:
    from remit.records import FieldTyping, type_of_name

    order = arguments.date_order or "dmy"
    return {name: FieldTyping(hint=type_of_name(name), date_order=order) for name in arguments.fields}
