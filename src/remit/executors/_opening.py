"""Rows that show more in their place once they are opened: which control opens one, and what then belongs to it."""

from __future__ import annotations

from remit.browser import Chosen, Frame, Row, row_opener, same_reading
from remit.contract import Reason

from ._harvest import Pending
from ._rows import Key, key_of


def opener_of(frame: Frame, chosen: Chosen, pending: Pending) -> int | Reason:
    """The control that opens the row, told from the others by the text of its own row alone."""
    row = _row(frame, chosen, pending)
    if row is None:
        return Reason.AMBIGUOUS
    control = row_opener(frame, row)
    if control is None:
        return Reason.CONTROL_GONE
    return control if len(same_reading(frame, frame.controls[control])) == 1 else Reason.AMBIGUOUS


def own_part(frame: Frame, chosen: Chosen, pending: Pending, page: frozenset[Key]) -> range | None:
    """The nodes from the row to the next row the page had before any was opened; None where the row is not told."""
    row = _row(frame, chosen, pending)
    if row is None:
        return None
    others = [each.node for each in chosen.list.rows if each.node > row.node and key_of(frame, each) in page]
    return range(row.node, min(others, default=_end(frame, chosen.list.node)))


def _row(frame: Frame, chosen: Chosen, pending: Pending) -> Row | None:
    same = [row for row in chosen.list.rows if key_of(frame, row) == pending.key]
    if not same:
        # A card reads otherwise once it is open: what it was asked for must still be all there.
        same = [row for row in chosen.list.rows if _shown(chosen, row) == _listed(chosen, pending)]
    return same[0] if len(same) == 1 else None


def _shown(chosen: Chosen, row: Row) -> tuple[str, ...]:
    return tuple(row.cells[column].text for column in chosen.columns.values() if column is not None)


def _listed(chosen: Chosen, pending: Pending) -> tuple[str, ...]:
    texts = pending.key[1]
    return tuple(texts[at] for at in chosen.columns.values() if at is not None and at < len(texts))


def _end(frame: Frame, node: int) -> int:
    """Behind the last node inside."""
    for index in range(node + 1, len(frame.nodes)):
        if frame.nodes[index].parent < node:
            return index
    return len(frame.nodes)
