from __future__ import annotations

import pytest

from remit.contract import Reason, Status
from remit.executors._batch import overall

DONE = (Status.DONE, None)
FAILED = (Status.FAILED, Reason.REJECTED)
WAITING = (Status.NEEDS_USER, Reason.CHALLENGE)
PARTIAL = (Status.PARTIAL, Reason.TIME_LIMIT)


@pytest.mark.parametrize(
    ("items", "status", "reason"),
    [
        ([], Status.DONE, None),
        ([DONE], Status.DONE, None),
        ([DONE, DONE], Status.DONE, None),
        ([FAILED], Status.FAILED, Reason.REJECTED),
        ([FAILED, FAILED], Status.FAILED, Reason.REJECTED),
        ([DONE, FAILED], Status.PARTIAL, Reason.REJECTED),
        ([PARTIAL, DONE], Status.PARTIAL, Reason.TIME_LIMIT),
        ([FAILED, WAITING, DONE], Status.NEEDS_USER, Reason.CHALLENGE),
    ],
)
def test_the_whole_is_no_better_than_its_parts(
    items: list[tuple[Status, Reason | None]], status: Status, reason: Reason | None
) -> None:
    assert overall(items) == (status, reason)
