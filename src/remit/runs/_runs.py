"""Starts runs, joins equal ones, hands long ones over, and ends them truthfully."""

from __future__ import annotations

import hashlib
import logging
import secrets
import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Self

import anyio
import anyio.abc
from pydantic import BaseModel, ValidationError

from remit.authority import AuditKind, Facts
from remit.contract import Consent, Envelope, Outcome, Published, Reason, RemitError, Status
from remit.contract import Effect as ManifestEffect
from remit.handoff import Answer, AnswerError, NeedsPersonError, Pending, Question
from remit.loop import Clock

from ._asking import Channel, Door, NoDoor, Parked, Shown
from ._call import Call, EffectKind, Progress, Report
from ._rooms import Rooms

logger = logging.getLogger(__name__)

UNWIND_S = 10.0
"""How long a cancelled run may take to let go of the browser before it is called running still, in seconds."""


@dataclass(eq=False)
class _Run:
    key: tuple[str, str, str]
    call: Call
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    finished: anyio.Event = field(default_factory=anyio.Event)
    moved: anyio.Event = field(default_factory=anyio.Event)
    progress: Progress | None = None
    envelope: Envelope | None = None
    question: Pending | None = None
    attendants: int = 0

    def advance(self, progress: Progress) -> None:
        self.progress = progress
        self.stir()

    def ask(self, question: Pending | None) -> None:
        self.question = question
        self.stir()

    def stir(self) -> None:
        self.moved.set()
        self.moved = anyio.Event()


class Runs:
    """All runs of this process. An async context manager: leaving it cancels what is active.

    `find` gives the published executor of a name, to take up a run of an earlier process again. `door` leads a person
    to a question; the server sets it to its panel.
    """

    def __init__(
        self,
        rooms: Rooms,
        clock: Clock = time.monotonic,
        *,
        find: Callable[[str], Published | None] = lambda _: None,
    ) -> None:
        self._rooms = rooms
        self._clock = clock
        self._find = find
        self.door: Door = NoDoor()
        self._active: dict[tuple[str, str, str], _Run] = {}
        self._by_id: dict[str, _Run] = {}
        self._group: anyio.abc.TaskGroup | None = None

    async def __aenter__(self) -> Self:
        self._group = await anyio.create_task_group().__aenter__()
        return self

    async def __aexit__(self, *error: Any) -> None:
        assert self._group is not None
        self._group.cancel_scope.cancel()
        await self._group.__aexit__(*error)

    async def call(
        self,
        published: Published,
        arguments: BaseModel,
        principal: str,
        report: Report | None = None,
    ) -> Envelope:
        """Run an executor, or join the equal run that is active, until it ends or is handed over.

        A question ends the call as `needs_user`, while the run waits.
        """
        told = await self.call_through(published, arguments, principal, report, None)
        assert isinstance(told, Envelope)
        return told

    async def call_through(
        self,
        published: Published,
        arguments: BaseModel,
        principal: str,
        report: Report | None,
        channel: Channel | None,
    ) -> Envelope | Parked:
        """The same for a client that can be asked; `Parked` is only returned for a channel that parks."""
        key = (published.manifest.name, _digest(arguments), principal)
        run = self._active.get(key) or self._start(published, arguments, key, channel=channel)
        durable = run.call.run_id is not None
        return await self._attend(run, report, self._rooms.settings.handover_s if durable else None, channel=channel)

    async def answered(
        self,
        run_id: str,
        question_id: str,
        reply: Answer | Shown,
        principal: str,
        report: Report | None = None,
        channel: Channel | None = None,
    ) -> Envelope | Parked:
        """Go on with a parked run once its client has replied. A reply to a question that is closed changes nothing."""
        run = self._by_id.get(run_id)
        if run is None or run.key[2] != principal:
            return self._told(run_id, principal)
        if isinstance(reply, Answer):
            with suppress(AnswerError):
                self._rooms.desk.answer(question_id, reply, run_id=run_id)
        open_still = run.question is not None and run.question.id == question_id
        if open_still and reply is Shown.NOWHERE:
            return await self._needs_user(run)
        shown = question_id if open_still else None
        return await self._attend(run, report, self._rooms.settings.handover_s, channel=channel, shown=shown)

    def _start(
        self,
        published: Published,
        arguments: BaseModel,
        key: tuple[str, str, str],
        *,
        channel: Channel | None = None,
        resumes: str | None = None,
    ) -> _Run:
        manifest = published.manifest
        run_id = f"r_{secrets.token_urlsafe(9)}" if _is_durable(published) else None
        if run_id is not None:
            self._rooms.journal.begin(run_id, *key, arguments=arguments.model_dump_json(by_alias=True), resumes=resumes)

        async def ask(question: Question) -> Pending:
            return await self._ask(run, question)

        async def attend(run_id: str, principal: str, cancel: bool, report: Report | None) -> Envelope:
            waiting = None if channel is None or channel.parks else channel
            return await self.attend(run_id, principal, cancel, report, waiting)

        call = Call(
            run_id=run_id,
            principal=key[2],
            manifest=manifest,
            rooms=self._rooms,
            clock=self._clock,
            on_progress=lambda progress: run.advance(progress),
            attend=attend,
            ask=ask,
            resumes=resumes,
        )
        run = _Run(key, call)
        if run_id is not None:
            kind = AuditKind.RUN_STARTED if resumes is None else AuditKind.RUN_RESUMED
            self._log(kind, run, executor=key[0], principal=_principal_digest(key[2]), resumes=resumes)
        self._active[key] = run
        if run_id is not None:
            self._by_id[run_id] = run
        assert self._group is not None
        self._group.start_soon(self._execute, run, published, arguments, name=manifest.name)
        return run

    async def _execute(self, run: _Run, published: Published, arguments: BaseModel) -> None:
        """The run's own task: whatever happens, the run ends with an envelope, in the journal first."""
        envelope = Envelope.error(Reason.CANCELLED)
        try:
            with run.scope:
                envelope = await _outcome(published, run.call, arguments)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            # Ours is only the cancellation of the whole group. SystemExit, a stray CancelledError or a panic of native
            # code inside one executor must not take the other runs with it.
            assert self._group is not None
            if self._group.cancel_scope.cancel_called:
                raise
            logger.error("%s failed: %s", published.manifest.name, type(error).__name__)
            envelope = Envelope.error(Reason.INTERNAL)
        finally:
            self._finish(run, envelope)

    def _finish(self, run: _Run, envelope: Envelope) -> None:
        call = run.call
        if envelope.status is Status.FAILED and call.kept and not envelope.fields:
            envelope = replace(envelope, status=Status.PARTIAL, fields=call.kept)
        if call.run_id is not None and envelope.reason is Reason.CANCELLED and self._sent_unobserved(call.run_id):
            envelope = replace(envelope, reason=Reason.OUTCOME_UNKNOWN)
        if call.run_id is not None:
            envelope = replace(envelope, run_id=call.run_id, spent=call.spent)
        if call.run_id is not None:
            self._write_end(run, envelope)
            self._by_id.pop(call.run_id, None)
        self._active.pop(run.key, None)
        run.envelope = envelope
        run.finished.set()
        run.moved.set()

    def _sent_unobserved(self, run_id: str) -> bool:
        """Something was sent that may have had its effect: that is more than being cancelled."""
        try:
            return self._rooms.journal.has_open(run_id, (EffectKind.SUBMIT, EffectKind.WRITE_FILE))
        except sqlite3.Error:
            return True

    def _write_end(self, run: _Run, envelope: Envelope) -> None:
        """The client is told in any case: a full disk must not take the other runs with it."""
        run_id = run.call.run_id
        assert run_id is not None
        try:
            self._rooms.journal.finish(run_id, envelope.payload())
            self._log(AuditKind.RUN_ENDED, run, executor=run.key[0], status=envelope.status, reason=envelope.reason)
        except (sqlite3.Error, RemitError) as error:
            logger.error("the end of a run could not be written: %s", type(error).__name__)

    async def _ask(self, run: _Run, question: Question) -> Pending:
        """Put a run's question on the desk and wait; the clients that attend the run are told meanwhile."""
        run_id = run.call.run_id
        assert run_id is not None
        self._rooms.journal.wait(run_id, question.reason)
        about = {"executor": run.key[0], "asked": question.asked, "target": question.site}

        def noticed(pending: Pending) -> None:
            self._log(AuditKind.QUESTION_ASKED, run, question=pending.id, reason=question.reason, **about)
            run.ask(pending)

        try:
            pending = await self._rooms.desk.ask(question, run_id, run.key[2], noticed=noticed)
        finally:
            run.ask(None)
            self._rooms.journal.wait(run_id, None)
        given = pending.given
        told = {"question": pending.id, "verdict": given.verdict, "through": given.through}
        self._log(AuditKind.QUESTION_ANSWERED, run, **told, **about)
        return pending

    def _log(self, kind: AuditKind, run: _Run, **facts: object) -> None:
        self._rooms.log.append(kind, run.call.run_id, Facts.model_validate(facts))

    async def _attend(
        self,
        run: _Run,
        report: Report | None,
        handover_s: float | None,
        *,
        owns: bool = True,
        channel: Channel | None = None,
        shown: str | None = None,
    ) -> Envelope | Parked:
        """Wait with a client. If the call that `owns` the run is cancelled, so is the run, unless another waits too.

        `shown` is a question whose person has been led to it already.
        """
        run.attendants += 1
        try:
            with anyio.move_on_after(handover_s):
                while (question := await self._follow(run, report, shown)) is not None:
                    if channel is not None and channel.parks and channel.can_put(question.question):
                        return await self._parked(question)
                    if await self._put(question, run, channel) is Shown.NOWHERE:
                        break
                    shown = question.id
        except anyio.get_cancelled_exc_class():
            if owns and run.attendants == 1:
                run.scope.cancel()
            raise
        finally:
            run.attendants -= 1
        if run.envelope is not None:
            return run.envelope
        return await self._needs_user(run) if run.question is not None else self._handed_over(run)

    async def _put(self, question: Pending, run: _Run, channel: Channel | None) -> Shown:
        """Ask through the client, as long as nobody answered elsewhere."""
        if channel is None or channel.parks or not channel.can_put(question.question):
            return Shown.NOWHERE
        reply: Answer | Shown = Shown.LED

        async def put() -> None:
            nonlocal reply
            reply = await channel.put(question, await self.door.ticket(question.id))
            group.cancel_scope.cancel()

        async with anyio.create_task_group() as group:
            group.start_soon(put)
            await question.answered.wait()
            group.cancel_scope.cancel()
        if isinstance(reply, Shown):
            return reply
        with suppress(AnswerError):
            self._rooms.desk.answer(question.id, reply, run_id=run.call.run_id)
        return Shown.LED

    async def _parked(self, question: Pending) -> Parked:
        return Parked(question, await self.door.ticket(question.id))

    async def _follow(self, run: _Run, report: Report | None, shown: str | None) -> Pending | None:
        """Pass progress on as it comes, the last of it too, until the end (None) or a question that is not `shown`.

        Something is said even where nothing moves.
        """
        sent, silent = 0.0, False
        while True:
            moved, ended = run.moved, run.finished.is_set()
            news = run.progress is not None and run.progress.done > sent
            if report is not None and (news or (silent and not ended)):
                progress = run.progress or Progress(0, None, "working")
                sent = progress.done if news else sent + 0.001
                await report(sent, progress.total, progress.message)
            if ended:
                return None
            if run.question is not None and run.question.id != shown:
                return run.question
            with anyio.move_on_after(self._rooms.settings.progress_s) as waiting:
                await moved.wait()
            silent = waiting.cancelled_caught

    def _handed_over(self, run: _Run) -> Envelope:
        return Envelope(
            Status.RUNNING, Reason.RUNNING, run_id=run.call.run_id, spent=run.call.spent, next="continue_run"
        )

    async def _needs_user(self, run: _Run) -> Envelope:
        """The run waits on; its person is led to the question by the link."""
        question = run.question
        if question is None:
            return run.envelope or self._handed_over(run)
        await self.door.announce(question.id)
        return Envelope(
            Status.NEEDS_USER,
            question.question.reason,
            run_id=run.call.run_id,
            spent=run.call.spent,
            next="continue_run",
            link=await self.door.link(question.id),
            fields=run.call.kept,
        )

    async def attend(
        self,
        run_id: str,
        principal: str,
        cancel: bool,
        report: Report | None = None,
        channel: Channel | None = None,
    ) -> Envelope:
        """Wait for a run by its id, up to the hand-over time; `cancel` ends it first.

        An ended run's result is told again from the journal. One that an earlier process left unfinished is taken up
        again under a new id, where its executor can. A run of another principal is unknown.
        """
        run = self._by_id.get(run_id)
        if run is None or run.key[2] != principal:
            run = None if cancel else self._resumed(run_id, principal)
        if run is None:
            return self._told(run_id, principal)
        if cancel:
            run.scope.cancel()
        handover_s = self._rooms.settings.handover_s
        shown = run.question.id if run.question is not None and channel is None else None
        told = await self._attend(
            run, report, max(handover_s, UNWIND_S) if cancel else handover_s, owns=False, channel=channel, shown=shown
        )
        assert isinstance(told, Envelope)
        return told

    def progress_of(self, run_id: str) -> Progress | None:
        """How far an active run of this process is."""
        run = self._by_id.get(run_id)
        return run.progress if run is not None else None

    def cancel(self, run_id: str) -> None:
        """End an active run of this process; nothing happens where there is none."""
        run = self._by_id.get(run_id)
        if run is not None:
            run.scope.cancel()

    def _told(self, run_id: str, principal: str) -> Envelope:
        """What the journal knows of a run that is not of this process or has ended."""
        stored = self._rooms.journal.get(run_id)
        if stored is None or stored.principal != principal:
            return Envelope.error(Reason.UNKNOWN_RUN)
        if stored.successor is not None:
            return self._told(stored.successor, principal)
        if stored.payload is None:
            return Envelope(Status.RUNNING, Reason.RUNNING, run_id=run_id, next="continue_run")
        return Envelope.again(stored.payload)

    def _resumed(self, run_id: str, principal: str) -> _Run | None:
        """The run that takes up a run of a process that is gone: one, however often it is asked for."""
        stored = self._rooms.journal.get(run_id)
        if stored is None or stored.principal != principal or stored.payload is None:
            return None
        if stored.successor is not None:
            return self._by_id.get(stored.successor) or self._resumed(stored.successor, principal)
        published = self._find(stored.tool)
        if published is None or stored.arguments is None or not stored.abandoned:
            return None
        if stored.payload.get("reason") not in getattr(published.executor, "resumes_after", frozenset()):
            return None
        try:
            arguments = published.executor.arguments_model.model_validate_json(stored.arguments)
        except ValidationError:  # another version of the tool: it is told of, and not taken up
            return None
        key = (stored.tool, _digest(arguments), principal)
        return self._active.get(key) or self._start(published, arguments, key, resumes=run_id)


async def _outcome(published: Published, call: Call, arguments: BaseModel) -> Envelope:
    try:
        outcome = await published.executor().run(call, arguments)
        if not _is_promised(outcome, published):
            logger.error("%s returned what its manifest does not promise", published.manifest.name)
            return Envelope.error(Reason.INTERNAL)
        return Envelope.of(outcome)
    except NeedsPersonError as error:
        return Envelope(Status.NEEDS_USER, error.reason)
    except RemitError as error:
        return Envelope.error(error.reason)
    except sqlite3.Error as error:
        logger.error("%s could not use the data directory: %s", published.manifest.name, type(error).__name__)
        return Envelope.error(Reason.DATA_UNAVAILABLE)
    except Exception as error:  # noqa: BLE001 - the last door: nothing of the exception may leave
        logger.error("%s failed: %s", published.manifest.name, type(error).__name__)
        return Envelope.error(Reason.INTERNAL)


def _is_promised(outcome: object, published: Published) -> bool:
    """The result is of the executor's own model; only what is no run itself may tell another's result again."""
    if not isinstance(outcome, Outcome) or (outcome.stored is not None and _is_durable(published)):
        return False
    return outcome.result is None or type(outcome.result) is published.executor.result_model


def _is_durable(published: Published) -> bool:
    """What only reads, and asks nobody, leaves nothing to tell later, so it is no run in the journal."""
    only_reads = published.manifest.effect is ManifestEffect.READ_ONLY and published.manifest.consent is Consent.NONE
    return not only_reads and getattr(published.executor, "durable", True)


def _principal_digest(principal: str) -> str:
    return hashlib.sha256(principal.encode()).hexdigest()[:32]


def _digest(arguments: BaseModel) -> str:
    return hashlib.sha256(arguments.model_dump_json().encode()).hexdigest()
