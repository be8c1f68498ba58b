"""Finding Chromium, starting it, and making sure that it ends."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import anyio
from playwright.async_api import Browser, Playwright, async_playwright
from playwright.async_api import Error as PlaywrightError

from remit.contract import Reason
from remit.settings import Settings

from . import _guard
from ._errors import BrowserError

LAUNCH_S = 30.0
_SWITCHES = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-quic",
    "--disable-sync",
    "--no-default-browser-check",
    "--no-first-run",
    "--no-pings",
)
_SYSTEM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_MAC = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
_TALKATIVE = ("DEBUG", "DEBUGP", "PWDEBUG")
"""Variables that make Playwright print what it sends, typed text included."""


@dataclass(frozen=True, slots=True)
class BrowserStatus:
    """What `remit doctor` shows: the executable and its version, both None where missing or not working."""

    path: Path | None
    version: str | None


def find_browser(settings: Settings) -> Path | None:
    """The configured browser, else Playwright's own Chromium, else the system's. None when there is none."""
    if settings.browser_path is not None:
        return settings.browser_path if os.access(settings.browser_path, os.X_OK) else None
    own = _playwright_chromium()
    if own is not None:
        return own
    on_path = (shutil.which(name, path=f"/usr/bin:{os.environ.get('PATH', '')}") for name in _SYSTEM)
    return next((Path(found) for found in (*on_path, *_MAC) if found and os.access(found, os.X_OK)), None)


def browser_status(settings: Settings) -> BrowserStatus:
    """Find the browser and ask it for its version, for at most 20 seconds."""
    path = find_browser(settings)
    if path is None:
        return BrowserStatus(None, None)
    try:
        answer = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=20, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return BrowserStatus(path, None)
    return BrowserStatus(path, answer.strip()[:80] or None)


def _playwright_chromium() -> Path | None:
    chosen = os.environ.get("PLAYWRIGHT_BROWSERS_PATH", "")
    caches = (
        [Path(chosen)]
        if chosen
        else [Path.home() / ".cache/ms-playwright", Path.home() / "Library/Caches/ms-playwright"]
    )
    for cache in caches:
        for pattern in ("chromium-*/chrome-linux*/chrome", "chromium-*/chrome-mac*/*.app/Contents/MacOS/*"):
            found = [path for path in cache.glob(pattern) if os.access(path, os.X_OK)]
            if found:
                return max(found)
    return None


@dataclass(frozen=True, slots=True)
class Engine:
    """A running browser, the driver that speaks to it, and the guard that outlives both."""

    browser: Browser
    playwright: Playwright
    guard: subprocess.Popen[bytes]

    async def close(self) -> None:
        """End everything; what does not go by itself within seconds is killed. Safe under cancellation."""
        with anyio.CancelScope(shield=True):
            with anyio.move_on_after(3), suppress(PlaywrightError):
                await self.browser.close()
            with anyio.move_on_after(2), suppress(PlaywrightError):
                await self.playwright.stop()
            await _dismiss(self.guard)


async def launch(settings: Settings) -> Engine:
    """Start Chromium with a fresh profile in a private folder.

    Raises:
        BrowserError: BROWSER_MISSING or BROWSER_FAILED.
    """
    path = find_browser(settings)
    if path is None:
        raise BrowserError(Reason.BROWSER_MISSING)
    owner = secrets.token_hex(16)
    folder = tempfile.mkdtemp(prefix="remit-browser-")
    guard = _post_guard(owner, folder)
    playwright: Playwright | None = None
    try:
        with anyio.fail_after(LAUNCH_S):
            with _driver_environment(owner, folder):
                playwright = await async_playwright().start()
            browser = await playwright.chromium.launch(
                executable_path=path,
                headless=settings.headless,
                args=[*_SWITCHES, _guard.MARK_SWITCH + owner],
                chromium_sandbox=os.geteuid() != 0,  # Chromium refuses its sandbox to root
                timeout=LAUNCH_S * 1000,
            )
    except (PlaywrightError, OSError, TimeoutError):
        await _abandon(playwright, guard)
        raise BrowserError(Reason.BROWSER_FAILED) from None
    except BaseException:
        await _abandon(playwright, guard)
        raise
    return Engine(browser, playwright, guard)


def _post_guard(owner: str, folder: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-I", _guard.__file__, owner, folder],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        start_new_session=True,
    )


@contextmanager
def _driver_environment(owner: str, folder: str) -> Iterator[None]:
    """The driver takes its environment from ours, so ours carries the mark and the private folder while it starts."""
    for name in _TALKATIVE:
        os.environ.pop(name, None)
    changes = {_guard.MARK_VARIABLE: owner, "TMPDIR": folder}
    before = {name: os.environ.get(name) for name in changes}
    os.environ.update(changes)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


async def _abandon(playwright: Playwright | None, guard: subprocess.Popen[bytes]) -> None:
    with anyio.CancelScope(shield=True):
        if playwright is not None:
            with anyio.move_on_after(2), suppress(PlaywrightError):
                await playwright.stop()
        await _dismiss(guard)


async def _dismiss(guard: subprocess.Popen[bytes]) -> None:
    """Let go of the pipe: the guard kills what is left, deletes the folder and leaves."""
    assert guard.stdin is not None
    with suppress(OSError):
        guard.stdin.close()
    with suppress(subprocess.TimeoutExpired):
        await anyio.to_thread.run_sync(guard.wait, 5)
