"""Runs of pager marks in reading order: marks with nothing but separators and pager words between them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from urllib.parse import unquote, urlsplit

from remit.browser._content import Content, split_words, squash, word_set
from remit.browser._lexicon import lexicon, normalise
from remit.browser._pager_marks import Mark, Role, mark_of, mark_of_text

_FORWARD: frozenset[Role] = frozenset({"next", "last", "older"})
_BACKWARD: frozenset[Role] = frozenset({"first", "prev", "newer"})
_SIZES = frozenset({
    5, 6, 8, 9, 10, 12, 15, 16, 18, 20, 24, 25, 28, 30, 32, 36, 40, 45, 48, 50, 60, 64, 72, 75, 80, 90,
    96, 100, 120, 128, 144, 150, 180, 192, 200, 240, 250, 300, 400, 500, 1000, 2000, 5000,
})  # fmt: skip

PAGER_WORDS = word_set(
    "pager pagers pagination paginator paginate paginated paging pagenav pagenavi pagelinks pagelink "
    "pagenumbers pagenumber pagebar pages pagelist navpages tablenav pageswitch paginate paginacion "
    "paginazione blaettern pagging"
)
_OTHER_WORDS = word_set(
    "carousel slider slideshow slides slide slick swiper owl flexslider bxslider lightbox calendar datepicker "
    "rating ratings stars star testimonial testimonials wizard stepper steps breadcrumb breadcrumbs jcarousel "
    "banner gallery ticker"
)
_ARTICLE = re.compile(
    r"\b(?:post navigation|nav single|post nav|article nav|nav below single|single nav|entry "
    r"navigation|nav links single)\b"
)


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


def is_pager(run: Run, content: Content) -> bool:
    """Whether a run leads through the pages of a list: by evidence from words, addresses, classes and order."""
    live = [m for m in run.marks if m.control is not None and m.role != "size"]
    if not live:
        return False
    above = content.words_above(live[0].node, 4)
    words = set(above.split())
    named = bool(words & PAGER_WORDS) or "page numbers" in above or "page nav" in above
    if (not named and (words & _OTHER_WORDS or _ARTICLE.search(above))) or _is_calendar(run, content):
        return False
    linked = [mark.number or 0 for mark in run.numbers if mark.control is not None]
    if linked and all(1900 <= number <= 2100 for number in linked):
        return False
    if run.numbers:
        return _numbers_lead_on(run, content, named)
    ways = [mark for mark in live if mark.role not in ("first", "last")]
    return any(_leads_on(mark, run, content, named) for mark in ways)


def _numbers_lead_on(run: Run, content: Content, named: bool) -> bool:
    numbers = [m.number for m in run.numbers if m.number is not None]
    links = [m for m in run.numbers if m.control is not None]
    if not links or numbers != sorted(numbers):
        return any(_leads_on(m, run, content, named) for m in run.marks if m.control is not None and m.role != "page")
    points = 2 * named + 2 * run.has("next", "prev", "first", "last") + (min(numbers) <= 2)
    points += any(m.current for m in run.numbers) + any("…" in t or "..." in t for t in run.texts)
    points += 2 * _said_page(run)
    points += _address_points(links, content)
    return points >= 3


def _said_page(run: Run) -> bool:
    return any(lexicon("pager")["page"].occurs_in(text) for text in run.texts)


def _address_points(links: list[Mark], content: Content) -> int:
    """Whether the numbers are in the addresses: +2 page numbers or offsets, -2 unrelated addresses."""
    hrefs = [(m.number or 0, _target(content, m)) for m in links]
    hrefs = [(number, href) for number, href in hrefs if href]
    if not hrefs:
        return 0
    here = content.frame.url
    if len(hrefs) == 1:
        elsewhere = hrefs[0][1] != here.split("#")[0]
        return 2 if elsewhere and page_family(hrefs[0][1]) == page_family(here) else -1
    if len({page_family(href) for _, href in hrefs}) > 2:
        return -2
    return 2 if _affine(hrefs) else 1 if page_family(hrefs[-1][1]) == page_family(here) else 0


def _target(content: Content, mark: Mark) -> str:
    control = content.controls.get(mark.control) if mark.control is not None else None
    if control is None or not control.href.startswith("http"):
        return ""
    return "" if control.raw_href.strip() in ("", "#") else control.href.split("#")[0]


def _affine(hrefs: list[tuple[int, str]]) -> bool:
    """The addresses differ in one whole number only, and it grows evenly with the page number (page 1 may have
    none).
    """
    rows = [(number, re.split(r"(\d{1,9})", href)) for number, href in hrefs]
    width = max(len(parts) for _, parts in rows)
    rows = [(number, parts) for number, parts in rows if len(parts) == width]
    if len(rows) < 2:
        return False
    differing = [i for i in range(width) if len({parts[i] for _, parts in rows}) > 1]
    if not differing or any(not rows[0][1][i].isdigit() for i in differing):
        return False
    return all(_grows_evenly([(number, int(parts[i])) for number, parts in rows]) for i in differing)


def _grows_evenly(pairs: list[tuple[int, int]]) -> bool:
    (n0, v0), (n1, v1) = pairs[0], pairs[-1]
    return v1 != v0 and all((v - v0) * (n1 - n0) == (v1 - v0) * (n - n0) for n, v in pairs)


_PAGE_PART = re.compile(
    r"[-_/.=;]?(?:page|paged|pg|p|pag|pagina|seite|index|start|offset|strona|sida|sayfa|pageno)?[-_/=.]?\d+"
)


def page_family(url: str) -> str:
    """What the addresses of one list's pages have in common: path without page numbers, names of the query's parts
    left out.
    """
    parts = urlsplit(url)
    path = _PAGE_PART.sub("", unquote(parts.path).lower())
    path = re.sub(r"/(?:page|index\.(?:html?|php|asp))?/?$", "", path)
    return f"{parts.hostname or ''}{re.sub(r'(?:index)?[.](?:html?|php|aspx?)$', '', path)}".rstrip("/").removeprefix(
        "www."
    )


def _leads_on(mark: Mark, run: Run, content: Content, named: bool) -> bool:
    """Whether a direction without numbers leads to another page of a list rather than to another article, slide or
    step.
    """
    control = content.controls[mark.control] if mark.control is not None else None
    if control is None or mark.role in ("size", "page"):
        return False
    if mark.role in ("input", "select"):
        return named or run.has("next", "prev", "first", "last")
    if control.type == "submit" and not named and mark.evidence not in ("phrase",) and not run.has("input", "select"):
        return False
    strong = (
        named or mark.evidence == "phrase" or any("page" in word for word in split_words(control.html_class).split())
    )
    if mark.role == "more":
        return _loads_more(mark, content, strong)
    target = _target(content, mark)
    if not target:
        pair = (
            run.has("next", "older")
            and run.has("prev", "newer", "first", "last")
            and mark.evidence in ("word", "phrase")
        )
        return strong or pair or (bool(run.texts) and _said_page(run))
    if page_family(target) == page_family(content.frame.url):
        return strong or mark.evidence != "class" or bool(urlsplit(target).query) or target != content.frame.url
    return strong and mark.evidence in ("phrase", "word", "arrow", "double", "class")


def _loads_more(mark: Mark, content: Content, strong: bool) -> bool:
    control = content.controls[mark.control] if mark.control is not None else None
    if control is None or (mark.evidence != "phrase" and not strong):
        return False
    target = _target(content, mark)
    same = [c for c in content.frame.controls if c.visible and c.text == control.text]
    return len(same) <= 2 and (not target or page_family(target) == page_family(content.frame.url))


def _is_calendar(run: Run, content: Content) -> bool:
    """The run stands in, or directly above, a table most of whose cells are days of a month."""
    node = run.marks[0].node
    for level, box in enumerate(content.ancestors(node)):
        if level > 6 or content.ends[box] - box > 400:
            return False
        cells = [content.text(i) for i in content.inside(box) if content.nodes[i].tag in ("td", "th")]
        days = [int(match.group(1)) for cell in cells if (match := re.match(r"(\d{1,2})(?![\d.,:])", cell))]
        if len(cells) <= 80 and sum(1 for day in days if 1 <= day <= 31) >= 20:
            return True
    return False
