"""From what a model wrote to an answer, or to nothing: one pure function, `parse`."""

from __future__ import annotations

import json
import re
from typing import TypeVar

from ._question import Answer, Json, Question

A = TypeVar("A", bound=Answer)

OUTPUT_CHARS = 40_000
"""Longest output that is read at all."""

_FENCE = re.compile(r"```[A-Za-z]*\s*\n?(.*?)```", re.DOTALL)
_DECODER = json.JSONDecoder(object_pairs_hook=lambda pairs: _unrepeated(pairs))


def parse(question: Question[A], written: str) -> A | None:
    """The one admissible answer in `written`, or None.

    Models wrap their JSON in `<think>` blocks, code fences, prose, or doubled braces even when a schema is in force;
    these wrappers are taken off. What is left must hold exactly one JSON object, and that object must be an admissible
    answer: two objects, an unknown id, a repeated key or a further key make it none. A bare id answers a choice.
    """
    text = _unthought(written[:OUTPUT_CHARS])
    if text is None or len(written) > OUTPUT_CHARS:
        return None
    fences = _FENCE.findall(text)
    if len(fences) == 1:
        text = fences[0]
    text = text.strip()
    if question.kind == "choose" and "{" not in text:
        objects: list[Json] = [text.strip("\"'`")]
    else:
        objects = _objects(text)
    return question.admit(objects[0]) if len(objects) == 1 else None


def _unthought(text: str) -> str | None:
    """`text` after its last thought; None if a thought never ends."""
    _, closed, rest = text.rpartition("</think>")
    remainder = rest if closed else text
    return None if "<think>" in remainder else remainder


def _objects(text: str) -> list[Json]:
    """All outermost JSON objects in `text`, prose between them skipped; doubled braces count as single ones."""
    found: list[Json] = []
    at = text.find("{")
    while at >= 0 and len(found) < 2:
        if text[at : at + 2] == "{{":
            at += 1
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            # Broken JSON is not skipped in the hope of a better one inside it: an inner object is not the answer.
            return []
        found.append(value)
        at = text.find("{", end)
    return found


def _unrepeated(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError("a key is repeated")
    return dict(pairs)
