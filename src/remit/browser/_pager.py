"""The pager of a list: how to reach its other pages, and how long it says it is.

Pure functions over a frame. A pager is data; following it, and deciding that a list has ended, is the collector's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Literal

from remit.browser._announced import Announced, read_announced
from remit.browser._content import Content, content_of
from remit.browser._lexicon import lexicon
from remit.browser._once import once
from remit.browser._pager_evidence import is_pager
from remit.browser._pager_marks import Mark, Role
from remit.browser._pager_runs import Run, runs
from remit.browser._record_list import RecordList
from remit.browser.observation import Frame

State = Literal["live", "disabled", "same"]
"""`same`: the link leads to the page that is shown already, as "Next" does on the last page of some sites."""


@dataclass(frozen=True, slots=True)
class PagerLink:
    """One way to another page. `twins` are equal links elsewhere, above or below the list. `points` is where the arrow
    or the class of "older" and "newer" points.
    """

    role: Role
    control: int
    number: int | None = None
    state: State = "live"
    current: bool = False
    twins: tuple[int, ...] = ()
    points: Literal["next", "prev", ""] = ""


@dataclass(frozen=True, slots=True)
class Pager:
    """All ways found, in page order; `node` is the box that holds them (-1: there is none).

    `ended` are directions that are there as plain text or disabled: the list has no more pages that way. `scrolls`
    says that more
    may come by scrolling: a scrolling box (its node, or 0 for the page) around a list without any other way on.
    """

    links: tuple[PagerLink, ...] = ()
    current: int | None = None
    announced: Announced = field(default_factory=Announced)
    ended: frozenset[Role] = frozenset()
    node: int = -1
    scrolls: int | None = None

    def link(self, role: Role) -> PagerLink | None:
        """The live link of a role."""
        return next((link for link in self.links if link.role == role and link.state == "live"), None)

    @property
    def next(self) -> PagerLink | None:
        """To the following page, by word, arrow or relation."""
        return self.link("next")

    @property
    def prev(self) -> PagerLink | None:
        """To the preceding page."""
        return self.link("prev")

    @property
    def pages(self) -> tuple[PagerLink, ...]:
        """Links to pages by number."""
        return tuple(link for link in self.links if link.role == "page")

    @property
    def last_number(self) -> int | None:
        """The highest page number shown or announced. A windowed pager shows the last only sometimes."""
        shown = [link.number for link in self.pages if link.number is not None]
        numbers = [
            *shown,
            *([self.current] if self.current else []),
            *([self.announced.pages] if self.announced.pages else []),
        ]
        return max(numbers, default=None)

    @property
    def says_end(self) -> bool:
        """The way on is there, as text or disabled."""
        return bool(self.ended & {"next", "older", "more"})

    @property
    def onward(self) -> PagerLink | None:
        """The one step that continues the list: next, else the number after the current page, else older, else load
        more.

        Never a jump over a gap: with "1 2 3 … 294" after page 3 comes only what "next" or "4" leads to.
        """
        following = (self.current or 1) + 1
        number = next((p for p in self.pages if p.number == following and p.state == "live" and not p.current), None)
        return self.next or number or self.link("older") or self.link("more")


@once
def find_pagers(frame: Frame) -> tuple[Pager, ...]:
    """Every pager of the frame; equal ones above and below a list are one."""
    content = content_of(frame)
    found: list[Pager] = []
    for run in runs(content):
        if is_pager(run, content):
            pager = _pager(run, content)
            twin = next((i for i, other in enumerate(found) if _are_twins(other, pager, content)), None)
            if twin is None:
                found.append(pager)
            else:
                found[twin] = _merged(found[twin], pager)
    return tuple(found)


def find_pager(frame: Frame, near: RecordList | None = None) -> Pager:
    """The pager of a list (or the page's main one), with what is announced beside it. Without any, a `Pager` without
    links.
    """
    content = content_of(frame)
    pagers = [pager for pager in find_pagers(frame) if near is None or not _in_a_row(pager, near, content)]
    pager = min(pagers, key=lambda p: _distance(p, near, content), default=Pager())
    pager = _joined(
        pager,
        [p for p in pagers if p is not pager and _distance(p, near, content)[0] == _distance(pager, near, content)[0]],
    )
    announced = pager.announced.with_gaps_from(_announced_near(near, content))
    scrolls = None if pager.onward or pager.says_end else _scrolling(near, content)
    current = pager.current if pager.current is not None else announced.page
    return Pager(pager.links, current, announced, pager.ended, pager.node, scrolls)


def _joined(pager: Pager, others: list[Pager]) -> Pager:
    """With the ways that only another pager of the same list offers: numbers in one box, "load more" in another."""
    links, ended, current = pager.links, pager.ended, pager.current
    for other in others:
        mine = {link.role for link in links}
        if not mine & {link.role for link in other.links}:
            links, ended = (*links, *other.links), ended | other.ended
            current = current if current is not None else other.current
    return replace(pager, links=links, ended=ended, current=current)


def _pager(run: Run, content: Content) -> Pager:
    links = tuple(_link(mark, content) for mark in run.marks if mark.control is not None and mark.role != "size")
    nodes = [mark.node for mark in run.marks if mark.control is not None]
    box = nodes[0]
    for node in nodes:
        box = content.common(box, node)
    shown = [m.number for m in run.numbers if m.current or m.control is None]
    same = [link.number for link in links if link.role == "page" and link.state == "same"]
    current = (shown or same or [None])[0]
    ended = {m.role for m in run.marks if m.role not in ("page", "size") and (m.control is None or m.disabled)}
    ended |= {link.role for link in links if link.state == "same" and link.role != "page"}
    announced = _said(run)
    return Pager(links, current, announced, frozenset(ended), box)


def _said(run: Run) -> Announced:
    """Each text alone first, then all together: "1..50" and "out of 191" may be in two elements."""
    found = Announced(pages=run.pages)
    for text in run.texts:
        found = found.with_gaps_from(read_announced(text))
    whole = read_announced(" ".join(run.texts), weak=False)
    if run.has("input") and found.pages is None:
        ends = [re.search(r"(\d+)\s*$", text) for text in run.texts if lexicon("pager")["of"].occurs_in(text)]
        found = replace(found, pages=next((int(end.group(1)) for end in ends if end), None))
    return found.with_gaps_from(replace(whole, total=whole.total if whole.span else None))


def _link(mark: Mark, content: Content) -> PagerLink:
    control = content.controls[mark.control] if mark.control is not None else None
    state: State = "disabled" if mark.disabled else "live"
    has_address = control is not None and control.raw_href.strip() not in ("", "#") and control.href.startswith("http")
    if control is not None and has_address and control.href.split("#")[0] == content.frame.url.split("#")[0]:
        state = "same"
    return PagerLink(
        mark.role,
        mark.control if mark.control is not None else -1,
        mark.number,
        state,
        mark.current,
        points=mark.points,
    )


def _signature(pager: Pager, content: Content) -> tuple[tuple[str, int | None, str], ...]:
    def target(link: PagerLink) -> str:
        href = content.controls[link.control].href
        return href if href.startswith("http") else ""

    return tuple((link.role, link.number, target(link)) for link in pager.links)


def _are_twins(first: Pager, second: Pager, content: Content) -> bool:
    """The same roles, numbers and destinations; without destinations, in boxes of the same classes."""
    mine, yours = _signature(first, content), _signature(second, content)
    if mine == yours:
        return True
    by_number = {(role, number): href for role, number, href in mine}
    shared = [(by_number[role, number], href) for role, number, href in yours if (role, number) in by_number]
    return len(shared) >= 2 and all(a == b and a for a, b in shared)


def _merged(first: Pager, second: Pager) -> Pager:
    links = list(first.links)
    for link in second.links:
        at = next((i for i, mine in enumerate(links) if (mine.role, mine.number) == (link.role, link.number)), None)
        if at is None:
            links.append(link)
        else:
            mine = links[at]
            links[at] = replace(mine, twins=(*mine.twins, link.control))
    announced = first.announced.with_gaps_from(second.announced)
    current = first.current if first.current is not None else second.current
    return Pager(tuple(links), current, announced, first.ended | second.ended, first.node)


def _in_a_row(pager: Pager, near: RecordList, content: Content) -> bool:
    """The pager of one record (a thread's pages) is not the list's. A last row that holds nothing but a pager is no
    record.
    """
    return any(content.contains(row.node, pager.node) for row in near.rows)


def _distance(pager: Pager, near: RecordList | None, content: Content) -> tuple[int, int]:
    if near is None or near.node < 0:
        return (0, pager.node)
    depth = sum(1 for _ in content.ancestors(content.common(*sorted((near.node, pager.node)))))
    gap = pager.node - content.ends[near.node] if pager.node >= near.node else near.node - pager.node
    return (-depth, abs(gap))


def _announced_near(near: RecordList | None, content: Content) -> Announced:
    """Figures in short texts outside the rows, the nearest first; a lone count only within two boxes of the list."""
    if near is None or near.node < 0:
        return Announced()
    rows = {row.node: content.ends[row.node] for row in near.rows}
    found = Announced(total=near.announced)
    boxes = [near.node, *content.ancestors(near.node)]
    for level, box in enumerate(boxes):
        for text in _short_texts(content, box, rows):
            said = read_announced(text, weak=level <= 4)
            if said.total is None or said.total >= len(near.rows):
                found = found.with_gaps_from(said)
        if found.total is not None:
            break
    return found


def _short_texts(content: Content, box: int, rows: dict[int, int]) -> list[str]:
    """Texts of at most a line or two in a box, rows of the list left out (`rows`: first node → behind the last)."""
    texts, index = [], box
    while index < content.ends[box]:
        if index in rows:
            index = rows[index]
            continue
        if content.ends[index] - index <= 40 and content.own(index):
            text = content.text(index)
            if len(text) <= 160:
                texts.append(text)
        index += 1
    return texts


def _scrolling(near: RecordList | None, content: Content) -> int | None:
    if near is None or near.node < 0:
        return None
    for index in (near.node, *content.ancestors(near.node)):
        if content.nodes[index].scrolls:
            return index
    height = content.frame.scroll[3] - content.frame.viewport[1]
    return 0 if height > 40 else None
