"""A session: one isolated browser context, the origins it may act on, and one run at a time."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import secrets
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from typing import Literal

import anyio
from playwright.async_api import BrowserContext, Page
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import TimeoutError as PlaywrightTimeout

from remit.contract import AddressError, Origin, Reason, Secret

from . import _acting, _choosing, _code_typing, _typing
from ._acting import Dispatch, Effect
from ._choosing import Options
from ._code_typing import CodeTyped
from ._downloads import Arrived, Expected, read_shown
from ._errors import BrowserError, FillError
from ._navigation import navigate
from ._reread import Target
from ._scripts import script
from ._storage import own_state
from ._tab import Tab, frame_origin
from ._traffic import Tally
from ._typing import Filled, ValueKind
from .observation import Observation

Clock = Callable[[], float]
ACT_S = 10.0
LOAD_S = 20.0


_SENDS_TO = """el => {
  const form = el.form;
  if (!form) return '';
  const sends = (one) => one.type === 'submit' || one.type === 'image';
  const button = sends(el) ? el : [...form.elements].find(sends);
  const own = button && button.getAttribute('formaction');
  const said = own || form.getAttribute('action');
  return new URL(said || document.URL, document.baseURI).href;
}"""
"""Where a control's form goes when it is submitted by it, or by Enter in it (HTML, "form submission algorithm")."""


def _is_among(address: str, origins: frozenset[Origin]) -> bool:
    """An http(s) address on one of the origins; any other kind of address goes nowhere."""
    if not address.startswith(("http:", "https:")):
        return True
    try:
        return Origin.of(address) in origins
    except AddressError:
        return False


@dataclass(frozen=True, slots=True)
class Scrolled:
    """Whether scrolling moved anything, and whether its end (top or bottom) is reached."""

    moved: bool
    at_end: bool


class Session:
    """One isolated browsing context. Every method that acts refuses a page outside `allowed` with LEFT_SITE.

    Errors of all methods: `BrowserError` SESSION_LOST when the browser or the page is gone.
    """

    def __init__(self, context: BrowserContext, allowed: frozenset[Origin], clock: Clock = time.monotonic) -> None:
        self.id = f"s_{secrets.token_hex(8)}"
        self.allowed = allowed
        self.home = ""
        """The address it was opened at, or that a sign-in elsewhere led to: where a way to something begins."""
        self.owner = ""
        """Who opened it; nobody else is told of it."""
        self.credential_id: str | None = None
        """The credential that it was signed in with, or that its kept state belongs to."""
        self.unfinished: object = None
        """What a sign-in that waits for a person left for the next call. Opaque to this room."""
        self.last_used = clock()
        self._clock = clock
        self._context = context
        self._tab = Tab(context)
        self._busy = False
        self._lost = False
        self._salt = secrets.token_bytes(32)
        context.on("close", self._on_close)

    def __repr__(self) -> str:
        return f"<Session {self.id}>"

    def _on_close(self, _context: BrowserContext) -> None:
        self._lost = True

    # -- state

    @property
    def lost(self) -> bool:
        """The browser, the context or its last page has ended."""
        return self._lost or self._tab.ended

    @property
    def busy(self) -> bool:
        """A run is using the session."""
        return self._busy

    @property
    def origin(self) -> Origin | None:
        """The page's origin, asked of the browser; None when it has none (a failed page, `data:`)."""
        return self._tab.origin

    @property
    def inside(self) -> bool:
        """The page is on an allowed origin."""
        return self.origin in self.allowed

    @property
    def url(self) -> str:
        """The page's address. Never leaves this room and its callers' memory."""
        return self._tab.page.url

    @property
    def live_page(self) -> Page:
        """The page on top, for `LiveView` alone. Raises BrowserError SESSION_LOST."""
        self._require_alive()
        return self._tab.page

    @property
    def tally(self) -> Tally:
        """How many dialogs, downloads and pages were refused."""
        return self._tab.tally

    def allow(self, origins: frozenset[Origin]) -> None:
        """Let the session act on more origins: those a credential lists."""
        self.allowed |= origins

    @contextmanager
    def use(self) -> Iterator[Session]:
        """Keep the session for one run.

        Raises:
            BrowserError: SESSION_BUSY at once, without waiting; SESSION_LOST.
        """
        if self.lost:
            raise BrowserError(Reason.SESSION_LOST)
        if self._busy:
            raise BrowserError(Reason.SESSION_BUSY)
        self._busy = True
        try:
            yield self
        finally:
            self._busy = False
            self.last_used = self._clock()

    async def close(self) -> None:
        """End the context. Safe under cancellation; at most 3 seconds."""
        self._lost = True
        with anyio.CancelScope(shield=True), anyio.move_on_after(3), suppress(PlaywrightError):
            await self._context.close()

    # -- seeing

    async def observe(self, *, content: bool = False, calm: bool = False) -> Observation:
        """All visible frames as data; `content` adds the tree of text. Only the last one can be acted on.

        With `calm` it waits as `settle` does, and then reads at once.
        """
        self._require_alive()
        try:
            if calm:
                return await self._tab.observe_calm(_acting.SETTLE_S, content=content)
            return await self._tab.observe(content=content)
        except PlaywrightError:
            raise self._failure() from None

    async def settle(self, timeout_s: float = _acting.SETTLE_S) -> bool:
        """Wait until the page is loaded and calm; about 30 ms on a still page. False when the time ended first."""
        self._require_alive()
        return await self._tab.settle(timeout_s)

    async def changed(self, timeout_s: float) -> bool:
        """Wait for the page to change in any way, then until it is calm. False when it did not change in time."""
        self._require_alive()
        page, navigations = self._tab.page, self._tab.traffic.navigations
        moved: bool | None = True
        with anyio.move_on_after(timeout_s + 0.5), suppress(PlaywrightError):
            moved = await page.main_frame.evaluate(script("change"), timeout_s * 1000)
        await self._tab.settle(_acting.SETTLE_S)
        return bool(moved) or self._tab.page != page or self._tab.traffic.navigations != navigations

    # -- acting

    async def click(
        self,
        observation: Observation,
        frame: int,
        control_id: int,
        *,
        on_dispatch: Callable[[], None] | None = None,
        origins: frozenset[Origin] | None = None,
        holding: Sequence[Filled] = (),
        timeout_s: float = ACT_S,
    ) -> Effect:
        """Press a control once, if it still reads as it did in the observation, and say what was observed then.

        Args:
            observation: the last one of this session.
            frame: `Frame.index` in it.
            control_id: `Control.id` in that frame.
            on_dispatch: called immediately before the press; from there on nothing is ever pressed again.
            origins: what the control's own frame must stand on (exactly), else ORIGIN_NOT_ALLOWED.
            holding: fields that must still hold what was typed, else FILL_MISMATCH.
            timeout_s: how long to wait for the control to be reachable, in seconds.

        Raises:
            ControlError: TARGET_CHANGED, CONTROL_GONE, CONTROL_DISABLED or COVERED (with `overlay`): not pressed.
                OUTCOME_UNKNOWN: pressed, and nothing observed.
        """
        self._require_inside()
        how = Dispatch(*self._checks(origins, holding), on_dispatch, timeout_s)
        return await _acting.click(self._tab, observation, frame, control_id, how)

    async def press_enter(
        self,
        observation: Observation,
        frame: int,
        control_id: int,
        *,
        origins: frozenset[Origin],
        on_dispatch: Callable[[], None] | None = None,
        holding: Sequence[Filled] = (),
        timeout_s: float = ACT_S,
    ) -> Effect:
        """Press Enter in a field, for a form without a button. As `click` in everything else."""
        self._require_inside()
        how = Dispatch(*self._checks(origins, holding), on_dispatch, timeout_s)
        return await _acting.press_enter(self._tab, observation, frame, control_id, how)

    async def options(self, observation: Observation, frame: int, control_id: int) -> Options:
        """Which option of a native `<select>` is chosen. Raises ControlError as `click`."""
        self._require_alive()
        return await _choosing.options_of(self._tab, observation, frame, control_id)

    async def choose(
        self,
        observation: Observation,
        frame: int,
        control_id: int,
        option: int,
        *,
        on_dispatch: Callable[[], None] | None = None,
        timeout_s: float = ACT_S,
    ) -> Effect:
        """Choose an option of a native `<select>` once, by its place in `Control.options`; else as `click`.

        Raises:
            ControlError: as `click`; TARGET_CHANGED also when its options changed.
        """
        self._require_inside()
        how = Dispatch(*self._checks(None, ()), on_dispatch, timeout_s)
        return await _choosing.choose(self._tab, observation, frame, control_id, option, how)

    async def fill(
        self,
        observation: Observation,
        frame: int,
        control_id: int,
        value: Secret | str,
        *,
        kind: ValueKind,
        origins: frozenset[Origin],
    ) -> Filled:
        """Put a value into a text field by keys: clear, type, read back, compare; one refill.

        Args:
            observation: the last one; identity is checked as for `click`, and a node the page replaced is found again.
            frame: `Frame.index` in it.
            control_id: `Control.id` in that frame.
            value: typed as it stands; control characters are refused, since keys like Enter act.
            kind: a `password` goes only into a field whose characters are hidden, a `username` never into one.
            origins: what the field's frame must stand on, exactly; asked of the browser before every few characters.

        Raises:
            FillError: ORIGIN_NOT_ALLOWED, FILL_MISMATCH, TARGET_CHANGED, CONTROL_GONE, CONTROL_DISABLED, AMBIGUOUS.
        """
        self._require_inside()
        return await _typing.fill(self._tab, observation, frame, control_id, value, kind=kind, origins=origins)

    async def type_code(
        self,
        observation: Observation,
        frame: int,
        boxes: Sequence[int],
        code: Secret,
        *,
        origins: frozenset[Origin],
        on_dispatch: Callable[[], None],
    ) -> CodeTyped:
        """Put a one-time code into one field, or one character into each of as many boxes.

        `on_dispatch` is called before the last character, for many pages send the code by themselves then.

        Raises:
            FillError: as `fill`; FILL_MISMATCH also when there are not as many boxes as characters.
        """
        self._require_inside()
        return await _code_typing.type_code(
            self._tab, observation, frame, boxes, code, origins=origins, on_dispatch=on_dispatch
        )

    async def names_another(self, observation: Observation, frame: int, control_id: int, own: Secret) -> bool:
        """Whether a field that takes no typing shows a name that is plainly not the own one. The name stays here.

        Raises:
            ControlError: as `click`.
        """
        self._require_inside()
        return await _typing.names_another(self._tab, observation, frame, control_id, own)

    async def holds(self, filled: Filled) -> bool:
        """Whether a field still holds what was typed, on an allowed origin."""
        return await _typing.holds(filled)

    async def scroll(
        self,
        observation: Observation,
        frame: int = 0,
        control_id: int | None = None,
        *,
        to: Literal["down", "top"] = "down",
    ) -> Scrolled:
        """One step (nine tenths of the height) down, or to the top.

        Scrolls what surrounds the control; without one the window, and if that cannot, the largest box that scrolls.
        """
        self._require_inside()
        seen = self._tab.frame(observation, frame)
        self._tab.stir()
        try:
            moved, at_end = await seen.handle.evaluate(script("scroll"), [control_id, to])
        except PlaywrightError:
            raise self._failure() from None
        await self._tab.settle(_acting.SETTLE_S, still_s=0.05)
        return Scrolled(bool(moved), bool(at_end))

    async def back(self) -> Effect:
        """Close a page that a click opened, or go back in history."""
        self._require_alive()
        if await self._tab.close_top():
            return Effect("new_page", self.origin)
        navigations = self._tab.traffic.navigations
        try:
            await self._tab.page.go_back(wait_until="commit", timeout=LOAD_S * 1000)
        except PlaywrightTimeout:
            raise BrowserError(Reason.SITE_TIMEOUT) from None
        except PlaywrightError:
            raise self._failure() from None
        await self._tab.settle(_acting.SETTLE_S)
        return Effect("navigated" if self._tab.traffic.navigations != navigations else "none", self.origin)

    async def goto(self, url: str, timeout_s: float = LOAD_S) -> None:
        """Open an address on an allowed origin.

        Raises:
            BrowserError: BAD_ADDRESS, LEFT_SITE (not allowed), SITE_UNREACHABLE, SITE_TIMEOUT, SITE_ERROR, NOT_A_PAGE.
        """
        self._require_alive()
        try:
            if Origin.of(url) not in self.allowed:
                raise BrowserError(Reason.LEFT_SITE)
        except AddressError:
            raise BrowserError(Reason.BAD_ADDRESS) from None
        await navigate(self._tab, url, timeout_s)

    @asynccontextmanager
    async def expecting_download(self, limit: int) -> AsyncIterator[Expected]:
        """Take one file of at most `limit` bytes that a page sends or shows until the block ends; refuse any other."""

        async def shown(timeout_s: float) -> Arrived | None:
            return await read_shown(self._tab.page, self.allowed, limit, timeout_s)

        self._require_inside()
        async with self._tab.downloads.expect(limit, shown) as expected:
            yield expected

    # -- cookies

    async def cookie_marks(self, names: Sequence[str]) -> dict[str, str]:
        """For each named cookie that is there a mark that changes when it does. Says nothing about the value."""
        self._require_alive()
        if not names:
            return {}
        marks: dict[str, list[bytes]] = {}
        try:
            for cookie in await self._context.cookies():
                name = cookie.get("name", "")
                if name in names:
                    text = "\n".join((cookie.get("domain", ""), cookie.get("path", ""), cookie.get("value", "")))
                    marks.setdefault(name, []).append(text.encode())
        except PlaywrightError:
            raise self._failure() from None
        digest = hashlib.sha256
        return {
            name: hmac.new(self._salt, b"\0".join(sorted(each)), digest).hexdigest() for name, each in marks.items()
        }

    async def storage_state(self, origins: frozenset[Origin]) -> bytes:
        """Cookies and storage of these origins, for the vault only; `Broker.open(storage=…)` and `restore` take it."""
        self._require_alive()
        try:
            return own_state(await self._context.storage_state(indexed_db=True), origins)
        except PlaywrightError:
            raise self._failure() from None

    async def restore(self, storage: bytes) -> None:
        """Put kept state in place of the session's own, and open its home again. Raises as `goto`."""
        self._require_alive()
        try:
            await self._context.set_storage_state(json.loads(storage))
        except PlaywrightError:
            raise self._failure() from None
        await self.goto(self.home)

    # -- inside

    async def start(self, url: str, timeout_s: float) -> None:
        """Open the first page. Called by the broker."""
        await self._tab.start()
        self.home = url
        await navigate(self._tab, url, timeout_s)

    def _require_alive(self) -> None:
        if self.lost:
            raise BrowserError(Reason.SESSION_LOST)
        self.last_used = self._clock()

    def _require_inside(self) -> None:
        self._require_alive()
        if not self.inside:
            raise BrowserError(Reason.LEFT_SITE)

    def _failure(self) -> BrowserError:
        return BrowserError(Reason.SESSION_LOST if self.lost else Reason.BROWSER_FAILED)

    def _checks(
        self, origins: frozenset[Origin] | None, holding: Sequence[Filled]
    ) -> tuple[_acting.LastCheck, Callable[[Target], None]]:
        """What is asked of the page before a dispatch, and then of the browser."""

        async def check(target: Target) -> None:
            if origins is None and not holding:
                return
            beside = [filled for filled in holding if filled.live == target.seen.live]
            others = [_typing.holds(filled) for filled in holding if filled.live != target.seen.live]
            try:
                (address, values), *held = await asyncio.gather(
                    target.element.beside(_SENDS_TO, [filled.element for filled in beside]), *others
                )
            except PlaywrightError:
                raise FillError(Reason.FILL_MISMATCH) from None
            if not all(map(_typing.still_holds, beside, values)) or not all(held):
                raise FillError(Reason.FILL_MISMATCH)
            if origins is not None and not _is_among(address, origins):
                raise FillError(Reason.ORIGIN_NOT_ALLOWED)

        def require(target: Target) -> None:
            self._require_inside()
            if origins is not None:
                _typing.require_origin(self._tab, target.seen.live, origins)
            elif frame_origin(target.seen.live) is None and target.seen.live.parent_frame is None:
                raise BrowserError(Reason.LEFT_SITE)

        return check, require
