"""Fields that only a record's own page has: read there by their label, one page per record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from remit.browser import Frame, RecordList, find_lists
from remit.records import Ambiguous, Entry, match_name

from ._harvest import Pending, Wanted

_LABELS = frozenset({"dt", "th", "label", "h2", "h3", "h4", "h5", "h6", "strong", "b", "legend"})
_LONGEST_LABEL = 60


def labelled_values(frame: Frame) -> list[tuple[str, str]]:
    """Pairs of label and value as a page of one record shows them, in document order.

    A label is a term, a header cell, a heading or bold text, with the value beside or below it; or the part of a text
    before a colon.
    """
    return [*_by_element(frame), *_by_colon(frame), *_by_column(find_lists(frame))]


def _by_element(frame: Frame) -> Iterator[tuple[str, str]]:
    for index, node in enumerate(frame.nodes):
        if node.tag in _LABELS and node.parent >= 0:
            label = _text(frame, index).rstrip(" :")
            value = _next_text(frame, index)
            if label and value and len(label) <= _LONGEST_LABEL:
                yield label, value


def _by_colon(frame: Frame) -> Iterator[tuple[str, str]]:
    for index, node in enumerate(frame.nodes):
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


def complete(pending: Pending, frame: Frame, wanted: Wanted) -> tuple[Entry, tuple[str, ...]]:
    """The entry with what its page adds, and the fields that are still missing."""
    pairs = list(dict.fromkeys(labelled_values(frame)))
    texts, lacking = list(pending.entry.texts), []
    for name in pending.missing:
        value = _value(name, pairs)
        if value is None:
            lacking.append(name)
        else:
            texts[wanted.fields.index(name)] = value
    return replace(pending.entry, texts=tuple(texts)), tuple(lacking)


def _value(name: str, pairs: list[tuple[str, str]]) -> str | None:
    """The value of the label that means the field; None where there is none, or several that say different things."""
    found = match_name(name, [label for label, _ in pairs])
    if found is None:
        return None
    indexes = found.indexes if isinstance(found, Ambiguous) else (found,)
    values = {pairs[at][1] for at in indexes}
    return values.pop() if len(values) == 1 else None
