"""Typing into one field: only the right field, only on the right origin, and only what then stands there counts."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass, field
from typing import Literal

import anyio
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame as LiveFrame

from remit.contract import Origin, Reason, Secret

from ._binding import Bound, keys_bound, watched_by_others
from ._element import Element
from ._errors import ControlError, FillError
from ._identity import identity
from ._keys import type_keys
from ._reread import reread
from ._tab import Tab, frame_origin
from ._who import may_name
from .observation import Control, Observation

ValueKind = Literal["username", "password", "code", "text"]
TYPE_S = 15.0
_FOCUS_S = 2.0
_FOCUSED = """el => {
  let inner = el;
  for (let root = el.getRootNode(); ; root = inner.getRootNode()) {
    if (root.activeElement !== inner) return false;
    if (!(root instanceof ShadowRoot)) return document.hasFocus();
    inner = root.host;
  }
}"""
_KEY = secrets.token_bytes(32)


def mark(text: str) -> bytes:
    """What tells equal texts without keeping them."""
    return hmac.digest(_KEY, text.encode(), hashlib.sha256)


@dataclass(frozen=True, slots=True)
class Filled:
    """A field that kept what was typed. Ask `Session.holds` before the form is submitted whether it still does."""

    live: LiveFrame = field(repr=False)
    element: Element = field(repr=False)
    mark: bytes = field(repr=False)
    origins: frozenset[Origin] = field(repr=False)


async def fill(
    tab: Tab,
    observation: Observation,
    frame: int,
    control_id: int,
    value: Secret | str,
    *,
    kind: ValueKind,
    origins: frozenset[Origin],
) -> Filled:
    """Clear, type, read back, compare; once more if it did not hold. See `Session.fill`."""
    seen, before = tab.find(observation, frame, control_id)
    text = value.reveal() if isinstance(value, Secret) else value
    _admit(before, kind, text)
    require_origin(tab, seen.live, origins)
    tab.stir()
    with anyio.move_on_after(TYPE_S):
        for _ in range(2):
            element = await ready_field(tab, observation, frame, control_id, kind)
            if await type_into(tab, seen.live, element, text, origins):
                return Filled(seen.live, element, mark(text), origins)
    raise FillError(Reason.FILL_MISMATCH)


async def names_another(tab: Tab, observation: Observation, frame: int, control_id: int, own: Secret) -> bool:
    """See `Session.names_another`."""
    try:
        target = await reread(tab, observation, frame, control_id)
        shown = "" if target.now.type == "password" or target.now.masked else await target.element.value()
    except PlaywrightError:
        raise FillError(Reason.CONTROL_GONE) from None
    return not may_name(shown, own.reveal())


async def holds(filled: Filled) -> bool:
    """Whether the field still stands on an allowed origin and holds what was typed."""
    try:
        now = await filled.element.value()
    except PlaywrightError:
        return False
    return still_holds(filled, now)


def still_holds(filled: Filled, now: str | None) -> bool:
    """Whether this is what was typed, and the field's document still stands on an allowed origin."""
    origin = frame_origin(filled.live)
    here = origin is not None and origin in filled.origins
    return here and now is not None and hmac.compare_digest(mark(now), filled.mark)


def require_origin(tab: Tab, live: LiveFrame, origins: frozenset[Origin]) -> None:
    """The frame stands on one of the origins, exactly, and is not on its way elsewhere.

    Raises:
        FillError: ORIGIN_NOT_ALLOWED.
    """
    origin = frame_origin(live)
    if live.is_detached() or origin is None or origin not in origins or tab.traffic.navigating(live):
        raise FillError(Reason.ORIGIN_NOT_ALLOWED)


def _admit(control: Control, kind: ValueKind, text: str) -> None:
    """A password goes only where characters are hidden, a user name never there; keys that act are not text."""
    hidden = control.type == "password" or control.masked
    if not control.is_text_field or (kind == "password") > hidden or (kind == "username" and hidden):
        raise FillError(Reason.FILL_MISMATCH)
    if any(ord(character) < 32 or ord(character) == 127 for character in text):
        raise FillError(Reason.FILL_MISMATCH)


async def ready_field(tab: Tab, observation: Observation, frame: int, control_id: int, kind: ValueKind) -> Element:
    """The field's element; if the page put another node in its place, the one that reads the same."""
    try:
        target = await reread(tab, observation, frame, control_id)
    except ControlError as error:
        if error.reason is not Reason.CONTROL_GONE:
            raise FillError(error.reason) from None
        return await _replaced(tab, observation, frame, control_id, kind)
    if target.now.disabled:
        raise FillError(Reason.CONTROL_DISABLED)
    _admit(target.now, kind, "")
    return target.element


async def _replaced(tab: Tab, observation: Observation, frame: int, control_id: int, kind: ValueKind) -> Element:
    seen, before = tab.find(observation, frame, control_id)
    wanted = identity(seen.frame, before)
    fresh = await tab.look(seen.live, frame)
    if fresh is None:
        raise FillError(Reason.CONTROL_GONE)
    same = [c for c in fresh.frame.controls if c.usable and identity(fresh.frame, c) == wanted]
    if len(same) != 1:
        raise FillError(Reason.AMBIGUOUS if same else Reason.CONTROL_GONE)
    _admit(same[0], kind, "")
    try:
        return await Element.of(fresh.handle, same[0].id)
    except PlaywrightError:
        raise FillError(Reason.CONTROL_GONE) from None


async def type_into(tab: Tab, live: LiveFrame, element: Element, text: str, origins: frozenset[Origin]) -> bool:
    """Focus a field, clear it and type, all by keys that reach nothing else; whether it holds the text then.

    Raises:
        FillError: ORIGIN_NOT_ALLOWED.
    """
    try:
        async with keys_bound(tab, live, element) as bound:
            require_origin(tab, live, origins)
            taken = bound.was_empty is not None and await _keys(tab, element, bound, text, origins)
    except PlaywrightError:
        taken = False
    require_origin(tab, live, origins)
    return taken and bound.held is not None and hmac.compare_digest(mark(bound.held), mark(text))


async def _keys(tab: Tab, element: Element, bound: Bound, text: str, origins: frozenset[Origin]) -> bool:
    """Clear by keys and type; False when the focus was lost on the way."""
    if not bound.was_empty:
        await tab.page.keyboard.press("Delete")
    if not watched_by_others(tab, origins):
        await type_keys(bound.client, text)
        return True
    for character in text:
        if not await element.evaluate(_FOCUSED):
            return False
        await type_keys(bound.client, character)
    return True
