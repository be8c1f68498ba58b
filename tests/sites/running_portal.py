"""The portal as a child process, for tests, the demo's check and the bench."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

USERNAME = "remit-canary-pt4q@example.test"
PASSWORD = "remit-Canary+7d1e&f0 93/ab"


@dataclass(frozen=True, slots=True)
class RunningPortal:
    """Where the portal answers, its database for checking, and its process."""

    url: str
    port: int
    db: Path
    process: subprocess.Popen[str]


@contextmanager
def running_portal(folder: Path, username: str = USERNAME, password: str = PASSWORD) -> Iterator[RunningPortal]:
    """Serve the portal from a database in the folder; it ends with the block, and with this process at the latest."""
    db = folder / "portal.db"
    command = [sys.executable, "-m", "tests.sites.portal", "--db", str(db), "--log", str(folder / "portal.log")]
    process = subprocess.Popen(
        [*command, "--with-parent"],
        env={**os.environ, "PORTAL_USERNAME": username, "PORTAL_PASSWORD": password},
        cwd=Path(__file__).parents[2],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            assert process.stdout is not None
            ready = json.loads(process.stdout.readline())
            yield RunningPortal(ready["url"], ready["port"], db, process)
        finally:
            process.terminate()
