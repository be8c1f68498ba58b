"""Reading a list page after page, as a bounded task. A full page proves no end; a click is never repeated."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from remit.browser import (
    Chosen,
    ControlError,
    Frame,
    Observation,
    Pager,
    PagerLink,
    Session,
    find_pager,
    is_forbidden,
    same_reading,
    says_none,
)
from remit.contract import Reason
from remit.loop import Budget, Proposal, Verdict, VerdictKind
from remit.runs import Call, EffectKind, Settled

from ._details import complete
from ._forks import signed_out
from ._harvest import Harvest, Pending, Wanted
from ._opening import opener_of, own_part
from ._rows import Key
from ._sight import calm_sight

SWAP_S = 8.0
"""How long a page may take to exchange the rows of a list after a click, in seconds."""

OPEN_S = 2.0
"""How long a row may take to show its details once it is opened, in seconds."""

GROW_S = 1.0
"""How long a list that scrolls is watched at its end for more, in seconds."""

Select = Callable[[Frame], Chosen | None]
"""Finds the list again on a page."""
OnPage = Callable[[str | None, bool], None]
"""Told when a page was read: where the next is, if it can be opened without a click, and whether there is none."""


@dataclass(frozen=True, slots=True)
class Step:
    """What leads on: a control, or scrolling."""

    kind: Literal["rewind", "next", "more", "scroll", "open"]
    control: int | None = None


class Paging:
    """The adapter. Its postcondition: the list was seen to end."""

    def __init__(
        self, call: Call, session: Session, budget: Budget, harvest: Harvest, select: Select, wanted: Wanted
    ) -> None:
        self._call = call
        self._session = session
        self._budget = budget
        self._harvest = harvest
        self._select = select
        self._wanted = wanted
        self._chosen: Chosen | None = None
        self._page: frozenset[Key] = frozenset()
        self._unsent: Reason | None = None
        self._pager = Pager()
        self._latest: Observation | None = None
        self._frame = 0
        self._list_control: int | None = None
        self._began = False
        self._at_end = False
        self._waited = False
        self.truncated = False
        self._visited: set[int] = set()
        self.announced: int | None = None
        self.unsteady = False
        """The announced number changed from page to page: rows came or went meanwhile, and may have been passed by."""
        self.on_page: OnPage = lambda _onward, _ended: None
        self.goes_on = False
        """The list is taken up in its middle, where an earlier process was: it is not read from its beginning."""

    async def observe(self) -> Observation:
        """The page, calm."""
        return await calm_sight(self._session)

    async def verify(self, seen: Observation, last: Proposal[Step] | None) -> Verdict[None]:
        """Read what is new; reached when nothing leads on."""
        if last is not None and last.action.kind == "open":
            return await self._opened(seen)
        if self._unsent is not None:
            return Verdict(VerdictKind.IMPOSSIBLE, reason=self._unsent)
        deadline = time.monotonic() + min(SWAP_S, max(1.0, self._budget.seconds_left))
        while True:
            chosen = self._select(seen.main)
            if chosen is not None:
                keys = self._harvest.keys(seen.main, chosen.list)
                scrolled = last is not None and last.action.kind == "scroll"
                if scrolled and self._at_end and not self._harvest.is_new(keys) and await self._grows():
                    seen = await calm_sight(self._session)
                    continue
                if last is None or scrolled or self._harvest.is_new(keys):
                    self._at_end = self._at_end and not self._harvest.is_new(keys)
                    return self._read(seen, chosen, keys, last)
            elif self._began and says_none(seen.main):
                return Verdict(VerdictKind.REACHED)
            elif signed_out(seen):
                return Verdict(VerdictKind.IMPOSSIBLE, reason=Reason.SIGNED_OUT)
            left = deadline - time.monotonic()
            if left <= 0:
                reason = Reason.NO_RECORDS if chosen is None else Reason.NO_EFFECT
                return Verdict(VerdictKind.IMPOSSIBLE, reason=reason)
            await self._session.changed(min(1.0, left))
            seen = await calm_sight(self._session)

    async def _opened(self, seen: Observation) -> Verdict[None]:
        """What the opened row shows now is added to its record, and to no other."""
        pending = self._harvest.closed.popleft()
        entry, lacking = pending.entry, pending.missing
        deadline = time.monotonic() + OPEN_S
        while self._unsent is None:
            chosen = self._select(seen.main)
            part = own_part(seen.main, chosen, pending, self._page) if chosen is not None else None
            if part is not None:
                entry, lacking = complete(pending, seen.main, self._wanted, part)
            left = deadline - time.monotonic()
            if (part is not None and not lacking) or left <= 0:
                break
            await self._session.changed(min(0.5, left))
            seen = await calm_sight(self._session)
        self._unsent = None
        self._leave(replace(pending, entry=entry, missing=lacking))
        chosen = self._select(seen.main)
        if chosen is None:
            reason = Reason.SIGNED_OUT if signed_out(seen) else Reason.NO_RECORDS
            return Verdict(VerdictKind.IMPOSSIBLE, reason=reason)
        self._harvest.saw(self._harvest.keys(seen.main, chosen.list))
        self._hold(seen, chosen)
        return self._onward()

    def _leave(self, pending: Pending) -> None:
        """A row is done with: what it still lacks may be on its own page, else it is said to be unread."""
        if pending.missing and pending.address:
            self._harvest.pending.append(pending)
            return
        self._harvest.settle(pending)

    def _pass_over(self) -> None:
        """Rows that cannot be told apart, or whose control is gone, are left closed."""
        closed = self._harvest.closed
        while closed and isinstance(self._opener(), Reason):
            self._harvest.counts.ambiguous += self._opener() is Reason.AMBIGUOUS
            self._leave(closed.popleft())

    def _opener(self) -> int | Reason:
        assert self._latest is not None
        assert self._chosen is not None
        return opener_of(self._latest.main, self._chosen, self._harvest.closed[0])

    def leave_all(self) -> None:
        """The list ends here: rows still closed are kept as the list has them."""
        while self._harvest.closed:
            self._leave(self._harvest.closed.popleft())

    def _hold(self, seen: Observation, chosen: Chosen) -> None:
        """What the next step acts on."""
        self._latest, self._chosen = seen, chosen
        self._pager = find_pager(seen.main, chosen.list)
        self._frame = seen.main.index
        self._list_control = next((c for row in chosen.list.rows for c in row.controls), None)

    def _onward(self) -> Verdict[None]:
        self._pass_over()
        ended = self._step() is None
        self.on_page(self._address_onward(), ended and not self._harvest.pending)
        return Verdict(VerdictKind.REACHED if ended else VerdictKind.NOT_YET)

    def _address_onward(self) -> str | None:
        """Where the next page is, if it can be opened without using anything, and nothing of this one waits."""
        onward = self._pager.onward
        if onward is None or onward.role == "more" or self._harvest.closed or self._harvest.pending:
            return None
        assert self._latest is not None
        control = self._latest.main.controls[onward.control]
        leads = control.href.startswith("http") and not control.raw_href.startswith(("#", "javascript:"))
        return control.href if leads else None

    async def _grows(self) -> bool:
        """At the end of what scrolls, more may still be on its way."""
        if self._waited:
            return False
        self._waited = True
        return await self._session.changed(GROW_S)

    def _read(self, seen: Observation, chosen: Chosen, keys: list[Key], last: Proposal[Step] | None) -> Verdict[None]:
        frame = seen.main
        self._hold(seen, chosen)
        if not self._began and self._rewind() is not None:
            return Verdict(VerdictKind.NOT_YET)
        self._began = True
        scrolled = last is not None and last.action.kind == "scroll"
        if not scrolled and hash(tuple(keys)) in self._visited:
            return Verdict(VerdictKind.IMPOSSIBLE, reason=Reason.NO_EFFECT)
        self._visited.add(hash(tuple(keys)))
        self._page = frozenset(keys)
        self.truncated = self.truncated or frame.truncated
        with self._call.together():
            self._harvest.take(frame, chosen.list, chosen.columns, overlapping=scrolled)
            self._announce(chosen)
            return self._onward()

    def _announce(self, chosen: Chosen) -> None:
        said = self._pager.announced.total if self._pager.announced.total is not None else chosen.list.announced
        self.unsteady |= said is not None and self.announced is not None and said != self.announced
        self.announced = said if said is not None else self.announced
        counts = self._harvest.counts
        self._call.progress(counts.pages, self._pager.last_number, f"page {counts.pages}, {counts.exported} records")

    def _rewind(self) -> PagerLink | None:
        """A list that opens in its middle is read from its beginning."""
        if self.goes_on:
            return None
        current, span = self._pager.current, self._pager.announced.span
        if (current or 1) <= 1 and (span is None or span[0] <= 1):
            return None
        first = next((p for p in self._pager.pages if p.number == 1 and p.state == "live"), None)
        return self._pager.link("first") or first or self._pager.prev

    def _step(self) -> Step | None:
        if self._harvest.closed and isinstance(opener := self._opener(), int):
            return Step("open", opener)
        onward = self._pager.onward
        if onward is not None:
            return Step("more" if onward.role == "more" else "next", onward.control)
        all_seen = self.announced is not None and self.announced == self._harvest.shown
        if self._pager.scrolls is not None and not self._at_end and not all_seen:
            return Step("scroll")
        return None

    def resolve(self, seen: Observation, feedback: Reason | None) -> Proposal[Step] | None:
        """The one step that continues the list."""
        del seen
        if feedback is not None:
            return None
        if not self._began and (back := self._rewind()) is not None:
            return Proposal(Step("rewind", back.control))
        step = self._step()
        return Proposal(step) if step is not None else None

    def admit(self, seen: Observation, proposal: Proposal[Step]) -> Reason | None:
        """Nothing that signs out, deletes, pays or accepts; nothing that reads like something else."""
        frame = (self._latest or seen).main
        control_id = proposal.action.control
        if control_id is None:
            return None
        control = frame.controls[control_id]
        if is_forbidden(control):
            return Reason.NOT_ALLOWED
        return None if control.href or len(same_reading(frame, control)) <= _TWINS else Reason.AMBIGUOUS

    def gate(self, seen: Observation, proposal: Proposal[Step]) -> Reason | None:
        """Reading on needs no consent."""
        del seen, proposal
        return None

    async def execute(self, proposal: Proposal[Step]) -> None:
        """One click or one scroll, on what was read; a control that reads otherwise by now is looked for once more."""
        seen, step = self._latest, proposal.action
        assert seen is not None
        if step.kind == "scroll":
            self._waited = False
            scrolled = await self._session.scroll(seen, self._frame, self._list_control)
            self._at_end = scrolled.at_end or not scrolled.moved
            return
        try:
            await self._press(seen, step.control)
        except ControlError as error:
            if error.reason not in _UNSENT:
                raise
            await self._press_again(step)

    async def _press_again(self, step: Step) -> None:
        """Nothing was sent: what reads otherwise by now is looked for once more. A row is not: it is another by now."""
        try:
            if step.kind == "open":
                raise ControlError(Reason.TARGET_CHANGED)
            seen = await calm_sight(self._session)
            await self._press(seen, self._again(seen))
        except ControlError as error:
            self._unsent = error.reason if error.reason in _UNSENT else None
            raise

    def _again(self, seen: Observation) -> int | None:
        """The same step in an observation made just now."""
        chosen = self._select(seen.main)
        if chosen is None:
            return None
        self._pager = find_pager(seen.main, chosen.list)
        link = self._rewind() if not self._began else self._pager.onward
        return link.control if link is not None else None

    async def _press(self, seen: Observation, control: int | None) -> None:
        if control is None:
            raise ControlError(Reason.CONTROL_GONE)
        effect = None

        def on_dispatch() -> None:
            nonlocal effect
            effect = self._call.intend(EffectKind.CLICK, "page of a list")

        await self._session.click(seen, 0, control, on_dispatch=on_dispatch)
        if effect is not None:
            effect.settle(Settled.OBSERVED)


_UNSENT = frozenset({Reason.TARGET_CHANGED, Reason.CONTROL_GONE, Reason.COVERED, Reason.CONTROL_DISABLED})
"""What a click ends with where nothing was pressed."""

_TWINS = 2
"""The same pager often stands above and below its list."""
