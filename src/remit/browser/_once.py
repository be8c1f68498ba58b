"""Reading a frame once: several recognisers ask the same of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from remit.browser.observation import Frame

_Read = TypeVar("_Read")


def once(read: Callable[[Frame], _Read]) -> Callable[[Frame], _Read]:
    """Keep what a pure function of a frame returned with that frame, for as long as the frame lives."""
    key = f"{read.__module__}.{read.__qualname__}"

    @wraps(read)
    def kept(frame: Frame) -> _Read:
        store: dict[str, _Read] = frame.__dict__
        if key not in store:
            store[key] = read(frame)
        return store[key]

    return kept
