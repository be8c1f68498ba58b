"""The browser broker: sessions, observation, identity, acting. The only room that knows selectors and handles."""

from ._acting import Effect, EffectKind
from ._broker import Broker
from ._consent import Banner, BannerOutcome, dismiss_banner, find_banner
from ._errors import BrowserError, ControlError, FillError
from ._identity import Identity, identity, same_reading
from ._launch import BrowserStatus, browser_status, find_browser
from ._session import Scrolled, Session
from ._traffic import Tally
from ._typing import Filled, ValueKind
from .observation import Box, Control, Form, Frame, Node, Observation, Overlay, Rank

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
