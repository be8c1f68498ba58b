"""One measured comparison."""

from __future__ import annotations

import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Figure:
    """`ratio` is ours over the other's, or the other's over ours where `goal` asks how much faster ours is."""

    what: str
    ours: str
    against: str
    ratio: float | None
    goal: str = ""
    bound: float | None = None
    better: Literal["below", "above"] = "below"

    @property
    def met(self) -> bool | None:
        """Whether the goal is met; None where there is none, or nothing to compare with."""
        if self.ratio is None or self.bound is None:
            return None
        return self.ratio <= self.bound if self.better == "below" else self.ratio >= self.bound

    @property
    def ratio_text(self) -> str:
        """The ratio as shown."""
        return "-" if self.ratio is None else f"{self.ratio:.2f}"

    def as_dict(self) -> dict[str, object]:
        """For `--json`."""
        return {"what": self.what, "ours": self.ours, "against": self.against, "ratio": self.ratio, "met": self.met}


async def seconds(work: Callable[[], Awaitable[object]]) -> float:
    """How long it takes."""
    start = time.perf_counter()
    await work()
    return time.perf_counter() - start


async def side_by_side(
    ours: Callable[[], Awaitable[object]], theirs: Callable[[], Awaitable[object]], rounds: int
) -> tuple[float, float]:
    """The medians of both, taken in turns, so that a noisy machine is noisy to both."""
    pairs = [(await seconds(ours), await seconds(theirs)) for _ in range(rounds)]
    return statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs)


def ms(value: float) -> str:
    """Seconds as milliseconds."""
    return f"{value * 1000:.1f} ms"
