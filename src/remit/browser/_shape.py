"""Closed tests of what a short text is, enough to tell the place of a price from that of a date. Values are read
elsewhere.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from remit.browser._record_list import SlotKind

_CURRENCY = (
    r"(?:[€$£¥₹₽₺₩₴₪฿₫]|\b(?:EUR|USD|GBP|CHF|PLN|SEK|NOK|DKK|CZK|HUF|RON|TRY|JPY|CNY|INR|RUB|zł|kr|Kč|Ft|lei|TL)\b)"
)
_AMOUNT = re.compile(
    rf"^[-+(−]?\s*(?:{_CURRENCY}\s*[-−]?\s*\d[\d.,'’\s]*|\d[\d.,'’\s]*\s*{_CURRENCY}|\d[\d.,'’]*[.,]\d\d)\s*\)?$",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"^[-+−]?\d[\d.,'’\s]*%?$")
_DATE = re.compile(
    r""
    r"(?<![\w-])(?:19|20)\d\d[-./年]\s?(?:0?[1-9]|1[0-2])(?![\d])|(?<![\w.-])\d{1,2}[./-]\d{1,2}[./-](?:\d{2}|\d{4})(?!\d)|"
    r""
    r"\d{1,2}\.?\s+(?:de\s+)?[^\W\d]{3,}\.?,?\s+(?:de\s+)?\d{4}|[^\W\d]{3,}\.?\s+\d{1,2},?\s+\d{4}|^[^\W\d]{3,}\.?\s+\d{4}$|"
    r"\b(?:\d+|an?)\s+(?:second|minute|hour|day|week|month|year)s?\s+ago\b|^\d{1,2}:\d{2},\s"
)  # fmt: skip


def kind_of(texts: Iterable[str]) -> SlotKind:
    """What most of the texts are: amounts, dates, numbers, or just text."""
    kinds = Counter(_kind(text) for text in texts if text)
    if not kinds:
        return "text"
    kind, count = kinds.most_common(1)[0]
    return kind if count * 10 >= sum(kinds.values()) * 6 else "text"


def _kind(text: str) -> SlotKind:
    if len(text) > 60:
        return "text"
    if _DATE.search(text):
        return "date"
    if _AMOUNT.match(text):
        return "amount"
    return "number" if _NUMBER.match(text) else "text"


_VERSION = re.compile(r"^v?\d+(?:\.\d+){1,3}(?:[-+.][\w.+-]+)?$", re.IGNORECASE)
_LICENSE = re.compile(
    r"^(?:MIT|ISC|X11|Zlib|WTFPL|Unlicense|0BSD|CC0|UNLICENSED|Proprietary|Public Domain|(?:The )?MIT License"
    r"|(?:Apache|BSD|L?GPL|AGPL|MPL|EPL|CDDL|EUPL|Artistic|Ruby|PSF|BSL|CC[- ]BY|CC0)[-\w .+]*)$",
    re.IGNORECASE,
)
_SHAPES: tuple[tuple[SlotKind, re.Pattern[str]], ...] = (("version", _VERSION), ("license", _LICENSE))
_SENTENCE_WORDS = 4


def named_by_shape(texts: Iterable[str]) -> SlotKind:
    """What texts without a name and without another kind show by their shape: versions, licences (short names as in
    the SPDX list), or sentences.
    """
    filled = [text for text in texts if text]
    for kind, shape in _SHAPES:
        if filled and sum(1 for text in filled if shape.match(text)) * 10 >= len(filled) * 8:
            return kind
    words = sum(len(text.split()) for text in filled)
    return "prose" if filled and words >= _SENTENCE_WORDS * len(filled) else "text"
