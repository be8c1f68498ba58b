"""The two backends that hold no model: nobody, and a script for tests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import TypeVar

from remit.contract import Reason

from ._decision import BackendName, Decision, Description
from ._question import Answer, Kind, Question
from ._reading import parse

A = TypeVar("A", bound=Answer)
Script = Iterable[str | Reason] | Callable[[Question[Answer]], str | Reason]

ALL_KINDS: frozenset[Kind] = frozenset({"choose", "order", "map", "extract", "transcribe"})


class NoModel:
    """Nobody to ask: every question ends with the reason why."""

    group_size = 1_000_000

    def __init__(self, reason: Reason = Reason.MODEL_UNAVAILABLE) -> None:
        self._reason = reason

    async def ask(self, question: Question[A], timeout_s: float) -> Decision[A]:
        """No answer, at once."""
        del question, timeout_s
        return Decision(None, self._reason, BackendName.NONE, calls=0)

    async def warm(self) -> Reason | None:
        """Why there is nothing to load."""
        return self._reason

    def describe(self) -> Description:
        """Nobody."""
        return Description(BackendName.NONE, "", frozenset())

    async def aclose(self) -> None:
        """Nothing to let go of."""


class ScriptedBackend:
    """Says what a test tells it to, after `delay_s` seconds: raw output to be read like any model's, or a reason.

    A list is used up one item a question; when it is empty, nobody answers. `asked` keeps the questions.
    """

    def __init__(self, script: Script = (), *, delay_s: float = 0.0, group_size: int = 12) -> None:
        self._say = script if callable(script) else None
        self._lines = iter(()) if callable(script) else iter(script)
        self._delay_s = delay_s
        self.group_size = group_size
        self.asked: list[Question[Answer]] = []

    async def ask(self, question: Question[A], timeout_s: float) -> Decision[A]:
        """The next line of the script, read strictly."""
        self.asked.append(question)
        try:
            async with asyncio.timeout(timeout_s):
                await asyncio.sleep(self._delay_s)
        except TimeoutError:
            return Decision(None, Reason.MODEL_TIMEOUT, BackendName.SCRIPTED, timeout_s)
        said = self._say(question) if self._say else next(self._lines, Reason.MODEL_UNAVAILABLE)
        if isinstance(said, Reason):
            return Decision(None, said, BackendName.SCRIPTED, self._delay_s)
        answer = parse(question, said)
        reason = Reason.MODEL_NO_ANSWER if answer is None else None
        return Decision(answer, reason, BackendName.SCRIPTED, self._delay_s)

    async def warm(self) -> Reason | None:
        """Ready."""
        return None

    def describe(self) -> Description:
        """A script."""
        return Description(BackendName.SCRIPTED, "script", ALL_KINDS)

    async def aclose(self) -> None:
        """Nothing to let go of."""
