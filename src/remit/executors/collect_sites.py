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
from ._receipt import announced, coverage, gaps, judge, lines, shortened, source_of, types, unreadable
from ._sessions import session_of
from ._shared import Handle, ReasonCode, StatusCode, Text

if TYPE_CHECKING:
    from remit.browser import Session
    from remit.models import Models
    from remit.records import FieldTyping

    from ._forks import Told
    from ._harvest import Harvest, Wanted

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
    branches: int | None = None
    routes_unread: int | None = None
    seen: int | None = None
    exported: int | None = None
    duplicates: int | None = None
    announced: int | None = None
    filtered: int | None = None
    straddling: int | None = None
    undated: int | None = None
    unread: int | None = None
    unreadable: dict[str, int] | None = None
    suggestion: str | None = None
    gaps: tuple[str, ...] | None = None
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
        session = await session_of(call, session_id)
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
        from remit.loop import NotFound

        from ._area import find_area
        from ._branches import Branches
        from ._detail_pages import read_details, take_singles
        from ._harvest import Harvest

        budget, wanted = self.call.budget_for_target(), _wanted(self.arguments)
        found = await find_area(self.call, self.session, wanted, self.arguments.start, self.models, budget)
        if isinstance(found, NotFound):
            raise RemitError(found.reason)
        dataset_id = self.call.datasets.create(self.call.run_id or "", wanted.fields)
        harvest = Harvest(wanted, self.call.datasets, dataset_id)
        branches = Branches(self.call, self.session, budget, harvest, wanted)
        address, first = self.session.url, found.goal.chosen
        branches.on_page = lambda: self._keep(dataset_id, harvest, branches.told)
        branches.on_branch = lambda frame, chosen: take_singles(harvest, wanted, branches.told, frame, chosen)
        try:
            if first is not None:
                await branches.read_all(first)
                await read_details(self.call, self.session, budget, harvest, wanted, branches.told)
        except RemitError as error:
            branches.told.stop = error.reason
        return self._receipt(dataset_id, harvest, branches.told, source_of(address, wanted.items))

    def _keep(self, dataset_id: str, harvest: Harvest, told: Told) -> None:
        """What stands if the run ends here: the rows are in the dataset already."""
        counts = harvest.counts
        so_far = Collection(
            session_id=self.session.id,
            status=Status.PARTIAL,
            reason=Reason.INTERRUPTED,
            dataset_id=dataset_id,
            pages=counts.pages,
            branches=told.read,
            seen=counts.seen,
            exported=counts.exported,
        )
        self.call.checkpoint(Result(collections=(*self.before, so_far)))

    def _receipt(self, dataset_id: str, harvest: Harvest, told: Told, source: str) -> Collection:
        counts, wanted = harvest.counts, _wanted(self.arguments)
        fields = self.call.datasets.type_fields(dataset_id, _typings(self.arguments))
        verdict = judge(harvest, told)
        covered = coverage(harvest, wanted, verdict)
        self.call.datasets.finish(dataset_id, lines(harvest, told, verdict, fields, covered), covered, source)
        return Collection(
            session_id=self.session.id,
            status=Status.DONE if verdict.complete else Status.PARTIAL,
            reason=verdict.reason,
            dataset_id=dataset_id,
            types=types(fields),
            pages=counts.pages,
            branches=told.read if told.read > 1 else None,
            routes_unread=sum(told.unread.values()) or None,
            seen=counts.seen,
            exported=counts.exported,
            duplicates=counts.repeats or None,
            announced=announced(told),
            filtered=counts.filtered or None,
            straddling=counts.straddling or None,
            undated=counts.undated or None,
            unread=counts.lacking or None,
            unreadable=shortened(unreadable(fields)),
            suggestion=next((field.suggestion for field in fields if field.suggestion), None),
            gaps=gaps(covered),
            stop=verdict.stop.value,
        )


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
