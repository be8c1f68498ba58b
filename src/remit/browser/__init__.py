"""The browser broker: sessions, observation, identity, acting. The only room that knows selectors and handles.

What needs Playwright is imported when it is first asked for: pure functions over observations, and a server that has
not yet opened a site, do without.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from ._errors import BrowserError, ControlError, FillError
from ._identity import Identity, identity, same_reading
from .observation import Box, Control, Form, Frame, Node, Observation, Overlay, Rank

if TYPE_CHECKING:
    from ._acting import Effect, EffectKind
    from ._broker import Broker
    from ._consent import Banner, BannerOutcome, dismiss_banner, find_banner
    from ._launch import BrowserStatus, browser_status, find_browser
    from ._session import Scrolled, Session
    from ._traffic import Tally
    from ._typing import Filled, ValueKind

__all__ = [
    "Banner",
    "BannerOutcome",
    "Box",
    "Broker",
    "BrowserError",
    "BrowserStatus",
    "Control",
    "ControlError",
    "Effect",
    "EffectKind",
    "FillError",
    "Filled",
    "Form",
    "Frame",
    "Identity",
    "Node",
    "Observation",
    "Overlay",
    "Rank",
    "Scrolled",
    "Session",
    "Tally",
    "ValueKind",
    "browser_status",
    "dismiss_banner",
    "find_banner",
    "find_browser",
    "identity",
    "same_reading",
]

_NEEDS_PLAYWRIGHT = {
    "_acting": ("Effect", "EffectKind"),
    "_broker": ("Broker",),
    "_consent": ("Banner", "BannerOutcome", "dismiss_banner", "find_banner"),
    "_launch": ("BrowserStatus", "browser_status", "find_browser"),
    "_session": ("Scrolled", "Session"),
    "_traffic": ("Tally",),
    "_typing": ("Filled", "ValueKind"),
}
_HOMES = {name: module for module, names in _NEEDS_PLAYWRIGHT.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(name)
    value: object = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value
