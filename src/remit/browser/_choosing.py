"""Choosing an option of a native `<select>`: the same care as for a click, and one dispatch."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.async_api import Error as PlaywrightError

from remit.contract import Reason

from ._acting import Dispatch, Effect, dispatched
from ._errors import ControlError
from ._reread import reread
from ._scripts import script
from ._tab import Tab
from .observation import Observation


@dataclass(frozen=True, slots=True)
class Options:
    """What a `<select>` offers: which option is chosen now, and which cannot be."""

    chosen: int
    disabled: frozenset[int]


_OPTIONS = "el => ({chosen: el.selectedIndex, off: [...el.options].flatMap((o, at) => o.disabled ? [at] : [])})"


async def options_of(tab: Tab, observation: Observation, frame: int, control_id: int) -> Options:
    """Ask the control on the page. Raises as `choose`."""
    target = await reread(tab, observation, frame, control_id)
    try:
        told = await target.element.evaluate(_OPTIONS)
    except PlaywrightError:
        raise ControlError(Reason.CONTROL_GONE) from None
    return Options(told["chosen"], frozenset(told["off"]))


async def choose(tab: Tab, observation: Observation, frame: int, control_id: int, option: int, how: Dispatch) -> Effect:
    """Choose one option. See `Session.choose`."""
    tab.stir()
    target = await reread(tab, observation, frame, control_id)
    if target.now.options != target.before.options or not 0 <= option < len(target.now.options):
        raise ControlError(Reason.TARGET_CHANGED)
    if target.now.disabled:
        raise ControlError(Reason.CONTROL_DISABLED)
    try:
        handle = await target.element.handle()
        await target.seen.handle.evaluate(script("probe"))
        await how.last_check(target)
    except PlaywrightError:
        raise ControlError(Reason.CONTROL_GONE) from None

    async def select() -> None:
        await handle.select_option(index=option, timeout=how.timeout_s * 1000)

    return await dispatched(tab, target, select, how)
