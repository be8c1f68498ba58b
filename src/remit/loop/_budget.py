"""What a call may still spend: active seconds and actions, shared by everything the call does."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from remit.contract import Limits

Clock = Callable[[], float]
"""Monotonic seconds."""


class Budget:
    """Counts active time and actions against a manifest's limits.

    Time spent inside `paused()` (a person is being waited for) does not count. Nothing resets the counters.
    """

    def __init__(self, limits: Limits, clock: Clock = time.monotonic) -> None:
        self.limits = limits
        self._clock = clock
        self._start = clock()
        self._waited = 0.0
        self._pauses = 0
        self._pause_start = 0.0
        self.actions = 0
        self.attempts = 0
        self.model_calls = 0

    @property
    def elapsed(self) -> float:
        """Active seconds so far."""
        waiting = self._clock() - self._pause_start if self._pauses else 0.0
        return self._clock() - self._start - self._waited - waiting

    @property
    def seconds_left(self) -> float:
        """Active seconds that remain; never negative."""
        return max(0.0, self.limits.elapsed_s - self.elapsed)

    @property
    def out_of_time(self) -> bool:
        """No further attempt may start."""
        return self.elapsed >= self.limits.elapsed_s

    @property
    def actions_left(self) -> int:
        """Actions that remain."""
        return max(0, self.limits.actions - self.actions)

    def spend_actions(self, count: int = 1) -> bool:
        """Take actions from the budget; False, and nothing taken, where they are not there."""
        if count > self.actions_left:
            return False
        self.actions += count
        return True

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Stop the clock while a person is waited for. May nest."""
        if not self._pauses:
            self._pause_start = self._clock()
        self._pauses += 1
        try:
            yield
        finally:
            self._pauses -= 1
            if not self._pauses:
                self._waited += self._clock() - self._pause_start
