"""While keys are under way, one field takes them.

Key events go to whatever has the focus in whatever document is there when they arrive. A page that goes elsewhere
between two keys, or another field that takes the focus, would get the rest of a password. So for these milliseconds no
document is replaced (its request waits), and in the field's own document a key for anything else is swallowed.

An embedded page of somebody else may take the focus at any time and cannot be kept from it; where there is one, the
field is asked before each key whether it still has the focus, and typing ends at once when it has not.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

import anyio
from playwright.async_api import CDPSession, JSHandle
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame as LiveFrame

from remit.contract import Origin

from ._element import Element
from ._scripts import script
from ._tab import Tab, frame_origin

_DOCUMENTS = {"patterns": [{"urlPattern": "*", "resourceType": "Document", "requestStage": "Request"}]}
_FOCUS_S = 2.0
_RELEASE_S = 2.0


@dataclass
class Bound:
    """A field that takes the keys. `was_empty` is None where it did not take the focus."""

    client: CDPSession
    was_empty: bool | None
    held: str | None = None
    """What the field holds, once the keys are no longer bound; None where its document is gone."""


@asynccontextmanager
async def keys_bound(tab: Tab, live: LiveFrame, element: Element) -> AsyncIterator[Bound]:
    """Focus a field, select what it holds, and bind keys to it. Raises PlaywrightError when it is gone."""
    client = await tab.client()
    waiting: list[str] = []

    def on_paused(event: dict[str, Any]) -> None:
        waiting.append(event["requestId"])

    client.on("Fetch.requestPaused", on_paused)
    parents: list[JSHandle] = []
    bound = Bound(client, None)
    try:
        parents.extend([await _bind_parent(child) for child in _chain(live)])
        _, bound.was_empty = await asyncio.gather(client.send("Fetch.enable", _DOCUMENTS), _taken(element))
        yield bound
    finally:
        with anyio.CancelScope(shield=True), anyio.move_on_after(_RELEASE_S):
            client.remove_listener("Fetch.requestPaused", on_paused)
            _, bound.held, *_ = await asyncio.gather(_let_go(client, waiting), _held(element), *map(_release, parents))


async def _taken(element: Element) -> bool | None:
    with anyio.move_on_after(_FOCUS_S):  # a document whose successor waits answers nothing
        return await element.bind(script("bind"))
    return None


async def _held(element: Element) -> str | None:
    with suppress(PlaywrightError):  # its document is gone
        return await element.release()
    return None


def watched_by_others(tab: Tab, origins: frozenset[Origin]) -> bool:
    """A document of another origin is embedded somewhere in the page."""
    return any(frame_origin(frame) not in origins for frame in tab.page.frames if frame.parent_frame is not None)


def _chain(live: LiveFrame) -> list[LiveFrame]:
    """The embedded frames from this one up: each is held by its parent's document."""
    chain = []
    frame: LiveFrame | None = live
    while frame is not None and frame.parent_frame is not None:
        chain.append(frame)
        frame = frame.parent_frame
    return chain


async def _bind_parent(child: LiveFrame) -> JSHandle:
    holder = await child.frame_element()
    return await holder.evaluate_handle(script("bind"))


async def _release(bound: JSHandle) -> None:
    with suppress(PlaywrightError):  # its document is gone
        await bound.evaluate("bound => bound.release()")
        await bound.dispose()


async def _let_go(client: CDPSession, waiting: list[str]) -> None:
    with suppress(PlaywrightError):
        for request_id in waiting:
            await client.send("Fetch.continueRequest", {"requestId": request_id})
        await client.send("Fetch.disable")
