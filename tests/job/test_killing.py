"""Killed at a point of the journal and started again: nothing is sent twice, no row is lost, no browser is left.

A handful of points spread over the job run with the tests. `REMIT_KILL_ALL=1` runs every point.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from mcp import MCPError

from remit.records import Datasets
from remit.state import Database
from tests.real.conversation import Folders, end_leftovers
from tests.real.transcript import Transcript
from tests.sites.portal import posts
from tests.sites.running_portal import RunningPortal, running_portal

from .steps import folders_for, job, truth, written

KILLER = (sys.executable, str(Path(__file__).parent / "killing_server.py"))
NEVER = 10**9
POINTS = 7
LEFT_S = 10.0


@dataclass
class Scene:
    """A portal, Remit's folders, and a way to run the job on a server that dies."""

    portal: RunningPortal
    folders: Folders
    monkeypatch: pytest.MonkeyPatch

    async def run_until_killed(self, point: int) -> tuple[int, Transcript]:
        """How many points were passed, and what was said until then."""
        count = self.folders.root / "points"
        self.monkeypatch.setenv("REMIT_KILL_AT", str(point))
        self.monkeypatch.setenv("REMIT_KILL_COUNT", str(count))
        transcript = Transcript()
        with suppress(MCPError, KeyError, BaseExceptionGroup):
            async with job(self.folders, self.portal, transcript, KILLER) as planner:
                await planner.run()
        return int(count.read_text()), transcript

    def submits(self) -> int:
        """How often the password was posted."""
        return len(posts(self.portal.db, "password"))

    def rows(self) -> int:
        """How many rows the datasets hold."""
        return self._number("SELECT count(*) AS n FROM dataset_entries")

    def unfinished(self) -> list[str]:
        """The runs without an end."""
        database = Database.in_folder(self.folders.data)
        found = [str(row["id"]) for row in database.all("SELECT id FROM runs WHERE ended IS NULL")]
        database.close()
        return found

    def _number(self, query: str) -> int:
        database = Database.in_folder(self.folders.data)
        Datasets(database)
        row = database.one(query)
        database.close()
        return int(row["n"]) if row else 0


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    with running_portal(tmp_path) as portal:
        yield Scene(portal, folders_for(tmp_path, portal), monkeypatch)


def records_told(transcript: Transcript) -> int:
    """The number of records that progress last spoke of."""
    texts = [str(message.body) for message in transcript.messages if message.sender == "server"]
    found = re.findall(r"page \d+, (\d+) records", " ".join(texts))
    return int(found[-1]) if found else 0


async def check(scene: Scene, point: int) -> None:
    """Kill at the point, start again, and hold everything against the portal's own log."""
    passed, transcript = await scene.run_until_killed(point)
    assert passed == point
    assert end_leftovers(scene.folders, LEFT_S) == 0
    submits = scene.submits()
    assert submits <= 1
    unfinished = scene.unfinished()
    assert len(unfinished) <= 1
    async with job(scene.folders, scene.portal, Transcript()) as planner:
        for run_id in unfinished:
            told = await planner.call("continue_run", run_id=run_id)
            assert told["status"] in ("failed", "partial")
            assert told["reason"] in ("interrupted", "outcome_unknown", "session_lost")
            assert await planner.call("continue_run", run_id=run_id) == told
        assert scene.submits() == submits
        assert scene.rows() >= records_told(transcript)
        planner.name = "again.xlsx"
        await planner.run()
        assert scene.submits() == submits + 1
        assert written(Path(planner.told["write_spreadsheet"]["path"])) == truth(scene.portal)


async def test_the_whole_job_passes_many_points(scene: Scene) -> None:
    passed, _ = await scene.run_until_killed(NEVER)
    assert passed > POINTS * 4


def _points() -> list[int]:
    """Odd points are before a write, even ones after it; both kinds are among them."""
    last = int(os.environ.get("REMIT_KILL_POINTS", "100"))
    return (
        list(range(1, last + 1))
        if os.environ.get("REMIT_KILL_ALL")
        else [round(last * at / POINTS) + at % 2 for at in range(1, POINTS)]
    )


@pytest.mark.parametrize("point", _points())
async def test_killed_at_a_point_and_started_again(scene: Scene, point: int) -> None:
    await check(scene, point)
