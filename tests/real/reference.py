"""The application's own hand-written script: the speed to compare with."""

from __future__ import annotations

import json
import signal
import subprocess
import sys

from .application import Application, end_group
from .report import ReferenceTimes

_LIMIT_S = 600.0


def run_reference(app: Application) -> ReferenceTimes | None:
    """Run the script of `[reference]`, once more if it fails; None when there is none, or when it gives no times."""
    if app.file.reference is None:
        return None
    command = [sys.executable, str(app.folder / app.file.reference.script)]
    times = _times(command, app)
    return times if times is not None and times.right else _times(command, app) or times


def _times(command: list[str], app: Application) -> ReferenceTimes | None:
    with (app.home / "log" / "reference.log").open("wb") as log:
        process = subprocess.Popen(
            command,
            env=app.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            start_new_session=True,
        )
    try:
        out, _ = process.communicate(timeout=_LIMIT_S)
        times = json.loads(out)
        return ReferenceTimes(float(times["login_s"]), float(times["collect_s"]), process.returncode == 0)
    except (ValueError, KeyError, subprocess.TimeoutExpired):
        return None
    finally:
        end_group(process)


def unwind_on_sigterm() -> None:
    """SIGTERM outside an event loop ends this process as Ctrl-C does, so that what was started is ended."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
