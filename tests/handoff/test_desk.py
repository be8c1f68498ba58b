"""Questions wait at the desk: one answer each, of the right kind, in time, for the run that asked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
import pytest

from remit.authority import Scope
from remit.contract import Reason, Secret
from remit.handoff import Answer, AnswerError, Asked, Desk, Effect, Pending, Question, Through, Verdict
from remit.state import Database

CODE = Question(Asked.ONE_TIME_CODE, Reason.ONE_TIME_CODE)
CONSENT = Question(Asked.CONSENT, Reason.APPROVAL_REQUIRED, effect=Effect.SIGN_IN, reach=Scope.PER_RUN)
CHOICE = Question(Asked.CHOICE, Reason.AMBIGUOUS, choices=("first row", "second row"))


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return Database.in_folder(tmp_path / "data")


@pytest.fixture
def desk(database: Database) -> Desk:
    return Desk(database)


async def asked(
    desk: Desk, question: Question, reply: Callable[[Pending], Awaitable[None]], *, seconds: float = 30.0
) -> Answer:
    """Ask, and let `reply` act on the open question."""
    answers: list[Answer] = []

    async with anyio.create_task_group() as group:
        opened: list[Pending] = []
        here = anyio.Event()

        def noticed(pending: Pending) -> None:
            opened.append(pending)
            here.set()

        async def wait() -> None:
            answers.append((await desk.ask(question, "r_1", "me", seconds=seconds, noticed=noticed)).given)

        group.start_soon(wait)
        await here.wait()
        await reply(opened[0])
    return answers[0]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (CODE, Answer(Verdict.CODE, code=Secret("012345"))),
        (CODE, Answer(Verdict.RESUMED)),
        (CONSENT, Answer(Verdict.ALLOWED_ONCE, Through.CLIENT)),
        (CONSENT, Answer(Verdict.ALLOWED_FOR_RUN)),
        (CONSENT, Answer(Verdict.REFUSED)),
        (CHOICE, Answer(Verdict.CHOSEN, choice=1)),
        (CHOICE, Answer(Verdict.CANCELLED)),
    ],
)
async def test_an_answer_that_fits_reaches_the_run_and_closes_the_question(
    desk: Desk, question: Question, answer: Answer
) -> None:
    async def reply(pending: Pending) -> None:
        desk.answer(pending.id, answer, run_id="r_1")

    assert await asked(desk, question, reply) == answer
    assert desk.open_questions() == ()
    assert desk.history("r_1")[0].verdict is answer.verdict


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (CODE, Answer(Verdict.CODE, Through.CLIENT, code=Secret("012345"))),  # a secret through a client
        (CODE, Answer(Verdict.CODE)),
        (CODE, Answer(Verdict.CODE, code=Secret(""))),
        (CODE, Answer(Verdict.CODE, code=Secret("1" * 65))),
        (CODE, Answer(Verdict.CODE, code=Secret("12\n34"))),
        (CODE, Answer(Verdict.ALLOWED_ONCE)),
        (CONSENT, Answer(Verdict.RESUMED)),
        (CONSENT, Answer(Verdict.ALLOWED_FOR_SITE)),  # longer than a yes may stand
        (CHOICE, Answer(Verdict.CHOSEN)),
        (CHOICE, Answer(Verdict.CHOSEN, choice=2)),
        (CHOICE, Answer(Verdict.CHOSEN, choice=-1)),
    ],
)
async def test_what_is_no_answer_to_the_question_is_refused_and_the_question_stays_open(
    desk: Desk, question: Question, answer: Answer
) -> None:
    async def reply(pending: Pending) -> None:
        with pytest.raises(AnswerError) as refused:
            desk.answer(pending.id, answer)
        assert refused.value.reason is Reason.BAD_ANSWER
        assert desk.open_questions() == (pending,)
        desk.answer(pending.id, Answer(Verdict.REFUSED))

    assert not (await asked(desk, question, reply)).is_yes


async def test_the_second_answer_comes_too_late(desk: Desk) -> None:
    async def reply(pending: Pending) -> None:
        desk.answer(pending.id, Answer(Verdict.ALLOWED_ONCE))
        with pytest.raises(AnswerError) as refused:
            desk.answer(pending.id, Answer(Verdict.REFUSED))
        assert refused.value.reason is Reason.QUESTION_CLOSED

    assert (await asked(desk, CONSENT, reply)).is_yes


async def test_an_answer_for_another_run_is_refused(desk: Desk) -> None:
    async def reply(pending: Pending) -> None:
        with pytest.raises(AnswerError):
            desk.answer(pending.id, Answer(Verdict.ALLOWED_ONCE), run_id="r_2")
        desk.answer(pending.id, Answer(Verdict.REFUSED), run_id="r_1")

    assert (await asked(desk, CONSENT, reply)).verdict is Verdict.REFUSED


async def test_nobody_answering_is_a_no(desk: Desk) -> None:
    async def reply(pending: Pending) -> None:
        await pending.answered.wait()

    answer = await asked(desk, CONSENT, reply, seconds=0.05)
    assert (answer.verdict, answer.through, answer.is_yes) == (Verdict.EXPIRED, Through.CLOCK, False)


async def test_an_answer_after_the_end_of_the_time_is_refused_even_before_the_run_noticed(database: Database) -> None:
    now = [1000.0]
    desk = Desk(database, clock=lambda: now[0])

    async def reply(pending: Pending) -> None:
        now[0] = pending.expires
        with pytest.raises(AnswerError) as refused:
            desk.answer(pending.id, Answer(Verdict.ALLOWED_ONCE))
        assert refused.value.reason is Reason.QUESTION_CLOSED
        now[0] -= 1
        desk.answer(pending.id, Answer(Verdict.ALLOWED_ONCE))

    await asked(desk, CONSENT, reply)


async def test_a_cancelled_run_takes_its_question_along(desk: Desk) -> None:
    async with anyio.create_task_group() as group:
        opened = anyio.Event()

        async def wait() -> None:
            await desk.ask(CODE, "r_1", "me", noticed=lambda _: opened.set())

        group.start_soon(wait)
        await opened.wait()
        group.cancel_scope.cancel()
    assert desk.open_questions() == ()
    assert desk.history("r_1")[0].verdict is Verdict.CANCELLED


async def test_what_is_remembered_holds_neither_the_code_nor_a_text_of_a_page(desk: Desk, database: Database) -> None:
    question = Question(Asked.CHOICE, Reason.AMBIGUOUS, subject="canary-subject", choices=("canary-row",))

    async def choose(pending: Pending) -> None:
        desk.answer(pending.id, Answer(Verdict.CHOSEN, choice=0))

    async def enter(pending: Pending) -> None:
        desk.answer(pending.id, Answer(Verdict.CODE, code=Secret("canary-code")))

    await asked(desk, question, choose)
    await asked(desk, CODE, enter)
    told = [tuple(row) for row in database.all("SELECT * FROM questions")]
    assert len(told) == 2
    assert "canary" not in repr(told)
    assert "canary" not in repr(question)
