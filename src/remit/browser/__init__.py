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
from ._announced import Announced
from ._choose_list import Chosen, choose_list, map_fields
from ._links import Lead, is_forbidden, record_areas, row_detail_link
from ._lists import find_lists
from ._pager import Pager, PagerLink, find_pager
from ._record_list import Cell, Column, RecordList, Row

__all__ = [
    "Announced",
    "Banner",
    "BannerOutcome",
    "Box",
    "Broker",
    "BrowserError",
    "BrowserStatus",
    "Cell",
    "Chosen",
    "Column",
    "Control",
    "ControlError",
    "Effect",
    "EffectKind",
    "FillError",
    "Filled",
    "Form",
    "Frame",
    "Identity",
    "Lead",
    "Node",
    "Observation",
    "Overlay",
    "Pager",
    "PagerLink",
    "Rank",
    "RecordList",
    "Row",
    "Scrolled",
    "Session",
    "Tally",
    "ValueKind",
    "_acting",
    "_broker",
    "_consent",
    "_launch",
    "_session",
    "_traffic",
    "_typing",
    "browser_status",
    "choose_list",
    "dismiss_banner",
    "find_banner",
    "find_browser",
    "find_lists",
    "find_pager",
    "identity",
    "is_forbidden",
    "map_fields",
    "record_areas",
    "row_detail_link",
    "same_reading",
]
