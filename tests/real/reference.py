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
    """Run the script of `[reference]`; None when there is none, or when it gives no times."""
    if app.file.reference is None:
        return None
    process = subprocess.Popen(
        [sys.executable, str(app.folder / app.file.reference.script)],
        env=app.environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
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
