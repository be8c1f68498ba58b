from __future__ import annotations

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from remit.contract import Limits, Reason
from remit.loop import Budget, Found, NotFound, run_search, run_search_sync

from .worlds import AsyncMaze, FakeClock, Maze

STATES = st.integers(0, 7)
MAZES = st.builds(
    Maze,
    ways=st.dictionaries(STATES, st.lists(STATES, unique=True, max_size=4), max_size=8),
    goal=st.one_of(st.none(), STATES),
    dead=st.sets(st.tuples(STATES, STATES), max_size=4),
)
LIMITS = st.builds(Limits, actions=st.integers(0, 32), depth=st.integers(0, 4))


def again(maze: Maze) -> Maze:
    return Maze(maze.ways, maze.goal, maze.dead)


@given(MAZES, LIMITS)
def test_a_control_is_used_once_from_a_state(maze: Maze, limits: Limits) -> None:
    run_search_sync(maze, Budget(limits, FakeClock()))
    assert len(maze.taken) == len(set(maze.taken))


@given(MAZES, LIMITS)
def test_actions_forward_back_and_in_replay_stay_within_the_budget(maze: Maze, limits: Limits) -> None:
    budget = Budget(limits, FakeClock())
    run_search_sync(maze, budget)
    used = len(maze.taken) + sum(1 + len(path) for path in maze.returns)
    assert used == budget.actions <= limits.actions


@given(MAZES, LIMITS)
def test_what_is_found_is_the_goal_by_a_way_that_exists(maze: Maze, limits: Limits) -> None:
    found = run_search_sync(maze, Budget(limits, FakeClock()))
    if not isinstance(found, Found):
        return
    assert found.goal == maze.goal
    at = 0
    for option in found.path:
        assert option.payload in maze.ways[at]
        assert (at, option.payload) not in maze.dead
        at = option.payload
    assert at == maze.goal
    assert len(found.path) <= limits.depth


@given(MAZES)
def test_with_enough_budget_a_reachable_goal_is_found(maze: Maze) -> None:
    reachable, edge = {0}, [0]
    while edge:
        at = edge.pop()
        for to in maze.ways.get(at, []):
            if to not in reachable and (at, to) not in maze.dead:
                reachable.add(to)
                edge.append(to)
    found = run_search_sync(maze, Budget(Limits(actions=1000, depth=16), FakeClock()))
    assert isinstance(found, Found) == (maze.goal in reachable)


@given(MAZES, LIMITS)
def test_both_drivers_search_alike(maze: Maze, limits: Limits) -> None:
    other = again(maze)
    plain = run_search_sync(maze, Budget(limits, FakeClock()))
    assert asyncio.run(run_search(AsyncMaze(other), Budget(limits, FakeClock()))) == plain
    assert (other.taken, other.returns) == (maze.taken, maze.returns)


def test_a_dead_end_leads_back_to_the_fork_and_on_to_what_is_left() -> None:
    maze = Maze({0: [1, 2], 1: [3], 2: [4]}, goal=4)
    found = run_search_sync(maze, Budget(Limits(actions=32, depth=4), FakeClock()))
    assert isinstance(found, Found)
    assert [option.payload for option in found.path] == [2, 4]
    assert maze.returns == [()]


def test_without_actions_the_reason_says_so() -> None:
    maze = Maze({0: [1]}, goal=1)
    assert run_search_sync(maze, Budget(Limits(actions=0, depth=4), FakeClock())) == NotFound(Reason.ACTION_LIMIT)
