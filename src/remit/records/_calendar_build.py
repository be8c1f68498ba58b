"""Writes `lexicon/calendar.json` from Babel: `python -m remit.records._calendar_build`.

Babel keeps every locale it has loaded, some 250 MB for all of them, and takes over a second: too much to do at run time
for a list of names that changes once a year.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from babel import Locale, UnknownLocaleError, localedata

from ._lexicon import words
from ._words import fold, split

Index = dict[str, dict[int, set[str]]]

_PATTERN_PARTS = re.compile(
    r"'(?P<quoted>(?:[^']|'')*)'|(?P<field>(?P<letter>[A-Za-z])(?P=letter)*)|(?P<other>[^A-Za-z']+)"
)


def build() -> dict[str, object]:
    """Each folded name with its number; where languages disagree, with the languages of each number.

    A name also stands with what its language writes onto it in a date, as Hebrew's "in". `literals` are the words that
    dates have between their parts.
    """
    months: Index = defaultdict(lambda: defaultdict(set))
    quarters: Index = defaultdict(lambda: defaultdict(set))
    weekdays: set[str] = set()
    literals: set[str] = set()
    affixed: set[str] = set()
    for locale in _locales():
        patterns = tuple(map(_parts, _patterns(locale)))
        for number, text in _names(locale.months):
            months[_key(text)][number].add(locale.language)
            for form in _affixed(text, patterns, "ML"):
                affixed.update({_key(form)} - months.keys())
                months[_key(form)][number].add(locale.language)
        # Short names of quarters ("R1") would be found in too many codes if every language had a say.
        for number, text in _names(locale.quarters) if locale.language in words("widely_written") else ():
            quarters[_key(text)][number].add(locale.language)
        for _, text in _names(locale.days):
            weekdays.update(_key(form) for form in (text, *_affixed(text, patterns, "Ec")))
        literals.update(_literals(locale, patterns))
    small = literals | {fold(word) for word in words("small_words")}
    return {
        "months": _compact(months, small | affixed),
        "quarters": _compact(quarters, frozenset()),
        "weekdays": dict.fromkeys(sorted(name for name in weekdays if len(name) > 1 or not name.isascii()), 0),
        "literals": dict.fromkeys(sorted(literals), 0),
    }


def main() -> None:
    """Write the file beside this module."""
    path = Path(__file__).with_name("lexicon") / "calendar.json"
    path.write_text(json.dumps(build(), ensure_ascii=False, indent=0) + "\n", "utf-8")


def _key(text: str) -> str:
    return " ".join(split(fold(text)))


def _compact(index: Index, doubtful: Collection[str]) -> dict[str, int | dict[str, list[str]]]:
    """A name that may well be another word keeps its languages, without which it is not taken for a month.

    The number of a name that no widely written language has is negative.
    """
    return {
        name: next(iter(meanings)) * (1 if _is_wide(index, name) else -1)
        if len(meanings) == 1 and name not in doubtful
        else {str(number): sorted(languages) for number, languages in sorted(meanings.items())}
        for name, meanings in sorted(index.items())
    }


def _is_wide(index: Index, name: str) -> bool:
    """Whether a widely written language has the name, or would but for a small word: "de noviembre" is Aragonese."""
    first, _, rest = name.partition(" ")
    tail = rest if first in {fold(word) for word in words("small_words")} else name
    meanings = (*index[name].values(), *index.get(tail, {}).values())
    return any(languages & words("widely_written") for languages in meanings)


@dataclass(frozen=True, slots=True)
class _Part:
    """Of a date pattern: a field's letter and length, or literal text where the letter is empty."""

    letter: str
    length: int
    text: str


def _parts(pattern: str) -> tuple[_Part, ...]:
    """Literal text that stands in several pieces ("'ta'\u2019") is one part."""
    parts: list[_Part] = []
    for found in _PATTERN_PARTS.finditer(pattern):
        if found["field"]:
            parts.append(_Part(found["letter"], len(found["field"]), ""))
            continue
        text = found["other"] or (found["quoted"] or "'").replace("''", "'")
        if parts and not parts[-1].letter:
            text = parts.pop().text + text
        parts.append(_Part("", 0, text))
    return tuple(parts)


def _patterns(locale: Locale) -> Iterator[str]:
    """Every pattern of a date that has a year, a month or a day, and no time."""
    for width in ("full", "long", "medium"):
        yield locale.date_formats[width].pattern
    for skeleton, pattern in locale.datetime_skeletons.items():
        if set(skeleton) <= set("GyMEd"):
            yield pattern.pattern


def _affixed(name: str, patterns: Iterable[tuple[_Part, ...]], letters: str) -> Iterator[str]:
    """The name with the letters that patterns write directly before and behind it."""
    for parts in patterns:
        for at, part in enumerate(parts):
            if part.letter and part.letter in letters and part.length >= 3:
                before, after = (_text(parts, at + step) for step in (-1, 1))
                prefix, suffix = _letters(before[::-1])[::-1], _letters(after)
                if prefix or suffix:
                    yield f"{prefix}{name}{suffix}"


def _literals(locale: Locale, patterns: Iterable[tuple[_Part, ...]]) -> Iterator[str]:
    """The words of patterns that are not written onto a name, and of the era that has no number of its own."""
    for parts in patterns:
        for at, part in enumerate(parts):
            if part.letter == "G":
                # In Latin script, letters of "AD" are letters of "BC" as well.
                yield from (word for word in _words_of(locale.eras["abbreviated"].get(1, "")) if not word.isascii())
            if part.letter:
                continue
            text = part.text
            if _is_name(parts, at - 1):
                text = text[len(_letters(text)) :]
            if _is_name(parts, at + 1):
                text = text[: len(text) - len(_letters(text[::-1]))]
            yield from _words_of(text)


def _is_name(parts: tuple[_Part, ...], at: int) -> bool:
    return 0 <= at < len(parts) and parts[at].letter in tuple("MLEc") and parts[at].length >= 3


def _text(parts: tuple[_Part, ...], at: int) -> str:
    return parts[at].text if 0 <= at < len(parts) else ""


def _words_of(text: str) -> Iterator[str]:
    """Punctuation of every script counts as words; digits, ASCII signs that mean something and lone letters do not."""
    for token in split(fold(text)):
        if len(token) == 1 and token.isascii():
            continue
        if token[0].isalpha() or (unicodedata.category(token[0]) == "Po" and not token.isascii()):
            yield token


def _letters(text: str) -> str:
    """The letters, and marks on them, that a text begins with."""
    return "".join(takewhile(lambda char: unicodedata.category(char)[0] in "LM", text))


def _locales() -> Iterator[Locale]:
    for identifier in sorted(localedata.locale_identifiers()):
        try:
            yield Locale.parse(identifier)
        except (UnknownLocaleError, ValueError):
            continue


def _names(widths: Mapping[str, Mapping[str, Mapping[int, str]]]) -> Iterable[tuple[int, str]]:
    for context in ("format", "stand-alone"):
        for width in ("wide", "abbreviated"):
            for number, text in widths.get(context, {}).get(width, {}).items():
                if not _is_placeholder(text):
                    yield number, text


def _is_placeholder(text: str) -> bool:
    """CLDR's root says "M09" or "9" where a language has no names of its own."""
    return text.isdigit() or (text[:1] == "M" and text[1:].isdigit())


if __name__ == "__main__":
    main()
