"""`continue_run`: wait for a run that was handed over, read an ended one again, or cancel it."""

from __future__ import annotations

from remit.contract import ArgumentsModel, Outcome, ResultModel, Status
from remit.runs import Call

from ._shared import Handle


class Arguments(ArgumentsModel):
    """Which run."""

    run_id: Handle
    cancel: bool = False


class Result(ResultModel):
    """Nothing of its own: the answer is the run's own result."""


class ContinueRun:
    """Tells what the run tells; it is no run itself."""

    arguments_model = Arguments
    result_model = Result
    durable = False

    async def run(self, call: Call, arguments: Arguments) -> Outcome[Result]:
        """The run's envelope, word for word."""
        envelope = await call.attend(arguments.run_id, cancel=arguments.cancel)
        return Outcome(Status.DONE, stored=envelope.payload())
