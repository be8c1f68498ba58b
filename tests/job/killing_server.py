"""`remit serve` that kills itself with SIGKILL at the n-th point of the journal: before or after the n-th write."""

from __future__ import annotations

import functools
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from remit.records import Datasets
from remit.runs import Journal

POINT = int(os.environ["REMIT_KILL_AT"])
COUNT_FILE = Path(os.environ["REMIT_KILL_COUNT"])
_passed = 0


def _pass() -> None:
    global _passed
    _passed += 1
    COUNT_FILE.write_text(str(_passed))
    if _passed == POINT:
        os.kill(os.getpid(), signal.SIGKILL)


def _guarded(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def call(*arguments: Any, **named: Any) -> Any:
        _pass()
        result = method(*arguments, **named)
        _pass()
        return result

    return call


for owner, names in (
    (Journal, ("begin", "intend", "settle", "checkpoint", "finish")),
    (Datasets, ("append", "finish")),
):
    for name in names:
        setattr(owner, name, _guarded(getattr(owner, name)))

if __name__ == "__main__":
    from remit.cli import main

    sys.argv[0] = "remit"
    main()
