from __future__ import annotations

import multiprocessing
import time
from pathlib import Path

from remit.state import Database


def _open_at_once(path: Path, go: float) -> None:
    while time.time() < go:
        pass
    Database(path).close()


def test_several_processes_may_open_a_new_database_in_the_same_moment(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    for number in range(10):
        path, go = tmp_path / f"{number}.sqlite3", time.time() + 0.05
        openers = [context.Process(target=_open_at_once, args=(path, go)) for _ in range(4)]
        for opener in openers:
            opener.start()
        for opener in openers:
            opener.join()
        assert [opener.exitcode for opener in openers] == [0, 0, 0, 0]
