"""The browser broker and the recognisers: sessions, observation, identity, acting, and what a page means.

The only room that knows selectors and handles. What needs Playwright or the lexicons is imported when it is first asked
for: a server that has not yet opened a site does without.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from ._errors import BrowserError, ControlError, FillError
from ._identity import Identity, identity, same_reading
from .observation import Box, Control, Form, Frame, Node, Observation, Overlay, Rank

if TYPE_CHECKING:
    from ._acting import Effect, EffectKind
    from ._announced import Announced
    from ._broker import Broker
    from ._choose_list import Chosen, choose_list, map_fields
    from ._code_typing import CodeTyped
    from ._consent import Banner, BannerOutcome, dismiss_banner, find_banner
    from ._downloads import Arrived, Expected
    from ._entries import Entry, SignInEntries, may_lead_in, sign_in_entries
    from ._forms import Certainty, RecognisedForm, Step, classify_forms
    from ._goal_choice import Picked, Unclear, only_navigates, pick
    from ._goals import Signs, Until, Wish, is_reached, is_visible, signs_of
    from ._launch import BrowserStatus, browser_status, find_browser
    from ._links import Lead, is_forbidden, record_areas, row_detail_link
    from ._lists import find_lists
    from ._live import LiveView
    from ._outcome import (
        LoginFact,
        LoginOutcome,
        SignedInSigns,
        account_came,
        challenge_stands,
        login_outcome,
        signed_in_signs,
    )
    from ._pager import Pager, PagerLink, find_pager
    from ._record_list import Cell, Column, RecordList, Row
    from ._routes import Way, find_popups, find_routes, menu_items, row_opener, says_none
    from ._session import Scrolled, Session
    from ._single import single_records
    from ._target import Ambiguous, CodeTarget, LoginTarget, asks_partial_password, code_target, login_target
    from ._traffic import Tally
    from ._typing import Filled, ValueKind
    from ._who import may_name

_LAZY = {
    "_acting": (
        "Effect",
        "EffectKind",
    ),
    "_announced": ("Announced",),
    "_broker": ("Broker",),
    "_choose_list": (
        "Chosen",
        "choose_list",
        "map_fields",
    ),
    "_code_typing": ("CodeTyped",),
    "_consent": (
        "Banner",
        "BannerOutcome",
        "dismiss_banner",
        "find_banner",
    ),
    "_downloads": (
        "Arrived",
        "Expected",
    ),
    "_entries": (
        "Entry",
        "SignInEntries",
        "may_lead_in",
        "sign_in_entries",
    ),
    "_forms": (
        "Certainty",
        "RecognisedForm",
        "Step",
        "classify_forms",
    ),
    "_goal_choice": (
        "Picked",
        "Unclear",
        "only_navigates",
        "pick",
    ),
    "_goals": (
        "Signs",
        "Until",
        "Wish",
        "is_reached",
        "is_visible",
        "signs_of",
    ),
    "_launch": (
        "BrowserStatus",
        "browser_status",
        "find_browser",
    ),
    "_links": (
        "Lead",
        "is_forbidden",
        "record_areas",
        "row_detail_link",
    ),
    "_lists": ("find_lists",),
    "_live": ("LiveView",),
    "_outcome": (
        "LoginFact",
        "LoginOutcome",
        "SignedInSigns",
        "account_came",
        "challenge_stands",
        "login_outcome",
        "signed_in_signs",
    ),
    "_pager": (
        "Pager",
        "PagerLink",
        "find_pager",
    ),
    "_record_list": (
        "Cell",
        "Column",
        "RecordList",
        "Row",
    ),
    "_routes": (
        "Way",
        "find_popups",
        "find_routes",
        "menu_items",
        "row_opener",
        "says_none",
    ),
    "_single": ("single_records",),
    "_session": (
        "Scrolled",
        "Session",
    ),
    "_who": ("may_name",),
    "_target": (
        "Ambiguous",
        "CodeTarget",
        "LoginTarget",
        "asks_partial_password",
        "code_target",
        "login_target",
    ),
    "_traffic": ("Tally",),
    "_typing": (
        "Filled",
        "ValueKind",
    ),
}
_HOMES = {name: module for module, names in _LAZY.items() for name in names}


def __getattr__(name: str) -> object:
    """Import the module of a public name when the name is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value


__all__ = [
    "Ambiguous",
    "Announced",
    "Arrived",
    "Banner",
    "BannerOutcome",
    "Box",
    "Broker",
    "BrowserError",
    "BrowserStatus",
    "Cell",
    "Certainty",
    "Chosen",
    "CodeTarget",
    "CodeTyped",
    "Column",
    "Control",
    "ControlError",
    "Effect",
    "EffectKind",
    "Entry",
    "Expected",
    "FillError",
    "Filled",
    "Form",
    "Frame",
    "Identity",
    "Lead",
    "LiveView",
    "LoginFact",
    "LoginOutcome",
    "LoginTarget",
    "Node",
    "Observation",
    "Overlay",
    "Pager",
    "PagerLink",
    "Picked",
    "Rank",
    "RecognisedForm",
    "RecordList",
    "Row",
    "Scrolled",
    "Session",
    "SignInEntries",
    "SignedInSigns",
    "Signs",
    "Step",
    "Tally",
    "Unclear",
    "Until",
    "ValueKind",
    "Way",
    "Wish",
    "account_came",
    "asks_partial_password",
    "browser_status",
    "challenge_stands",
    "choose_list",
    "classify_forms",
    "code_target",
    "dismiss_banner",
    "find_banner",
    "find_browser",
    "find_lists",
    "find_pager",
    "find_popups",
    "find_routes",
    "identity",
    "is_forbidden",
    "is_reached",
    "is_visible",
    "login_outcome",
    "login_target",
    "map_fields",
    "may_lead_in",
    "may_name",
    "menu_items",
    "only_navigates",
    "pick",
    "record_areas",
    "row_detail_link",
    "row_opener",
    "same_reading",
    "says_none",
    "sign_in_entries",
    "signed_in_signs",
    "signs_of",
    "single_records",
]
