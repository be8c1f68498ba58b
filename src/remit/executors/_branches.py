"""The list and all that branches off it: other periods, archives, accounts, tabs. Each is read once, with one budget.

A state is entered by one use of one control. Coming back to it is opening its address again, or using the next control
of the same group where it still stands; nothing is used a second time to come back.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from enum import StrEnum

from remit.browser import (
    Chosen,
    Frame,
    Identity,
    Observation,
    Session,
    Way,
    find_pager,
    find_popups,
    find_routes,
    identity,
    menu_items,
    says_none,
)
from remit.contract import Reason, RemitError
from remit.handoff import NeedsPersonError
from remit.loop import Budget, Ending, LoopOutcome, run_bounded
from remit.records import DateInterval, read_date, year_in
from remit.runs import Call

from ._exploring import find
from ._forks import Fork, Route, Skipped, Told, press, signed_out, state_of, use
from ._harvest import Harvest, Wanted
from ._paging import OnPage, Paging
from ._rows import Key
from ._same_list import SameList
from ._sight import calm_sight

DEPTH = 3
MOST_POPUPS = 3
ARRIVE_S = 6.0
"""How long the list of another branch may take to appear after the control was used, in seconds."""
FINAL = frozenset({
    Reason.SIGNED_OUT, Reason.TIME_LIMIT, Reason.ACTION_LIMIT, Reason.SESSION_LOST, Reason.LEFT_SITE,
    Reason.BROWSER_FAILED, Reason.EXHAUSTED,
})  # fmt: skip
"""After these nothing more is tried."""


class Arrived(StrEnum):
    """What a way led to."""

    LIST = "a list"
    EMPTY = "a page that says that there is none"
    SAME = "a list that was read"


class Branches:
    """Reads the list where the session stands, then whatever leads to more of it, depth first."""

    def __init__(self, call: Call, session: Session, budget: Budget, harvest: Harvest, wanted: Wanted) -> None:
        self._call = call
        self._session = session
        self._budget = budget
        self._harvest = harvest
        self._wanted = wanted
        self._same: SameList | None = None
        self._forks: list[Fork] = []
        self._here: tuple[Route, ...] = ()
        self._goes_on = self._first_is_read = False
        self._states: set[str] = set()
        self._lists: set[tuple[object, ...]] = set()
        self.told = Told()
        self.on_page: OnPage = lambda _onward, _ended: None
        self.on_branch: Callable[[Frame, Chosen], None] = lambda _frame, _chosen: None

    async def read_all(self, first: Chosen, *, goes_on: bool = False, is_read: bool = False) -> None:
        """All branches; `told` says what became of each.

        `goes_on`: the first page is a later one of its list; or the list `is_read`, and only what branches off it is
        not.
        """
        self._same = SameList(self._wanted, first)
        self._goes_on, self._first_is_read = goes_on, is_read
        await self._branch((), in_place=False, covered=frozenset())
        while self._forks and self.told.stop is None:
            fork = self._forks[-1]
            if not fork.routes:
                self._forks.pop()
                continue
            await self._follow(fork, fork.routes.pop(0))
        for fork in self._forks:
            if fork.routes:
                self.told.unread[self.told.stop or Reason.EXHAUSTED] += len(fork.routes)

    # -- one branch

    async def _branch(self, path: tuple[Route, ...], *, in_place: bool, covered: frozenset[str]) -> None:
        """Read the branch the page shows and note the ways that lead on from it."""
        seen = await calm_sight(self._session)
        address = self._session.url
        self._states.add(state_of(address))
        chosen = self._find(seen.main)
        routes = self._routes(seen.main, chosen, covered) if chosen is not None else []
        keys = frozenset(self._keys(seen.main))
        if chosen is not None:
            self._lists.add(self._signature(seen.main, chosen))
            self.on_branch(seen.main, chosen)
        if self._first_is_read and chosen is not None:
            self._first_is_read = self._goes_on = False
            self.told.announced.append(find_pager(seen.main, chosen.list).announced.total or chosen.list.announced)
            reason = None
        else:
            reason = await self._pages()
        self.told.read += 1
        if chosen is not None and not path and reason is None:
            routes += await self._in_popups()
        if routes and len(path) >= DEPTH:
            self.told.unread[Reason.DEPTH_LIMIT] += len(routes)
        elif routes:
            groups = tuple(route.way.group for route in routes)
            marked = {way.group for way in find_routes(seen.main, chosen.list) if way.current} if chosen else set()
            self._forks.append(Fork(address, in_place, path, keys, covered, routes, groups, marked))
        if reason is not None and (reason in FINAL or not path):
            self.told.stop = reason
        elif reason is not None:
            self.told.unread[reason] += 1

    async def _pages(self) -> Reason | None:
        assert self._same is not None
        self._harvest.begin(shown=self._harvest.shown if self._goes_on else 0)
        paging = Paging(self._call, self._session, self._budget, self._harvest, self._same.find, self._wanted)
        paging.on_page, paging.goes_on = self.on_page, self._goes_on
        self._goes_on = False
        outcome: LoopOutcome[None] = await run_bounded(paging, self._budget)
        paging.leave_all()
        told, harvest = self.told, self._harvest
        told.announced.append(paging.announced)
        if outcome.ending is Ending.COMPLETED:
            said = paging.announced
            told.mismatch |= said is not None and (said != harvest.shown or bool(harvest.repeats_here))
            told.mismatch |= paging.unsteady
        told.truncated |= paging.truncated or harvest.torn
        return None if outcome.ending is Ending.COMPLETED else (outcome.reason or Reason.EXHAUSTED)

    def _find(self, frame: Frame) -> Chosen | None:
        assert self._same is not None
        return self._same.find(frame)

    # -- the ways

    def _routes(self, frame: Frame, chosen: Chosen, covered: frozenset[str]) -> list[Route]:
        """The ways that lead to what was not read yet, as they are found again."""
        ways = [way for way in find_routes(frame, chosen.list) if way.group not in covered]
        return [Route(way, identity(frame, frame.controls[way.control])) for way in self._without_covered(ways)]

    async def _in_popups(self) -> list[Route]:
        """The ways that closed menus hold. Each menu is opened once, so what has no address of its own stays unread."""
        routes: list[Route] = []
        opened: set[Identity] = set()
        while (opener := await self._closed_popup(opened)) is not None:
            seen, control = opener
            before = {identity(seen.main, each) for each in seen.main.controls if each.visible}
            if not self._budget.spend_actions():
                self.told.unread[Reason.ACTION_LIMIT] += 1
                break
            await press(self._call, self._session, seen, control, "a menu beside a list")
            frame = (await calm_sight(self._session)).main
            items = menu_items(frame, before)
            led = [way for way in items if way.named]
            routes += [Route(way, identity(frame, frame.controls[way.control]), hidden=True) for way in led]
            if len(led) < len(items) or not items:
                self.told.unread[Reason.ROUTES_UNREAD] += max(1, len(items) - len(led))
        return routes

    async def _closed_popup(self, opened: set[Identity]) -> tuple[Observation, int] | None:
        """A menu that was not opened yet, on the page as it stands."""
        seen = await calm_sight(self._session)
        chosen = self._find(seen.main)
        for control in find_popups(seen.main, chosen.list) if chosen is not None else ():
            known = identity(seen.main, seen.main.controls[control])
            if known not in opened and len(opened) < MOST_POPUPS:
                opened.add(known)
                return seen, control
        return None

    def _without_covered(self, ways: Iterable[Way]) -> list[Way]:
        """Without the present ones, those outside the period, and those that one which shows all makes needless."""
        ways = list(ways)
        shown = {way.group for way in ways if way.whole}
        kept = []
        for way in ways:
            if way.current:
                continue
            if way.group in shown and not way.whole:
                self.told.skipped[Skipped.COVERED] += 1
            elif self._is_outside(way):
                self.told.skipped[Skipped.OUTSIDE_PERIOD] += 1
            else:
                kept.append(way)
        return kept

    def _is_outside(self, way: Way) -> bool:
        if way.kind != "period" or self._wanted.period_field is None:
            return False
        label = way.label.split("(")[0].strip()
        dated, year = read_date(label), year_in(label)
        if not isinstance(dated, DateInterval) and year is not None and label == str(year):
            dated = DateInterval.year(year)
        return isinstance(dated, DateInterval) and self._wanted.period.place(dated) == "outside"

    async def _follow(self, fork: Fork, route: Route) -> None:
        """Take one way and read what it shows; the reason why not is counted."""
        try:
            failure = await self._take(fork, route)
        except NeedsPersonError:
            raise
        except RemitError as error:
            failure = error.reason
        if failure is None:
            return
        if failure in FINAL:
            self.told.stop = failure
        if failure is Reason.NO_RECORDS and not route.way.named:
            self.told.elsewhere += 1
        else:
            self.told.unread[failure] += 1

    async def _take(self, fork: Fork, route: Route) -> Reason | None:
        if self._budget.out_of_time:
            return Reason.TIME_LIMIT
        if self._leads_to_read(route):
            self.told.skipped[Skipped.COVERED] += 1
            return None
        found = await self._prepared(fork, route)
        if isinstance(found, Reason):
            return found
        seen, control = found
        if control is not None and await self._is_chosen(seen, control, route.way):
            return None
        if not self._budget.spend_actions():
            return Reason.ACTION_LIMIT
        before, keys = self._session.url, self._keys(seen.main)
        self._here = (*fork.path, route)
        if control is None:
            await self._session.goto(route.control.destination)
        else:
            await use(self._call, self._session, seen, control, route.way)
        if not self._session.inside:
            return Reason.LEFT_SITE
        arrived = await self._arrive(keys, before)
        if arrived in (Arrived.SAME, Reason.NO_EFFECT):
            return self._same_again(fork, route)
        if isinstance(arrived, Reason):
            return arrived
        if arrived is Arrived.EMPTY:
            self.told.read += 1
            return None
        shown = frozenset(self._keys((await calm_sight(self._session)).main))
        if shown == fork.keys and not route.way.whole and self._same_again(fork, route) is None:
            return None
        in_place = fork.in_place or state_of(self._session.url) == state_of(before)
        await self._branch(self._here, in_place=in_place, covered=fork.covered_by(route))
        return None

    async def _prepared(self, fork: Fork, route: Route) -> tuple[Observation, int | None] | Reason:
        """The control where it may be used: here, or at the fork's address again; None where its address is opened."""
        seen = await calm_sight(self._session)
        if route.hidden:
            return seen, None
        control = find(seen.main, route.control)
        if isinstance(control, int) and self._stands(fork, route):
            return seen, control
        if fork.in_place:
            return Reason.CONTROL_GONE
        if not self._budget.spend_actions():
            return Reason.ACTION_LIMIT
        await self._session.goto(fork.address)
        self._here = fork.path
        seen = await calm_sight(self._session)
        shown = self._keys(seen.main)
        if 2 * len(fork.keys.intersection(shown)) < len(fork.keys):
            return Reason.TARGET_CHANGED  # the site keeps elsewhere what was chosen: this is another state by now
        control = find(seen.main, route.control)
        return control if isinstance(control, Reason) else (seen, control)

    def _stands(self, fork: Fork, route: Route) -> bool:
        """An address leads to the same from anywhere; else the state is the fork's but for this very group."""
        here = self._here
        if route.control.destination.startswith("http") or here == fork.path:
            return True
        return here[:-1] == fork.path and here[-1].way.group == route.way.group

    async def _is_chosen(self, seen: Observation, control: int, way: Way) -> bool:
        if way.option is None:
            return False
        told = await self._session.options(seen, 0, control)
        return told.chosen == way.option or way.option in told.disabled

    async def _arrive(self, keys: list[Key], before: str) -> Arrived | Reason:
        """Wait for the list of the branch."""
        deadline = time.monotonic() + ARRIVE_S
        while True:
            seen = await calm_sight(self._session)
            shown = self._keys(seen.main)
            if shown and (shown != keys or state_of(self._session.url) != state_of(before)):
                return Arrived.SAME if self._is_read(seen.main) else Arrived.LIST
            if not shown and says_none(seen.main):
                return Arrived.EMPTY
            if time.monotonic() >= deadline:
                return Reason.SIGNED_OUT if signed_out(seen) else Reason.NO_EFFECT if shown else Reason.NO_RECORDS
            await self._session.changed(0.5)

    def _keys(self, frame: Frame) -> list[Key]:
        chosen = self._find(frame)
        return [] if chosen is None else self._harvest.keys(frame, chosen.list)

    def _same_again(self, fork: Fork, route: Route) -> Reason | None:
        """The first of a group in which none is marked as the present one is it; any other had no effect."""
        group = route.way.group
        of_group = [each for each in fork.groups if each == group]
        left = sum(1 for each in fork.routes if each.way.group == group)
        if group in fork.marked or len(of_group) < 2 or left != len(of_group) - 1:
            return Reason.NO_EFFECT
        self.told.skipped[Skipped.COVERED] += 1
        return None

    def _is_read(self, frame: Frame) -> bool:
        """The list as it stands was read under another address: the same rows, and the same way on or none."""
        chosen = self._find(frame)
        return chosen is not None and self._signature(frame, chosen) in self._lists

    def _signature(self, frame: Frame, chosen: Chosen) -> tuple[object, ...]:
        pager = find_pager(frame, chosen.list)
        onward = pager.onward
        way = "" if onward is None else frame.controls[onward.control].href
        if pager.scrolls is not None or (onward is not None and not way.startswith("http")):
            return (object(),)  # where that leads cannot be told before it is used: like no other
        return tuple(self._harvest.keys(frame, chosen.list)), way and state_of(way), pager.announced.total

    def _leads_to_read(self, route: Route) -> bool:
        destination = route.control.destination
        return destination.startswith("http") and "#" not in destination and state_of(destination) in self._states
