"""A client that cancels, or gives up, reaches the browser within a second; a call that lasts is handed over."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

from remit.runs import Journal
from remit.state import Database
from tests.server.conversations import ERAS, Era, connected
from tests.sites.pages import Answer, serve

SLOW = "<title>Slow</title><h1>Slow page</h1>"
WITHIN_S = 1.0
ASKED_S = 15.0


async def until_asked(asked: Callable[[], int], seconds: float = ASKED_S) -> None:
    """Wait until the site was asked for its page."""
    with anyio.fail_after(seconds):
        while not asked():
            await anyio.sleep(0.02)


def last_payload(folder: Path) -> tuple[str | None, float]:
    """The last run's reason, and when it ended."""
    database = Database.in_folder(folder / "data")
    Journal(database)
    row = database.one("SELECT reason, ended FROM runs ORDER BY started DESC")
    database.close()
    assert row is not None
    return row["reason"], row["ended"] or 0.0


@pytest.mark.parametrize("era", ERAS)
async def test_a_cancelled_call_stops_the_browser_within_a_second(tmp_path: Path, era: Era) -> None:
    release = threading.Event()
    with serve({"/": Answer(SLOW, release=release)}) as site:
        async with connected(tmp_path, era) as client:
            async with anyio.create_task_group() as group:
                group.start_soon(client.call_tool, "open_sites", {"urls": [site.url]})
                await until_asked(lambda: site.asked("/"))
                cancelled = time.time()
                group.cancel_scope.cancel()
            with anyio.fail_after(5):
                while not last_payload(tmp_path)[1]:
                    await anyio.sleep(0.05)
            reason, ended = last_payload(tmp_path)
            assert reason == "cancelled"
            assert ended - cancelled < WITHIN_S
            release.set()
            result = await client.call_tool("open_sites", {"urls": [site.url]})
            assert result.structured_content is not None
            assert result.structured_content["status"] == "done"


@pytest.mark.parametrize("era", ERAS)
async def test_a_call_that_lasts_is_handed_over_and_taken_up_again(tmp_path: Path, era: Era) -> None:
    release = threading.Event()
    with serve({"/": Answer(SLOW, release=release)}) as site:
        async with connected(tmp_path, era, REMIT_HANDOVER_S="0.3") as client:
            handed = (await client.call_tool("open_sites", {"urls": [site.url]})).structured_content
            assert handed is not None
            assert (handed["status"], handed["next"]) == ("running", "continue_run")
            joined = (await client.call_tool("open_sites", {"urls": [site.url]})).structured_content
            assert joined is not None
            assert joined["run_id"] == handed["run_id"]
            release.set()
            told = handed
            with anyio.fail_after(ASKED_S):
                while told["status"] == "running":
                    answer = await client.call_tool("continue_run", {"run_id": handed["run_id"]})
                    assert answer.structured_content is not None
                    told = answer.structured_content
            assert (told["status"], told["run_id"], len(told["sessions"])) == ("done", handed["run_id"], 1)
            assert site.asked("/") == 1


async def test_a_running_run_can_be_cancelled_by_its_id(tmp_path: Path) -> None:
    with serve({"/": Answer(SLOW, release=threading.Event())}) as site:
        async with connected(tmp_path, REMIT_HANDOVER_S="0.3") as client:
            handed = (await client.call_tool("open_sites", {"urls": [site.url]})).structured_content
            assert handed is not None
            await until_asked(lambda: site.asked("/"))
            told = await client.call_tool("continue_run", {"run_id": handed["run_id"], "cancel": True})
            assert told.structured_content is not None
            assert told.structured_content["reason"] == "cancelled"
