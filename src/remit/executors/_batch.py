"""Lists in, lists out: one status for a call over several targets."""

from __future__ import annotations

from collections.abc import Sequence

from remit.contract import Reason, Status


def overall(items: Sequence[tuple[Status, Reason | None]]) -> tuple[Status, Reason | None]:
    """The status of the whole: of its only or equal items, else partial; the reason is the first one there is.

    Waiting for a person outweighs everything else, for the planner can do nothing before it.
    """
    statuses = {status for status, _ in items}
    if not statuses:
        return Status.DONE, None
    reason = next((reason for status, reason in items if reason is not None and status is not Status.DONE), None)
    if Status.NEEDS_USER in statuses:
        waiting = next(reason for status, reason in items if status is Status.NEEDS_USER)
        return Status.NEEDS_USER, waiting
    if len(statuses) == 1:
        return statuses.pop(), reason or items[0][1]
    return Status.PARTIAL, reason
