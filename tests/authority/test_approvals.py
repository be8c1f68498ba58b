from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from remit.authority import Approval, Approvals, Scope
from remit.contract import Capability, Origin
from remit.state import Database

SITE, OTHER_SITE = Origin.of("https://portal.example"), Origin.of("https://portal.example:8443")
PRINT, OTHER_PRINT = "ab" * 32, "cd" * 32
RUN, OTHER_RUN = "r_aaaaaaaaaaaa", "r_bbbbbbbbbbbb"
USE = Capability.VAULT_USE
ONCE = Approval("q_1", "anna", "login_sites", USE, SITE, Scope.ONCE, RUN, PRINT)
PER_RUN = Approval("q_2", "anna", "login_sites", USE, SITE, Scope.PER_RUN, RUN)
PER_TARGET = Approval("q_3", "anna", "login_sites", USE, SITE, Scope.PER_TARGET, RUN)
ALWAYS = Approval("q_4", "anna", "login_sites", USE, SITE, Scope.ALWAYS, RUN)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = Database.in_folder(tmp_path)
    yield database
    database.close()


@pytest.fixture
def approvals(database: Database) -> Approvals:
    return Approvals(database)


def stands(
    approvals: Approvals,
    principal: str = "anna",
    executor: str = "login_sites",
    capability: Capability = USE,
    target: Origin | None = SITE,
    run_id: str | None = RUN,
    at_most: Scope = Scope.ALWAYS,
) -> bool:
    return approvals.stands(principal, executor, capability, target, run_id, at_most=at_most)


@pytest.mark.parametrize(
    ("approval", "other_run", "other_site", "no_site"),
    [
        (ONCE, False, False, False),
        (PER_RUN, False, False, False),
        (PER_TARGET, True, False, False),
        (ALWAYS, True, True, True),
    ],
)
def test_an_approval_stands_for_what_it_was_given_for(
    approvals: Approvals, approval: Approval, other_run: bool, other_site: bool, no_site: bool
) -> None:
    assert not stands(approvals)
    approvals.grant(approval)
    assert stands(approvals) is (approval is not ONCE)
    assert stands(approvals, run_id=OTHER_RUN) is other_run
    assert stands(approvals, run_id=None) is other_run
    assert stands(approvals, target=OTHER_SITE) is other_site
    assert stands(approvals, target=None) is no_site
    assert not stands(approvals, principal="ben")
    assert not stands(approvals, executor="act_sites")
    assert not stands(approvals, capability=Capability.BROWSER_ACT)


@pytest.mark.parametrize("approval", [PER_RUN, PER_TARGET, ALWAYS])
def test_an_approval_that_stands_longer_than_the_policy_now_allows_does_not_count(
    approvals: Approvals, approval: Approval
) -> None:
    approvals.grant(approval)
    for scope in Scope:
        assert stands(approvals, at_most=scope) is (scope.reach >= approval.scope.reach)


def test_an_approval_about_no_site_stands_for_its_run(approvals: Approvals) -> None:
    approvals.grant(replace(PER_RUN, target=None))
    assert stands(approvals, target=None)
    assert not stands(approvals, target=None, run_id=OTHER_RUN)
    assert not stands(approvals)


def test_one_for_once_is_spent_by_the_first_that_takes_it(approvals: Approvals) -> None:
    approvals.grant(ONCE)
    assert not approvals.take(RUN, OTHER_PRINT)
    assert not approvals.take(OTHER_RUN, PRINT)
    assert approvals.take(RUN, PRINT)
    assert not approvals.take(RUN, PRINT)


def test_a_question_gives_one_approval_however_often_its_answer_is_posted(approvals: Approvals) -> None:
    first = approvals.grant(ONCE)
    assert approvals.grant(ONCE) == first
    assert approvals.take(RUN, PRINT)
    assert approvals.grant(ONCE) == first
    assert not approvals.take(RUN, PRINT)
    approvals.grant(replace(ONCE, question_id="q_9"))
    assert approvals.take(RUN, PRINT)


def test_what_was_taken_back_stands_no_more_and_does_not_come_back(approvals: Approvals) -> None:
    for approval in (ONCE, PER_RUN, PER_TARGET, ALWAYS):
        assert approvals.revoke(approvals.grant(approval))
    assert not stands(approvals)
    assert not approvals.take(RUN, PRINT)
    assert approvals.list() == ()
    assert not approvals.revoke(approvals.grant(PER_TARGET))
    assert not stands(approvals)


def test_the_end_of_a_run_ends_what_stood_for_it_alone(approvals: Approvals) -> None:
    for approval in (ONCE, PER_RUN, PER_TARGET, replace(PER_RUN, question_id="q_9", run_id=OTHER_RUN)):
        approvals.grant(approval)
    assert approvals.end_run(RUN) == 2
    assert [granted.approval.question_id for granted in approvals.list()] == ["q_3", "q_9"]
    assert not approvals.take(RUN, PRINT)


def test_what_stands_is_listed_as_it_was_granted_also_after_a_restart(database: Database, tmp_path: Path) -> None:
    moments = iter((1.0, 2.0, 3.0, 4.0))
    approvals = Approvals(database, clock=lambda: next(moments))
    ids = [approvals.grant(item) for item in (ONCE, ALWAYS, replace(PER_RUN, principal="ben", target=None))]
    again = Approvals(Database.in_folder(tmp_path))
    assert [(item.id, item.at) for item in again.list()] == list(zip(ids, (1.0, 2.0, 3.0), strict=True))
    assert [item.approval for item in again.list("anna")] == [ONCE, ALWAYS]
    assert PRINT not in repr(again.list())


@pytest.mark.parametrize(
    "wrong",
    [
        {"fingerprint": None}, {"run_id": None}, {"run_id": ""}, {"fingerprint": ""}, {"fingerprint": "what it says"},
        {"fingerprint": PRINT.upper()}, {"question_id": ""}, {"scope": Scope.PER_RUN},
        {"scope": Scope.PER_TARGET, "fingerprint": None, "target": None},
        {"scope": Scope.PER_RUN, "fingerprint": None, "run_id": None},
    ],
)  # fmt: skip
def test_an_approval_that_is_bound_to_nothing_cannot_be_made(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"an approval|a fingerprint"):
        replace(ONCE, **wrong)  # type: ignore[arg-type]


def test_of_many_threads_one_takes_it(database: Database, tmp_path: Path) -> None:
    Approvals(database).grant(ONCE)
    start, taken = threading.Barrier(8), []

    def take(own: Database) -> None:
        approvals = Approvals(own)
        start.wait()
        taken.append(approvals.take(RUN, PRINT))

    shared = [database] * 4 + [Database.in_folder(tmp_path) for _ in range(4)]
    threads = [threading.Thread(target=take, args=(own,)) for own in shared]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(taken) == [False] * 7 + [True]


TAKER = """
import sys
from pathlib import Path
from remit.authority import Approvals
from remit.state import Database
approvals = Approvals(Database.in_folder(Path(sys.argv[1])))
print("ready", flush=True)
sys.stdin.readline()
print(sum(approvals.take(sys.argv[2], sys.argv[3]) for _ in range(20)), flush=True)
"""


def test_of_several_processes_each_approval_is_taken_by_one(approvals: Approvals, tmp_path: Path) -> None:
    for number in range(10):
        approvals.grant(replace(ONCE, question_id=f"q_{number}"))
    command = [sys.executable, "-c", TAKER, str(tmp_path), RUN, PRINT]
    takers = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    for taker in takers:
        assert taker.stdout is not None
        assert taker.stdout.readline() == "ready\n"
    for taker in takers:
        assert taker.stdin is not None
        taker.stdin.write("go\n")
        taker.stdin.flush()
    counts = [int(taker.communicate()[0]) for taker in takers]
    assert [taker.returncode for taker in takers] == [0, 0, 0, 0]
    assert sum(counts) == 10
