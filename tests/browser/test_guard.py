from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
import pytest

from remit.browser import browser_status, find_browser
from remit.settings import Settings
from tests.sites.pages import serve

SERVER = """
import asyncio, sys
from remit.browser import Broker
from remit.settings import Settings

async def main():
    async with Broker(Settings()) as broker:
        session = await broker.open(sys.argv[1])
        print("open", flush=True)
        if sys.argv[2] == "raise":
            raise SystemExit(3)
        await asyncio.sleep(60)

asyncio.run(main())
"""


def descendants_and_folders(process: subprocess.Popen[str], tmp: Path) -> tuple[list[psutil.Process], list[Path]]:
    return psutil.Process(process.pid).children(recursive=True), list(tmp.glob("remit-browser-*"))


def left_of(processes: list[psutil.Process]) -> list[int]:
    _, alive = psutil.wait_procs(processes, timeout=6)
    return [each.pid for each in alive if each.is_running() and each.status() != psutil.STATUS_ZOMBIE]


@pytest.mark.parametrize("end", ["SIGKILL", "SIGTERM", "SIGINT", "raise", "frozen"])
def test_nothing_of_the_browser_outlives_the_server(end: str, tmp_path: Path) -> None:
    with serve({"/": "<h1>Hi</h1>"}) as site, tempfile.TemporaryDirectory(prefix="r", dir="/tmp") as tmp:
        process = subprocess.Popen(
            [sys.executable, "-c", SERVER, site.url, "raise" if end == "raise" else "wait"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "TMPDIR": tmp},
        )
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        family, folders = descendants_and_folders(process, Path(tmp))
        if end != "raise":
            assert len(family) > 3
            assert len(folders) == 1
            assert folders[0].stat().st_mode & 0o777 == 0o700
            if end == "frozen":  # a driver that cannot clean up after a server that was killed
                drivers = [each for each in psutil.Process(process.pid).children() if "run-driver" in each.cmdline()]
                assert len(drivers) == 1
                drivers[0].suspend()
            process.send_signal(signal.SIGKILL if end == "frozen" else getattr(signal, end))
        process.wait(10)
        process.stdout.close()
        assert left_of(family) == []
        deadline = time.monotonic() + 5
        while list(Path(tmp).glob("remit-browser-*")) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert list(Path(tmp).glob("remit-browser-*")) == []


def test_a_frozen_browser_is_killed_too(tmp_path: Path) -> None:
    from remit.browser import _guard

    sleeper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)", f"{_guard.MARK_SWITCH}abc"])
    try:
        sleeper.send_signal(signal.SIGSTOP)
        _guard.end_all("abc", grace_s=0.1)
        assert sleeper.wait(5) == -signal.SIGKILL
    finally:
        sleeper.kill()


def test_the_configured_browser_is_used_or_none(tmp_path: Path) -> None:
    assert find_browser(Settings(browser_path=tmp_path / "none")) is None
    assert browser_status(Settings(browser_path=tmp_path / "none")).version is None
    found = browser_status(Settings())
    assert found.path is not None
    assert found.version
