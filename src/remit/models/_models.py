"""The facade that executors use: one backend, chosen once, asked within limits, that never raises for a bad model."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from remit.contract import Reason
from remit.settings import Settings

from ._decision import Backend, BackendName, Decision, Description, ModelError
from ._embedded import EmbeddedBackend
from ._ollama import OllamaBackend
from ._question import Answer, Candidate, Choose, Chosen, Question
from ._simple import NoModel

A = TypeVar("A", bound=Answer)

DECISION_S = 20.0
LOAD_S = 30.0
"""Longest a decision waits for a model that is still loading, beside its own time."""

CHOOSE_AGAIN_S = 60.0
"""When nobody was there to ask, how long until somebody is looked for again."""

Opener = Callable[[], Awaitable[Backend]]


@dataclass(frozen=True, slots=True)
class Refusal:
    """A backend that does not decide, and why."""

    name: BackendName
    reason: Reason


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """Who decides, whether it is ready (`reason` None), and why the others do not."""

    decides: Description
    reason: Reason | None
    refused: tuple[Refusal, ...] = ()


async def choose_backend(settings: Settings) -> tuple[Backend, tuple[Refusal, ...]]:
    """The backend that the settings ask for, and who was passed over.

    `auto`: Ollama if it answers on loopback and has the model; else the embedded one if installed; else nobody. A
    backend that is set explicitly and cannot be had raises ModelError with the reason.
    """
    if settings.model == "none":
        return NoModel(), ()
    refused: list[Refusal] = []
    openers: list[tuple[BackendName, Opener]] = [
        (BackendName.OLLAMA, lambda: _open_ollama(settings)),
        (BackendName.EMBEDDED, _open_embedded),
    ]
    for name, opener in openers:
        if settings.model not in {"auto", name.value}:
            continue
        try:
            return await opener(), tuple(refused)
        except ModelError as error:
            refused.append(Refusal(name, error.reason))
    if settings.model != "auto":
        raise ModelError(refused[0].reason)
    return NoModel(), tuple(refused)


class Models:
    """Ask the local model. `calls` counts how often a backend was asked through this object.

    The backend is found at the first need, so that making one costs nothing; `for_run` gives each run its own count
    over the same backend.
    """

    def __init__(self, backend: Backend, *, decision_s: float = DECISION_S, load_s: float = LOAD_S) -> None:
        self._shared = _Found(backend)
        self._decision_s = decision_s
        self._load_s = load_s
        self._owned = True
        self.calls = 0

    @classmethod
    def from_settings(cls, settings: Settings, *, decision_s: float = DECISION_S) -> Models:
        """Over the backend that `settings` ask for; nothing is contacted yet."""
        models = cls(NoModel(), decision_s=decision_s)
        models._shared = _Found(None, lambda: choose_backend(settings))
        return models

    def for_run(self, *, decision_s: float | None = None) -> Models:
        """The same backend with a count of its own; closing it does nothing. A run may tighten the time only."""
        share = Models(NoModel(), decision_s=min(decision_s or self._decision_s, self._decision_s), load_s=self._load_s)
        share._shared = self._shared
        share._owned = False
        return share

    async def decide(self, question: Question[A], *, decision_s: float | None = None) -> Decision[A]:
        """The answer, or why there is none, within the decision's time (all groups together).

        A model that is still loading is waited for first, beside that time, for at most `load_s`.
        """
        began = time.monotonic()
        limit = min(decision_s or self._decision_s, self._decision_s)
        backend = await self._shared.backend()
        name = backend.describe().name
        try:
            async with asyncio.timeout(self._load_s):
                reason = await backend.warm()
        except TimeoutError:
            reason = Reason.MODEL_TIMEOUT
        if reason is not None:
            return Decision(None, reason, name, time.monotonic() - began, calls=0)
        decided = await self._asked(backend, question, time.monotonic() + limit)
        self.calls += decided.calls
        return replace(decided, seconds=time.monotonic() - began)

    async def warm(self) -> Reason | None:
        """Find the backend and load its model; None when it is ready. For the background of a server's start."""
        return await (await self._shared.backend()).warm()

    async def status(self) -> ModelStatus:
        """Who decides and why not the others. Never raises, and loads no Ollama model."""
        backend = await self._shared.backend()
        reason: Reason | None = None
        try:
            if isinstance(backend, OllamaBackend):
                await backend.card()
            else:
                reason = await backend.warm()
        except ModelError as error:
            reason = error.reason
        return ModelStatus(backend.describe(), reason, self._shared.refused)

    async def aclose(self) -> None:
        """Let the backend go, if it is this object's own."""
        if self._owned:
            await self._shared.aclose()

    async def _asked(self, backend: Backend, question: Question[A], until: float) -> Decision[A]:
        if isinstance(question, Choose) and len(question.candidates) > backend.group_size:
            return await self._in_groups(backend, question, until)  # type: ignore[return-value]
        return await backend.ask(question, max(until - time.monotonic(), 0.0))

    async def _in_groups(self, backend: Backend, question: Choose, until: float) -> Decision[Chosen]:
        """Winners of groups meet in a final, so that a long list hides none.

        A group that fails hides its candidates, so the whole has failed; one that abstains or errs sends no winner.
        """
        decided = Decision(Chosen(None), None, backend.describe().name, calls=0)
        unsure: Decision[Chosen] | None = None
        winners: list[Candidate] = []
        for group in _groups(question.candidates, backend.group_size):
            said = await backend.ask(replace(question, candidates=group), max(until - time.monotonic(), 0.0))
            decided = replace(said, calls=decided.calls + said.calls)
            if said.reason is Reason.MODEL_NO_ANSWER:
                unsure = said
            elif said.answer is None:
                return decided
            else:
                winners += [item for item in group if item.id == said.answer.id]
        if len(winners) > 1:
            final = await self._asked(backend, replace(question, candidates=tuple(winners)), until)
            return replace(final, calls=final.calls + decided.calls)
        if winners:
            return replace(decided, answer=Chosen(winners[0].id), reason=None, abstained=False)
        return replace(unsure, calls=decided.calls) if unsure else decided


class _Found:
    """A backend that is looked for once, and again later if nobody was there."""

    def __init__(
        self,
        backend: Backend | None,
        find: Callable[[], Awaitable[tuple[Backend, tuple[Refusal, ...]]]] | None = None,
    ) -> None:
        self._backend = backend
        self._find = find
        self._at = time.monotonic()
        self._turn = asyncio.Lock()
        self.refused: tuple[Refusal, ...] = ()

    async def backend(self) -> Backend:
        async with self._turn:
            stale = isinstance(self._backend, NoModel) and time.monotonic() - self._at > CHOOSE_AGAIN_S
            if self._find is not None and (self._backend is None or stale):
                self._at = time.monotonic()
                try:
                    self._backend, self.refused = await self._find()
                except ModelError as error:
                    self._backend = NoModel(error.reason)
            return self._backend or NoModel()

    async def aclose(self) -> None:
        backend, self._backend, self._find = self._backend, NoModel(), None
        if backend is not None:
            await backend.aclose()


async def _open_ollama(settings: Settings) -> Backend:
    backend = OllamaBackend(settings.ollama_host, settings.ollama_model, settings.ollama_allowed_hosts)
    try:
        await backend.card()
    except BaseException:
        await backend.aclose()
        raise
    return backend


async def _open_embedded() -> Backend:
    if not EmbeddedBackend.installed():
        raise ModelError(Reason.MODEL_UNAVAILABLE)
    return EmbeddedBackend()


def _groups(items: tuple[Candidate, ...], size: int) -> list[tuple[Candidate, ...]]:
    """Groups of nearly equal size, in order: a last group of one would win by default."""
    count = -(-len(items) // size)
    return [items[len(items) * k // count : len(items) * (k + 1) // count] for k in range(count)]
