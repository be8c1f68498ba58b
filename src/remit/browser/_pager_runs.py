"""Runs of pager marks in reading order: marks with nothing but separators and pager words between them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from remit.browser._content import Content, squash
from remit.browser._lexicon import lexicon, normalise
from remit.browser._pager_marks import Mark, Role, mark_of, mark_of_text

_FORWARD: frozenset[Role] = frozenset({"next", "last", "older"})
_BACKWARD: frozenset[Role] = frozenset({"first", "prev", "newer"})
_SIZES = frozenset({
    5, 6, 8, 9, 10, 12, 15, 16, 18, 20, 24, 25, 28, 30, 32, 36, 40, 45, 48, 50, 60, 64, 72, 75, 80, 90,
    96, 100, 120, 128, 144, 150, 180, 192, 200, 240, 250, 300, 400, 500, 1000, 2000, 5000,
})  # fmt: skip


@dataclass
class Run:
    """Marks that stand together; `texts` is what stands between them."""

    marks: list[Mark] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    pages: int | None = None

    @property
    def numbers(self) -> list[Mark]:
        """The page numbers, links and plain text alike."""
        return [mark for mark in self.marks if mark.role == "page"]

    def has(self, *roles: Role) -> bool:
        """One of these roles is in the run."""
        return any(mark.role in roles for mark in self.marks)


def runs(content: Content) -> list[Run]:
    """All runs of a frame, each split where a new pager begins."""
    found: list[Run] = []
    current = Run()
    for token in _tokens(content):
        if token is None:
            found.append(current)
            current = Run()
        elif isinstance(token, str):
            current.texts.append(token)
        elif token.control is None and token.role == "page" and _follows_of(current.texts):
            current.pages = token.number
        elif _begins_anew(current, token):
            head = _carry(current, token)
            found.append(current)
            current = Run([*head, token])
        else:
            current.marks.append(token)
    found.append(current)
    return [_settled(run) for run in found if run.marks]


def _follows_of(texts: list[str]) -> bool:
    """Between "1 of" and "8": the number is how many pages there are, not the page shown."""
    before = normalise(texts[-2]) if len(texts) > 1 else ""
    words = re.sub(r"\d+", " ", before).split()
    return (bool(words) and " ".join(words[-1:]) in lexicon("pager")["of"].phrases) or (
        len(texts) > 1 and texts[-2].strip().endswith("/")
    )


def _tokens(content: Content) -> Iterator[Mark | str | None]:
    """Marks and filling texts in reading order; None where something else stands."""
    index, open_field = 0, False
    while index < len(content.nodes):
        node = content.nodes[index]
        control = content.control(index)
        if control is not None and not _holds_more(content, index):
            if control.visible:
                mark = mark_of(control, content, index)
                if mark is not None:
                    yield mark
                elif control.text and mark_of_text(control.text, index) == ():
                    yield control.text
                elif not (open_field and control.role == "button"):
                    yield None
                open_field = mark is not None and mark.role in ("input", "select")
            index = content.ends[index]
            continue
        text = squash(node.text)
        if text and (node.tag != "img"):
            marks = mark_of_text(text, index)
            if marks is None:
                yield None
            else:
                yield text
                yield from marks
        index += 1


def _holds_more(content: Content, index: int) -> bool:
    """A box that reacts as a whole but holds controls of its own is read through."""
    return any(content.nodes[i].control is not None for i in range(index + 1, content.ends[index]))


def _begins_anew(run: Run, mark: Mark) -> bool:
    numbers = [m.number for m in run.numbers if m.number is not None]
    if mark.role == "page":
        return bool(numbers) and mark.number is not None and mark.number <= numbers[-1]
    if mark.role in _BACKWARD:
        turned = bool(numbers) and run.has(*_FORWARD) and run.has(*_BACKWARD)
        return turned or any(m.role == mark.role and m.evidence == mark.evidence for m in run.marks)
    return any(m.role == mark.role and m.evidence == mark.evidence for m in run.marks) and mark.role in _FORWARD


def _carry(run: Run, mark: Mark) -> list[Mark]:
    """First and previous that stand before the number which begins a new run belong to it."""
    head: list[Mark] = []
    if mark.role == "page":
        while (
            run.marks and run.marks[-1].role in _BACKWARD and run.numbers and run.marks[-1].node > run.numbers[-1].node
        ):
            head.insert(0, run.marks.pop())
    return head


def _settled(run: Run) -> Run:
    """Double arrows mean first and last only beside single ones; numbers that are lengths of pages are not pages."""
    single_next = any(m.role == "next" for m in run.marks)
    single_prev = any(m.role == "prev" for m in run.marks)
    marks = []
    for mark in run.marks:
        if mark.evidence == "double" and mark.role == "last" and not single_next:
            marks.append(mark.turned("next"))
        elif mark.evidence == "double" and mark.role == "first" and not single_prev:
            marks.append(mark.turned("prev"))
        else:
            marks.append(mark)
    run.marks = marks
    if _are_sizes([m.number for m in run.numbers if m.number is not None], run.texts):
        run.marks = [m.turned("size") if m.role == "page" else m for m in run.marks]
    return run


def _are_sizes(numbers: list[int], texts: list[str]) -> bool:
    if not numbers or min(numbers) < 5:
        return False
    said = " ".join(texts)
    if any(b - a == 1 for a, b in pairwise(numbers)):
        return False
    return (len(numbers) >= 2 and all(number in _SIZES for number in numbers)) or (
        all(number in _SIZES for number in numbers) and lexicon("pager")["size"].occurs_in(said)
    )  # fmt: skip
