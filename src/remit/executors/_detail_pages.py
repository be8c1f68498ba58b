"""Reading the fields a list lacks on each record's own page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from remit.browser import Cell, Chosen, Frame, Session, single_records
from remit.contract import Reason, RemitError
from remit.loop import Budget
from remit.runs import Call

from ._details import complete, labelled_values, value_of
from ._forks import Told
from ._harvest import Harvest, Pending, Wanted
from ._sight import calm_sight


async def read_details(
    call: Call, session: Session, budget: Budget, harvest: Harvest, wanted: Wanted, told: Told
) -> None:
    """Every record that waits is kept: one whose page says nothing, or cannot be reached, with its gap."""
    for number, pending in enumerate(harvest.pending):
        told.stop = told.stop or _spent(budget)
        if told.stop is None:
            call.progress(number, len(harvest.pending), f"details {number + 1} of {len(harvest.pending)}")
            pending = await _completed(session, harvest, wanted, pending, told)
        harvest.settle(pending)


def _spent(budget: Budget) -> Reason | None:
    if budget.out_of_time:
        return Reason.TIME_LIMIT
    return None if budget.spend_actions() else Reason.ACTION_LIMIT


async def _completed(session: Session, harvest: Harvest, wanted: Wanted, pending: Pending, told: Told) -> Pending:
    """With what its page adds. An address that several records share says nothing of one of them."""
    if harvest.addresses[pending.address] > 1:
        harvest.counts.ambiguous += 1
        return pending
    try:
        await session.goto(pending.address)
        entry, lacking = complete(pending, (await calm_sight(session)).main, wanted)
    except RemitError as error:
        if error.reason in (Reason.SESSION_LOST, Reason.SIGNED_OUT, Reason.CONSENT_REQUIRED):
            told.stop = error.reason
        return pending
    return replace(pending, entry=entry, missing=lacking)


def take_singles(harvest: Harvest, wanted: Wanted, told: Told, frame: Frame, chosen: Chosen) -> None:
    """Records in markup of their own beside the list: read where their labels name the fields, else said unread."""
    for part in single_records(frame, chosen.list, wanted.items):
        pairs = list(dict.fromkeys(labelled_values(frame, part)))
        found = {name: value_of(name, pairs) for name in wanted.names if name not in chosen.unmatched}
        if None in found.values():
            told.unread[Reason.FIELDS_NOT_FOUND] += 1
            continue
        cells: Mapping[str, Cell] = {name: Cell(text or "") for name, text in found.items()}
        harvest.single(cells, ("", tuple(text or "" for text in found.values())))
