"""Typing a one-time code into one field or into a row of boxes, knowing that the last character may send it."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import anyio
from playwright.async_api import Error as PlaywrightError

from remit.contract import Origin, Reason, Secret

from ._binding import keys_bound
from ._element import Element
from ._errors import FillError
from ._keys import type_keys
from ._tab import Seen, Tab
from ._typing import TYPE_S, Filled, mark, ready_field, require_origin, type_into
from .observation import Observation

_TO_THE_END = "el => el.setSelectionRange?.(el.value.length, el.value.length)"
_SENT_S = 5.0
"""How long a page that may have sent the code by itself is given to come to rest."""


@dataclass(frozen=True, slots=True)
class CodeTyped:
    """A typed code. `sent`: the page sent it by itself at the last character, so nothing else may."""

    filled: tuple[Filled, ...] = field(repr=False)
    sent: bool


async def type_code(
    tab: Tab,
    observation: Observation,
    frame: int,
    boxes: Sequence[int],
    code: Secret,
    *,
    origins: frozenset[Origin],
    on_dispatch: Callable[[], None],
) -> CodeTyped:
    """See `Session.type_code`."""
    text = code.reveal()
    if not boxes or len(boxes) not in (1, len(text)):
        raise FillError(Reason.FILL_MISMATCH)
    seen, _ = tab.find(observation, frame, boxes[0])
    require_origin(tab, seen.live, origins)
    tab.stir()
    with anyio.move_on_after(TYPE_S):
        for _ in range(2):
            fields = [await ready_field(tab, observation, frame, box, "code") for box in boxes]
            parts = [text] if len(boxes) == 1 else list(text)
            if await _all_but_last(tab, seen, fields, parts, origins):
                return await _last(tab, seen, fields, parts, origins, on_dispatch)
    raise FillError(Reason.FILL_MISMATCH)


async def _all_but_last(
    tab: Tab, seen: Seen, fields: Sequence[Element], parts: Sequence[str], origins: frozenset[Origin]
) -> bool:
    """Everything before the last character; whether the fields took it."""
    texts = (*parts[:-1], parts[-1][:-1])
    for element, text in zip(fields, texts, strict=True):
        if not await type_into(tab, seen.live, element, text, origins):
            return False
    try:
        held = [await element.value() for element in fields]
    except PlaywrightError:
        require_origin(tab, seen.live, origins)
        return False
    return all(hmac.compare_digest(mark(one), mark(other)) for one, other in zip(held, texts, strict=True))


async def _last(
    tab: Tab,
    seen: Seen,
    fields: Sequence[Element],
    parts: Sequence[str],
    origins: frozenset[Origin],
    on_dispatch: Callable[[], None],
) -> CodeTyped:
    """The last character: the dispatch, if the page sends the code by itself."""
    filled = tuple(Filled(seen.live, element, mark(part), origins) for element, part in zip(fields, parts, strict=True))
    page, before = tab.page, tab.traffic.sent_to(origins)
    navigations = tab.traffic.navigations
    require_origin(tab, seen.live, origins)
    try:
        async with keys_bound(tab, seen.live, fields[-1]) as bound:
            require_origin(tab, seen.live, origins)
            if bound.was_empty is None:
                raise FillError(Reason.FILL_MISMATCH)
            await fields[-1].evaluate(_TO_THE_END)
            on_dispatch()
            await type_keys(bound.client, parts[-1][-1])
    except PlaywrightError:
        return CodeTyped(filled, sent=True)  # the page went on while the key was under way
    await tab.settle(_SENT_S)
    gone = tab.page != page or tab.traffic.navigations != navigations
    return CodeTyped(filled, sent=gone or tab.traffic.sent_to(origins) != before)
