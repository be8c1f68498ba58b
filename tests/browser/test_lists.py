from __future__ import annotations

from collections.abc import Sequence

from remit.browser._choose_list import Ambiguous, Chosen, choose_list
from remit.browser._links import is_forbidden, record_areas, row_detail_link
from remit.browser._lists import find_lists
from tests.browser.by_hand import observed

CARD = (
    "<li><article class=pod><h3><a href=/p/{n} title='Rope number {n}, long'>Rope number {n}...</a></h3>"
    "<p class=price_color>€{n}.50</p><p class=stock>In stock</p><button>Add to basket</button></article></li>"
)
MENU = (
    "<nav><ul><li><a href=/orders>Orders</a></li><li><a href=/invoices>Invoices</a></li><li>"
    "<a href=/out>Sign out</a></li></ul></nav>"
)


def same(wanted: str, offered: Sequence[str]) -> int | None:
    found = [i for i, name in enumerate(offered) if name.casefold() == wanted.casefold()]
    return found[0] if len(found) == 1 else None


def choose(html: str, *fields: str, items: str = "records") -> Chosen | Ambiguous | None:
    return choose_list(find_lists(observed(html)), fields, items, same)


def test_cards_without_labels_give_title_and_price_by_place_and_kind() -> None:
    chosen = choose(MENU + "<ol>" + "".join(CARD.format(n=n) for n in range(10, 16)) + "</ol>", "title", "price")
    assert isinstance(chosen, Chosen)
    assert not chosen.unmatched
    row = chosen.list.rows[0]
    values = [row.cells[chosen.columns[field] or 0].text for field in ("title", "price")]
    assert values == ["Rope number 10, long", "€10.50"]
    assert row_detail_link(row) is not None


def test_labels_in_cards_name_the_fields() -> None:
    card = "<div><dl><dt>Number</dt><dd>A{n}</dd><dt>Due</dt><dd>2025-01-{n}</dd></dl></div>"
    chosen = choose("<main>" + "".join(card.format(n=n) for n in range(10, 14)) + "</main>", "number", "due")
    assert isinstance(chosen, Chosen)
    assert [chosen.list.rows[0].cells[chosen.columns[f] or 0].text for f in ("number", "due")] == ["A10", "2025-01-10"]


def test_a_label_before_a_colon_is_the_name_of_its_value() -> None:
    card = "<div><b>A{n}</b><p>Price: {n}.00 €</p><p>Paid on: 2025-01-{n}</p></div>"
    chosen = choose("<div>" + "".join(card.format(n=n) for n in range(10, 14)) + "</div>", "price", "paid on")
    assert isinstance(chosen, Chosen)
    assert [chosen.list.rows[0].cells[chosen.columns[f] or 0].text for f in ("price", "paid on")] == [
        "10.00 €",
        "2025-01-10",
    ]


def test_lists_under_letters_are_one_list_in_groups() -> None:
    group = (
        "<div class=group><h3>{c}</h3><ul><li><a href=/{c}1>{c}1 vessel</a></li><li>"
        "<a href=/{c}2>{c}2 vessel</a></li></ul></div>"
    )
    best = find_lists(observed("<main>" + "".join(group.format(c=c) for c in "ABC") + "</main>"))[0]
    assert [row.group for row in best.rows] == ["A", "A", "B", "B", "C", "C"]


def test_a_menu_is_never_chosen() -> None:
    assert choose(MENU, "title") is None


def test_what_no_field_took_is_offered_without_values() -> None:
    chosen = choose(
        "<table><tr><th>No.</th><th>Zustand</th></tr><tr><td>A1</td><td>offen</td></tr><tr><td>A2</td>"
        "<td>offen</td></tr></table>",
        "no.",
        "status",
    )
    assert isinstance(chosen, Chosen)
    assert chosen.unmatched == ("status",)
    assert [column.name for column in chosen.offered] == ["Zustand"]
    assert "offen" not in repr(chosen.offered)


def test_two_equal_tables_are_ambiguous_and_the_heading_decides() -> None:
    table = (
        "<section><h2>{h}</h2><table><tr><th>No.</th><th>Total</th></tr><tr><td>1</td><td>2.00</td>"
        "</tr><tr><td>3</td><td>4.00</td></tr></table></section>"
    )
    both = table.format(h="Quotes") + table.format(h="Invoices")
    assert isinstance(choose(both, "no."), Ambiguous)
    chosen = choose(both, "no.", items="invoices")
    assert isinstance(chosen, Chosen)
    assert chosen.list.heading == "Invoices"


def test_the_way_to_the_records_is_found_and_decisive() -> None:
    frame = observed(MENU, "http://shop.test/")
    leads = record_areas(frame, "invoices")
    assert frame.controls[leads[0].control].text == "Invoices"
    assert leads[0].decisive


def test_forbidden_controls_are_never_offered() -> None:
    words = [
        "Sign out",
        "Delete invoice 3",
        "Jetzt bezahlen",
        "Disconnetti",
        "Se déconnecter",
        "ログアウト",
        "Accept all",
        "Unsubscribe",
    ]
    frame = observed("".join(f"<a href=/x{n}>{word}</a>" for n, word in enumerate(words)) + "<a href=/logout>Bye</a>")
    assert all(is_forbidden(control) for control in frame.controls)
    assert not record_areas(frame, "sign out delete invoice")


def test_unnamed_places_are_told_apart_by_the_shape_of_their_values() -> None:
    card = (
        "<div class=card><a href=/p/{n}>pkg-{n}</a><p>Reads anchor data and checks it</p><span class=a>v1.{n}.0</span>"
        "<span class=b>{license}</span><span class=c>Published a year ago</span></div>"
    )
    cards = "".join(card.format(n=n, license=("MIT", "ISC", "Apache-2.0")[n % 3]) for n in range(6))
    chosen = choose(f"<main>{cards}</main>", "name", "version", "description", "license")
    assert isinstance(chosen, Chosen)
    values = [chosen.list.rows[2].cells[at].text for at in chosen.columns.values() if at is not None]
    assert values == ["pkg-2", "v1.2.0", "Reads anchor data and checks it", "Apache-2.0"]


def test_words_for_a_tables_rows_lead_on_and_a_link_to_the_page_itself_does_not() -> None:
    html = "<a href=/?table=invoices>invoices</a><a href=/?select=invoices>Select data</a><a href=/new>New item</a>"
    frame = observed(html, "http://shop.test/?table=invoices")
    assert [frame.controls[lead.control].text for lead in record_areas(frame, "invoices")] == ["Select data"]
