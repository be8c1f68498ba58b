"""The desk: the questions that wait for a person. Each is answered once, by one answer, for one run."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import anyio

from remit.contract import Reason, RemitError
from remit.state import Database, this_process

from ._asking import Answer, Asked, Question, Through, Verdict

QUESTION_S = 600.0
"""How long a question waits, in seconds."""
LONGEST_CODE = 64

_TABLE = """CREATE TABLE IF NOT EXISTS questions (
    id TEXT PRIMARY KEY, run_id TEXT NOT NULL, principal TEXT NOT NULL, process TEXT NOT NULL, asked TEXT NOT NULL,
    reason TEXT NOT NULL, site TEXT, opened REAL NOT NULL, expires REAL NOT NULL, closed REAL, verdict TEXT,
    through TEXT)"""


class AnswerError(RemitError):
    """QUESTION_CLOSED: it was answered, it expired, or it never was. BAD_ANSWER: no answer to this question."""


@dataclass(eq=False, slots=True)
class Pending:
    """An open question of this process. `expires` is Unix time in seconds."""

    id: str
    run_id: str
    principal: str
    question: Question
    opened: float
    expires: float
    answer: Answer | None = None
    answered: anyio.Event = field(default_factory=anyio.Event)

    @property
    def given(self) -> Answer:
        """The answer, once there is one."""
        assert self.answer is not None
        return self.answer


@dataclass(frozen=True, slots=True)
class Asking:
    """A question as it is remembered: no text of a page, and never what was answered beyond its verdict."""

    id: str
    run_id: str
    asked: Asked
    reason: Reason
    site: str | None
    opened: float
    closed: float | None
    verdict: Verdict | None


class Desk:
    """All open questions of this process, and the memory of them all.

    `clock` gives Unix seconds. Questions are remembered on disk when they are opened and when they are closed; what a
    person typed never is.
    """

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._db = database
        self._clock = clock
        self._open: dict[str, Pending] = {}
        self._changed = anyio.Event()
        database.ensure(_TABLE)

    async def ask(
        self,
        question: Question,
        run_id: str,
        principal: str,
        *,
        seconds: float = QUESTION_S,
        noticed: Callable[[Pending], None] = lambda _: None,
    ) -> Pending:
        """Put a question and wait for its answer, at most `seconds`; the question with it. `noticed` gets it when open.

        Cancelling the wait closes the question as cancelled.
        """
        pending = self._put(question, run_id, principal, seconds)
        try:
            noticed(pending)
            with anyio.move_on_after(seconds):
                await pending.answered.wait()
            if pending.answer is None:
                self._close(pending, Answer(Verdict.EXPIRED, Through.CLOCK))
        finally:
            if pending.answer is None:
                self._close(pending, Answer(Verdict.CANCELLED, Through.RUN))
        return pending

    def answer(self, question_id: str, answer: Answer, *, run_id: str | None = None) -> None:
        """Answer an open question, once; of this run, if one is named.

        Raises:
            AnswerError: QUESTION_CLOSED or BAD_ANSWER; nothing changed.
        """
        pending = self._open.get(question_id)
        if pending is None or (run_id is not None and pending.run_id != run_id):
            raise AnswerError(Reason.QUESTION_CLOSED)
        if self._clock() >= pending.expires:
            raise AnswerError(Reason.QUESTION_CLOSED)
        if not _fits(answer, pending.question):
            raise AnswerError(Reason.BAD_ANSWER)
        self._close(pending, answer)

    def get(self, question_id: str) -> Pending | None:
        """An open question of this process."""
        return self._open.get(question_id)

    def open_questions(self) -> tuple[Pending, ...]:
        """The open questions of this process, oldest first."""
        return tuple(self._open.values())

    async def change(self) -> None:
        """Wait until a question is opened or closed."""
        await self._changed.wait()

    def history(self, run_id: str | None = None) -> list[Asking]:
        """What was asked, of one run or of all, newest first, at most 200."""
        where, values = ("WHERE run_id = ?", (run_id,)) if run_id is not None else ("", ())
        rows = self._db.all(f"SELECT * FROM questions {where} ORDER BY opened DESC LIMIT 200", values)  # noqa: S608
        return [
            Asking(
                row["id"],
                row["run_id"],
                Asked(row["asked"]),
                Reason.of(row["reason"]),
                row["site"],
                row["opened"],
                row["closed"],
                Verdict(row["verdict"]) if row["verdict"] else None,
            )
            for row in rows
        ]

    def was_waiting(self, run_id: str) -> bool:
        """Whether a run of a process that is gone ended while it waited for a person."""
        found = self._db.one("SELECT 1 FROM questions WHERE run_id = ? AND closed IS NULL", (run_id,))
        return found is not None and all(pending.run_id != run_id for pending in self._open.values())

    def _put(self, question: Question, run_id: str, principal: str, seconds: float) -> Pending:
        now = self._clock()
        pending = Pending(f"q_{secrets.token_urlsafe(9)}", run_id, principal, question, now, now + seconds)
        self._db.execute(
            "INSERT INTO questions (id, run_id, principal, process, asked, reason, site, opened, expires)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                pending.id,
                run_id,
                principal,
                this_process(),
                question.asked.value,
                question.reason.value,
                str(question.site) if question.site else None,
                pending.opened,
                pending.expires,
            ),
        )
        self._open[pending.id] = pending
        self._tell()
        return pending

    def _close(self, pending: Pending, answer: Answer) -> None:
        """Closed on disk first: an answer that was not written down was not given."""
        self._db.execute(
            "UPDATE questions SET closed = ?, verdict = ?, through = ? WHERE id = ? AND closed IS NULL",
            (self._clock(), answer.verdict.value, answer.through.value, pending.id),
        )
        del self._open[pending.id]
        pending.answer = answer
        pending.answered.set()
        self._tell()

    def _tell(self) -> None:
        self._changed.set()
        self._changed = anyio.Event()


def _fits(answer: Answer, question: Question) -> bool:
    """Whether this is an answer to this question; secrets never come through a client."""
    if answer.verdict in (Verdict.REFUSED, Verdict.CANCELLED):
        return True
    if answer.verdict not in question.offers:
        return False
    if answer.verdict is Verdict.CODE:
        code = answer.code.reveal() if answer.code else ""
        return answer.through is Through.PANEL and 0 < len(code) <= LONGEST_CODE and code.isprintable()
    if answer.verdict is Verdict.CHOSEN:
        return answer.choice is not None and 0 <= answer.choice < len(question.choices)
    return True
