"""Which process wrote something, and whether it is still there."""

from __future__ import annotations

import os
from functools import cache

import psutil


@cache
def _named(pid: int) -> str:
    return f"{pid}:{psutil.Process(pid).create_time():.2f}"


def this_process() -> str:
    """Name the current process, told apart from a later one with the same number."""
    return _named(os.getpid())


def is_alive(process: str) -> bool:
    """Whether the process that `this_process` named still runs."""
    pid, _, created = process.partition(":")
    try:
        return f"{psutil.Process(int(pid)).create_time():.2f}" == created
    except (psutil.Error, ValueError):
        return False
