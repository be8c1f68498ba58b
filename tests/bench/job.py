"""Signing in and collecting on the demo's portal, against the shortest hand-written Playwright script."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.job.steps import WANTED, Job, folders_for, job
from tests.real.transcript import Transcript
from tests.sites.portal_reference import run_reference
from tests.sites.running_portal import PASSWORD, USERNAME, running_portal

from ._figures import Figure, seconds

ROUNDS = 3
BOUND = 1.5


async def job_figures() -> list[Figure]:
    """The medians of both, taken in turns; opening the browser is counted for neither."""
    with tempfile.TemporaryDirectory() as folder, running_portal(Path(folder)) as portal:
        folders = folders_for(Path(folder), portal)
        ours: list[tuple[float, float]] = []
        theirs: list[tuple[float, float]] = []
        async with job(folders, portal, Transcript()) as planner:
            for _ in range(ROUNDS):
                ours.append(await _ours(planner))
                reference = await run_reference(portal.url, USERNAME, PASSWORD)
                theirs.append((reference.login_s, reference.collect_s))
    return [_figure("sign in", ours, theirs, 0), _figure("collect 8 pages", ours, theirs, 1)]


def _figure(what: str, ours: list[tuple[float, float]], theirs: list[tuple[float, float]], at: int) -> Figure:
    mine, other = sorted(pair[at] for pair in ours)[ROUNDS // 2], sorted(pair[at] for pair in theirs)[ROUNDS // 2]
    return Figure(what, f"{mine:.2f} s", f"hand-written script: {other:.2f} s", mine / other, f"≤ {BOUND}x", BOUND)


async def _ours(planner: Job) -> tuple[float, float]:
    """Opening is part of the script's sign-in, so it is part of ours, once the browser runs."""
    ids: list[str] = []

    async def sign_in() -> None:
        opened = await planner.call("open_sites", urls=[planner.portal.url])
        ids.extend(session["session_id"] for session in opened["sessions"])
        told = await planner.call("login_sites", session_ids=ids)
        assert told["status"] == "done"

    async def collect() -> None:
        told = await planner.call("collect_sites", session_ids=ids, **WANTED)
        assert told["status"] == "done"

    warm = await planner.call("open_sites", urls=[planner.portal.url])
    times = await seconds(sign_in), await seconds(collect)
    await planner.call("close_sites", session_ids=[*ids, *(each["session_id"] for each in warm["sessions"])])
    return times
