"""Fields for one character each: a one-time code in boxes, single characters of a password, and keys on the screen."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from remit.browser._fields import FieldKind, is_secret, own_words, says
from remit.browser.observation import Control

LEAST, MOST = 4, 10
"""How many boxes a code has, in the field."""
_PLAIN = (None, FieldKind.TEXT, FieldKind.OTHER, FieldKind.ONE_TIME_CODE, FieldKind.CAPTCHA)
_NUMBER = re.compile(r"\d+")
_NUMBER = re.compile(r"\d+")
_LIST = re.compile(
    r"(?<!\d)\d{1,2}(?:(?:st|nd|rd|th|er|e|º|ª|°|\.)?(?:\s*[,،、&/+]\s*|\s+\w{1,5}\s+|,\s*\w{1,5}\s+)\d{1,2})+"
)


def takes_one(control: Control) -> bool:
    """A field for one typed character."""
    return control.is_text_field and control.maxlength == 1


def _lists_characters(control: Control) -> bool:
    """A list from which one character is chosen; so are numbers of passengers, so this alone says little."""
    characters = [o for o in control.options if len(o.strip()) == 1]
    return control.tag == "select" and len(characters) >= 10 and len(control.options) - len(characters) <= 1


def code_boxes(
    controls: Sequence[Control], kinds: Mapping[int, FieldKind], speaks_of_code: bool
) -> tuple[Control, ...]:
    """The boxes for the characters of one code, in document order; none where there is no such row.

    The first may take more than one character: it accepts the whole code when it is pasted. Masked boxes take a secret
    number as often as a code, so the form must speak of a code.
    """
    fields = [c for c in controls if c.is_text_field and c.usable and not c.readonly]
    if not speaks_of_code:
        fields = [c for c in fields if not is_secret(c)]
    row = [c for c in fields if takes_one(c)]
    if row:
        before = [c for c in fields if c.id < row[0].id]
        if before and kinds.get(before[-1].id) in _PLAIN and _takes_a_paste(before[-1], row):
            row.insert(0, before[-1])
    else:
        row = [c for c in fields if kinds.get(c.id) is FieldKind.ONE_TIME_CODE]
    return tuple(row) if LEAST <= len(row) <= MOST else ()


def _takes_a_paste(first: Control, row: Sequence[Control]) -> bool:
    if first.maxlength not in (None, LEAST, 5, 6, 7, 8, len(row) + 1):
        return False
    return _made_alike(first, row[0])


def _made_alike(one: Control, other: Control) -> bool:
    """Of one make: the same size, or identifiers that differ by a number alone."""
    if one.box and other.box:
        return abs(one.box[2] - other.box[2]) <= 4 and abs(one.box[1] - other.box[1]) <= 4
    return any(a and _NUMBER.sub("", a) == _NUMBER.sub("", b) for a, b in _identifiers(one, other))


def _identifiers(one: Control, other: Control) -> Iterable[tuple[str, str]]:
    return (one.html_name, other.html_name), (one.html_id, other.html_id), (one.name, other.name)


def asks_characters(controls: Sequence[Control], text: str, speaks_of_code: bool) -> bool:
    """A row of boxes for single characters of a secret: said so, told by their places, or some of the places closed."""
    boxes = [c for c in controls if c.visible and takes_one(c)]
    open_ = [c for c in boxes if c.usable and not c.readonly]
    if says("partial_password", text):
        return len(open_) + sum(_lists_characters(c) for c in controls if c.usable) >= 2
    if speaks_of_code or len(open_) < 2:
        return False
    masked = all(c.type == "password" or c.masked for c in open_)
    if masked and (len(open_) < LEAST or len(open_) < len(boxes)):
        return True
    return _tells_places(open_, text)


def _tells_places(boxes: Sequence[Control], text: str) -> bool:
    """Ordinals beside the boxes, or listed in the text, that are not the first ones: the second, fifth and seventh."""
    labels = [_NUMBER.search(f"{own_words(c)} {c.before[-20:]}") for c in boxes]
    beside = [int(m.group()) for m in labels if m]
    lists = [[int(n) for n in _NUMBER.findall(m.group())] for m in _LIST.finditer(text)]
    return any(len(places) == len(boxes) and _leaves_out(places) for places in (beside, *lists))


def _leaves_out(places: Sequence[int]) -> bool:
    rising = all(a < b for a, b in pairwise(places))
    return rising and places[0] > 0 and places[-1] <= 40 and places[-1] > len(places)


def keypad(controls: Iterable[Control]) -> tuple[Control, ...]:
    """Buttons for all ten digits; none where one is missing."""
    keys = [c for c in controls if c.visible and c.role == "button" and _digit(c) is not None]
    return tuple(keys) if len({_digit(c) for c in keys}) == 10 else ()


def _digit(control: Control) -> int | None:
    text = (control.name or control.text).strip()
    return unicodedata.digit(text, None) if len(text) == 1 else None
