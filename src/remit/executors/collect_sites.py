"""`collect_sites`: every matching record of open sessions, across pages, into datasets that stay here."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, StringConstraints

from remit.contract import ArgumentsModel, Outcome, Reason, RemitError, ResultModel, Status
from remit.handoff import NeedsPersonError
from remit.runs import Call

from ._batch import overall
from ._sessions import session_of
from ._shared import Handle, ReasonCode, StatusCode, Text

if TYPE_CHECKING:
    from remit.models import Models

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
    incomparable: int | None = None
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
    resumes_after = frozenset({Reason.INTERRUPTED, Reason.OUTCOME_UNKNOWN})

    async def run(self, call: Call, arguments: Arguments) -> Outcome[Result]:
        """Done when every list was seen to end and nothing contradicts it; partial says why."""
        items: list[Collection] = []
        models = (await call.models()).for_run(decision_s=call.limits.decision_s)
        ended = _taken_up(call)
        for session_id in dict.fromkeys(arguments.session_ids):
            known = ended.get(session_id)
            items.append(known or await _collect(call, models, session_id, arguments, tuple(items)))
            call.checkpoint(Result(collections=tuple(items)))
        status, reason = overall([(item.status, item.reason) for item in items])
        following = "write_spreadsheet" if any(item.exported for item in items) else None
        return Outcome(status, Result(collections=tuple(items)), reason, following)


def _taken_up(call: Call) -> dict[str, Collection]:
    """What the run that is taken up again had finished; this run has come as far as that one from now on."""
    if call.earlier is None:
        return {}
    items = [Collection.model_validate(item) for item in (call.earlier.payload or {}).get("collections", ())]
    call.checkpoint(Result(collections=tuple(items)), call.earlier.notes)
    return {item.session_id: item for item in items if item.reason is not Reason.INTERRUPTED}


async def _collect(
    call: Call, models: Models, session_id: str, arguments: Arguments, before: tuple[Collection, ...]
) -> Collection:
    from ._collecting import Collecting

    collecting = Collecting(call, models, session_id, arguments, before)
    try:
        session = await session_of(call, session_id)
        with session.use():
            return await collecting.run(session)
    except NeedsPersonError as error:
        return Collection(session_id=session_id, status=Status.NEEDS_USER, reason=error.reason)
    except RemitError as error:
        return collecting.handed_over(error.reason) or Collection(
            session_id=session_id, status=Status.FAILED, reason=error.reason
        )
