"""Opening an address, and why it may not become a page."""

from __future__ import annotations

import anyio
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Response
from playwright.async_api import TimeoutError as PlaywrightTimeout

from remit.contract import Reason

from ._errors import BrowserError
from ._tab import Tab

_PAGES = ("text/html", "application/xhtml+xml", "")
_SETTLE_S = 8.0


async def navigate(tab: Tab, url: str, timeout_s: float) -> None:
    """Open the address on top and wait until the page is calm.

    Raises:
        BrowserError: SITE_UNREACHABLE, SITE_TIMEOUT, SITE_ERROR (status 500 and above), NOT_A_PAGE (a download, or
            anything but HTML), SESSION_LOST.
    """
    downloads = tab.tally.downloads
    try:
        with anyio.fail_after(timeout_s + 1):
            response = await tab.page.goto(url, wait_until="commit", timeout=timeout_s * 1000)
    except (PlaywrightTimeout, TimeoutError):
        raise BrowserError(Reason.SITE_TIMEOUT) from None
    except PlaywrightError as error:
        if "interrupted by another navigation" in error.message:  # the page moved on by itself
            await tab.settle(_SETTLE_S)
            return
        raise BrowserError(_why(error, downloaded=tab.tally.downloads > downloads)) from None
    if response is not None:
        await _require_page(response)
    await tab.settle(_SETTLE_S)


def _why(error: PlaywrightError, *, downloaded: bool) -> Reason:
    """The reason behind Chromium's network error names, which are a closed list (`net_error_list.h`)."""
    text = error.message
    if downloaded or "Download is starting" in text:
        return Reason.NOT_A_PAGE
    if "ERR_HTTP_RESPONSE_CODE_FAILURE" in text:  # an error status with an empty body
        return Reason.SITE_ERROR
    if "ERR_TIMED_OUT" in text or "ERR_CONNECTION_TIMED_OUT" in text:
        return Reason.SITE_TIMEOUT
    if "ERR_ABORTED" in text:  # status 204, or a download
        return Reason.NOT_A_PAGE
    if "ERR_INVALID_URL" in text or "invalid URL" in text:
        return Reason.BAD_ADDRESS
    if "net::" in text:
        return Reason.SITE_UNREACHABLE
    return Reason.SESSION_LOST


async def _require_page(response: Response) -> None:
    if response.status >= 500:
        raise BrowserError(Reason.SITE_ERROR)
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in _PAGES:
        raise BrowserError(Reason.NOT_A_PAGE)
