from __future__ import annotations

import pytest

from remit.browser import Way, find_lists, find_routes, says_none
from tests.browser.by_hand import observed

ROWS = "".join(f"<tr><td><a href=/i/{n}>INV-{n}</a></td><td>2026-01-1{n}</td><td>{n}.50 €</td></tr>" for n in range(4))
TABLE = f"<table><tr><th>Number</th><th>Date</th><th>Amount</th></tr>{ROWS}</table>"


def routes(html: str) -> list[Way]:
    frame = observed(f"<main>{html}{TABLE}</main>")
    return list(find_routes(frame, find_lists(frame)[0]))


def links(*labels: str) -> str:
    return "<ul>" + "".join(f"<li><a href='/x?{at}'>{label}</a></li>" for at, label in enumerate(labels)) + "</ul>"


@pytest.mark.parametrize(
    ("labels", "kind"),
    [
        (("2025", "2024"), "period"),
        (("March 2025", "April 2025"), "period"),
        (("Rechnungen 2025", "Rechnungen 2024"), "period"),
        (("Archive",), "archive"),
        (("Anni precedenti",), "archive"),
        (("Paid", "Open (3)"), "tab"),
        (("Bezahlt", "Offen"), "tab"),
        (("未払い", "支払済み"), "tab"),
    ],
)
def test_ways_are_known_by_their_words(labels: tuple[str, ...], kind: str) -> None:
    assert [(way.kind, way.label) for way in routes(links(*labels))] == [(kind, label) for label in labels]


@pytest.mark.parametrize(
    "labels",
    [
        ("Home", "Orders", "Settings"),
        ("Delete 2025", "Sign out"),
        ("Open",),
        ("Terms of service of 2025 and later",),
        ("Structure", "SQL", "Export"),
    ],
)
def test_other_links_are_no_ways(labels: tuple[str, ...]) -> None:
    assert not routes(links(*labels))


def test_what_shows_all_is_told_from_its_parts() -> None:
    assert [way.whole for way in routes(links("All (6)", "Paid", "Open"))] == [True, False, False]


def test_tabs_are_ways_whatever_their_words_but_those_that_name_other_records() -> None:
    tabs = "".join(f"<button role=tab>{label}</button>" for label in ("Gas", "Power", "Payments"))
    found = routes(f"<div role=tablist>{tabs}</div>")
    assert [(way.label, way.named) for way in found] == [("Gas", False), ("Power", False)]


def test_links_of_the_rows_and_of_the_pager_are_no_ways() -> None:
    frame = observed(f"<main>{TABLE}<nav class=pagination><b>1</b> <a href='?p=2'>2</a></nav></main>")
    assert not find_routes(frame, find_lists(frame)[0])


@pytest.mark.parametrize("text", ["No invoices found.", "Nessun risultato", "Keine Rechnungen", "没有记录"])
def test_a_page_may_say_that_there_is_none(text: str) -> None:
    assert says_none(observed(f"<p>{text}</p>"))
    assert not says_none(observed("<p>Welcome back</p>"))
