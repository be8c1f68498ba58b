"""The way to the list that holds the wanted records: a world for the bounded search."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from remit.browser import (
    Chosen,
    Frame,
    Observation,
    Session,
    choose_list,
    find_lists,
    is_forbidden,
    record_areas,
    row_detail_link,
    row_opener,
    says_none,
)
from remit.contract import Reason
from remit.loop import Budget, Found, Look, NotFound, Option, run_search
from remit.records import Ambiguous, match_name
from remit.runs import Call

from ._exploring import Explorer, options_of
from ._harvest import Wanted

if TYPE_CHECKING:
    from remit.models import Models

LATE_S = 2.0
"""How long records that load late are waited for, in seconds."""
MOST_OPTIONS = 8
ROLES = ("link", "menuitem", "tab")


@dataclass(frozen=True, slots=True)
class Area:
    """A list with the wanted fields, as first seen."""

    seen: Observation
    chosen: Chosen | None
    """None where the area says itself that it holds nothing."""


def select(frame: Frame, wanted: Wanted) -> Chosen | None:
    """The list of a page that has the wanted fields, or most of them; None where none or several would do."""
    found = choose_list(find_lists(frame), wanted.names, wanted.items, _match)
    return found if isinstance(found, Chosen) else None


def _match(name: str, offered: Sequence[str]) -> int | None:
    found = match_name(name, offered)
    return None if isinstance(found, Ambiguous) else found


def serves(chosen: Chosen, wanted: Wanted, frame: Frame) -> bool:
    """All fields are there, or most are and each row has more: on a page of its own, or in its place once opened."""
    filters = set(wanted.names) - set(wanted.fields)
    if not chosen.unmatched:
        return True
    if filters & set(chosen.unmatched) or wanted.fields[0] in chosen.unmatched:
        return False
    enough = 2 * len(chosen.unmatched) <= len(wanted.fields)
    rows = chosen.list.rows
    return enough and any(row_detail_link(row) is not None or row_opener(frame, row) is not None for row in rows)


def says_empty(frame: Frame, words: str) -> bool:
    """The page is headed by the words and says that there is none."""
    heads = [frame.title, *(node.text for node in frame.nodes if node.tag in ("h1", "h2"))]
    said = set(re.findall(r"\w+", " ".join(heads).casefold()))
    return set(re.findall(r"\w+", words.casefold())) <= said and says_none(frame)


def is_named(frame: Frame, chosen: Chosen, words: str) -> bool:
    """The page or the list says that it is the area: all of the words in its title or heading."""
    said = set(re.findall(r"\w+", f"{frame.title} {chosen.list.heading}".casefold()))
    return set(re.findall(r"\w+", words.casefold())) <= said


async def find_area(
    call: Call, session: Session, wanted: Wanted, start: str | None, models: Models | None, budget: Budget
) -> Found[Area] | NotFound:
    """Search from the page the session is on and from the one it was opened at.

    Where words for the area are given, the opened page comes first unless this is the area already: links beside a
    list may carry its state along, such as the place in its pages.
    """
    here, home = session.url, session.home or session.url
    reasons: list[Reason] = []
    nearest = False
    for origin in dict.fromkeys((here, home) if start is None else (home, here)):
        world = AreaWorld(call, session, wanted, start, models, budget, origin)
        found: Found[Area] | NotFound = await run_search(world, budget)
        if isinstance(found, Found):
            return found
        nearest = nearest or world.nearest is not None
        reasons.append(found.reason)
    reason = next((each for each in reasons if each is not Reason.INCONCLUSIVE), Reason.NO_RECORDS)
    return NotFound(Reason.FIELDS_NOT_FOUND if nearest else reason)


class AreaWorld(Explorer):
    """States are pages, options are links whose words fit the request. The way begins at `origin`."""

    def __init__(
        self,
        call: Call,
        session: Session,
        wanted: Wanted,
        start: str | None,
        models: Models | None,
        budget: Budget,
        origin: str,
    ) -> None:
        super().__init__(call, session, models, budget, origin)
        self._wanted = wanted
        self._words = start or wanted.items
        self._named = start is not None
        self._arrived = False
        self.nearest: Chosen | None = None

    async def look(self) -> Look[Area]:
        """The page: the list if it is there, else the ways on."""
        if not self._arrived:
            self._arrived = True
            if self._session.url != self.start:
                await self._session.goto(self.start)
        look = await self._look()
        if look.goal is None and await self._session.changed(LATE_S if not look.options else 0.2):
            look = await self._look()
        return look

    async def _look(self) -> Look[Area]:
        seen = await self.sight()
        frame = seen.main
        chosen = select(frame, self._wanted)
        if chosen is not None:
            self.nearest = self.nearest or chosen
            # Words for the area were given: a list on the way there is not yet the one that is meant.
            meant = self._followed or not self._named or is_named(frame, chosen, self._words)
            if meant and serves(chosen, self._wanted, frame):
                return Look(frame.url, Area(seen, chosen))
        elif says_empty(frame, self._words) and (self._followed or not self._named):
            return Look(frame.url, Area(seen, None))
        options = await self._options(frame)
        key = (urlsplit(frame.url)._replace(fragment="").geturl(), tuple(option.id for option in options))
        return Look(key, options=options)

    async def _options(self, frame: Frame) -> tuple[Option, ...]:
        chosen = [lead.control for lead in record_areas(frame, self._words)]
        if not chosen:
            asked = await self._asked(frame)
            chosen = [asked] if asked is not None else []
        allowed = (frame.controls[control] for control in chosen if not is_forbidden(frame.controls[control]))
        return options_of(allowed, frame)[:MOST_OPTIONS]

    async def _asked(self, frame: Frame) -> int | None:
        """Where no word of the request is on the page."""
        from remit.models import Intent

        offered = (c for c in frame.controls if c.role in ROLES and not is_forbidden(c))
        return await self.ask(frame, Intent.OPEN_RECORDS, offered, self._words)
