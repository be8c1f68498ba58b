from __future__ import annotations

import asyncio
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from remit.contract import Limits, Reason
from remit.loop import Budget, Ending, LoopOutcome, Source, Stage, deterministic_first, run_bounded, run_bounded_sync

from .worlds import AsyncTask, FakeClock, ScriptedTask, Turn

REJECTIONS = st.sampled_from([Reason.AMBIGUOUS, Reason.TARGET_CHANGED])
TURNS = st.lists(
    st.builds(
        Turn,
        proposal=st.sampled_from([0, 0, 0, None]),
        from_model=st.booleans(),
        rejected=st.one_of(st.none(), st.none(), REJECTIONS),
        refused=st.one_of(st.none(), st.none(), st.none(), st.just(Reason.CONSENT_REQUIRED)),
        fails=st.booleans(),
        reaches=st.sampled_from([False, False, True]),
        impossible=st.sampled_from([False, False, False, True]),
        seconds=st.sampled_from([0.0, 1.0, 7.0, 50.0]),
        person_seconds=st.sampled_from([0.0, 600.0]),
    ),
    max_size=12,
)
LIMITS = st.builds(
    Limits, attempts=st.integers(1, 8), actions=st.integers(0, 8), elapsed_s=st.sampled_from([5.0, 20.0, 100.0])
)


def drive(turns: list[Turn], limits: Limits) -> tuple[ScriptedTask, LoopOutcome[str]]:
    clock = FakeClock()
    task = ScriptedTask(turns, clock, Budget(limits, clock))
    return task, run_bounded_sync(task, task.budget)


@given(TURNS, LIMITS)
def test_no_rejected_proposal_is_ever_executed(turns: list[Turn], limits: Limits) -> None:
    task, _ = drive(turns, limits)
    assert not set(task.rejections) & set(task.executed)
    assert not {at for at in task.executed if turns[at].refused or turns[at].rejected}


@given(TURNS, LIMITS)
def test_no_budget_is_exceeded_by_more_than_one_operation(turns: list[Turn], limits: Limits) -> None:
    task, outcome = drive(turns, limits)
    assert task.budget.attempts <= limits.attempts
    assert len(task.executed) <= limits.actions
    assert all(start < limits.elapsed_s for start in task.starts)
    assert len(outcome.attempts) <= limits.history_items


@given(TURNS, LIMITS)
def test_waiting_for_a_person_costs_no_time(turns: list[Turn], limits: Limits) -> None:
    waiting, outcome = drive(turns, limits)
    hurried, same = drive([replace(turn, person_seconds=0.0) for turn in turns], limits)
    assert outcome == same
    assert waiting.budget.elapsed == hurried.budget.elapsed


@given(TURNS, LIMITS)
def test_the_same_world_ends_the_same_way_in_both_drivers(turns: list[Turn], limits: Limits) -> None:
    plain, outcome = drive(turns, limits)
    clock = FakeClock()
    task = ScriptedTask(turns, clock, Budget(limits, clock))
    assert asyncio.run(run_bounded(AsyncTask(task), task.budget)) == outcome
    assert task.executed == plain.executed


@given(TURNS, LIMITS)
def test_one_rejection_is_fed_back_and_a_second_ends_the_loop(turns: list[Turn], limits: Limits) -> None:
    task, outcome = drive(turns, limits)
    told = [reason for reason in task.feedback if reason is not None]
    assert all(reason in (Reason.AMBIGUOUS, Reason.TARGET_CHANGED) for reason in told)
    first, second = task.feedback, task.feedback[1:]
    assert all(a is None or b is None for a, b in zip(first, second, strict=False))
    if outcome.ending is Ending.COMPLETED:
        assert task.done


def test_work_that_is_already_done_sends_nothing() -> None:
    clock = FakeClock()
    task = ScriptedTask([Turn()], clock, Budget(Limits(), clock), done=True)
    outcome: LoopOutcome[str] = run_bounded_sync(task, task.budget)
    assert outcome.ending is Ending.COMPLETED
    assert outcome.source is None
    assert task.executed == []


def test_a_failed_execution_is_judged_by_what_is_observed_afterwards() -> None:
    task, outcome = drive([Turn(fails=True, reaches=True)], Limits(actions=5, attempts=5))
    assert outcome.ending is Ending.COMPLETED
    assert task.executed == [0]


def test_a_stage_that_fails_ends_with_a_closed_reason_and_no_words_of_the_error() -> None:
    clock = FakeClock()

    class Broken(ScriptedTask):
        def observe(self) -> int:
            raise ValueError("secret words of a page")

    task = Broken([], clock, Budget(Limits(), clock))
    outcome: LoopOutcome[str] = run_bounded_sync(task, task.budget)
    assert (outcome.ending, outcome.reason) == (Ending.INCONCLUSIVE, Reason.INTERNAL)
    assert outcome.attempts[-1].stage is Stage.OBSERVE
    assert "secret" not in repr(outcome)


def test_the_source_of_the_last_proposal_is_told() -> None:
    _, outcome = drive([Turn(from_model=True, reaches=True)], Limits(actions=1, attempts=1))
    assert outcome.source is Source.MODEL


async def test_an_operation_that_hangs_is_cut_at_its_own_limit() -> None:
    class Hanging(AsyncTask):
        async def observe(self) -> int:
            await asyncio.sleep(3600)
            return 0

    clock = FakeClock()
    task = ScriptedTask([], clock, Budget(Limits(operation_s=0.01), clock))
    outcome: LoopOutcome[str] = await run_bounded(Hanging(task), task.budget)
    assert outcome.reason is Reason.SITE_TIMEOUT


def completed(value: int | None, ending: Ending = Ending.COMPLETED) -> LoopOutcome[int]:
    return LoopOutcome(ending, value)


async def first_of(primary: LoopOutcome[int], fallback: LoopOutcome[int]) -> tuple[LoopOutcome[int], int]:
    calls = 0

    async def one() -> LoopOutcome[int]:
        return primary

    async def two() -> LoopOutcome[int]:
        nonlocal calls
        calls += 1
        return fallback

    return await deterministic_first(one, two, better=lambda new, old: new > old), calls


async def test_the_fallback_is_not_asked_when_the_first_completes() -> None:
    outcome, calls = await first_of(completed(1), completed(9))
    assert (outcome.value, calls) == (1, 0)


async def test_the_fallback_wins_only_verified_and_better() -> None:
    weak = completed(3, Ending.EXHAUSTED)
    assert (await first_of(weak, completed(9)))[0].value == 9
    assert (await first_of(weak, completed(2)))[0] is weak
    assert (await first_of(weak, completed(9, Ending.INCONCLUSIVE)))[0] is weak
