"""Phrases with a name put into them: "Create your Acme account" says what "create your account" says."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from remit.browser._lexicon import lexicon, normalise

_SHORTEST = 4
_LONGEST = 100


@lru_cache(maxsize=2048)
def says_loosely(concept: str, text: str) -> bool:
    """The words of a phrase stand in a short text in their order, with at most two others between neighbours.

    Only phrases whose first and last words are of four letters or more: "sign … up" would match too much.
    """
    return len(text) <= _LONGEST and _loose(concept).search(normalise(text)) is not None


@cache
def _loose(concept: str) -> re.Pattern[str]:
    phrases = sorted(p.split() for p in lexicon("forms")[concept].phrases if " " in p)
    kept = [words for words in phrases if min(len(words[0]), len(words[-1])) >= _SHORTEST]
    parts = (r"\s(?:\S+\s){0,2}?".join(map(re.escape, words)) for words in kept)
    return re.compile(rf"(?<!\w)(?:{'|'.join(parts)})(?!\w)")
