"""Fields that only a record's own page has: read there by their label, one page per record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from remit.browser import Frame, RecordList, find_lists
from remit.records import Ambiguous, Entry, match_name, plain_name

from ._harvest import Pending, Wanted

_LABELS = frozenset({"dt", "th", "label", "h2", "h3", "h4", "h5", "h6", "strong", "b", "legend"})
_LONGEST_LABEL = 60


def labelled_values(frame: Frame, within: range | None = None) -> list[tuple[str, str]]:
    """Pairs of label and value as a page of one record, or a part of a page, shows them, in document order.

    A label is a term, a header cell, a heading or bold text, with the value beside or below it; or the part of a text
    before a colon.
    """
    part = range(len(frame.nodes)) if within is None else within
    lists = tuple(each for each in find_lists(frame) if each.node in part)
    return [*_by_element(frame, part), *_by_colon(frame, part), *_by_column(lists)]


def _by_element(frame: Frame, part: range) -> Iterator[tuple[str, str]]:
    for index in part:
        node = frame.nodes[index]
        if node.tag in _LABELS and node.parent >= 0:
            label = _text(frame, index).rstrip(" :")
            value = _next_text(frame, index)
            if label and value and len(label) <= _LONGEST_LABEL:
                yield label, value


def _by_colon(frame: Frame, part: range) -> Iterator[tuple[str, str]]:
    for index in part:
        node = frame.nodes[index]
        label, colon, value = node.text.partition(":")
        if colon and label.strip() and len(label) <= _LONGEST_LABEL:
            rest = value.strip() or _next_text(frame, index)
            if rest:
                yield label.strip(), rest


def _by_column(lists: tuple[RecordList, ...]) -> Iterator[tuple[str, str]]:
    for found in lists:
        if found.kind == "table" and len(found.rows) == 1:
            for column in found.columns:
                if column.name and column.index < len(found.rows[0].cells):
                    yield column.name, found.rows[0].cells[column.index].text


def _next_text(frame: Frame, index: int) -> str:
    """The text of the next sibling that has any."""
    siblings = frame.children[frame.nodes[index].parent]
    for sibling in siblings[siblings.index(index) + 1 :]:
        if frame.nodes[sibling].tag in _LABELS:
            return ""
        if text := _text(frame, sibling):
            return text
    return ""


def _text(frame: Frame, index: int) -> str:
    parts, stack = [], [index]
    while stack:
        current = stack.pop()
        parts.append(frame.nodes[current].text)
        stack.extend(reversed(frame.children[current]))
    return " ".join(" ".join(parts).split())


def complete(
    pending: Pending, frame: Frame, wanted: Wanted, within: range | None = None
) -> tuple[Entry, tuple[str, ...]]:
    """The entry with what its page (or the part of a page that is its own) adds, and the fields still missing.

    What a record's own page says under the very name of a field wins over the list, whose text is kept beside it.
    """
    pairs = list(dict.fromkeys(labelled_values(frame, within)))
    entry, lacking = pending.entry, []
    texts, machines = list(entry.texts), list(entry.machines or (None,) * len(entry.texts))
    cells = list(entry.cells or (None,) * len(entry.texts))
    said: list[str | None] = [None] * len(entry.texts)
    for at, name in enumerate(wanted.names):
        missing = name in pending.missing
        value = value_of(name, pairs) if missing else _value_of_same_name(name, pairs)
        if value is not None and value != texts[at]:
            said[at] = None if missing else texts[at]
            texts[at], machines[at], cells[at] = value, None, None
        elif value is None and missing:
            lacking.append(name)
    kept = tuple(said) if any(text is not None for text in said) else None
    merged = replace(entry, texts=tuple(texts), machines=tuple(machines), cells=tuple(cells), listed=kept)
    return merged, tuple(lacking)


def value_of(name: str, pairs: list[tuple[str, str]]) -> str | None:
    """The value of the label that means the field; None where there is none, or several that say different things."""
    found = match_name(name, [label for label, _ in pairs])
    if found is None:
        return None
    indexes = found.indexes if isinstance(found, Ambiguous) else (found,)
    values = {pairs[at][1] for at in indexes}
    return values.pop() if len(values) == 1 else None


def _value_of_same_name(name: str, pairs: list[tuple[str, str]]) -> str | None:
    values = {value for label, value in pairs if plain_name(label) == plain_name(name)}
    return values.pop() if len(values) == 1 else None
