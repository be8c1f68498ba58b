"""`act_sites`: one bounded goal on an open session's page, done when its declared condition is observed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from remit.contract import ArgumentsModel, Outcome, Reason, RemitError, ResultModel, Status
from remit.handoff import NeedsPersonError
from remit.loop import Ending, LoopOutcome, run_bounded
from remit.runs import Call

from ._batch import overall
from ._sessions import session_of
from ._shared import Handle, ReasonCode, StatusCode, Text

if TYPE_CHECKING:
    from remit.browser import Session
    from remit.models import Models

    from ._acting_goal import Reached

MOST_STEPS = 4
"""How many controls may be used for one goal."""

FOR_A_PERSON = frozenset({Reason.APPROVAL_REQUIRED, Reason.CONSENT_REQUIRED})


class Arguments(ArgumentsModel):
    """A goal in plain words, and the condition that must be seen: `words` in the title, the text or the file.

    `row` is visible text of the wanted control's row.
    """

    session_ids: Annotated[tuple[Handle, ...], Field(max_length=16)]
    goal: Text
    until: Literal["opened", "download", "shown", "gone"]
    words: Text | None = None
    row: Text | None = None

    @model_validator(mode="after")
    def _has_words(self) -> Self:
        """Only words can be seen to be shown or gone."""
        if self.until in ("shown", "gone") and not any(map(str.isalnum, self.words or "")):
            raise PydanticCustomError("words_missing", "needs words")
        return self


class ActItem(ResultModel):
    """One session: whether the condition was observed, and the file that came."""

    session_id: Handle
    status: StatusCode
    reason: ReasonCode | None = None
    steps: int | None = None
    file: str | None = None
    bytes: int | None = None
    kind: str | None = None


class Result(ResultModel):
    """In the order of the sessions."""

    sessions: tuple[ActItem, ...]


class ActSites:
    """Acts, session by session."""

    arguments_model = Arguments
    result_model = Result
    resumes_after = frozenset({Reason.WAS_WAITING})

    async def run(self, call: Call, arguments: Arguments) -> Outcome[Result]:
        """Done when the condition was observed in every session."""
        items: list[ActItem] = []
        models = (await call.models()).for_run(decision_s=call.limits.decision_s)
        for number, session_id in enumerate(dict.fromkeys(arguments.session_ids)):
            call.progress(number, len(arguments.session_ids), f"acting, site {number + 1}")
            items.append(await _act(call, models, session_id, arguments))
            call.checkpoint(Result(sessions=tuple(items)))
        status, reason = overall([(item.status, item.reason) for item in items])
        return Outcome(status, Result(sessions=tuple(items)), reason)


async def _act(call: Call, models: Models, session_id: str, arguments: Arguments) -> ActItem:
    try:
        session = await session_of(call, session_id)
        with session.use():
            return await _pursue(call, models, session, arguments)
    except NeedsPersonError as error:
        return ActItem(session_id=session_id, status=Status.NEEDS_USER, reason=error.reason)
    except RemitError as error:
        return ActItem(session_id=session_id, status=Status.FAILED, reason=error.reason)


async def _pursue(call: Call, models: Models, session: Session, arguments: Arguments) -> ActItem:
    from remit.browser import Wish

    from ._acting_goal import ActingGoal

    wish = Wish(arguments.goal, arguments.until, arguments.words or "", arguments.row or "")
    budget = call.budget_for_target()
    task = ActingGoal(call, session, wish, budget, models, MOST_STEPS)
    outcome: LoopOutcome[Reached] = await run_bounded(task, budget)
    if outcome.ending is Ending.COMPLETED and outcome.value is not None:
        kept = outcome.value.kept
        return ActItem(
            session_id=session.id,
            status=Status.DONE,
            steps=task.steps,
            file=str(kept.path) if kept else None,
            bytes=kept.size if kept else None,
            kind=kept.kind if kept else None,
        )
    reason = outcome.reason or Reason.GOAL_NOT_SEEN
    status = Status.NEEDS_USER if reason in FOR_A_PERSON else Status.FAILED
    return ActItem(session_id=session.id, status=status, reason=reason, steps=task.steps)
