"""Amounts of money and other decimal numbers: the separators are decided on a whole column, never on one cell."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Literal

from babel import Locale

from ._lexicon import words

DecimalMark = Literal[".", ","]
MARKS: tuple[DecimalMark, DecimalMark] = (".", ",")

_SPACES = "\u0020\u00a0\u2007\u2009\u202f"
_APOSTROPHES = "'\u2019\u02bc\uff07"
_MINUS = "-\u2212\u2010\u2011\u2012\u2013\ufe63\uff0d"
_ARABIC = str.maketrans({"\u066b": ",", "\u066c": "'", "\uff0e": ".", "\uff0c": ","})
_NUMBER = re.compile(rf"[.,]?\d(?:[\d.,{_APOSTROPHES}{_SPACES}]*\d)?")
_WHOLE = re.compile(rf"[{_MINUS}]?(?:0|[1-9]\d*)")
_CENTS_DASH = re.compile(rf"(?<=\d)[.,](?:[{_MINUS}\u2014]{{1,2}})$")


@dataclass(frozen=True, slots=True)
class Amount:
    """A number exactly as written, and the currency mark or code beside it as the source has it, not translated."""

    value: Decimal
    currency: str | None = None


@dataclass(frozen=True, slots=True)
class WrittenAmount:
    """A text taken apart: what it is under a decimal point, and under a decimal comma; None where that is no number."""

    point: Decimal | None
    comma: Decimal | None
    currency: str | None

    def under(self, mark: DecimalMark) -> Amount | None:
        """The amount if `mark` separates the decimals."""
        value = self.point if mark == "." else self.comma
        return None if value is None else Amount(value, self.currency)

    @property
    def is_ambiguous(self) -> bool:
        """Whether both marks give a number, and not the same one: "3.350"."""
        return self.point is not None and self.comma is not None and self.point != self.comma


def take_apart(text: str) -> WrittenAmount | None:
    """The number and the currency of a text that is an amount and nothing else; None otherwise.

    A sign may stand before or after the number or the currency, or be parentheses.
    """
    if len(text) > 64:
        return None
    body, negative = _sign(_ascii_digits(text).strip())
    found = _NUMBER.search(body)
    if found is None:
        return None
    before, after = body[: found.start()].strip(), body[found.end() :].strip()
    before, negative_before = _inner_sign(before)
    if (before and after) or (negative and negative_before):
        return None
    currency = before or after or None
    if currency is not None and not is_currency(currency):
        return None
    sign = -1 if negative or negative_before else 1
    point, comma = (_read(found[0], mark, sign) for mark in MARKS)
    return None if point is None and comma is None else WrittenAmount(point, comma, currency)


def read_integer(text: str) -> int | None:
    """A whole number without separators, signs aside; None for leading zeros, which identify rather than count."""
    plain = _ascii_digits(text).strip()
    if not _WHOLE.fullmatch(plain):
        return None
    return int(plain if plain[0].isdigit() else f"-{plain[1:]}")


def is_currency(text: str) -> bool:
    """Whether a text is a currency sign (Unicode category Sc, "US$" too), an ISO 4217 code, or a mark such as "kr"."""
    if text in words("currency_marks") or text in _codes():
        return True
    letters = text[:-1] if unicodedata.category(text[-1]) == "Sc" else text[1:]
    signs = [char for char in text if unicodedata.category(char) == "Sc"]
    return len(signs) == 1 and len(letters) <= 3 and (not letters or letters.strip(" ").isalpha())


@cache
def _codes() -> frozenset[str]:
    return frozenset(Locale.parse("en").currencies)


def _ascii_digits(text: str) -> str:
    if text.isascii():
        return text
    text = "".join(char for char in text if unicodedata.category(char) != "Cf")
    return "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in text).translate(_ARABIC)


def _sign(text: str) -> tuple[str, bool]:
    """The text without its outer sign, and whether that is negative."""
    text = _CENTS_DASH.sub("", text)
    if text[:1] == "(" and text[-1:] == ")":
        return text[1:-1].strip(), True
    if text[:1] and text[0] in _MINUS:
        return text[1:].strip(), True
    if text[-1:] and text[-1] in _MINUS:
        return text[:-1].strip(), True
    return (text[1:].strip(), False) if text[:1] == "+" else (text, False)


def _inner_sign(before: str) -> tuple[str, bool]:
    """The sign between the currency and the number: "€ -5"."""
    if before and before[-1] in _MINUS:
        return before[:-1].strip(), True
    return before, False


def _read(number: str, mark: DecimalMark, sign: int) -> Decimal | None:
    whole, found, decimals = number.partition(mark)
    if found and not decimals.isdecimal():
        return None
    digits = _ungrouped(whole, mark)
    if digits is None or (not digits and not found):
        return None
    return sign * Decimal(f"{digits or '0'}.{decimals}" if found else digits)


def _ungrouped(whole: str, mark: DecimalMark) -> str | None:
    """The digits of a whole part; None if the groups are not of one separator, and of three or as in India."""
    if not whole or whole.isdecimal():
        return None if len(whole) > 1 and whole[0] == "0" else whole
    separators = {char for char in whole if not char.isdecimal()}
    if len(separators) != 1 or mark in separators:
        return None
    first, *groups = whole.split(separators.pop())
    sizes = [len(group) for group in groups]
    by_threes = 1 <= len(first) <= 3 and all(size == 3 for size in sizes)
    indian = 1 <= len(first) <= 2 and sizes[-1] == 3 and all(size == 2 for size in sizes[:-1])
    if not (by_threes or indian) or first.startswith("0"):
        return None
    return first + "".join(groups)
