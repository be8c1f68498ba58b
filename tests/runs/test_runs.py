from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest

from remit.contract import Effect, Envelope, Reason, RemitError, Status
from remit.runs import Rooms, Runs
from remit.settings import Settings

from .executors import STAGE, Arguments, Asks, Exits, Lies, Mutters, Oversteps, Panics, Raises, Stage, Waits, published


@asynccontextmanager
async def opened(
    tmp_path: Path, handover_s: float = 5, progress_s: float = 5
) -> AsyncIterator[tuple[Runs, Rooms, Stage]]:
    STAGE["now"] = stage = Stage()
    settings = Settings(
        data_dir=tmp_path / "data", vault_dir=tmp_path / "vault", handover_s=handover_s, progress_s=progress_s
    )
    async with Rooms(settings) as rooms, Runs(rooms) as runs:
        yield runs, rooms, stage


async def test_a_run_ends_with_its_result_its_id_and_a_settled_journal(tmp_path: Path) -> None:
    async with opened(tmp_path) as (runs, rooms, stage):
        stage.go.set()
        envelope = await runs.call(published(Waits), Arguments(word="x"), "me")
        told = envelope.payload()
        assert (told["status"], told["word"]) == ("done", "x")
        assert rooms.journal.effects(told["run_id"]) == [("submit", "form", "observed")]
        assert (await runs.attend(told["run_id"], "me", False)).payload() == told


async def test_a_long_run_is_handed_over_and_told_later_in_the_same_words(tmp_path: Path) -> None:
    async with opened(tmp_path, handover_s=0.05) as (runs, _, stage):
        handed = (await runs.call(published(Waits), Arguments(word="x"), "me")).payload()
        assert (handed["status"], handed["next"]) == ("running", "continue_run")
        again = (await runs.attend(handed["run_id"], "me", False)).payload()
        assert again["status"] == "running"
        stage.go.set()
        told = (await runs.attend(handed["run_id"], "me", False)).payload()
        assert (told["status"], told["run_id"], stage.begun) == ("done", handed["run_id"], 1)


async def test_an_equal_call_joins_the_active_run_and_another_does_not(tmp_path: Path) -> None:
    async with opened(tmp_path) as (runs, _, stage):
        told: list[Envelope] = []

        async def call(word: str, principal: str) -> None:
            told.append(await runs.call(published(Waits), Arguments(word=word), principal))

        async with anyio.create_task_group() as group:
            for word, principal in (("x", "me"), ("x", "me"), ("y", "me"), ("x", "you")):
                group.start_soon(call, word, principal)
            await stage.started.wait()
            await anyio.wait_all_tasks_blocked()
            assert stage.begun == 3
            stage.go.set()
        assert len({envelope.payload()["run_id"] for envelope in told}) == 3


async def test_cancelling_the_request_cancels_the_run_and_keeps_what_it_had(tmp_path: Path) -> None:
    async with opened(tmp_path) as (runs, rooms, stage):
        async with anyio.create_task_group() as group:
            group.start_soon(runs.call, published(Waits), Arguments(), "me")
            await stage.started.wait()
            group.cancel_scope.cancel()
        with anyio.fail_after(1):
            await stage.over.wait()
            await anyio.wait_all_tasks_blocked()
        assert stage.ended == ["cancelled"]
        row = rooms.database.one("SELECT payload FROM runs")
        assert row is not None
        assert '"status":"partial","reason":"outcome_unknown"' in row["payload"]
        assert '"word":"kept"' in row["payload"]


async def test_a_request_that_goes_does_not_cancel_a_run_somebody_else_waits_for(tmp_path: Path) -> None:
    async with opened(tmp_path) as (runs, _, stage):
        told: list[Envelope] = []

        async def stay() -> None:
            told.append(await runs.call(published(Waits), Arguments(), "me"))

        async with anyio.create_task_group() as staying:
            staying.start_soon(stay)
            async with anyio.create_task_group() as going:
                going.start_soon(runs.call, published(Waits), Arguments(), "me")
                await stage.started.wait()
                await anyio.wait_all_tasks_blocked()
                going.cancel_scope.cancel()
            stage.go.set()
        assert told[0].status is Status.DONE
        assert stage.begun == 1


async def test_continue_run_can_cancel(tmp_path: Path) -> None:
    async with opened(tmp_path, handover_s=0.05) as (runs, _, stage):
        handed = (await runs.call(published(Waits), Arguments(), "me")).payload()
        told = (await runs.attend(handed["run_id"], "me", True)).payload()
        assert (told["status"], told["reason"], told["word"]) == ("partial", "outcome_unknown", "kept")
        assert stage.ended == ["cancelled"]


async def test_a_run_of_another_principal_is_unknown(tmp_path: Path) -> None:
    async with opened(tmp_path, handover_s=0.05) as (runs, _, stage):
        handed = (await runs.call(published(Waits), Arguments(), "me")).payload()
        for run_id, principal in ((handed["run_id"], "you"), ("r_none", "me")):
            assert (await runs.attend(run_id, principal, True)).reason is Reason.UNKNOWN_RUN
        stage.go.set()
        assert (await runs.attend(handed["run_id"], "me", False)).status is Status.DONE
        assert (await runs.attend(handed["run_id"], "you", False)).reason is Reason.UNKNOWN_RUN


async def test_progress_is_sent_at_once_then_regularly_and_always_increases(tmp_path: Path) -> None:
    async with opened(tmp_path, progress_s=0.01) as (runs, _, stage):
        sent: list[float] = []

        async def report(done: float, total: float | None, message: str) -> None:
            assert message in ("working", "half way")
            sent.append(done)
            if len(sent) == 4:
                stage.go.set()

        await runs.call(published(Waits), Arguments(), "me", report)
        assert sent == sorted(set(sent))
        assert sent[-1] > 1


@pytest.mark.parametrize(
    ("executor", "status", "reason"),
    [
        (Raises, Status.FAILED, Reason.INTERNAL),
        (Asks, Status.NEEDS_USER, Reason.ONE_TIME_CODE),
        (Oversteps, Status.FAILED, Reason.NOT_ALLOWED),
    ],
)
async def test_every_end_is_typed_and_quotes_nothing(
    tmp_path: Path, executor: type, status: Status, reason: Reason, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(tmp_path) as (runs, _, _):
        envelope = await runs.call(published(executor), Arguments(), "me")
    assert (envelope.status, envelope.reason) == (status, reason)
    assert "secret words" not in envelope.text() + caplog.text


async def test_what_only_reads_is_no_run_in_the_journal(tmp_path: Path) -> None:
    async with opened(tmp_path) as (runs, _, stage):
        stage.go.set()
        envelope = await runs.call(published(Waits, Effect.READ_ONLY), Arguments(), "me")
        assert "run_id" not in envelope.payload()
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("content", [b"this is no database, and long enough to be read as one page of it" * 99, None])
async def test_a_data_directory_that_cannot_be_used_is_a_typed_failure(tmp_path: Path, content: bytes | None) -> None:
    if content is None:
        (tmp_path / "data").write_text("a file where the folder should be")
    else:
        (tmp_path / "data").mkdir()
        (tmp_path / "data" / "remit.sqlite3").write_bytes(content)
    async with opened(tmp_path) as (runs, _, _):
        with pytest.raises(RemitError) as error:
            await runs.call(published(Waits), Arguments(), "me")
    assert error.value.reason is Reason.DATA_UNAVAILABLE


async def test_a_disk_that_fills_up_ends_the_run_and_not_the_server(tmp_path: Path) -> None:
    async with opened(tmp_path) as (runs, rooms, stage):
        async with anyio.create_task_group() as group:
            told: list[Envelope] = []

            async def call() -> None:
                told.append(await runs.call(published(Waits), Arguments(), "me"))

            group.start_soon(call)
            await stage.started.wait()
            rooms.database.execute("PRAGMA query_only = ON")
            stage.go.set()
        assert told[0].reason is Reason.DATA_UNAVAILABLE
        rooms.database.execute("PRAGMA query_only = OFF")
        assert (await runs.call(published(Asks), Arguments(), "me")).status is Status.NEEDS_USER


@pytest.mark.parametrize("executor", [Exits, Panics, Mutters, Lies])
async def test_one_bad_executor_ends_alone_and_quotes_nothing(
    tmp_path: Path, executor: type, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(tmp_path) as (runs, _, stage):
        envelope = await runs.call(published(executor), Arguments(), "me")
        assert envelope.reason is Reason.INTERNAL
        assert "secret" not in envelope.text() + caplog.text
        stage.go.set()
        assert (await runs.call(published(Waits), Arguments(), "me")).status is Status.DONE


async def test_a_client_that_stops_waiting_for_a_handed_over_run_leaves_it_running(tmp_path: Path) -> None:
    async with opened(tmp_path, handover_s=0.05) as (runs, _, stage):
        handed = (await runs.call(published(Waits), Arguments(word="x"), "me")).payload()
        async with anyio.create_task_group() as group:
            group.start_soon(runs.attend, handed["run_id"], "me", False)
            await anyio.wait_all_tasks_blocked()
            group.cancel_scope.cancel()
        stage.go.set()
        assert (await runs.attend(handed["run_id"], "me", False)).payload()["word"] == "x"
