"""A portal without a browser: pages are made from a world's state, and controls change that state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import parse_qs, urlsplit

from remit.browser import Effect, Observation, Scrolled, identity
from remit.browser.observation import Control
from tests.browser.by_hand import observed
from tests.browser.forms_builder import field as text_field
from tests.browser.forms_builder import form, page, secret, submit

PagerKind = Literal["one page", "next", "numbers", "in place", "more", "scroll", "virtual"]
Fault = Literal["none", "dead", "loop", "expires", "inserts", "lies", "capped", "deletes"]
BASE = "http://shop.test/invoices"
SIGN_IN = page(form(text_field("Email", autocomplete="username"), secret(), submit("Log in")))


@dataclass(frozen=True)
class Plan:
    """A world before it is visited. `fault_at` is the page of the last branch at which the fault shows, from 1."""

    counts: tuple[int, ...]
    size: int
    pager: PagerKind
    announces: bool
    linked: bool
    descending: bool
    tabs_in_place: bool
    fault: Fault = "none"
    fault_at: int = 1


@dataclass
class Clock:
    """Seconds that pass only while somebody waits."""

    now: float = 0.0

    def monotonic(self) -> float:
        """As `time.monotonic`."""
        return self.now


@dataclass
class Portal:
    """Speaks the part of a session's interface that collecting uses; every press is written down."""

    plan: Plan
    clock: Clock
    url: str = BASE
    inside: bool = True
    home: str = BASE
    branch: int = 0
    page: int = 1
    signed_out: bool = False
    came: int = 0
    presses: Counter[tuple[object, ...]] = field(default_factory=Counter)
    pages_shown: int = 0

    # -- what is there

    def rows(self, branch: int) -> list[str]:
        """The numbers of a branch in the order of its list."""
        made = [f"B{branch}-{n:03}" for n in range(1, self.plan.counts[branch] + 1)]
        return made[::-1] if self.plan.descending else made

    @property
    def truth(self) -> set[str]:
        """Every record there is when the first page is seen."""
        return {number for branch in range(len(self.plan.counts)) for number in self.rows(branch)}

    @property
    def _faulty(self) -> bool:
        return self.branch == len(self.plan.counts) - 1

    def _served(self) -> list[str]:
        rows = self.rows(self.branch)
        fault = self.plan.fault if self._faulty else "none"
        if fault == "capped":
            rows = rows[: max(1, len(rows) // 2)]
        if fault == "inserts":
            rows = [f"NEW-{n}" for n in range(self.came)] + rows
        if fault == "deletes" and self.came:
            rows = rows[1:]
        return rows

    @property
    def last_page(self) -> int:
        """The number of the branch's last page."""
        return max(1, -(-len(self._served()) // self.plan.size))

    # -- the page

    def html(self) -> str:
        """What stands on the page now."""
        rows, size = self._served(), self.plan.size
        start = (self.page - 1) * size
        if self.plan.pager in ("more", "scroll"):
            shown = rows[: self.page * size]
        elif self.plan.pager == "virtual":
            start = min(start, max(0, len(rows) - size - 1))
            shown = rows[start : start + size + 1]
        elif self.plan.pager == "one page":
            shown = rows
        else:
            shown = rows[start : start + size]
        return f"<main><h1>Invoices</h1>{self._tabs()}{self._said()}{self._list(shown)}{self._onward()}</main>"

    def _list(self, shown: list[str]) -> str:
        if not shown:
            return "<p>No invoices found</p>"
        link = (lambda n: f"<a href=/i/{n}>{n}</a>") if self.plan.linked else (lambda n: n)
        body = "".join(f"<tr><td>{link(n)}</td><td>2026-01-{int(n[-3:], 36) % 27 + 1:02}</td></tr>" for n in shown)
        table = f"<table><thead><tr><th>Number</th><th>Date</th></tr></thead><tbody>{body}</tbody></table>"
        scrolls = self.plan.pager in ("scroll", "virtual")
        return f"<div data-scrolls={900 if scrolls else 0}>{table}</div>"

    def _tabs(self) -> str:
        names = ("Open", "Paid", "Overdue")[: len(self.plan.counts)]
        if len(names) < 2:
            return ""
        if self.plan.tabs_in_place:
            return f"<div role=tablist>{''.join(f'<button role=tab>{name}</button>' for name in names)}</div>"
        return "<ul>" + "".join(f"<li><a href='?b={at}'>{name}</a></li>" for at, name in enumerate(names)) + "</ul>"

    def _said(self) -> str:
        if not self.plan.announces:
            return ""
        total = len(self._served() if self.plan.fault in ("inserts", "deletes") else self.rows(self.branch))
        total += 3 if self.plan.fault == "lies" and self._faulty else 0
        return f"<p>{total} invoices</p>"

    def _onward(self) -> str:
        if self.page >= self.last_page or self.plan.pager not in ("next", "numbers", "in place", "more"):
            return ""
        query = f"?b={self.branch}&p="
        if self.plan.pager == "next":
            return f"<div class=pagination><a href='{query}{self.page + 1}'>Next</a></div>"
        if self.plan.pager == "numbers":
            near = sorted({1, self.page, self.page + 1, self.last_page})
            links = " ".join(f"<b>{n}</b>" if n == self.page else f"<a href='{query}{n}'>{n}</a>" for n in near)
            return f"<div class=pagination>{links}</div>"
        return (
            f"<div class=pagination><button>{'Next' if self.plan.pager == 'in place' else 'Load more'}</button></div>"
        )

    # -- the session's interface

    async def settle(self) -> bool:
        """Always calm."""
        return True

    async def observe(self, *, content: bool = False, calm: bool = False) -> Observation:
        """The page as data."""
        del content
        self.pages_shown += 1
        return SIGN_IN if self.signed_out else Observation((observed(self.html(), self.url),))

    async def changed(self, timeout_s: float) -> bool:
        """Nothing comes late here; the time passes."""
        self.clock.now += timeout_s
        return False

    async def click(
        self, seen: Observation, frame: int, control: int, *, on_dispatch: Callable[[], None] | None = None
    ) -> Effect:
        """Press a control of the page that was seen."""
        found = seen.frames[frame].controls[control]
        if on_dispatch is not None:
            on_dispatch()
        self.presses[self.url, self.branch, self.page, identity(seen.main, found)] += 1
        before = self.html()
        self._press(found)
        return Effect("changed" if self.html() != before else "none", None)

    async def scroll(self, seen: Observation, frame: int, control: int | None = None) -> Scrolled:
        """One step down."""
        del seen, frame, control
        if self.page >= self.last_page:
            return Scrolled(moved=False, at_end=True)
        self._turn(self.page + 1)
        return Scrolled(moved=True, at_end=self.page >= self.last_page)

    async def goto(self, url: str) -> None:
        """Open an address: what was in place is gone."""
        self.url, self.branch, self.page = url, 0, 1
        asked = parse_qs(urlsplit(url).query)
        self.branch, self.page = int(asked.get("b", ["0"])[0]), int(asked.get("p", ["1"])[0])

    def _press(self, control: Control) -> None:
        if control.role == "tab":
            self.branch, self.page = ("Open", "Paid", "Overdue").index(control.text), 1
        elif control.href:
            asked = parse_qs(urlsplit(control.href).query)
            branch, page = int(asked["b"][0]), int(asked.get("p", ["1"])[0])
            if branch != self.branch:
                self.branch, self.page, self.url = branch, page, control.href
            elif self._turn(page):
                self.url = control.href
        elif control.text in ("Next", "Load more"):
            self._turn(self.page + 1)

    def _turn(self, page: int) -> bool:
        """To another page of the branch; the fault happens on the way."""
        if self._faulty and self.page >= self.plan.fault_at:
            if self.plan.fault == "dead":
                return False
            if self.plan.fault == "loop":
                self.page = 1
                return False
            self.signed_out = self.plan.fault == "expires"
            self.came = 1
        self.page = page
        return True
