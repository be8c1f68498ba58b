"""The pages that only show: what waits, what ran, which tools there are, and how Remit stands."""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING

from starlette.responses import Response

import remit
from remit.contract import Reason, RemitError, Status

from ._words import ENDS, TITLES, clock

if TYPE_CHECKING:
    from remit.runs import StoredRun

    from ._app import Visit

_SHOWN = ("exported", "seen", "pages", "announced", "duplicates", "filtered", "kept", "rows", "written", "closed")


async def home(visit: Visit) -> Response:
    """What waits for a person, and what ran last."""
    waiting = [(each, TITLES[each.question.asked]) for each in visit.house.desk.open_questions()]
    return visit.page("home.html", waiting=waiting, runs=[_line(each) for each in _recent(visit, 8)])


async def runs(visit: Visit) -> Response:
    """The latest runs."""
    return visit.page("runs.html", runs=[_line(each) for each in _recent(visit, 100)])


def _recent(visit: Visit, most: int) -> list[StoredRun]:
    return visit.house.rooms.journal.recent(most)


def _line(run: StoredRun) -> dict[str, object]:
    state = run.status.value if run.status else ("waiting" if run.waiting else Status.RUNNING.value)
    return {"id": run.id, "tool": run.tool, "state": state, "began": clock(run.started), "ended": clock(run.ended)}


async def run(visit: Visit) -> Response:
    """One run: how far it is, what it told, what was asked and sent."""
    run_id = visit.request.path_params["id"]
    stored = visit.house.rooms.journal.get(run_id)
    if stored is None:
        raise RemitError(Reason.UNKNOWN_RUN)
    asked = [(each, TITLES[each.asked], _end(each.verdict)) for each in visit.house.desk.history(run_id)]
    waiting = next((each for each in visit.house.desk.open_questions() if each.run_id == run_id), None)
    progress = visit.house.runs.progress_of(run_id)
    return visit.page(
        "run.html",
        run=_line(stored),
        active=stored.ended is None,
        waiting=waiting,
        progress=progress.message if progress else "",
        told=_told(stored),
        asked=asked,
        effects=visit.house.rooms.journal.effects(run_id),
        successor=stored.successor,
        resumes=stored.resumes,
    )


def _end(verdict: object) -> str:
    return next((words for each, words in ENDS.items() if each is verdict), "open")


def _told(stored: StoredRun) -> list[tuple[str, str]]:
    """The result's own words and counts, line by line."""
    payload = stored.payload or {}
    lines: list[tuple[str, str]] = [
        (name, str(payload[name])) for name in ("status", "reason", "message") if name in payload
    ]
    for each in (item for part in ("sessions", "collections") for item in payload.get(part, ())):
        counts = [f"{name} {each[name]}" for name in _SHOWN if name in each]
        lines.append((str(each.get("status", "")), ", ".join([str(each.get("reason", "")), *counts]).strip(", ")))
    lines += [(name, str(payload[name])) for name in (*_SHOWN, "path", "file") if name in payload]
    return lines


async def cancel(visit: Visit) -> Response:
    """End a run of this process."""
    run_id = visit.request.path_params["id"]
    visit.house.runs.cancel(run_id)
    return visit.go(f"/runs/{run_id}")


async def executors(visit: Visit) -> Response:
    """The catalogue: what each tool may do, and what is not published."""
    registry = visit.house.registry
    manifests = [item.manifest for item in registry.published.values()]
    return visit.page("executors.html", manifests=manifests, dropped=registry.dropped)


async def status(visit: Visit) -> Response:
    """Which model decides, where things are, and which versions."""
    from remit.browser import browser_status
    from remit.vault import status as vault_status

    settings = visit.house.rooms.settings
    browser = browser_status(settings)
    lines = [
        ("Remit", f"{remit.__version__} on Python {platform.python_version()}"),
        ("Local model", settings.model),
        ("Browser", browser.version or "none found"),
        ("Vault", vault_status(settings).kind or "unreadable"),
        ("Data", str(settings.data_dir)),
        ("Files", str(settings.files_dir)),
        ("Policy", str(settings.policy_file) if settings.policy_file.exists() else "none: the manifests' consent"),
    ]
    return visit.page("status.html", lines=lines)
