from __future__ import annotations

from remit.contract import Limits
from remit.loop import Budget

from .worlds import FakeClock


def test_pauses_nest_and_count_once() -> None:
    clock = FakeClock()
    budget = Budget(Limits(elapsed_s=10), clock)
    clock.now += 4
    with budget.paused():
        clock.now += 100
        with budget.paused():
            clock.now += 100
        assert budget.elapsed == 4
    clock.now += 5
    assert (budget.elapsed, budget.seconds_left, budget.out_of_time) == (9, 1, False)


def test_actions_that_are_not_there_are_not_taken() -> None:
    budget = Budget(Limits(actions=3), FakeClock())
    assert budget.spend_actions(2)
    assert not budget.spend_actions(2)
    assert budget.actions == 2
