"""Lists over several pages: links to themselves, links that are none, gaps, swaps in place, moving controls."""

from __future__ import annotations

from tests.sites.collecting.rows import row, table
from tests.sites.pages import Request


def asked(request: Request) -> int:
    """The page a request asks for."""
    return int(request.query.partition("p=")[2].partition("&")[0] or 1)


def rows_of(page: int, size: int, total: int) -> list[str]:
    """The rows of a page."""
    return [row(n) for n in range((page - 1) * size + 1, min(page * size, total) + 1)]


def last_links_to_itself(request: Request) -> str:
    """Three pages; the last one's Next leads to it again."""
    page = asked(request)
    return table(rows_of(page, 5, 15), foot=f"<nav class=pagination><a href='?p={min(page + 1, 3)}'>Next</a></nav>")


def full_last_page(request: Request) -> str:
    """Twenty a page, forty-one in all, Next below the fold, and no total."""
    page = asked(request)
    onward = f"<nav><a rel=next href='?p={page + 1}'>Next</a></nav>" if page < 3 else ""
    return table(rows_of(page, 20, 41), foot=f"<div style='height:1500px'></div>{onward}")


def windowed(last: int) -> object:
    """A pager that shows the first page, the last, and a sliding window, with gaps between."""

    def page(request: Request) -> str:
        here = asked(request)
        shown = [1, *[n for n in range(here - 1, here + 2) if 1 < n < last], last]
        parts: list[str] = []
        for before, n in zip([0, *shown], shown, strict=False):
            parts.append("…" if n > before + 1 else "")
            parts.append(f"<b>{n}</b>" if n == here else f"<a href='?p={n}'>{n}</a>")
        return table(rows_of(here, 4, last * 4), foot=f"<div class=pagination>{' '.join(parts)}</div>")

    return page


def _scripted(control: str, *, size: int = 5, total: int = 15, delay: int = 0, extra: str = "") -> str:
    rows = [row(n) for n in range(1, total + 1)]
    swap = f"t.tBodies[0].innerHTML=rows.slice(at,at+={size}).join('');if(at>={total})n.remove();"
    return table(
        rows[:size],
        foot=f"<div class=pagination>{control}</div><script>const rows={rows!r};let at={size};"
        f"function turn(){{fetch('/turned');setTimeout(()=>{{{swap}}},{delay})}};{extra}</script>",
    )


EMPTY_ADDRESS = _scripted("<a id=n href='' onclick='turn();return false'>Next</a>")
SCRIPT_ADDRESS = _scripted('<a id=n href="javascript:turn()">Next</a>')
DATA_NEXT = _scripted("<div id=n data-next=2 onclick='turn()'>Next</div>")
POINTER = _scripted(
    "<div id=n style='cursor:pointer;width:60px'>Next</div>",
    extra="document.getElementById('n').addEventListener('click',turn)",
)
SLOW_SWAP = _scripted("<button id=n onclick='turn()'>Next</button>", delay=1200)
PREPENDED = _scripted(
    "<button id=n onclick='turn()'>Next</button>",
    extra="addEventListener('mousemove',()=>{const b=document.createElement('button');b.textContent='Archive it';"
    "b.onclick=()=>fetch('/wrong');document.querySelector('.pagination').prepend(b)},{once:true})",
)
