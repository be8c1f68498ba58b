"""Text made comparable: one folding and one splitting for everything that is matched by its words."""

from __future__ import annotations

import unicodedata

_APOSTROPHES = "'’ʼ"


def fold(text: str) -> str:
    """`text` without case, accents, compatibility forms and invisible characters; decimal digits become ASCII.

    Accents are marks with a combining class (Unicode Standard, section 4.3), so the vowel signs of Indic scripts stay.
    """
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(_digit(char) for char in decomposed if not _invisible(char))


def split(text: str) -> tuple[str, ...]:
    """The words, the digit runs and the single other characters of folded text, without white space.

    An apostrophe inside a word belongs to it; full stops are dropped where they end a word or an ordinal. Chinese
    characters, between which no space stands, are a word each.
    """
    tokens: list[str] = []
    last = ""
    for char in text:
        kind = _kind(char)
        if kind and (kind == last or (char in _APOSTROPHES and last == "word")):
            tokens[-1] += char
        elif char != "." and not char.isspace():
            tokens.append(char)
        last = kind if not (char in _APOSTROPHES and last == "word") else "word"
    return tuple(tokens)


def _kind(char: str) -> str:
    if char.isdecimal():
        return "digits"
    if "\u4e00" <= char <= "\u9fff":
        return ""
    return "word" if unicodedata.category(char)[0] in "LM" else ""


def _digit(char: str) -> str:
    return str(unicodedata.decimal(char)) if char.isdecimal() else char


def _invisible(char: str) -> bool:
    return bool(unicodedata.combining(char)) or unicodedata.category(char) == "Cf"
