"""One collection of one session: find the list, read all of it, and say what was seen; or go on with an earlier one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from anyio import get_cancelled_exc_class

from remit.contract import Reason, RemitError, Status
from remit.loop import Budget, NotFound
from remit.records import FieldTyping, Period, type_of_name
from remit.runs import Call

from ._area import find_area, select
from ._begun import Begun, Earlier
from ._branches import Branches
from ._detail_pages import read_details, take_singles
from ._forks import Told
from ._harvest import Harvest, Wanted
from ._narrowing import narrow, require_conditions
from ._receipt import announced, coverage, gaps, judge, lines, shortened, source_of, types, unreadable
from ._sight import calm_sight
from .collect_sites import Arguments, Collection, Result

if TYPE_CHECKING:
    from remit.browser import Session
    from remit.models import Models


@dataclass
class Collecting:
    """One collection of one session."""

    call: Call
    models: Models
    session_id: str
    arguments: Arguments
    before: tuple[Collection, ...]

    async def run(self, session: Session) -> Collection:
        require_conditions(_wanted(self.arguments))
        budget = self.call.budget_for_target()
        found = self._found_earlier()
        if found is None and self.call.clicked_earlier:
            raise RemitError(Reason.INTERRUPTED)  # what was used on the way to the list is not used again
        if found is None:
            return await self._read(session, budget, await self._begun(session, budget))
        if found.next_page is not None:
            await session.goto(found.next_page)
            first = select((await calm_sight(session)).main, _wanted(self.arguments))
            if first is not None:
                return await self._read(session, budget, found.begun(first))
        return self._receipt(found, Told(stop=Reason.INTERRUPTED))

    def handed_over(self, reason: Reason) -> Collection | None:
        """What an earlier process had read, where nothing can be added to it."""
        found = self._found_earlier()
        return None if found is None else self._receipt(found, Told(stop=reason))

    async def _begun(self, session: Session, budget: Budget) -> Begun:
        """The list where it begins."""
        wanted = _wanted(self.arguments)
        area = await find_area(self.call, session, wanted, self.arguments.start, self.models, budget)
        if isinstance(area, NotFound):
            raise RemitError(area.reason)
        dataset_id = self.call.datasets.create(self.call.run_id or "", wanted.names)
        harvest = Harvest(wanted, self.call.datasets, dataset_id)
        return Begun(harvest, dataset_id, session.url, area.goal.chosen)

    def _found_earlier(self) -> Earlier | None:
        """Where the run that is taken up again had come with this session."""
        before = self.call.earlier
        notes = before.notes if before is not None else None
        if notes is None or notes["session_id"] != self.session_id:
            return None
        return Earlier.of(notes, _wanted(self.arguments), self.call.datasets)

    async def _read(self, session: Session, budget: Budget, begun: Begun) -> Collection:
        harvest, wanted = begun.harvest, _wanted(self.arguments)
        branches = Branches(self.call, session, budget, harvest, wanted)
        branches.told.goes_on = begun.goes_on
        branches.on_page = lambda onward, ended: self._keep(begun, branches.told, onward, ended)
        branches.on_branch = lambda frame, chosen: take_singles(harvest, wanted, branches.told, frame, chosen)
        try:
            if begun.first is not None:
                await branches.read_all(begun.first, goes_on=begun.goes_on, is_read=begun.is_read)
                await read_details(self.call, session, budget, harvest, wanted, branches.told)
        except RemitError as error:
            branches.told.stop = error.reason
        except get_cancelled_exc_class():
            branches.told.stop = Reason.CANCELLED
            self.call.checkpoint(Result(collections=(*self.before, self._receipt(begun, branches.told))))
            raise
        return self._receipt(begun, branches.told)

    def _keep(self, begun: Begun, told: Told, onward: str | None, ended: bool) -> None:
        """What stands if the run ends here: its rows are in the dataset, those the filter leaves out as well."""
        counts, wanted = begun.harvest.counts, _wanted(self.arguments)
        so_far = Collection(
            session_id=self.session_id,
            status=Status.PARTIAL,
            reason=Reason.INTERRUPTED,
            dataset_id=begun.dataset_id if not (wanted.where or wanted.period_field) else None,
            pages=counts.pages,
            branches=told.read,
            seen=counts.seen,
            exported=counts.exported,
        )
        first = told.read == 0
        notes = begun.notes(self.session_id, onward if first else None, ended=ended and first)
        self.call.checkpoint(Result(collections=(*self.before, so_far)), notes)

    def _receipt(self, begun: Begun, told: Told) -> Collection:
        harvest, dataset_id = begun.harvest, begun.dataset_id
        datasets, counts, wanted = self.call.datasets, harvest.counts, _wanted(self.arguments)
        source = source_of(begun.address, wanted.items)
        typings = _typings(self.arguments, wanted, harvest.language)
        narrowed = narrow(datasets, dataset_id, self.call.run_id or "", wanted, typings, counts)
        fields, verdict = narrowed.fields, judge(harvest, told)
        covered = coverage(narrowed.dates, wanted, verdict)
        told_lines = lines(harvest, told, verdict, fields, covered)
        for each in dict.fromkeys((dataset_id, narrowed.dataset_id)):
            datasets.finish(each, told_lines)
        datasets.finish(narrowed.dataset_id, told_lines, covered, source)
        return Collection(
            session_id=self.session_id,
            status=Status.DONE if verdict.complete else Status.PARTIAL,
            reason=verdict.reason,
            dataset_id=narrowed.dataset_id,
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
            incomparable=counts.incomparable or None,
            unread=counts.lacking or None,
            unreadable=shortened(unreadable(fields)),
            suggestion="date_order" if any(field.suggestion == "date_order" for field in fields) else None,
            gaps=gaps(covered),
            stop=verdict.stop.value,
        )


def _wanted(arguments: Arguments) -> Wanted:
    asked = arguments.period
    return Wanted(
        items=arguments.items,
        fields=tuple(dict.fromkeys(arguments.fields)),
        where=arguments.where or {},
        period_field=asked.field if asked else None,
        period=Period(asked.first, asked.last) if asked else Period(),
    )


def _typings(arguments: Arguments, wanted: Wanted, language: str) -> dict[str, FieldTyping]:
    order = arguments.date_order or "dmy"
    hints = {name: "date" if name == wanted.period_field else type_of_name(name) for name in wanted.names}
    return {name: FieldTyping(hint, order, language or None) for name, hint in hints.items()}
