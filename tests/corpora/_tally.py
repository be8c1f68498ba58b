"""Counting right and wrong, a label, and remembering which pages were worst."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field


@dataclass
class Count:
    """Right, falsely claimed and missed."""

    right: int = 0
    false: int = 0
    missed: int = 0

    @property
    def precision(self) -> float:
        """Share of the claimed that is right; 1 where nothing was claimed."""
        return self.right / (self.right + self.false) if self.right + self.false else 1.0

    @property
    def recall(self) -> float:
        """Share of the labelled that was found; 1 where nothing is labelled."""
        return self.right / (self.right + self.missed) if self.right + self.missed else 1.0

    @property
    def f1(self) -> float:
        """Harmonic mean of both."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


@dataclass
class Tally:
    """Counts a label, plain figures, and the errors a page."""

    counts: dict[str, Count] = field(default_factory=lambda: defaultdict(Count))
    figures: dict[str, float] = field(default_factory=dict)
    errors: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def compare(self, label: str, expected: bool, claimed: bool, page: str, remark: str = "") -> None:
        """One decision about one element."""
        count = self.counts[label]
        if expected and claimed:
            count.right += 1
        elif claimed:
            count.false += 1
            self.errors[page].append(f"{label}: claimed wrongly{remark}")
        elif expected:
            count.missed += 1
            self.errors[page].append(f"{label}: missed{remark}")

    def worst(self, limit: int) -> list[tuple[str, list[str]]]:
        """The pages with most errors."""
        return sorted(self.errors.items(), key=lambda item: (-len(item[1]), item[0]))[:limit]

    def as_data(self, limit: int) -> dict[str, object]:
        """For `--json`."""
        return {
            "labels": {
                label: {
                    "precision": round(c.precision, 4), "recall": round(c.recall, 4), "f1": round(c.f1, 4),
                    "right": c.right, "false": c.false, "missed": c.missed,
                }
                for label, c in sorted(self.counts.items())
            },
            "figures": self.figures,
            "worst": dict(self.worst(limit)),
        }  # fmt: skip

    def as_text(self, limit: int) -> str:
        """For a person."""
        lines = [f"{'label':<44}{'P':>8}{'R':>8}{'F1':>8}{'right':>7}{'false':>7}{'missed':>7}"]
        lines += [
            f"{label:<44}{c.precision:>8.4f}{c.recall:>8.4f}{c.f1:>8.4f}{c.right:>7}{c.false:>7}{c.missed:>7}"
            for label, c in sorted(self.counts.items())
        ]
        lines += [f"{name}: {value:g}" for name, value in self.figures.items()]
        lines += [f"  {page}: " + "; ".join(_grouped(errors)) for page, errors in self.worst(limit)]
        return "\n".join(lines)


def _grouped(errors: list[str]) -> list[str]:
    return [f"{text} (x{n})" if n > 1 else text for text, n in Counter(errors).items()]
