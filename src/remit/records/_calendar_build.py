"""Writes `lexicon/calendar.json` from Babel: `python -m remit.records._calendar_build`.

Babel keeps every locale it has loaded, some 250 MB for all of them, and takes over a second: too much to do at run time
for a list of names that changes once a year.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from babel import Locale, UnknownLocaleError, localedata

from ._lexicon import words
from ._words import fold, split

Index = dict[str, dict[int, set[str]]]


def build() -> dict[str, object]:
    """Each folded name with its number; where languages disagree, with the languages of each number."""
    months: Index = defaultdict(lambda: defaultdict(set))
    quarters: Index = defaultdict(lambda: defaultdict(set))
    weekdays: set[str] = set()
    for locale in _locales():
        for number, text in _names(locale.months):
            months[_key(text)][number].add(locale.language)
        # Short names of quarters ("R1") would be found in too many codes if every language had a say.
        for number, text in _names(locale.quarters) if locale.language in words("widely_written") else ():
            quarters[_key(text)][number].add(locale.language)
        weekdays.update(_key(text) for _, text in _names(locale.days))
    return {"months": _compact(months), "quarters": _compact(quarters), "weekdays": dict.fromkeys(sorted(weekdays), 0)}


def main() -> None:
    """Write the file beside this module."""
    path = Path(__file__).with_name("lexicon") / "calendar.json"
    path.write_text(json.dumps(build(), ensure_ascii=False, indent=0) + "\n", "utf-8")


def _key(text: str) -> str:
    return " ".join(split(fold(text)))


def _compact(index: Index) -> dict[str, int | dict[str, list[str]]]:
    return {
        name: next(iter(meanings))
        if len(meanings) == 1
        else {str(number): sorted(languages) for number, languages in sorted(meanings.items())}
        for name, meanings in sorted(index.items())
    }


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
