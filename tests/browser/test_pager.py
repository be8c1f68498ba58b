from __future__ import annotations

import pytest

from remit.browser._announced import Announced, read_announced
from remit.browser._lists import find_lists
from remit.browser._pager import Pager, find_pager, find_pagers
from tests.browser.by_hand import observed

TABLE = (
    "<table><tr><th>No.</th><th>Total</th></tr><tr><td>A1</td><td>1.00</td></tr><tr><td>A2</td>"
    "<td>2.00</td></tr></table>"
)
HERE = "http://shop.test/orders?page=3"

SIZES = "<p>(" + " | ".join(f"<a href='?limit={size}'>{size}</a>" for size in (20, 50, 100, 250)) + ")</p>"
WEEK = "<td><a href='?day={0}'>{0}</a></td>"
DAYS = ["".join(WEEK.format(day) for day in range(week, week + 7)) for week in (1, 8, 15, 22)]
MARCH = f"<table><tr>{'</tr><tr>'.join(DAYS)}</tr></table>"


def pager(html: str, url: str = HERE) -> Pager:
    frame = observed(html, url)
    lists = find_lists(frame)
    return find_pager(frame, lists[0] if lists else None)


def shown(html: str, url: str = HERE) -> dict[str, int]:
    return {link.role: link.control for link in pager(html, url).links if link.role != "page"}


def test_a_windowed_pager_goes_on_to_the_next_number_only() -> None:
    links = "".join(f"<a href='?page={n}'>{n}</a> " for n in (1, 2))
    found = pager(f"{TABLE}<div>{links}<b>3</b> <a href='?page=4'>4</a> … <a href='?page=294'>294</a></div>")
    assert (found.current, found.last_number) == (3, 294)
    assert found.onward is not None
    assert found.onward.number == 4


def test_next_that_leads_to_the_page_shown_is_the_end() -> None:
    found = pager(f"{TABLE}<p><a href='?page=2'>Previous</a> <a href='?page=3'>Next</a></p>")
    assert found.next is None
    assert found.onward is None
    assert "next" in found.ended


@pytest.mark.parametrize("href", ["", "javascript:__doPostBack('next')", "#"])
def test_links_without_an_address_work_by_control(href: str) -> None:
    found = pager(f'{TABLE}<div class=pagination><a href="{href}">Next</a></div>')
    assert found.next is not None


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("›", "next"), (">", "next"), ("»", "next"), (">|", "last"), ("Weiter", "next"), ("次へ", "next"),
        ("التالي", "next"), ("Далее", "next"), ("older 50", "older"),
    ],
)  # fmt: skip
def test_directions_are_known_by_arrow_and_word(text: str, role: str) -> None:
    link = f"<a href='?page=4'>{text.replace('>', '&gt;')}</a>"
    assert role in shown(f"{TABLE}<div class=pager><a href='?page=2'>previous</a> {link}</div>")


def test_a_double_arrow_beside_a_single_one_is_the_last_page() -> None:
    found = shown(f"{TABLE}<div class=pager><a href='?page=4'>&gt;</a> <a href='?page=9'>&gt;&gt;</a></div>")
    assert set(found) == {"next", "last"}


def test_pagers_above_and_below_are_one() -> None:
    one = "<p><a href='?page=4'>next</a></p>"
    found = pager(one + TABLE + one)
    assert found.next is not None
    assert len(found.next.twins) == 1


def test_a_record_that_begins_with_a_number_is_no_page() -> None:
    rows = "".join(f"<tr><td><a href=/t/{n}>{n}. Crane</a></td><td>open</td></tr>" for n in (11, 12))
    assert not find_pagers(observed(f"<table><tr><th>Ticket</th><th>State</th></tr>{rows}</table>"))


@pytest.mark.parametrize(
    "html",
    [
        "<div class=carousel><button>Next</button><button>Previous</button></div>",
        "<div class=post-navigation><a href=/2025/other-article rel=next>Next</a></div>",
        "<form><input name=user><button type=submit>Next</button></form>",
        SIZES,
        "<p><a href=/2023>2023</a> <a href=/2024>2024</a> <a href=/2025>2025</a></p>",
        MARCH,
    ],
)  # fmt: skip
def test_slides_articles_steps_sizes_years_and_days_are_no_pagers(html: str) -> None:
    assert not find_pagers(observed(html, HERE))


def test_disabled_and_plain_text_directions_are_the_end() -> None:
    found = pager(f"{TABLE}<p>(<a href='?page=2'>previous page</a>) (next page)</p>")
    assert found.ended == {"next"}
    found = pager(
        f"{TABLE}<ul class=pagination><li><a href='?page=2'>2</a></li><li class=disabled>"
        f"<a href='?page=4'>Next</a></li></ul>"
    )
    assert found.next is None


def test_more_is_loaded_by_a_button_beside_the_list() -> None:
    assert set(shown(f"<div>{TABLE}<button>Load more results</button></div>")) == {"more"}


def test_a_scrolling_box_without_a_pager_is_a_hint() -> None:
    frame = observed(f"<div data-scrolls=900>{TABLE}</div>")
    found = find_pager(frame, find_lists(frame)[0])
    assert found.scrolls is not None


def test_the_pager_of_a_row_is_not_that_of_the_list() -> None:
    pages = " ".join(f"<a href='/t/{{n}}?page={page}'>{page}</a>" for page in (2, 3, 4))
    row = f"<tr><td><a href=/t/{{n}}>Thread {{n}}</a> {pages}</td><td>x</td></tr>"
    found = pager("<table><tr><th>Thread</th><th>By</th></tr>" + row.format(n=71) + row.format(n=82) + "</table>")
    assert not found.links


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1..50 out of 191", Announced(total=191, span=(1, 50))),
        ("Showing 1 to 25 of 138 entries", Announced(total=138, span=(1, 25))),
        ("200 invoices", Announced(total=200)),
        ("Page 1 of 8", Announced(pages=8, page=1)),
        ("Einträge 1 bis 25 von 1.138", Announced(total=1138, span=(1, 25))),
        ("Visualizzati 1-20 di 173", Announced(total=173, span=(1, 20))),
        ("Страница 2 из 10", Announced(pages=10, page=2)),
        ("第 1 页，共 8 页", Announced(pages=8, page=1)),
        ("138 件中 1 - 25 件を表示", Announced(total=138, span=(1, 25))),
        ("138 kayıttan 1 - 25 arasındaki kayıtlar", Announced(total=138, span=(1, 25))),
        ("صفحة 1 من 8", Announced(pages=8, page=1)),
        ("Total 1.234,00", Announced()),
        ("12 May 2024", Announced()),
    ],
)
def test_what_is_announced_is_read_in_many_languages(text: str, said: Announced) -> None:
    assert read_announced(text) == said
