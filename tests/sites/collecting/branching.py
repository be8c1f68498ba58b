"""Lists that are only a part: archives, years, accounts and tabs lead to the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from urllib.parse import parse_qs

from tests.sites.collecting.rows import table
from tests.sites.pages import Page, Request

YEARS = (2026, 2025, 2024)


def asked(request: Request, name: str, usual: str) -> str:
    """A parameter of the query."""
    return parse_qs(request.query).get(name, [usual])[0]


def rows(*words: object, count: int = 3) -> list[str]:
    """Invoices whose numbers say which part they are of."""
    mark = "-".join(map(str, words))
    year = next((word for word in words if isinstance(word, int) and word > 1900), 2026)
    return [f"<tr><td>{mark}-{n}</td><td>{year}-0{n}-11</td><td>{n}.50 €</td></tr>" for n in range(1, count + 1)]


def links(pairs: Iterable[tuple[str, str]], here: str, attributes: str = "") -> str:
    """A list of links of which the present one is marked."""
    made = (
        f"<li><a href='{address}'{' aria-current=page' if label == here else ''}>{label}</a></li>"
        for label, address in pairs
    )
    return f"<ul {attributes}>{''.join(made)}</ul>"


def year_links(request: Request) -> str:
    """A year a page; the years stand above the list."""
    here = asked(request, "year", "2026")
    above = links([(str(year), f"/?year={year}") for year in YEARS], here)
    return table(rows(int(here)), head=above)


def archive_pages() -> dict[str, Page]:
    """The list, an archive, and an older one behind it."""
    return {
        "/": table(rows(2026), foot="<p><a href=/archive>Archive</a></p>"),
        "/archive": table(rows(2025), foot="<p><a href=/older>Previous years</a> <a href=/>Invoices</a></p>"),
        "/older": table(rows(2024), foot="<p><a href=/archive>Archive</a></p>"),
    }


def deep_pages(depth: int) -> dict[str, Page]:
    """Archives behind archives."""
    found: dict[str, Page] = {"/": table(rows(2026), foot="<a href=/1>Archive</a>")}
    for level in range(1, depth + 1):
        onward = f"<a href=/{level + 1}>Archive</a>" if level < depth else ""
        found[f"/{level}"] = table(rows(2026 - level), foot=onward)
    return found


def _in_place(control: str, parts: str, start: str) -> str:
    """A list whose rows are exchanged by a script."""
    return table(
        [],
        head=control,
        foot=f"<script>const parts={parts};function show(k){{fetch('/shown?'+encodeURIComponent(k));"
        f"t.tBodies[0].innerHTML=(parts[k]||[]).join('')}};show({start!r})</script>",
    )


YEAR_SELECT = _in_place(
    "<label>Year <select onchange='show(this.value)'><option>2026<option>2025<option>2024</select></label>"
    "<label>Sort by <select><option>Date<option>Amount</select></label>"
    "<label>Show <select><option>10<option>25<option>50</select></label>",
    repr({str(year): rows(year) for year in YEARS}),
    "2026",
)
ACCOUNT_SELECT = _in_place(
    "<label>Contract <select onchange='show(this.value)'><option>A-1<option>B-2<option>C-3</select></label>",
    repr({name: rows(name) for name in ("A-1", "B-2", "C-3")}),
    "A-1",
)
TABS = _in_place(
    "<div role=tablist>"
    + "".join(
        f'<button role=tab aria-selected={"true" if name == "Open" else "false"} onclick="document.querySelectorAll'
        f"('[role=tab]').forEach(e=>e.ariaSelected=e===this);show('{name}')\">{name}</button>"
        for name in ("Open", "Paid", "Overdue", "Payments")
    )
    + "</div>",
    repr({name: rows(name) for name in ("Open", "Paid", "Overdue")}),
    "Open",
)


def sent_select(request: Request) -> str:
    """A year that is asked for by a form with a button."""
    here = asked(request, "year", "2026")
    options = "".join(f"<option{' selected' if str(year) == here else ''}>{year}</option>" for year in YEARS)
    form = f"<form action=/><select name=year>{options}</select><button>Show</button></form>"
    return table(rows(int(here)), head=form)


def accounts_and_years(request: Request) -> str:
    """Two choices that combine: an account and a year."""
    account, year = asked(request, "account", "A"), asked(request, "year", "2026")
    options = "".join(f"<option{' selected' if name == account else ''}>{name}</option>" for name in "AB")
    choice = (
        f"<form action=/><input type=hidden name=year value={year}><label>Account <select name=account "
        f"onchange='this.form.submit()'>{options}</select></label></form>"
    )
    years = links([(str(each), f"/?account={account}&year={each}") for each in (2026, 2025)], year)
    return table(rows(account, int(year)), head=choice + years)


def all_and_parts(request: Request) -> str:
    """A tab shows all; the others are parts of it."""
    here = asked(request, "s", "open")
    tabs = links([("All (6)", "/?s=all"), ("Open (3)", "/?s=open"), ("Paid (3)", "/?s=paid")], here)
    shown = {"all": rows("open") + rows("paid"), "open": rows("open"), "paid": rows("paid")}[here]
    return table(shown, head=tabs)


def dead(control: str) -> Page:
    """A way that leads nowhere."""
    return table(rows(2026), head=control)


def with_empty_year(request: Request) -> str:
    """One of the years holds nothing, and says so."""
    here = asked(request, "year", "2026")
    above = links([(str(year), f"/?year={year}") for year in (2026, 2025)], here)
    if here == "2026":
        return table(rows(2026), head=above)
    return f"<title>Invoices</title>{above}<main><h1>Invoices</h1><p>No invoices found.</p></main>"


def paged_years(request: Request) -> str:
    """Two years of two pages each."""
    year, page = asked(request, "year", "2026"), int(asked(request, "p", "1"))
    above = links([(str(each), f"/?year={each}") for each in (2026, 2025)], year)
    onward = f"<nav class=pagination><a href='/?year={year}&p=2'>Next</a></nav>" if page == 1 else ""
    return table(rows(int(year), f"p{page}"), head=above, foot=f"<p>6 invoices</p>{onward}")


SITES: dict[str, tuple[Callable[[], dict[str, Page]], int]] = {
    "links to years": (lambda: {"/": year_links}, 9),
    "archives": (archive_pages, 9),
    "a select of years": (lambda: {"/": YEAR_SELECT, "/shown": ""}, 9),
    "a select of accounts": (lambda: {"/": ACCOUNT_SELECT, "/shown": ""}, 9),
    "a select sent by a button": (lambda: {"/": sent_select}, 9),
    "tabs": (lambda: {"/": TABS, "/shown": ""}, 9),
    "accounts and years": (lambda: {"/": accounts_and_years}, 12),
    "all and its parts": (lambda: {"/": all_and_parts}, 6),
    "a year without any": (lambda: {"/": with_empty_year}, 3),
    "years of several pages": (lambda: {"/": paged_years}, 12),
}
"""Sites by what leads on, and how many records they hold."""
