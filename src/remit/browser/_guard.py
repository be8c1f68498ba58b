"""The last one out: ends the browser when its owner is gone, however it went.

Run as a child in a session of its own: `python -I _guard.py OWNER FOLDER`. It waits on its standard input, a pipe only
the owner holds; its end means that the owner let go or is dead. Whatever then still carries the owner's mark
gets a moment to leave by itself, then is killed with all its descendants; at last the private folder is deleted.

The mark is a random word: Chromium has it as a switch it does not know, Playwright's driver in its environment.
"""

from __future__ import annotations

import shutil
import sys
import time
from contextlib import suppress

GRACE_S = 1.5
MARK_SWITCH = "--remit-owner="
MARK_VARIABLE = "REMIT_BROWSER_OWNER"


def main(owner: str, folder: str) -> None:
    """Wait for the owner's end, then leave nothing of the browser behind."""
    sys.stdin.buffer.read()
    end_all(owner)
    shutil.rmtree(folder, ignore_errors=True)


def end_all(owner: str, grace_s: float = GRACE_S) -> None:
    """Let marked processes leave within the grace, then kill what is left, and again until nothing is."""
    import psutil  # a server that lives never needs it here

    deadline = time.monotonic() + grace_s
    for _ in range(200):
        marked = _marked(owner)
        if not marked:
            return
        if time.monotonic() > deadline:
            for process in marked:
                with suppress(psutil.Error):
                    process.kill()
        time.sleep(0.05)


def _marked(owner: str) -> list[psutil.Process]:  # type: ignore[name-defined]  # noqa: F821
    import psutil

    found: dict[int, psutil.Process] = {}
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if process.pid in found or process.status() == psutil.STATUS_ZOMBIE:
                continue
            if MARK_SWITCH + owner in process.cmdline() or process.environ().get(MARK_VARIABLE) == owner:
                for each in (*process.children(recursive=True), process):
                    found[each.pid] = each
    return list(found.values())


if __name__ == "__main__":
    main(*sys.argv[1:3])
