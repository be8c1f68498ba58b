"""Two drivers for each generator: asynchronous and plain. One logic, no copy of it."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import anyio

from remit.contract import Reason, RemitError

from ._bounded import Adapter, Ending, LoopOutcome, Operation, Reply, Stage, bounded
from ._budget import Budget
from ._search import Found, Move, NotFound, World, search

logger = logging.getLogger(__name__)
T = TypeVar("T")

# Waiting for a person or a model has limits of its own (`paused`, `decision_s`); the rest is an operation.
_UNTIMED = {Stage.GATE, Stage.RESOLVE}


async def run_bounded(adapter: Adapter[Any, Any, T], budget: Budget) -> LoopOutcome[T]:
    """Drive an adapter, whose methods may be coroutines, to an end. Each operation has `operation_s`."""
    steps = bounded(budget)
    reply: Reply | None = None
    while True:
        try:
            operation = steps.send(reply) if reply is not None else next(steps)
        except StopIteration as end:
            outcome: LoopOutcome[T] = end.value
            return outcome
        seconds = None if operation.stage in _UNTIMED else budget.limits.operation_s
        reply = await _reply(getattr(adapter, operation.stage.value), operation, seconds)


def run_bounded_sync(adapter: Adapter[Any, Any, T], budget: Budget) -> LoopOutcome[T]:
    """Drive an adapter whose methods are plain functions. Operations cannot be timed out here."""
    steps = bounded(budget)
    reply: Reply | None = None
    while True:
        try:
            operation = steps.send(reply) if reply is not None else next(steps)
        except StopIteration as end:
            outcome: LoopOutcome[T] = end.value
            return outcome
        method = getattr(adapter, operation.stage.value)
        try:
            reply = Reply(method(*operation.arguments))
        except Exception as error:  # noqa: BLE001 - a stage's failure is a value of the loop
            reply = Reply(failure=reason_of(error, operation.stage.value))


async def _reply(method: Callable[..., Any], operation: Operation, seconds: float | None) -> Reply:
    try:
        with anyio.fail_after(seconds):
            return Reply(await _result(method(*operation.arguments)))
    except TimeoutError:
        return Reply(failure=Reason.SITE_TIMEOUT)
    except Exception as error:  # noqa: BLE001 - a stage's failure is a value of the loop
        return Reply(failure=reason_of(error, operation.stage.value))


async def run_search(world: World, budget: Budget) -> Found[Any] | NotFound:
    """Drive a search whose world may be asynchronous. Each move has `operation_s`, a look also `decision_s`."""
    steps = search(budget)
    reply: Any = None
    while True:
        try:
            move = steps.send(reply)
        except StopIteration as end:
            found: Found[Any] | NotFound = end.value
            return found
        try:
            with anyio.fail_after(budget.limits.operation_s + budget.limits.decision_s):
                reply = await _result(_call(world, move))
        except TimeoutError:
            reply = Reason.SITE_TIMEOUT
        except Exception as error:  # noqa: BLE001 - a failed move ends its way, not the search
            reply = reason_of(error, move.act.value)


def run_search_sync(world: World, budget: Budget) -> Found[Any] | NotFound:
    """Drive a search whose world is plain."""
    steps = search(budget)
    reply: Any = None
    while True:
        try:
            move = steps.send(reply)
        except StopIteration as end:
            found: Found[Any] | NotFound = end.value
            return found
        try:
            reply = _call(world, move)
        except Exception as error:  # noqa: BLE001 - a failed move ends its way, not the search
            reply = reason_of(error, move.act.value)


def _call(world: World, move: Move) -> Any:
    method = getattr(world, move.act.value)
    return method() if move.argument is None else method(move.argument)


async def _result(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value


def reason_of(error: Exception, where: str) -> Reason:
    """The closed reason of an exception. Only the type's name is logged: a message could quote a page."""
    if isinstance(error, RemitError):
        return error.reason
    logger.warning("%s failed: %s", where, type(error).__name__)
    return Reason.INTERNAL


async def deterministic_first(
    primary: Callable[[], Awaitable[LoopOutcome[T]]],
    fallback: Callable[[], Awaitable[LoopOutcome[T]]],
    *,
    better: Callable[[T, T], bool],
) -> LoopOutcome[T]:
    """Run `primary`; keep its result unless the fallback's is verified and better.

    The fallback (a model) runs only where the primary did not complete. An incomplete primary value stays where the
    fallback completes with nothing better.
    """
    first = await primary()
    if first.ending is Ending.COMPLETED:
        return first
    second = await fallback()
    if second.ending is not Ending.COMPLETED or second.value is None:
        return first
    if first.value is not None and not better(second.value, first.value):
        return first
    return second
