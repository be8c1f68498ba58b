"""The ways from a state of a list: how each is found again, what it combines with, and using it once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from urllib.parse import parse_qsl, urlsplit

from remit.browser import Control, Identity, LoginTarget, Observation, Session, Way, is_forbidden, login_target
from remit.contract import Reason
from remit.runs import Call, Effect, EffectKind, Settled

from ._rows import Key
from ._sight import calm_sight

APPLY_S = 0.5
"""How long a choice may take to act by itself before the button beside it is pressed, in seconds."""


class Skipped(StrEnum):
    """Why a way was not taken although nothing stood against it."""

    OUTSIDE_PERIOD = "outside the period"
    COVERED = "shown by another way"


@dataclass(frozen=True, slots=True)
class Route:
    """A way as it is found again: by the control's identity, and the option's place; `hidden` in a menu that closes."""

    way: Way
    control: Identity
    hidden: bool = False


@dataclass(slots=True)
class Fork:
    """A state of the list. `address` brings it back, unless `in_place`: then what was used is not in the address.

    `covered` are the groups whose combinations with what led here are met elsewhere; `groups` has the group of each
    route at first, in order, and `marked` those of which one is known to be the present one.
    """

    address: str
    in_place: bool
    path: tuple[Route, ...]
    keys: frozenset[Key]
    covered: frozenset[str]
    routes: list[Route]
    groups: tuple[str, ...]
    marked: set[str]

    def covered_by(self, route: Route) -> frozenset[str]:
        """Each combination is met once: a way combines with the groups that come after its own."""
        groups = tuple(dict.fromkeys(self.groups))
        at = groups.index(route.way.group)
        onward = route.way.kind == "archive" and bool(route.control.destination)  # archives lead on to older ones
        return self.covered | set(groups[: at if onward else at + 1])


@dataclass(slots=True)
class Told:
    """What was read, and what was seen and not read, by its cause."""

    read: int = 0
    unread: Counter[Reason] = field(default_factory=Counter)
    skipped: Counter[Skipped] = field(default_factory=Counter)
    elsewhere: int = 0
    announced: list[int | None] = field(default_factory=list)
    mismatch: bool = False
    truncated: bool = False
    goes_on: bool = False
    """Another process began it: what it had read can be told again by links alone."""
    stop: Reason | None = None


async def use(call: Call, session: Session, seen: Observation, control: int, way: Way) -> None:
    """Use the way once, journaled."""
    effects: list[Effect] = []

    def on_dispatch() -> None:
        effects.append(call.intend(EffectKind.CLICK, f"another {way.kind} of a list"))

    if way.option is not None:
        effect = await session.choose(seen, 0, control, way.option, on_dispatch=on_dispatch)
        if effect.kind in ("none", "changed") and not await session.changed(APPLY_S):
            await _send(session, seen.main.controls[control], on_dispatch)
    else:
        await session.click(seen, 0, control, on_dispatch=on_dispatch)
    for each in effects:
        each.settle(Settled.OBSERVED)


async def press(call: Call, session: Session, seen: Observation, control: int, what: str) -> None:
    """Use a control once, journaled as `what`."""
    effects: list[Effect] = []
    await session.click(seen, 0, control, on_dispatch=lambda: effects.append(call.intend(EffectKind.CLICK, what)))
    for each in effects:
        each.settle(Settled.OBSERVED)


async def _send(session: Session, select: Control, on_dispatch: Callable[[], None]) -> None:
    """A choice that waits for the one button of its form; a form that posts is left alone."""
    seen = await calm_sight(session)
    frame = seen.main
    again = [c for c in frame.controls if c.tag == "select" and _alike(c, select)]
    forms = [form for form in frame.forms if again and form.id == again[0].form and form.method == "get"]
    buttons = [c for form in forms for c in frame.fields_of(form) if c.role == "button" and c.usable]
    if len(again) == 1 and len(buttons) == 1 and not is_forbidden(buttons[0]):
        await session.click(seen, 0, buttons[0].id, on_dispatch=on_dispatch)


def _alike(one: Control, other: Control) -> bool:
    """The same field, whatever is chosen in it."""
    return (one.html_name, one.html_id, one.options) == (other.html_name, other.html_id, other.options)


def signed_out(seen: Observation) -> bool:
    """The page asks to sign in."""
    return isinstance(login_target(seen, frozenset({seen.main.origin})), LoginTarget)


def state_of(address: str) -> str:
    """An address without what does not matter: the order of its query, and its fragment."""
    parts = urlsplit(address)
    return f"{parts.netloc}{parts.path}?{sorted(parse_qsl(parts.query, keep_blank_values=True))}"
