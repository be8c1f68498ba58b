"""The broker: one browser, started at the first session, and the sessions in it."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Self

import anyio
from playwright.async_api import Browser, BrowserContext
from playwright.async_api import Error as PlaywrightError

from remit.contract import AddressError, Origin, Reason
from remit.settings import Settings

from ._errors import BrowserError
from ._launch import Engine, launch
from ._session import LOAD_S, Session

_VIEWPORT_WIDTH, _VIEWPORT_HEIGHT = 1280, 900
_LONGEST_REAP_S = 60.0


class Broker:
    """Opens, finds and ends sessions. An async context manager; nothing of the browser outlives it, or the process.

    `clock` gives seconds, monotonic; sessions unused for `settings.session_idle_s` are closed.
    """

    def __init__(self, settings: Settings, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._settings = settings
        self._clock = clock
        self._engine: Engine | None = None
        self._starting = anyio.Lock()
        self._opening = 0
        self._sessions: dict[str, Session] = {}
        self._lost: dict[str, str] = {}
        self._reaper: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def open(
        self,
        url: str,
        *,
        owner: str = "",
        allowed: frozenset[Origin] | None = None,
        storage: bytes | None = None,
        timeout_s: float = LOAD_S,
        session_id: str | None = None,
    ) -> Session:
        """Open an address in a new, isolated session. Its origin is always allowed, others only if given.

        Only `owner` finds it again. `storage` is what `Session.storage_state` gave; `session_id` that of a
        session of an earlier process, which this one takes the place of. The page may have redirected
        elsewhere: ask `session.inside`.

        Raises:
            BrowserError: BAD_ADDRESS, TOO_MANY_SESSIONS, BROWSER_MISSING, BROWSER_FAILED, SITE_UNREACHABLE,
                SITE_TIMEOUT, SITE_ERROR, NOT_A_PAGE.
        """
        try:
            origin = Origin.of(url)
        except AddressError:
            raise BrowserError(Reason.BAD_ADDRESS) from None
        await self.expire_idle()
        if len(self._sessions) + self._opening >= self._settings.max_sessions:
            raise BrowserError(Reason.TOO_MANY_SESSIONS)
        self._opening += 1
        try:
            context = await self._context(storage)
            session = Session(context, frozenset({origin}) | (allowed or frozenset()), self._clock)
            session.owner = owner
            session.id = session_id or session.id
            try:
                await session.start(url.strip(), timeout_s)
            except BaseException as error:
                await session.close()
                if isinstance(error, PlaywrightError):
                    raise BrowserError(Reason.BROWSER_FAILED) from None
                raise
            self._sessions[session.id] = session
        finally:
            self._opening -= 1
        return session

    def session(self, session_id: str, owner: str = "") -> Session:
        """The open session with this id, of this owner.

        Raises:
            BrowserError: UNKNOWN_SESSION, or SESSION_LOST when its browser has ended.
        """
        self._notice_losses()
        if self._lost.get(session_id) == owner:
            raise BrowserError(Reason.SESSION_LOST)
        session = self._sessions.get(session_id)
        if session is None or session.owner != owner:
            raise BrowserError(Reason.UNKNOWN_SESSION)
        return session

    def sessions(self, owner: str = "") -> tuple[Session, ...]:
        """An owner's open sessions, oldest first."""
        self._notice_losses()
        return tuple(session for session in self._sessions.values() if session.owner == owner)

    async def close(self, session_id: str, owner: str = "") -> None:
        """End one session; a lost one is forgotten. Raises BrowserError UNKNOWN_SESSION."""
        try:
            session = self.session(session_id, owner)
        except BrowserError as error:
            if error.reason is not Reason.SESSION_LOST:
                raise
            self._lost.pop(session_id, None)
            return
        del self._sessions[session_id]
        await session.close()

    async def expire_idle(self) -> tuple[str, ...]:
        """Close the sessions that nobody has used for too long; their ids."""
        self._notice_losses()
        oldest = self._clock() - self._settings.session_idle_s
        idle = [session for session in self._sessions.values() if not session.busy and session.last_used < oldest]
        for session in idle:
            del self._sessions[session.id]
            await session.close()
        return tuple(session.id for session in idle)

    async def aclose(self) -> None:
        """End all sessions and the browser. Safe under cancellation."""
        with anyio.CancelScope(shield=True):
            if self._reaper is not None:
                self._reaper.cancel()
                with suppress(asyncio.CancelledError):
                    await self._reaper
                self._reaper = None
            self._sessions.clear()
            engine, self._engine = self._engine, None
            if engine is not None:
                await engine.close()

    async def _context(self, storage: bytes | None) -> BrowserContext:
        browser = await self._browser()
        try:
            context = await browser.new_context(
                accept_downloads=True,  # one that no call expects is refused as it begins
                viewport={"width": _VIEWPORT_WIDTH, "height": _VIEWPORT_HEIGHT},
                storage_state=json.loads(storage) if storage is not None else None,
                permissions=[],
            )
        except PlaywrightError:
            raise BrowserError(Reason.BROWSER_FAILED) from None
        context.set_default_timeout(10_000)
        return context

    async def _browser(self) -> Browser:
        """The running browser; started at first use, and again after it crashed."""
        async with self._starting:
            if self._engine is not None and not self._engine.browser.is_connected():
                self._notice_losses()
                engine, self._engine = self._engine, None
                await engine.close()
            if self._engine is None:
                self._engine = await launch(self._settings)
                self._reaper = self._reaper or asyncio.create_task(self._reap())
            return self._engine.browser

    async def _reap(self) -> None:
        while True:
            await anyio.sleep(min(_LONGEST_REAP_S, self._settings.session_idle_s / 4))
            await self.expire_idle()

    def _notice_losses(self) -> None:
        for session in [each for each in self._sessions.values() if each.lost]:
            del self._sessions[session.id]
            self._lost[session.id] = session.owner
