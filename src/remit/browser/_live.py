"""A session's open page as a person sees it who takes over: pictures with every field covered, clicks, scrolling."""

from __future__ import annotations

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Locator

from remit.contract import Reason

from ._errors import BrowserError
from ._session import Session

_FIELDS = (
    "input:not([type=button]):not([type=submit]):not([type=reset]):not([type=image]):not([type=checkbox])"
    ":not([type=radio]):not([type=range]):not([type=hidden])"
)
_VALUES = (_FIELDS, "textarea", "[contenteditable]:not([contenteditable=false])")
_QUALITY = 70
_FRAME_MS = 5000
_MOST_SCROLL = 2000


class LiveView:
    """What of a session's page may leave the browser, and what a person may do to it. No keys: those are Remit's."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def picture(self) -> bytes:
        """A JPEG of what is in view. All that may hold a value is covered before the picture is made.

        Raises:
            BrowserError: SESSION_LOST, or BROWSER_FAILED when no picture could be made.
        """
        page = self._session.live_page
        masks: list[Locator] = [frame.locator(each) for frame in page.frames for each in _VALUES]
        try:
            return await page.screenshot(
                type="jpeg",
                quality=_QUALITY,
                mask=masks,
                mask_color="#808080",
                timeout=_FRAME_MS,
            )
        except PlaywrightError:
            raise BrowserError(Reason.BROWSER_FAILED) from None

    async def press(self, x: float, y: float) -> None:
        """One press of the mouse at a point of the picture, in CSS pixels. Raises as `picture`."""
        page = self._session.live_page
        size = page.viewport_size or {"width": 0, "height": 0}
        if not (0 <= x < size["width"] and 0 <= y < size["height"]):
            raise BrowserError(Reason.CONTROL_GONE)
        try:
            await page.mouse.click(x, y)
        except PlaywrightError:
            raise BrowserError(Reason.BROWSER_FAILED) from None

    async def scroll(self, down: float) -> None:
        """Turn the wheel by so many CSS pixels. Raises as `picture`."""
        try:
            await self._session.live_page.mouse.wheel(0, max(-_MOST_SCROLL, min(_MOST_SCROLL, down)))
        except PlaywrightError:
            raise BrowserError(Reason.BROWSER_FAILED) from None
