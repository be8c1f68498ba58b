"""Files that pages send. Each is refused and deleted, but for the one that a call expects of its own click."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

import anyio
from playwright.async_api import Download, Page
from playwright.async_api import Error as PlaywrightError

from remit.contract import AddressError, Origin, Reason

from ._errors import BrowserError

_GLANCE_S = 0.2
_PAGES = ("text/html", "application/xhtml+xml", "")


@dataclass(frozen=True, slots=True)
class Arrived:
    """A whole file. `name` is the page's text, and stays in here: it may say which kind the file claims to be."""

    name: str
    data: bytes


Shown = Callable[[float], Awaitable[Arrived | None]]
"""Reads the file that a page shows instead of sending it, within so many seconds."""


class Expected:
    """One file that is expected. A second one is refused."""

    def __init__(self, limit: int, shown: Shown) -> None:
        self._limit = limit
        self._shown = shown
        self._came = anyio.Event()
        self._download: Download | None = None

    def take(self, download: Download) -> bool:
        """Whether this is the one."""
        if self._download is not None:
            return False
        self._download = download
        self._came.set()
        return True

    async def arrival(self, begin_s: float, complete_s: float) -> Arrived | None:
        """The file, complete; None when none began in time and the page shows none.

        Raises:
            BrowserError: SITE_TIMEOUT, DOWNLOAD_FAILED, DOWNLOAD_OVER_LIMIT.
        """
        with anyio.move_on_after(begin_s):
            await self._came.wait()
        try:
            with anyio.fail_after(complete_s):
                return await (self._shown(complete_s) if self._download is None else self._whole(self._download))
        except TimeoutError:
            raise BrowserError(Reason.SITE_TIMEOUT) from None

    async def _whole(self, download: Download) -> Arrived:
        path: Path | None = None
        over = False

        async def watch() -> None:
            nonlocal over
            while not over:
                over = _size(download) > self._limit
                await anyio.sleep(_GLANCE_S)
            await download.cancel()

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(watch)
            with suppress(PlaywrightError):
                path = Path(await download.path())
            tasks.cancel_scope.cancel()
        if path is None:
            raise BrowserError(Reason.DOWNLOAD_OVER_LIMIT if over else Reason.DOWNLOAD_FAILED)
        if path.stat().st_size > self._limit:
            raise BrowserError(Reason.DOWNLOAD_OVER_LIMIT)
        return Arrived(download.suggested_filename, await anyio.Path(path).read_bytes())

    async def end(self) -> None:
        """Leave nothing of it behind."""
        if self._download is not None:
            await refuse(self._download)


class Downloads:
    """What the pages of one session may send: nothing, or what is expected right now."""

    def __init__(self) -> None:
        self._expected: Expected | None = None

    def take(self, download: Download) -> bool:
        """Whether a call expects it."""
        return self._expected is not None and self._expected.take(download)

    @asynccontextmanager
    async def expect(self, limit: int, shown: Shown) -> AsyncIterator[Expected]:
        """Take one file of at most `limit` bytes until the block ends. Whatever came is deleted then."""
        expected = self._expected = Expected(limit, shown)
        try:
            yield expected
        finally:
            self._expected = None
            with anyio.CancelScope(shield=True), anyio.move_on_after(3):
                await expected.end()


async def refuse(download: Download) -> None:
    """Stop it if it still runs, and delete what there is of it."""
    with suppress(PlaywrightError):
        await download.cancel()
    with suppress(PlaywrightError):
        await download.delete()


async def read_shown(page: Page, allowed: frozenset[Origin], limit: int, timeout_s: float) -> Arrived | None:
    """The file a page shows in place of a document (PDF, image, text), asked for once more as it is: a GET.

    None when it shows an ordinary page, or one of an origin that is not allowed.

    Raises:
        BrowserError: DOWNLOAD_FAILED, DOWNLOAD_OVER_LIMIT.
    """
    url = page.url
    try:
        if Origin.of(url) not in allowed or await page.evaluate("document.contentType") in _PAGES:
            return None
        answer = await page.context.request.get(url, timeout=timeout_s * 1000, max_redirects=0)
        if not answer.ok:
            raise BrowserError(Reason.DOWNLOAD_FAILED)
        data = await answer.body()
    except AddressError:
        return None
    except PlaywrightError:
        raise BrowserError(Reason.DOWNLOAD_FAILED) from None
    if len(data) > limit:
        raise BrowserError(Reason.DOWNLOAD_OVER_LIMIT)
    return Arrived(unquote(urlsplit(url).path.rpartition("/")[2]), data)


def _size(download: Download) -> int:
    """Bytes on disk so far. Playwright knows where, and does not say: without it the limit holds at the end only."""
    artifact = getattr(getattr(download, "_impl_obj", None), "_artifact", None)
    place = getattr(artifact, "_initializer", {}).get("absolutePath")
    found = 0
    for name in (place, f"{place}.crdownload") if isinstance(place, str) else ():
        with suppress(OSError):
            found = max(found, Path(name).stat().st_size)
    return found
