"""Portals drawn at random: a receipt that says complete is true, an untrue world is partial for its own cause."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from remit.browser import Session
from remit.contract import Limits, Reason
from remit.executors import _branches, _paging
from remit.executors._area import select
from remit.executors._branches import Branches
from remit.executors._harvest import Harvest, Wanted
from remit.executors._receipt import Verdict, judge
from remit.loop import Budget
from remit.records import Entry
from remit.runs import Call, Effect
from tests.simulation.portal import Clock, Fault, PagerKind, Plan, Portal

PORTALS = 300
WANTED = Wanted("invoices", ("number", "date"))
CAUSES: dict[Fault, set[Reason]] = {
    "dead": {Reason.NO_EFFECT, Reason.ROUTES_UNREAD},
    "loop": {Reason.NO_EFFECT, Reason.ROUTES_UNREAD, Reason.COUNT_MISMATCH},
    "expires": {Reason.SIGNED_OUT},
    "inserts": {Reason.COUNT_MISMATCH},
    "deletes": {Reason.COUNT_MISMATCH},
    "lies": {Reason.COUNT_MISMATCH},
    "capped": {Reason.COUNT_MISMATCH},
}


@dataclass
class Kept:
    """A dataset in memory."""

    numbers: list[str] = field(default_factory=list)

    def append(self, dataset_id: str, entries: Sequence[Entry]) -> int:
        """Add them."""
        self.numbers += [entry.texts[0] for entry in entries]
        return len(self.numbers)

    def replace(self, dataset_id: str, position: int, entry: Entry) -> None:
        """More was read of one."""
        self.numbers[position] = entry.texts[0]


class Bystander:
    """As much of a call as collecting needs."""

    def progress(self, done: float, total: float | None, message: str) -> None:
        """Nobody listens."""

    def together(self) -> AbstractContextManager[None]:
        """Nothing is on a disk."""
        return nullcontext()

    def intend(self, kind: object, target: str) -> Effect:
        """Nothing is journaled."""
        return Effect(0, lambda _id, _outcome: None)


@st.composite
def plans(draw: Callable[[Any], Any], fault: Fault | None = None) -> Plan:
    """Worlds, sound or with one fault that will be met."""
    which: Fault = fault or draw(st.sampled_from(("none", *CAUSES)))
    size = draw(st.integers(2, 5))
    counts = draw(st.lists(st.integers(2, 14), min_size=1, max_size=3))
    pager: PagerKind = draw(st.sampled_from(("one page", "next", "numbers", "in place", "more", "scroll", "virtual")))
    if which in ("dead", "loop", "expires", "inserts", "deletes"):
        pager = draw(st.sampled_from(("next", "numbers", "in place")))
        counts[-1] = draw(st.integers(size * 2 + 1, size * 4))
    return Plan(
        counts=tuple(counts),
        size=size,
        pager=pager,
        announces=which in ("lies", "capped", "inserts", "deletes") or draw(st.booleans()),
        linked=draw(st.booleans()),
        descending=draw(st.booleans()),
        tabs_in_place=draw(st.booleans()),
        fault=which,
        fault_at=draw(st.integers(1, 2)),
    )


@dataclass
class Seen:
    """How a portal was left."""

    portal: Portal
    numbers: list[str]
    verdict: Verdict


def collected(plan: Plan, *, actions: int = 256) -> Seen:
    """Collect a portal with the real loop, harvest, paging and branches."""
    clock, kept = Clock(), Kept()
    portal = Portal(plan, clock)
    limits = Limits(attempts=256, actions=actions, depth=3, elapsed_s=300, operation_s=30, decision_s=20)
    harvest = Harvest(WANTED, kept, "d")
    session, call = cast("Session", portal), cast("Call", Bystander())
    branches = Branches(call, session, Budget(limits, clock.monotonic), harvest, WANTED)

    async def collect() -> None:
        first = select((await portal.observe()).main, WANTED)
        assert first is not None
        await branches.read_all(first)

    asyncio.run(collect())
    return Seen(portal, kept.numbers, judge(harvest, branches.told))


@pytest.fixture(autouse=True)
def own_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waiting takes no time: every wait is over as soon as it is asked for."""
    for module in (_paging, _branches):
        monkeypatch.setattr(module, "time", Ticking())


class Ticking:
    """A clock on which every look is a second later."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        """As `time.monotonic`."""
        self.now += 1.0
        return self.now


often = settings(
    max_examples=PORTALS,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


@often
@given(plans())
def test_what_is_called_complete_is_all_there_is_and_nothing_twice(plan: Plan) -> None:
    seen = collected(plan)
    if seen.verdict.complete:
        assert plan.fault == "none"
        assert sorted(seen.numbers) == sorted(seen.portal.truth)
    elif plan.fault != "none":
        assert seen.verdict.reason in CAUSES[plan.fault]
    assert max(seen.portal.presses.values(), default=0) <= 1


@often
@given(plans(fault="none"))
def test_a_sound_portal_is_read_whole(plan: Plan) -> None:
    seen = collected(plan)
    assert (seen.verdict.reason, sorted(seen.numbers)) == (None, sorted(seen.portal.truth))


@settings(often, max_examples=60)
@given(plans(fault="none"), st.integers(1, 6))
def test_whatever_the_budget_no_row_comes_twice_and_the_limit_is_named(plan: Plan, actions: int) -> None:
    seen = collected(plan, actions=actions)
    assert len(seen.numbers) == len(set(seen.numbers))
    assert seen.verdict.complete == (set(seen.numbers) == seen.portal.truth and seen.verdict.reason is None)
    assert seen.verdict.reason in (None, Reason.ACTION_LIMIT)
