"""The page a session is on: where it is, what was last seen on it, and when it is calm."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import anyio
from playwright.async_api import BrowserContext, CDPSession, Page
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame as LiveFrame

from remit.contract import AddressError, Origin, Reason

from ._downloads import Downloads
from ._errors import BrowserError, ControlError
from ._traffic import Tally, Traffic
from ._watch import Kept, Look, Rest, Watch, see_once
from .observation import Control, Frame, Observation

FRAME_S = 5.0
"""One frame may take this long to be read; a page of 10,000 controls takes well under one second."""
_SANDBOX = "el => el.hasAttribute('sandbox') && !/(^|\\s)allow-same-origin(\\s|$)/i.test(el.getAttribute('sandbox'))"
_RETRIES = 4
_STILL_S = 0.025
BUSY_S = 0.11
"""A document that has begun to change is at rest when it has not changed for so long."""
_FRESH_S = 0.03
"""What was read so short a while ago is not read again, where nothing was done and nothing was sent meanwhile."""
_DATA_S = 4.0
"""A document that still asks for data after so long asks for ever."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A frame as it was seen, and the handle that keeps its elements."""

    live: LiveFrame
    frame: Frame
    handle: Kept
    at: float
    """When it was seen, in monotonic seconds."""


@dataclass(frozen=True, slots=True)
class Looked:
    """The page's document as it was read in the moment when it was found calm."""

    page: Page
    seen: Seen
    content: bool
    navigations: int
    requests: int


def frame_origin(frame: LiveFrame) -> Origin | None:
    """The origin of a document, asked of the browser. None when it has none of its own (`data:`, a failed page).

    `about:blank` and `about:srcdoc` have their creator's origin (HTML standard, "determining the origin").
    """
    url = frame.url
    if url in ("", "about:blank", "about:srcdoc"):
        return frame_origin(frame.parent_frame) if frame.parent_frame else None
    try:
        return Origin.of(url.removeprefix("blob:"))
    except AddressError:
        return None


async def _is_sandboxed(live: LiveFrame) -> bool:
    """The document has an origin of nobody's, whatever its address: its frame, or one around it, is a sandbox."""
    frame = live
    while frame.parent_frame is not None:
        if await (await frame.frame_element()).evaluate(_SANDBOX):
            return True
        frame = frame.parent_frame
    return False


class Tab:
    """The current page, and under it those whose click opened it.

    Only the last observation can be acted on: its elements are kept, those of earlier ones are let go.
    """

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.tally = Tally()
        self.downloads = Downloads()
        self.expecting_popup = False
        self._pages: list[tuple[Page, Traffic]] = []
        self._page_came = anyio.Event()
        self._last: Observation | None = None
        self._seen: tuple[Seen, ...] = ()
        self._watch: tuple[Page, Watch] | None = None
        self._stale: list[Watch] = []
        self._looked: Looked | None = None
        self._stirred = False
        self._client: tuple[Page, CDPSession] | None = None
        context.on("page", self._on_page)

    async def start(self) -> None:
        """Open the first page."""
        self.expecting_popup = True
        page = await self.context.new_page()
        self.expecting_popup = False
        if not self._pages:
            self._adopt(page)
        await self.client()

    @property
    def ended(self) -> bool:
        """There was a page, and none is left."""
        return bool(self._pages) and all(traffic.closed for _, traffic in self._pages)

    @property
    def page(self) -> Page:
        """The page on top. Raises BrowserError SESSION_LOST when all are closed."""
        while len(self._pages) > 1 and self._pages[-1][1].closed:
            self._pages.pop()
        if not self._pages or self._pages[-1][1].closed:
            raise BrowserError(Reason.SESSION_LOST)
        return self._pages[-1][0]

    @property
    def traffic(self) -> Traffic:
        """What the page on top is doing."""
        page = self.page
        return next(traffic for each, traffic in self._pages if each == page)

    @property
    def opened(self) -> int:
        """How many pages are on the stack."""
        return len(self._pages)

    @property
    def origin(self) -> Origin | None:
        """The origin of the page itself."""
        return frame_origin(self.page.main_frame)

    async def client(self) -> CDPSession:
        """Chromium's own protocol for the page on top."""
        page = self.page
        if self._client is None or self._client[0] != page:
            self._client = (page, await self.context.new_cdp_session(page))
        return self._client[1]

    def _adopt(self, page: Page) -> None:
        self._pages.append((page, Traffic(page, self.tally, self.downloads)))
        self._page_came.set()
        self._page_came = anyio.Event()

    async def _on_page(self, page: Page) -> None:
        if any(page == each for each, _ in self._pages):
            return
        if self.expecting_popup:
            self._adopt(page)
            return
        self.tally.popups += 1
        with suppress(PlaywrightError):
            await page.close()

    async def new_page(self, timeout_s: float) -> None:
        """Wait for the page that a click is to open."""
        count = len(self._pages)
        with anyio.move_on_after(timeout_s):
            while len(self._pages) == count:
                await self._page_came.wait()

    async def close_top(self) -> bool:
        """Close a page that a click opened, back to the one below. False when there is none below."""
        page = self.page
        if len(self._pages) < 2:
            return False
        with suppress(PlaywrightError):
            await page.close()
        self._pages = [(each, traffic) for each, traffic in self._pages if each != page]
        return True

    async def observe(self, *, content: bool) -> Observation:
        """Read all visible frames; a frame that goes away meanwhile is left out, the page itself is read again."""
        page = self.page
        for _ in range(_RETRIES):
            main = await self._see(page.main_frame, 0, content=content)
            if main is not None:
                break
            await self.traffic.pulse(0.3)
            with suppress(PlaywrightError):
                await page.wait_for_load_state("domcontentloaded", timeout=3000)
            page = self.page
        else:
            raise BrowserError(Reason.SITE_TIMEOUT)
        return await self._observed(page, main, content)

    async def observe_calm(self, timeout_s: float, *, content: bool) -> Observation:
        """Read all visible frames once the page is calm, or the time is over."""
        if not self._is_fresh(content):
            self._looked = None
            await self.settle(timeout_s, content=content)
        looked = self._looked
        if looked is None:
            return await self.observe(content=content)
        return await self._observed(looked.page, looked.seen, content)

    def _is_fresh(self, content: bool) -> bool:
        """The page was read a moment ago, after the last act, and has done nothing since."""
        looked = self._looked
        if looked is None or self._stirred or looked.page != self.page or (content and not looked.content):
            return False
        traffic = self.traffic
        if (traffic.navigations, traffic.requests) != (looked.navigations, looked.requests) or traffic.navigating():
            return False
        return time.monotonic() - looked.seen.at < _FRESH_S

    async def _observed(self, page: Page, main: Seen, content: bool) -> Observation:
        inner = await self._see_inner(page, content)
        await self._keep((main, *inner))
        assert self._last is not None
        return self._last

    async def _see_inner(self, page: Page, content: bool) -> Sequence[Seen]:
        found: dict[int, Seen] = {}

        async def look(index: int, live: LiveFrame) -> None:
            seen = await self._see(live, index, content=content)
            if seen is not None:
                found[index] = seen

        frames = [frame for frame in page.frames if frame != page.main_frame]
        if frames:
            async with anyio.create_task_group() as tasks:
                for index, live in enumerate(frames, 1):
                    tasks.start_soon(look, index, live)
        return [found[index] for index in sorted(found)]

    async def _see(self, live: LiveFrame, index: int, *, content: bool) -> Seen | None:
        with anyio.move_on_after(FRAME_S), suppress(PlaywrightError):
            box = None
            if index:
                holder = await live.frame_element()
                place = await holder.bounding_box()
                if place is None or place["width"] < 2 or place["height"] < 2:
                    return None
                box = (round(place["x"]), round(place["y"]), round(place["width"]), round(place["height"]))
            origin = frame_origin(live)
            look = await self._look(live, content)
            opaque = look.opaque or await _is_sandboxed(live)
            if origin != frame_origin(live):
                return None
            return self._seen_as(live, index, look, None if opaque else origin, box)
        return None

    async def _look(self, live: LiveFrame, content: bool) -> Look:
        """The page's own document is watched anyway; an embedded one is read once."""
        if live != self.page.main_frame:
            return await see_once(live, content)
        watch, self._looked = await self._watching(self.page), None  # each look lets go of the one before
        return await watch.see(content, self._kept_by(watch))

    def _kept_by(self, watch: Watch) -> int:
        """The number of the look of this watch that can still be acted on; 0 for none."""
        return next((each.handle.number or 0 for each in self._seen if each.handle.belongs_to(watch.holder)), 0)

    def _seen_as(
        self, live: LiveFrame, index: int, look: Look, origin: Origin | None, box: tuple[int, int, int, int] | None
    ) -> Seen:
        frame = Frame.parse(look.text, index=index, origin=str(origin or ""), box=box)
        return Seen(live, frame, look.kept, time.monotonic())

    async def look(self, live: LiveFrame, index: int) -> Seen | None:
        """Read one frame without letting go of what was seen before."""
        return await self._see(live, index, content=False)

    async def _keep(self, seen: tuple[Seen, ...]) -> None:
        before, self._seen = self._seen, seen
        self._last = Observation(tuple(each.frame for each in seen))
        stale, self._stale = self._stale, []
        for watch in stale:
            if watch.documents == self.traffic.documents:  # else its document is gone
                with suppress(PlaywrightError):
                    await watch.end()
        for each in before:
            with suppress(PlaywrightError):
                await each.handle.dispose()

    def find(self, observation: Observation, frame: int, control_id: int) -> tuple[Seen, Control]:
        """The kept frame and the control. `frame` is `Frame.index`.

        Raises:
            ControlError: TARGET_CHANGED when the page was observed again since; CONTROL_GONE without such a control.
        """
        seen = self.frame(observation, frame)
        if not 0 <= control_id < len(seen.frame.controls):
            raise ControlError(Reason.CONTROL_GONE)
        return seen, seen.frame.controls[control_id]

    def frame(self, observation: Observation, frame: int) -> Seen:
        """The kept frame with this `Frame.index`. Raises ControlError as `find`."""
        if observation is not self._last:
            raise ControlError(Reason.TARGET_CHANGED)
        for seen in self._seen:
            if seen.frame.index == frame:
                return seen
        raise ControlError(Reason.CONTROL_GONE)

    async def settle(self, timeout_s: float, *, still_s: float = _STILL_S, content: bool | None = None) -> bool:
        """Wait until the page is loaded, goes nowhere, waits for no data and has stopped changing.

        `still_s` is how long this document is watched if it does not change at all; a new one needs less. False when
        the time ended first, or when the page never rests. With `content` the calm document is read as well.
        """
        deadline = time.monotonic() + timeout_s
        first = (self.page, self.traffic.navigations)
        data_until = time.monotonic() + _DATA_S
        while (left := deadline - time.monotonic()) > 0:
            page, traffic = self.page, self.traffic
            before = traffic.navigations
            waiting = traffic.waiting and time.monotonic() < data_until
            if traffic.navigating() or waiting:
                await traffic.pulse(min(left, 0.3))
                continue
            calm = await self._calm(page, still_s if (page, before) == first else _STILL_S, left, content)
            if calm is None:
                await traffic.pulse(min(left, 0.1))
            elif self.page != page or traffic.navigations != before:
                self._looked, data_until = None, time.monotonic() + _DATA_S
            elif not traffic.navigating() and not (calm and traffic.waiting and time.monotonic() < data_until):
                return calm
            else:
                self._looked = None
        return False

    def stir(self) -> None:
        """Something is being done to the page: only what is still after it counts as calm."""
        self._stirred, self._looked = True, None

    async def _calm(self, page: Page, still_s: float, left_s: float, content: bool | None) -> bool | None:
        rest = {
            "still": still_s * 1000,
            "bare": 5 if still_s == _STILL_S else still_s * 1000,
            "busy": BUSY_S * 1000,
            "limit": min(left_s, 2.0) * 1000,
            "patience": 1500,
            "fresh": self._stirred or still_s != _STILL_S,
        }
        with anyio.move_on_after(left_s), suppress(PlaywrightError):
            watch = await self._watching(page)
            calm = await (watch.rest(rest) if content is None else self._calm_look(page, watch, rest, content))
            self._stirred = self._stirred and not calm
            return calm
        self._retire()
        return None

    async def _calm_look(self, page: Page, watch: Watch, rest: Rest, content: bool) -> bool:
        live = page.main_frame
        origin = frame_origin(live)
        calm, look = await watch.rest_and_see(rest, content, self._kept_by(watch))
        if frame_origin(live) == origin:
            seen = self._seen_as(live, 0, look, None if look.opaque else origin, None)
            self._looked = Looked(page, seen, content, self.traffic.navigations, self.traffic.requests)
        return calm

    async def _watching(self, page: Page) -> Watch:
        """The watch on the page's document; a new one at each new address."""
        navigations = self.traffic.navigations
        if self._watch is not None:
            if (self._watch[0], self._watch[1].navigations) == (page, navigations):
                return self._watch[1]
            self._retire()
        watch = await Watch.begin(page.main_frame, navigations, self.traffic.documents)
        self._watch = (page, watch)
        return watch

    def _retire(self) -> None:
        """Begin anew with the next document. An address may change within one: what was seen can still be acted on."""
        if self._watch is not None:
            self._stale.append(self._watch[1])
            self._watch = None
