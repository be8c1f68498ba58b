"""Words to match, in many languages: `lexicon/<topic>/<language>.toml`, each a table of concept → phrases.

Matching ignores case, accents, punctuation and runs of white space. In scripts written without spaces a phrase matches
anywhere; elsewhere only as whole words.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

_UNSPACED = re.compile(r"[぀-ヿ㐀-鿿가-힯฀-๿]")
_SEPARATORS = re.compile(r"[\W_]+")


@lru_cache(maxsize=16384)
def normalise(text: str) -> str:
    """Lower case, no accents, punctuation as single spaces: the form in which phrases are compared."""
    decomposed = unicodedata.normalize("NFKD", text.casefold().replace("ı", "i"))
    bare = "".join(c for c in decomposed if not unicodedata.combining(c) or "぀" <= c <= "ヿ")
    return _SEPARATORS.sub(" ", unicodedata.normalize("NFKC", bare)).strip()


@dataclass(frozen=True, slots=True)
class Concept:
    """The phrases of one concept in all languages."""

    phrases: frozenset[str]
    pattern: re.Pattern[str]
    heads: frozenset[str]
    """The first words of all phrases: where none of them stands, the long pattern need not be tried."""

    def is_exactly(self, text: str) -> bool:
        """The whole text is one of the phrases."""
        return normalise(text) in self.phrases

    def occurs_in(self, text: str) -> bool:
        """One of the phrases stands in the text, as whole words."""
        return self.found_in(normalise(text))

    def found_in(self, normal: str) -> bool:
        """As `occurs_in`, for a text that is normalised already."""
        if self.heads.isdisjoint(normal.split()) and not _UNSPACED.search(normal):
            return False
        return self.pattern.search(normal) is not None


def _concept(phrases: frozenset[str]) -> Concept:
    longest_first = sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
    parts = [re.escape(p) if _UNSPACED.search(p) else rf"(?<!\w){re.escape(p)}(?!\w)" for p in longest_first]
    heads = frozenset(phrase.split()[0] for phrase in phrases)
    return Concept(phrases, re.compile("|".join(parts) or r"(?!)"), heads)


@cache
def lexicon(topic: str) -> dict[str, Concept]:
    """All concepts of a topic, over all its languages."""
    found: dict[str, set[str]] = {}
    for entry in files(__package__).joinpath("lexicon", topic).iterdir():
        if entry.name.endswith(".toml"):
            for concept, phrases in tomllib.loads(entry.read_text("utf-8")).items():
                found.setdefault(concept, set()).update(normalise(phrase) for phrase in phrases)
    return {concept: _concept(frozenset(phrases - {""})) for concept, phrases in found.items()}
