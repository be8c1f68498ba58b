"""A first list does not finish the job: what leads to more of it is read too, once, or said to be unread."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.executors.conftest import Remit, Serve
from tests.sites.collecting import branching
from tests.sites.collecting.rows import table
from tests.sites.pages import Request


@pytest.mark.parametrize("name", branching.SITES)
async def test_every_part_of_a_list_is_read_once(remit: Remit, served: Serve, name: str) -> None:
    pages, count = branching.SITES[name]
    site = served(pages())
    receipt = await remit.collect(site, "number", "amount")
    rows = remit.texts(receipt)
    told = remit.rooms.datasets.info(receipt["dataset_id"]).receipt
    assert (receipt["status"], len(rows), len(set(rows))) == ("done", count, count), told
    shown = Counter(request.query for request in site.requests if request.path == "/shown")
    assert not [part for part, times in shown.items() if times > 1 and part not in ("2026", "A-1", "Open")]


async def test_years_that_cannot_meet_the_period_are_left_and_counted(remit: Remit, served: Serve) -> None:
    site = served({"/": branching.year_links})
    period = {"field": "date", "from": "2025-02-01", "to": "2026-12-31"}
    receipt = await remit.collect(site, "number", period=period)
    told = remit.rooms.datasets.info(receipt["dataset_id"]).receipt or {}
    assert (receipt["status"], receipt["exported"]) == ("done", 5)
    assert told["branches not needed"] == ["outside the period: 1"]
    assert not any("2024" in request.query for request in site.requests)


async def test_deeper_than_three_levels_is_left_and_said(remit: Remit, served: Serve) -> None:
    site = served(branching.deep_pages(5))
    receipt = await remit.collect(site, "number")
    assert (receipt["status"], receipt["reason"], receipt["stop"]) == ("partial", "depth_limit", "depth")
    assert (receipt["exported"], site.asked("/4")) == (12, 0)


async def test_a_year_that_shows_nothing_else_makes_the_receipt_partial(
    remit: Remit, served: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    from remit.executors import _branches

    monkeypatch.setattr(_branches, "ARRIVE_S", 1.0)
    site = served({"/": branching.dead("<ul><li><a href='#' onclick=\"fetch('/hit')\">2025</a></li></ul>"), "/hit": ""})
    receipt = await remit.collect(site, "number")
    assert (receipt["status"], receipt["reason"], receipt["stop"]) == ("partial", "routes_unread", "no_effect")
    assert (site.asked("/hit"), receipt["exported"], receipt["routes_unread"]) == (1, 3, 1)


async def test_ways_that_act_are_no_ways(remit: Remit, served: Serve) -> None:
    acts = "<ul><li><a href=/logout>Sign out 2025</a></li><li><a href=/pay>Pay all</a></li></ul>"
    site = served({"/": table(branching.rows(2026), head=acts), "/logout": "", "/pay": ""})
    assert (await remit.collect(site, "number"))["status"] == "done"
    assert site.asked("/logout") + site.asked("/pay") == 0


async def test_being_signed_out_on_a_way_delivers_what_was_read(remit: Remit, served: Serve) -> None:
    form = "<h1>Sign in</h1><form method=post><input name=u autocomplete=username><input type=password><button>Log in"

    def page(request: Request) -> str:
        return form if "2024" in request.query else branching.year_links(request)

    receipt = await remit.collect(served({"/": page}), "number")
    assert (receipt["status"], receipt["reason"], receipt["exported"]) == ("partial", "signed_out", 6)


def accounts(items: str) -> str:
    """A list whose other accounts are in a menu behind a button."""
    menu = (
        "<main><div><button aria-haspopup=menu aria-expanded=false onclick=\"fetch('/opened');m.hidden=!m.hidden\">"
        f"Account A-1</button><ul id=m role=menu aria-label=Account hidden>{items}</ul></div></main>"
    )
    return table(branching.rows(2026), head=menu)


async def test_accounts_in_a_menu_behind_a_button_are_read(remit: Remit, served: Serve) -> None:
    items = "<li><a role=menuitem href=/a2>Account A-2</a></li><li><a role=menuitem href=/a3>Account A-3</a></li>"
    pages = {
        "/": accounts(items),
        "/a2": table(branching.rows(2025)),
        "/a3": table(branching.rows(2024)),
        "/opened": "",
    }
    site = served(pages)
    receipt = await remit.collect(site, "number")
    told = remit.rooms.datasets.info(receipt["dataset_id"]).receipt
    assert (receipt["status"], receipt["branches"], len(set(remit.texts(receipt)))) == ("done", 3, 9), told
    assert (site.asked("/opened"), site.asked("/a2"), site.asked("/a3")) == (1, 1, 1)


async def test_accounts_that_only_a_click_in_a_menu_leads_to_are_said_to_be_unread(remit: Remit, served: Serve) -> None:
    items = "<li role=menuitemradio aria-checked=true>A-1</li><li role=menuitemradio>A-2</li>"
    receipt = await remit.collect(served({"/": accounts(items), "/opened": ""}), "number")
    assert (receipt["status"], receipt["reason"], receipt["exported"]) == ("partial", "routes_unread", 3)
    assert receipt["routes_unread"] >= 1


async def test_the_visitors_own_menu_is_no_account_of_records(remit: Remit, served: Serve) -> None:
    button = "<button aria-haspopup=menu aria-expanded=false onclick=\"fetch('/opened')\">My account</button>"
    own = f"<header>{button}</header>"
    site = served({"/": own + table(branching.rows(2026)), "/opened": ""})
    assert (await remit.collect(site, "number"))["status"] == "done"
    assert site.asked("/opened") == 0
