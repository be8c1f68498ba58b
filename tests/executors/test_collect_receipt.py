"""What a collection says: complete only where nothing speaks against it, and little whatever its size."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from remit.contract import Reason, Status
from remit.executors._forks import Told
from remit.executors._harvest import Harvest, Wanted
from remit.executors._receipt import Stop, announced, judge, shortened, types
from remit.executors.collect_sites import Collection
from remit.records import Field
from tests.executors.test_harvest import Kept

RESULT_CHARS = 4 * 300
"""A result's budget, at four characters a token."""


def harvest() -> Harvest:
    return Harvest(Wanted("invoices", ("number",)), Kept(), "d")


@pytest.mark.parametrize(
    ("told", "reason", "stop"),
    [
        (Told(), None, Stop.EXHAUSTED),
        (Told(stop=Reason.TIME_LIMIT), Reason.TIME_LIMIT, Stop.TIME),
        (Told(stop=Reason.ACTION_LIMIT), Reason.ACTION_LIMIT, Stop.ACTIONS),
        (Told(stop=Reason.SIGNED_OUT), Reason.SIGNED_OUT, Stop.SIGNED_OUT),
        (Told(stop=Reason.CONSENT_REQUIRED), Reason.CONSENT_REQUIRED, Stop.USER_NEEDED),
        (Told(stop=Reason.SITE_ERROR), Reason.SITE_ERROR, Stop.BLOCKED),
        (Told(truncated=True), Reason.READING_LIMIT, Stop.READING_LIMIT),
        (Told(mismatch=True), Reason.COUNT_MISMATCH, Stop.EXHAUSTED),
        (Told(unread=Counter({Reason.DEPTH_LIMIT: 2})), Reason.DEPTH_LIMIT, Stop.DEPTH),
        (Told(unread=Counter({Reason.NO_EFFECT: 1})), Reason.ROUTES_UNREAD, Stop.NO_EFFECT),
    ],
)
def test_whatever_speaks_against_completeness_is_named(told: Told, reason: Reason | None, stop: Stop) -> None:
    verdict = judge(harvest(), told)
    assert (verdict.reason, verdict.stop, verdict.complete) == (reason, stop, reason is None)


def test_totals_of_branches_add_up_only_where_each_says_one() -> None:
    assert announced(Told(announced=[3, 4])) == 7
    assert announced(Told(announced=[3, None])) is None


def test_the_widest_receipt_stays_within_three_hundred_tokens() -> None:
    fields = [Field(f"{number:02} {'x' * 77}", "amount", 12_345) for number in range(40)]
    item = Collection(
        session_id="s_" + "f" * 16,
        status=Status.PARTIAL,
        reason=Reason.UNREADABLE_VALUES,
        dataset_id="ds_" + "f" * 12,
        types=types(fields) or types(fields[:2]),
        **dict.fromkeys(("pages", "branches", "routes_unread", "seen", "exported", "duplicates"), 123_456),
        **dict.fromkeys(("announced", "filtered", "straddling", "undated", "unread"), 123_456),
        unreadable=shortened({field.name: 12_345 for field in fields}),
        suggestion="context_year",
        gaps=("2026-01-01 to 2026-12-31",) * 3,
        stop=Stop.READING_LIMIT,
    )
    assert len(json.dumps(item.model_dump(mode="json", exclude_none=True))) <= RESULT_CHARS - 250
