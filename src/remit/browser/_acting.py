"""Using a control: read it again, make sure that it can be reached, dispatch once, observe what came of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

import anyio
from playwright.async_api import Error as PlaywrightError

from remit.contract import Origin, Reason

from ._errors import ControlError
from ._identity import identity, same_under_the_mouse
from ._reread import Target, reread
from ._scripts import script
from ._tab import BUSY_S, Tab
from .observation import Frame, Observation

EffectKind = Literal["navigated", "new_page", "changed", "none"]
Act = Callable[[], Awaitable[None]]
LastCheck = Callable[[Target], Awaitable[None]]
"""Looks once more, right before the dispatch, and raises if it must not happen."""

Point = tuple[float, float]
Place = tuple[float, float, float, float]

SETTLE_S = 10.0
_COVERED_S = 1.0
_REACH_S = 3.0
_STILL_S = 0.04
_EXPECT_S = 0.25
"""A link or a submit button after which nothing is seen for so long did nothing."""
_NEW_PAGE_S = 3.0
_PICTURE_S = 0.017


@dataclass(frozen=True, slots=True)
class Effect:
    """What was observed after one dispatch. `origin` is the page's now; None when it has none of its own."""

    kind: EffectKind
    origin: Origin | None


@dataclass(frozen=True, slots=True)
class Dispatch:
    """How a control is to be used: what to check last, what to tell when it happens, how many seconds it has.

    `last_check` asks the page, `require` the browser: it is called with nothing more to wait for before the dispatch.
    """

    last_check: LastCheck
    require: Callable[[Target], None]
    on_dispatch: Callable[[], None] | None
    timeout_s: float


async def click(tab: Tab, observation: Observation, frame: int, control_id: int, how: Dispatch) -> Effect:
    """One press of the mouse on a control. See `Session.click`."""
    tab.stir()
    target = await reread(tab, observation, frame, control_id)
    point = await _hover_at_once(tab, target)
    if point is None:
        await _ready(tab, observation, target, how.timeout_s)
        point = await _hover(tab, await _aim(target))
    mouse = tab.page.mouse

    async def press() -> None:
        """Both are on their way before either is waited for: nothing can leave the button held."""
        await asyncio.gather(mouse.down(), mouse.up())

    for found in await asyncio.gather(how.last_check(target), _poise(target, point), return_exceptions=True):
        if isinstance(found, BaseException):
            raise found
    return await dispatched(tab, target, press, how)


async def press_enter(tab: Tab, observation: Observation, frame: int, control_id: int, how: Dispatch) -> Effect:
    """One press of Enter in a field. See `Session.press_enter`."""
    tab.stir()
    target = await reread(tab, observation, frame, control_id)
    if _enter_presses(target):
        raise ControlError(Reason.SUBMIT_UNAVAILABLE)
    keyboard = tab.page.keyboard

    async def press() -> None:
        await keyboard.press("Enter")

    try:
        await target.element.evaluate("element => element.focus()")
        await target.seen.handle.evaluate(script("probe"))
        await how.last_check(target)
        focused: bool = await target.element.evaluate("el => el.getRootNode().activeElement === el")
    except PlaywrightError:
        raise ControlError(Reason.CONTROL_GONE) from None
    if not focused:
        raise ControlError(Reason.CONTROL_GONE)
    return await dispatched(tab, target, press, how)


def _enter_presses(target: Target) -> bool:
    """Enter in a field presses the first submit button of its form; one that is shown is there for something else.

    Source: HTML, "implicit submission".
    """
    frame, form = target.seen.frame, target.before.form
    if not any(each.id == form and each.kind == "form" for each in frame.forms):
        return False
    first = next((c for c in frame.controls if c.form == form and c.type in ("submit", "image")), None)
    return first is not None and first.visible


async def _ready(tab: Tab, observation: Observation, target: Target, timeout_s: float) -> None:
    """Let Playwright scroll to the control and wait until it is still, enabled and on top, without pressing."""
    if not target.now.disabled:
        timeout_s = min(timeout_s, _COVERED_S if target.now.topmost is False else _REACH_S)
    try:
        await (await target.element.handle()).click(trial=True, timeout=timeout_s * 1000)
    except PlaywrightError:
        again = await reread(tab, observation, target.seen.frame.index, target.before.id)
        if again.now.disabled:
            raise ControlError(Reason.CONTROL_DISABLED) from None
        raise ControlError(Reason.COVERED, again.cover) from None


async def _hover_at_once(tab: Tab, target: Target) -> Point | None:
    """Most controls are still and on top once in view. None when this one is not, or it is hard to say."""
    if target.now.topmost is False or target.now.disabled or target.seen.live.parent_frame is not None:
        return None
    with suppress(PlaywrightError):
        aim = await _own_point(target, None, scroll=True)
        if aim is not None:
            point = await _hover(tab, (aim[0], aim[1], 0, 0))
            if _stood_still(target, aim):
                return point
            still: bool = await target.element.evaluate(f"(el, aim) => ({script('still')})([el, aim])", aim)
            return point if still else None
    return None


def _stood_still(target: Target, aim: list[float]) -> bool:
    """It is where it was seen, and that is longer ago than a moving thing stays in one place."""
    box = target.before.box
    if box is None or time.monotonic() - target.seen.at <= _PICTURE_S:
        return False
    return all(abs(now - then) <= 1 for now, then in zip(aim[2:6], box, strict=True))


async def _hover(tab: Tab, place: Place) -> Point:
    x, y, dx, dy = place
    try:
        await tab.page.mouse.move(x + dx, y + dy)
    except PlaywrightError:
        raise ControlError(Reason.CONTROL_GONE) from None
    return x, y


async def _aim(target: Target) -> Place:
    """A point of the frame's viewport that is the control's own, and where that frame lies in the page's."""
    try:
        aim = await _own_point(target, None)
        if aim is None:
            raise await _unreachable(target)
        if target.seen.live.parent_frame is None:
            return aim[0], aim[1], 0, 0
        box = await (await target.element.handle()).bounding_box()
    except PlaywrightError:
        raise ControlError(Reason.CONTROL_GONE) from None
    if box is None:
        raise ControlError(Reason.CONTROL_GONE)
    return aim[0], aim[1], box["x"] - aim[2], box["y"] - aim[3]


async def _poise(target: Target, point: Point) -> None:
    """Set the probe and make sure, last of all, that the point is the control's own and the control still what it was.

    The mouse over it may have changed either: pages listen to that, too.
    """
    look = (
        f"(seen, [id, at]) => {{ ({script('probe')})(seen); const aim = ({script('aim')})([seen.elements[id], at]);"
        " return [aim !== null, seen.again(id)]; }"
    )
    try:
        own, again = await target.seen.handle.evaluate(look, [target.before.id, point])
        if not own:
            raise await _unreachable(target)
    except PlaywrightError:
        raise ControlError(Reason.CONTROL_GONE) from None
    if again is None:
        raise ControlError(Reason.CONTROL_GONE)
    frame = Frame.parse(again, index=target.frame.index, origin=target.frame.origin)
    if not same_under_the_mouse(identity(target.frame, target.now), identity(frame, frame.controls[0])):
        raise ControlError(Reason.TARGET_CHANGED)


async def _unreachable(target: Target) -> ControlError:
    connected: bool = await target.element.evaluate("element => element.isConnected")
    return ControlError(Reason.COVERED, target.cover) if connected else ControlError(Reason.CONTROL_GONE)


async def _own_point(target: Target, point: Point | None, *, scroll: bool = False) -> list[float] | None:
    aim: list[float] | None = await target.element.evaluate(
        f"(element, [point, scroll]) => ({script('aim')})([element, point, scroll])", [point, scroll]
    )
    return aim


async def dispatched(tab: Tab, target: Target, act: Act, how: Dispatch) -> Effect:
    """The one dispatch. Whatever happens from here on, it is never repeated."""
    how.require(target)
    page, navigations, failed = tab.page, tab.traffic.navigations, False
    tab.expecting_popup = True
    try:
        if how.on_dispatch is not None:
            how.on_dispatch()
        try:
            with anyio.fail_after(how.timeout_s):
                await act()
        except (PlaywrightError, TimeoutError):
            failed = True
        if target.now.target == "_blank":
            await tab.new_page(_NEW_PAGE_S)
        came = tab.page != page or tab.traffic.navigations != navigations
        await tab.settle(SETTLE_S, still_s=_STILL_S if came else await _patience(tab, target), content=True)
    finally:
        tab.expecting_popup = False
    if tab.page != page:
        return Effect("new_page", tab.origin)
    if tab.traffic.navigations != navigations:
        return Effect("navigated", tab.origin)
    if await _changes(target):
        return Effect("changed", tab.origin)
    if failed:
        raise ControlError(Reason.OUTCOME_UNKNOWN)
    return Effect("none", tab.origin)


def _goes_somewhere(target: Target) -> bool:
    control = target.now
    if control.href:
        return not control.raw_href.startswith("#")
    return control.form is not None and (control.type in ("submit", "image") or control.is_text_field)


async def _patience(tab: Tab, target: Target) -> float:
    """Seconds for which the document must not change: what goes somewhere needs time, unless something came of it."""
    if not _goes_somewhere(target):
        return _STILL_S
    if tab.traffic.navigating():  # the new document needs no patience, and the old one answers nothing
        return _EXPECT_S
    with suppress(PlaywrightError):
        told: int = await target.seen.handle.evaluate("seen => { seen.probe.flush(); return seen.probe.told; }")
        return BUSY_S if told else _EXPECT_S
    return _EXPECT_S


async def _changes(target: Target) -> bool:
    """Whether the frame's document changed since the probe was set; a document that is gone has changed."""
    with suppress(PlaywrightError):
        count: int = await target.seen.handle.evaluate("seen => { seen.probe.flush(); return seen.probe.count; }")
        return count > 0
    return True
