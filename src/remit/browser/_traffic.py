"""What a page is doing on the network and where it is going, as the browser tells it."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass

import anyio
from playwright.async_api import Dialog, Download, Frame, Page, Request, Response
from playwright.async_api import Error as PlaywrightError

from remit.contract import AddressError, Origin

from ._downloads import Downloads, refuse

_WAITED_FOR = {"document", "xhr", "fetch"}
_READING = {"GET", "HEAD", "OPTIONS"}
_NEWER_THAN_S = 2.5
"""A request pending for longer is a long poll, and nothing to wait for."""
_BODY_S = 0.3
"""Between the head of an answer to a script and its last byte, at most; what comes later is not waited for."""
_COMMIT_S = 0.25
"""Between the last byte of a navigation's answer and the new document, at most."""


@dataclass(slots=True)
class Tally:
    """What was refused to a session's pages."""

    dialogs: int = 0
    downloads: int = 0
    popups: int = 0


class Traffic:
    """Requests under way and navigations of one page.

    `navigations` counts new addresses of the page itself, `documents` those that are known to have brought another
    document: within one, an address may change as well.
    """

    def __init__(self, page: Page, tally: Tally, downloads: Downloads) -> None:
        self._page = page
        self._tally = tally
        self._downloads = downloads
        self._pending: dict[Request, float] = {}
        self._leaving: dict[Request, Frame] = {}
        self._answered: dict[Request, float] = {}
        self._headers_at: dict[Request, float] = {}
        self._pulse = anyio.Event()
        self.navigations = 0
        self.documents = 0
        self.requests = 0
        self._sent: list[Origin] = []
        self.closed = False
        page.on("request", self._on_request)
        page.on("response", self._on_response)
        page.on("requestfinished", self._on_finished)
        page.on("requestfailed", self._on_failed)
        page.on("framenavigated", self._on_navigated)
        page.on("framedetached", self._on_detached)
        page.on("dialog", self._on_dialog)
        page.on("download", self._on_download)
        page.on("close", self._on_end)
        page.on("crash", self._on_end)

    @property
    def waiting(self) -> bool:
        """A document or data was asked for a short while ago and has not come."""
        now = time.monotonic()
        return any(now - since < self._patience(request) for request, since in self._pending.items())

    def _patience(self, request: Request) -> float:
        """A page may never read the body of an answer, and the browser then never says that it came."""
        headers = self._headers_at.get(request)
        return _NEWER_THAN_S if headers is None else min(_NEWER_THAN_S, headers - self._pending[request] + _BODY_S)

    def navigating(self, frame: Frame | None = None) -> bool:
        """The frame (None: the page), or one that holds it, is on its way to another document."""
        now = time.monotonic()
        for request in [r for r, at in self._answered.items() if now - at > _COMMIT_S]:
            self._forget(request)
        up: Frame | None = frame or self._page.main_frame
        while up is not None:
            if any(up == going for going in self._leaving.values()):
                return True
            up = up.parent_frame
        return False

    def sent_to(self, origins: frozenset[Origin]) -> int:
        """How many requests that change something have gone to these origins."""
        return sum(origin in origins for origin in self._sent)

    async def pulse(self, timeout_s: float) -> None:
        """Wait until something happens, or the time is over."""
        with anyio.move_on_after(timeout_s):
            await self._pulse.wait()

    def _beat(self) -> None:
        self._pulse.set()
        self._pulse = anyio.Event()

    def _on_request(self, request: Request) -> None:
        self.requests += 1
        if request.resource_type in _WAITED_FOR:
            self._pending[request] = time.monotonic()
        if request.method not in _READING:
            with suppress(AddressError):
                self._sent.append(Origin.of(request.url))
        if request.is_navigation_request():
            with suppress(PlaywrightError):  # the frame of a first navigation is not known yet
                self._leaving[request] = request.frame
        self._beat()

    def _on_response(self, response: Response) -> None:
        request = response.request
        if request in self._pending and not request.is_navigation_request():
            self._headers_at[request] = time.monotonic()

    def _on_finished(self, request: Request) -> None:
        self._pending.pop(request, None)
        self._headers_at.pop(request, None)
        if request in self._leaving:
            self._answered[request] = time.monotonic()
        self._beat()

    def _on_failed(self, request: Request) -> None:
        self._forget(request)
        self._beat()

    def _on_navigated(self, frame: Frame) -> None:
        asked = [r for r, going in self._leaving.items() if going == frame]
        for request in asked:
            self._forget(request)
        if frame == self._page.main_frame:
            self.navigations += 1
            self.documents += bool(asked)
        self._beat()

    def _on_detached(self, frame: Frame) -> None:
        for request in [r for r, going in self._leaving.items() if going == frame]:
            self._forget(request)
        self._beat()

    def _forget(self, request: Request) -> None:
        for table in (self._pending, self._answered, self._headers_at):
            table.pop(request, None)
        self._leaving.pop(request, None)

    async def _on_dialog(self, dialog: Dialog) -> None:
        self._tally.dialogs += 1
        with suppress(PlaywrightError):
            await dialog.dismiss()

    async def _on_download(self, download: Download) -> None:
        self._leaving.clear()
        expected = self._downloads.take(download)
        self._tally.downloads += not expected
        self._beat()
        if not expected:
            await refuse(download)

    def _on_end(self, _page: Page) -> None:
        self.closed = True
        self._pending.clear()
        self._headers_at.clear()
        self._leaving.clear()
        self._beat()
