"""Scripted worlds for the loop: what happens is data, so one world can be driven in two ways."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from remit.contract import Reason
from remit.loop import Budget, Look, Option, Proposal, Source, Verdict, VerdictKind


class FakeClock:
    """Seconds that pass only when told."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass(frozen=True)
class Turn:
    """What one round of a scripted world does."""

    proposal: int | None = 0
    from_model: bool = False
    rejected: Reason | None = None
    refused: Reason | None = None
    fails: bool = False
    reaches: bool = False
    impossible: bool = False
    seconds: float = 0.0
    person_seconds: float = 0.0


@dataclass
class ScriptedTask:
    """An adapter whose rounds are a list of turns; past the end nothing is proposed."""

    turns: list[Turn]
    clock: FakeClock
    budget: Budget
    at: int = -1
    executed: list[int] = field(default_factory=list)
    rejections: list[int] = field(default_factory=list)
    feedback: list[Reason | None] = field(default_factory=list)
    starts: list[float] = field(default_factory=list)
    done: bool = False
    hopeless: bool = False

    def observe(self) -> int:
        return self.at

    def verify(self, observation: int, last: Proposal[int] | None) -> Verdict[str]:
        if self.hopeless:
            return Verdict(VerdictKind.IMPOSSIBLE, reason=Reason.REJECTED)
        return Verdict(VerdictKind.REACHED, "value") if self.done else Verdict(VerdictKind.NOT_YET)

    def resolve(self, observation: int, feedback: Reason | None) -> Proposal[int] | None:
        self.feedback.append(feedback)
        self.at += 1
        turn = self._turn()
        if turn is None or turn.proposal is None:
            return None
        return Proposal(self.at, Source.MODEL if turn.from_model else Source.DETERMINISTIC)

    def admit(self, observation: int, proposal: Proposal[int]) -> Reason | None:
        turn = self._turn()
        if turn and turn.rejected:
            self.rejections.append(proposal.action)
        return turn.rejected if turn else None

    def gate(self, observation: int, proposal: Proposal[int]) -> Reason | None:
        turn = self._turn()
        assert turn is not None
        with self.budget.paused():
            self.clock.now += turn.person_seconds
        return turn.refused

    def execute(self, proposal: Proposal[int]) -> None:
        turn = self._turn()
        assert turn is not None
        self.starts.append(self.budget.elapsed)
        self.executed.append(proposal.action)
        self.clock.now += turn.seconds
        self.done = turn.reaches
        self.hopeless = turn.impossible
        if turn.fails:
            raise OSError("a page's words")

    def _turn(self) -> Turn | None:
        return self.turns[self.at] if self.at < len(self.turns) else None


class AsyncTask:
    """The same task with coroutines."""

    def __init__(self, task: ScriptedTask) -> None:
        self._task = task

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        method = getattr(self._task, name)

        async def call(*arguments: Any) -> Any:
            return method(*arguments)

        return call


@dataclass
class Maze:
    """A graph to search: `ways[state]` are the states its options lead to, in order; `dead` options do nothing."""

    ways: dict[int, list[int]]
    goal: int | None
    dead: set[tuple[int, int]] = field(default_factory=set)
    at: int = 0
    taken: list[tuple[int, int]] = field(default_factory=list)
    returns: list[tuple[int, ...]] = field(default_factory=list)

    def look(self) -> Look[int]:
        options = tuple(Option((self.at, to), to) for to in self.ways.get(self.at, []))
        return Look(self.at, self.at if self.at == self.goal else None, options)

    def take(self, option: Option) -> Reason | None:
        self.taken.append((self.at, option.payload))
        if (self.at, option.payload) in self.dead:
            return Reason.NO_EFFECT
        self.at = option.payload
        return None

    def go_back(self, path: tuple[Option, ...]) -> bool:
        self.returns.append(tuple(option.payload for option in path))
        self.at = path[-1].payload if path else 0
        return True


class AsyncMaze:
    """The same maze with coroutines."""

    def __init__(self, maze: Maze) -> None:
        self._maze = maze

    async def look(self) -> Look[int]:
        return self._maze.look()

    async def take(self, option: Option) -> Reason | None:
        return self._maze.take(option)

    async def go_back(self, path: tuple[Option, ...]) -> bool:
        return self._maze.go_back(path)
