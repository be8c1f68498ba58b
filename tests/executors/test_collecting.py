from __future__ import annotations

from collections.abc import Callable

import pytest

from remit.executors import _paging
from tests.executors.conftest import Remit, Serve
from tests.sites.pages import Answer, Page, Request

TOTAL, SIZE = 45, 20


def row(n: int) -> str:
    return f"<tr><td><a href=/i/{n}>INV-{n:03}</a></td><td>2025-0{n % 9 + 1}-11</td><td>{n}.50 €</td></tr>"


def table(numbers: range, *, head: str = "", foot: str = "") -> str:
    rows = "".join(map(row, numbers))
    return (
        f"<title>Invoices</title>{head}<main><h1>Invoices</h1><table id=t><thead><tr><th>Number</th><th>Date</th>"
        f"<th>Amount</th></tr></thead><tbody>{rows}</tbody></table>{foot}</main>"
    )


def page_of(request: Request) -> int:
    return int(request.query.partition("page=")[2] or 1)


def numbers_on(page: int) -> range:
    return range((page - 1) * SIZE + 1, min(page * SIZE, TOTAL) + 1)


def numbered(request: Request) -> str:
    here = page_of(request)
    links = "".join(f"<b>{n}</b> " if n == here else f"<a href='/?page={n}'>{n}</a> " for n in (1, 2, 3))
    return table(numbers_on(here), foot=f"<nav class=pagination>{links}</nav>")


def with_next(request: Request) -> str:
    here = page_of(request)
    onward = f"<a href='/?page={here + 1}'>Next</a>" if here < 3 else ""
    return table(numbers_on(here), foot=f"<nav class=pagination>Page {here} of 3 {onward}</nav>")


def next_to_itself(request: Request) -> str:
    here = page_of(request)
    return table(numbers_on(here), foot=f"<div class=pagination><a href='/?page={min(here + 1, 3)}'>Next</a></div>")


def script(body: str) -> str:
    rows = [row(n) for n in range(1, TOTAL + 1)]
    return f"<script>const rows={rows!r};const tb=t.tBodies[0];let at={SIZE};{body}</script>"


MORE = table(
    range(1, SIZE + 1),
    foot="<button id=b>Load more</button>"
    + script(f"b.onclick=()=>{{tb.innerHTML+=rows.slice(at,at+={SIZE}).join('');if(at>={TOTAL})b.remove()}}"),
)
IN_PLACE = table(
    range(1, SIZE + 1),
    foot="<div class=pagination><button id=b>Next</button></div>"
    + script(
        f"b.onclick=()=>{{tb.innerHTML=rows.slice(at,at+={SIZE}).join('');if(at>={TOTAL})b.disabled=true}}",
    ),
)
ENDLESS = table(
    range(1, SIZE + 1),
    foot="<div style='height:900px'></div>"
    + script(
        "let t0=0;onscroll=()=>{if(!t0&&at<rows.length&&innerHeight+scrollY>=document.body.scrollHeight-5)"
        f"t0=setTimeout(()=>{{tb.innerHTML+=rows.slice(at,at+={SIZE}).join('');t0=0}},300)}}",
    ),
)


@pytest.mark.parametrize("page", [numbered, with_next, MORE, IN_PLACE, ENDLESS])
async def test_every_way_of_paging_is_read_to_its_end(remit: Remit, served: Serve, page: Page) -> None:
    receipt = await remit.collect(served({"/": page}), "number", "amount")
    assert [number for number, _ in remit.texts(receipt)] == [f"INV-{n:03}" for n in range(1, TOTAL + 1)]
    assert (receipt["status"], receipt["stop"]) == ("done", "exhausted")


async def test_a_last_page_whose_next_leads_to_itself_is_the_end(remit: Remit, served: Serve) -> None:
    receipt = await remit.collect(served({"/": next_to_itself}), "number")
    assert (receipt["status"], receipt["exported"]) == ("done", TOTAL)


@pytest.mark.parametrize(("said", "status", "reason"), [(45, "done", None), (46, "partial", "count_mismatch")])
async def test_an_announced_number_is_held_against_what_was_seen(
    remit: Remit, served: Serve, said: int, status: str, reason: str | None
) -> None:
    def page(request: Request) -> str:
        return with_next(request).replace("<table", f"<p>{said} results</p><table")

    receipt = await remit.collect(served({"/": page}), "number")
    assert (receipt["status"], receipt.get("reason"), receipt["announced"]) == (status, reason, said)


async def test_being_signed_out_midway_delivers_what_was_seen_as_partial(remit: Remit, served: Serve) -> None:
    form = "<h1>Sign in</h1><form method=post><input name=u autocomplete=username><input type=password><button>Log in"

    def page(request: Request) -> str:
        return with_next(request) if page_of(request) < 2 else form

    receipt = await remit.collect(served({"/": page}), "number")
    assert (receipt["status"], receipt["reason"], receipt["exported"]) == ("partial", "signed_out", SIZE)


async def test_a_next_that_does_nothing_is_pressed_once_and_said(
    remit: Remit, served: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_paging, "SWAP_S", 1.5)
    dead = "<div class=pagination><button onclick='fetch(`/hit`)'>Next</button></div>"
    site = served({"/": table(range(1, 6), foot=dead), "/hit": Answer(status=204)})
    receipt = await remit.collect(site, "number")
    assert (receipt["status"], receipt["reason"]) == ("partial", "no_effect")
    assert site.asked("/hit") == 1


async def test_the_way_begins_at_the_opened_page_and_never_signs_out(remit: Remit, served: Serve) -> None:
    home = "<nav><a href=/logout>Sign out</a><a href=/ports>Ports</a><a href=/invoices>Invoices</a></nav>"
    ports = (
        home + "<table><tr><th>Number</th><th>Port</th></tr><tr><td>1</td><td>A</td></tr><tr><td>2</td><td>B</table>"
    )
    site = served({"/": home, "/ports": ports, "/invoices": table(range(1, 6), head=home), "/logout": "Bye"})
    session = await remit.open(site)
    for start, seen in (("Invoices", 5), ("Ports", 2)):
        asked = {"items": start, "fields": ["number"], "start": start}
        done = await remit.call("collect_sites", session_ids=[session], **asked)
        assert done["collections"][0].get("seen") == seen, done
    assert site.asked("/logout") == 0


async def test_words_that_lead_nowhere_take_no_list_that_happens_to_be_there(remit: Remit, served: Serve) -> None:
    site = served({"/": table(range(1, 6)), "/i": ""})
    receipt = await remit.collect(site, "number", start="Zeppelins")
    assert receipt["status"] == "failed"


async def test_fields_only_on_a_records_own_page_are_read_there(remit: Remit, served: Serve) -> None:
    pages: dict[str, Page] = {"/": table(range(1, 4))}
    detail: Callable[[int], str] = lambda n: f"<h1>Invoice</h1><dl><dt>Status</dt><dd>state {n}</dd></dl>"  # noqa: E731
    pages |= {f"/i/{n}": detail(n) for n in range(1, 4)}
    receipt = await remit.collect(served(pages), "number", "amount", "status")
    assert remit.texts(receipt)[1] == ("INV-002", "2.50 €", "state 2")
    assert receipt["status"] == "done"


async def test_filter_and_period_apply_together(remit: Remit, served: Serve) -> None:
    period = {"field": "date", "from": "2025-01-01", "to": "2025-03-31"}
    receipt = await remit.collect(served({"/": numbered}), "number", where={"amount": "9.50 €"}, period=period)
    assert remit.texts(receipt) == [("INV-009",)]
    assert (receipt["status"], receipt["filtered"]) == ("done", TOTAL - 1)


async def test_a_list_that_has_shown_all_it_announces_is_not_scrolled_for_more(remit: Remit, served: Serve) -> None:
    seen = "<script>onscroll=()=>fetch('/scrolled')</script><p>1-30 of 30</p>"
    site = served({"/": table(range(1, 31), foot=seen + "<div style='height:3000px'></div>"), "/scrolled": ""})
    assert (await remit.collect(site, "number"))["status"] == "done"
    assert site.asked("/scrolled") == 0
