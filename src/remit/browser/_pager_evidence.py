"""Whether a run of marks is the pager of a list: by words, addresses, classes and order."""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

from remit.browser._content import Content, split_words, word_set
from remit.browser._lexicon import lexicon
from remit.browser._pager_marks import Mark
from remit.browser._pager_runs import Run

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
