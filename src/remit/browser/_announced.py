"""What a page says about the length of its list, in many languages: "1..50 out of 191", "200 invoices", "Page 1 of
8".
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from remit.browser._lexicon import lexicon

_NUMBER = r"(?<!\d)(\d{1,3}(?:[.,'’\u00a0\u202f]\d{3})+(?![.,]?\d)|\d+)(?!\d)"
_DASH = r"(?:-|–|—|−|\.\.+|…|~|〜|～)"
_UNSPACED = re.compile(r"[぀-ヿ㐀-鿿가-힯฀-๿]")


@dataclass(frozen=True, slots=True)
class Announced:
    """`total` records in all, `pages` in all, `page` shown now, `span` = first and last record. None: not said."""

    total: int | None = None
    pages: int | None = None
    page: int | None = None
    span: tuple[int, int] | None = None

    @property
    def says_nothing(self) -> bool:
        """No figure at all."""
        return self == Announced()

    def with_gaps_from(self, other: Announced) -> Announced:
        """The same, with what is not said here taken from the other."""
        return Announced(
            self.total if self.total is not None else other.total,
            self.pages if self.pages is not None else other.pages,
            self.page if self.page is not None else other.page,
            self.span if self.span is not None else other.span,
        )


def plain(text: str) -> str:
    """Lower case without accents, digits and punctuation kept."""
    decomposed = unicodedata.normalize("NFKD", text.casefold().replace("ı", "i"))
    bare = "".join(c for c in decomposed if not unicodedata.combining(c) or "぀" <= c <= "ヿ")
    return " ".join(unicodedata.normalize("NFC", bare).split())


def _words(concept: str) -> str:
    phrases = sorted(lexicon("pager")[concept].phrases, key=lambda phrase: (-len(phrase), phrase))
    parts = [re.escape(p) if _UNSPACED.search(p) else rf"(?<![^\W\d]){re.escape(p)}(?![^\W\d])" for p in phrases]
    return f"(?:{'|'.join(parts)})"


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    of, page, items, total, showing = (_words(name) for name in ("of", "page", "items", "total", "showing"))
    span = rf"{_NUMBER}\s*(?:{_DASH}|{_words('to')})\s*(?:{page}\s*)?{_NUMBER}"
    shapes = (
        (rf"{page}\s*{_NUMBER}\s*{page}?\s*[,，(]?\s*(?:{of}|/)\s*{_NUMBER}", ("page", "pages")),
        (rf"{_NUMBER}\s*(?:{page})?\s*[,，]?\s*(?:{of}|/)\s*{_NUMBER}\s*{page}", ("page", "pages")),
        (rf"{_NUMBER}\s*{page}\s*{of}\s*{_NUMBER}(?!\s*{items})", ("pages", "page")),
        (rf"{span}[^\d.]{{0,24}}?(?:{of}|/)[^\d.]{{0,16}}{_NUMBER}", ("from", "to", "total")),
        (rf"{span}\s*[(,]?\s*{_NUMBER}\s*(?:{items}|{total})", ("from", "to", "total")),
        (rf"{span}[^\d.]{{0,30}}(?:{total})[^\d.]{{0,4}}{_NUMBER}", ("from", "to", "total")),
        (rf"{_NUMBER}\s*(?:{items})?\s*{of}[^\d.]{{0,16}}{span}", ("total", "from", "to")),
        (rf"{_NUMBER}\s*(?:{items}|{total})[^\d]{{0,24}}{span}", ("total", "from", "to")),
        (rf"(?:{total})[^\d]{{0,4}}{_NUMBER}[^\d]{{0,24}}{span}", ("total", "from", "to")),
        (rf"{showing}[^\d]{{0,14}}{_NUMBER}[^\d.]{{0,20}}{of}[^\d.]{{0,10}}{_NUMBER}", ("", "total")),
        (rf"{of}\s*{_NUMBER}\s*(?:{total}|{items})", ("total",)),
        (rf"(?:{showing}|{items})[^\d.]{{0,12}}{span}(?![\d/.-])", ("from", "to")),
        (rf"{_NUMBER}\s*(?:{total}\s*)?(?:{items})", ("total",)),
        (rf"(?:{total})\s*(?:{items})?\s*[:：]?\s*{_NUMBER}\s*(?:{items})?(?:[^\d.,€$£%\w]|$)", ("total",)),
    )
    return tuple((re.compile(shape), names) for shape, names in shapes)


_WEAK = frozenset({("total",), ("", "total")})
"""Shapes that are read only where no fuller one was found."""


def read_announced(text: str, *, weak: bool = True) -> Announced:
    """The figures in one short text. `weak`: also a lone count of items, which means nothing without a list beside
    it.
    """
    if len(text) > 400 or not any(c.isdigit() for c in text):
        return Announced()
    prepared = plain(text)
    found: dict[str, int] = {}
    for pattern, names in _patterns():
        if names in _WEAK and (found or not (weak or len(names) > 1)):
            continue
        match = pattern.search(prepared)
        if match and not found.keys() & set(names):
            values = {name: _number(value) for name, value in zip(names, match.groups(), strict=True) if name}
            if _is_plausible(values):
                found |= values
    span = (found["from"], found["to"]) if "from" in found else None
    return Announced(found.get("total"), found.get("pages"), found.get("page"), span)


def _number(text: str) -> int:
    return int(re.sub(r"\D", "", text))


def _is_plausible(values: dict[str, int]) -> bool:
    page, pages = values.get("page", 0), values.get("pages")
    if pages is not None and page > pages:
        return False
    first, last, total = values.get("from"), values.get("to"), values.get("total")
    if first is not None and last is not None:
        return first <= last and (total is None or last <= total) and not (total is None and first > 1900)
    return True
