"""A control read once more, on its own element, right before it is used."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import anyio
from playwright.async_api import Error as PlaywrightError

from remit.contract import Reason

from ._element import Element
from ._errors import ControlError
from ._identity import identity
from ._tab import Seen, Tab, frame_origin
from .observation import Control, Frame, Observation, Overlay

_READ_S = 5.0


@dataclass(frozen=True, slots=True)
class Target:
    """A control that reads as it did: what was seen, what is there now, and its element."""

    seen: Seen
    before: Control
    frame: Frame
    now: Control
    element: Element

    @property
    def cover(self) -> int | None:
        """The overlay over the control's middle, as an index into the observation that was given; None if it is new."""
        if self.now.box is None:
            return None
        x, y = self.now.box[0] + self.now.box[2] / 2, self.now.box[1] + self.now.box[3] / 2
        covering = [overlay for overlay in self.frame.overlays if not overlay.controls and _over(overlay, x, y)]
        for index, known in enumerate(self.seen.frame.overlays):
            if any(_alike(known, overlay) for overlay in covering):
                return index
        return None


async def reread(tab: Tab, observation: Observation, frame: int, control_id: int) -> Target:
    """Read the control again.

    Raises:
        ControlError: CONTROL_GONE when it is detached or hidden, TARGET_CHANGED when it reads otherwise now.
    """
    seen, before = tab.find(observation, frame, control_id)
    try:
        with anyio.fail_after(_READ_S):
            again, element = await asyncio.gather(
                seen.handle.evaluate("(seen, index) => seen.again(index)", control_id),
                Element.of(seen.handle, control_id),
            )
    except (PlaywrightError, TimeoutError):
        raise ControlError(Reason.CONTROL_GONE) from None
    if again is None:
        raise ControlError(Reason.CONTROL_GONE)
    now_frame = Frame.parse(again, index=frame, origin=str(frame_origin(seen.live) or ""))
    now = now_frame.controls[0]
    if identity(now_frame, now) != identity(seen.frame, before):
        raise ControlError(Reason.TARGET_CHANGED)
    if not now.visible:
        raise ControlError(Reason.CONTROL_GONE)
    return Target(seen, before, now_frame, now, element)


def _over(overlay: Overlay, x: float, y: float) -> bool:
    left, top, width, height = overlay.box
    return left <= x <= left + width and top <= y <= top + height


def _alike(one: Overlay, other: Overlay) -> bool:
    return (one.role, one.html_id, one.html_class, one.name) == (
        other.role,
        other.html_id,
        other.html_class,
        other.name,
    )
