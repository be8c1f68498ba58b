"""Bounded depth-first search through pages: for a form, an area, a list. A generator: it asks, a driver does.

Every step forward, every return and every step of a replay is one action of the shared budget. A control is tried
once from a state; a state is entered once. After a dead end the search goes back to the verified fork and takes what
is left.
"""

from __future__ import annotations

from collections.abc import Generator, Hashable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, Protocol, TypeVar

from remit.contract import Reason

from ._budget import Budget

G = TypeVar("G")


@dataclass(frozen=True, slots=True)
class Option:
    """A way on from a state: `id` names it stably within that state; `payload` is the world's own."""

    id: Hashable
    payload: Any = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Look(Generic[G]):
    """A state as seen: `key` tells states apart, `goal` is what was looked for, `stop` ends the search at once.

    `options` are ordered best first and are only read where there is no goal.
    """

    key: Hashable
    goal: G | None = None
    options: tuple[Option, ...] = ()
    stop: Reason | None = None


@dataclass(frozen=True, slots=True)
class Found(Generic[G]):
    """The goal and the verified way to it."""

    goal: G
    path: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class NotFound:
    """Why the search ended without the goal."""

    reason: Reason
    path: tuple[Option, ...] = ()


class World(Protocol):
    """What a search needs done. Methods may be plain or, for the asynchronous driver, coroutines."""

    def look(self) -> Any:
        """See the present state: Look."""

    def take(self, option: Option) -> Any:
        """Use an option once: None when it led on, else the reason why this way ends (nothing is tried again)."""

    def go_back(self, path: tuple[Option, ...]) -> Any:
        """Return to the state at the end of `path`, counted from the start: whether it was observed there."""


class Act(StrEnum):
    """The operations a driver carries out."""

    LOOK = "look"
    TAKE = "take"
    GO_BACK = "go_back"


@dataclass(frozen=True, slots=True)
class Move:
    """What the generator asks the driver to call."""

    act: Act
    argument: Any = None


@dataclass(slots=True)
class _Fork:
    path: tuple[Option, ...]
    options: list[Option]


Searching = Generator[Move, Any, Found[Any] | NotFound]


def search(budget: Budget) -> Searching:
    """Look for the goal within the budget's actions, depth and time.

    A failed `look` or `take` (a Reason in place of a value) ends that way, never the whole search, unless the world
    said `stop`.
    """
    visited: set[Hashable] = set()
    forks: list[_Fork] = []
    path: tuple[Option, ...] = ()
    while True:
        look = yield Move(Act.LOOK)
        if isinstance(look, Look):
            if look.goal is not None:
                return Found(look.goal, path)
            if look.stop is not None:
                return NotFound(look.stop, path)
            if look.key not in visited:
                visited.add(look.key)
                if len(path) < budget.limits.depth:
                    forks.append(_Fork(path, list(look.options)))
        step = yield from _onward(budget, forks, path)
        if isinstance(step, NotFound):
            return step
        path = step


def _onward(
    budget: Budget, forks: list[_Fork], here: tuple[Option, ...]
) -> Generator[Move, Any, tuple[Option, ...] | NotFound]:
    """Take the next untried option, going back first where the search stands elsewhere; the new path."""
    while forks:
        fork = forks[-1]
        if not fork.options:
            forks.pop()
            continue
        if budget.out_of_time:
            return NotFound(Reason.TIME_LIMIT, here)
        option = fork.options.pop(0)
        cost = 1 if fork.path == here else 2 + len(fork.path)
        if not budget.spend_actions(cost):
            return NotFound(Reason.ACTION_LIMIT, here)
        if fork.path != here:
            back = yield Move(Act.GO_BACK, fork.path)
            if back is not True:
                forks.pop()
                here = (*fork.path, Option("lost"))
                continue
        failure = yield Move(Act.TAKE, option)
        here = (*fork.path, option)
        if failure is None:
            return here
    return NotFound(Reason.INCONCLUSIVE, here)
