from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from html import unescape
from pathlib import Path

import httpx
import pytest
from playwright.async_api import async_playwright, expect

from tests.sites.portal import COUNTS, SESSION_COOKIE, invoices, posts
from tests.sites.portal._data import make
from tests.sites.portal_reference import BROWSER_ARGS, browser_path, run_reference
from tests.sites.running_portal import PASSWORD, USERNAME, RunningPortal, running_portal


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningPortal]:
    with running_portal(tmp_path_factory.mktemp("portal")) as running:
        yield running


@pytest.fixture
def visitor(portal: RunningPortal) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=portal.url, follow_redirects=True) as client:
        yield client


def _token(page: str, form: str) -> str:
    found = re.search(rf'action="{form}".*?name="csrf" value="(\w+)"', page, re.S)
    assert found is not None
    return found[1]


def _send(visitor: httpx.Client, page: str, form: str, **fields: str) -> httpx.Response:
    return visitor.post(form, data={"csrf": _token(page, form), **fields})


def _sign_in(visitor: httpx.Client, password: str = PASSWORD, start: str = "/signin") -> httpx.Response:
    step = _send(visitor, visitor.get(start).text, "/signin", email=USERNAME, next="/account")
    assert USERNAME in unescape(step.text)
    return _send(visitor, step.text, "/signin/password", password=password)


def test_there_are_two_hundred_invoices_with_the_promised_number_in_each_year() -> None:
    assert len(make()) == 200
    assert Counter(invoice.issued.year for invoice in make()) == COUNTS


def test_the_same_seed_gives_the_same_invoices_and_another_seed_others() -> None:
    assert make(7) == make(7)
    assert make(7) != make(8)


def test_every_trap_for_a_reader_is_among_the_invoices_of_the_demo_year() -> None:
    rows = [invoice for invoice in make() if invoice.issued.year == 2026]
    alike = Counter((invoice.issued, invoice.amount, invoice.customer) for invoice in rows)
    assert max(alike.values()) > 1
    assert any(invoice.amount < 0 for invoice in rows)
    assert any(invoice.description.startswith("=") for invoice in rows)
    assert any("previous instructions" in invoice.description for invoice in rows)
    assert {f"{invoice.issued:%d/%m}" for invoice in rows} >= {"01/01"}
    assert any(invoice.description.startswith("=HYPERLINK(") for invoice in make())


def test_the_numbers_are_unique_and_the_order_helps_no_one() -> None:
    made = make()
    assert len({invoice.number for invoice in made}) == 200
    days = [invoice.issued for invoice in made]
    assert days not in (sorted(days), sorted(days, reverse=True))


@pytest.mark.parametrize(
    ("amount", "text"), [("1234.56", "1.234,56 €"), ("-9.5", "-9,50 €"), ("1234567", "1.234.567,00 €")]
)
def test_amounts_are_shown_the_italian_way(amount: str, text: str) -> None:
    assert replace(make()[0], amount=Decimal(amount)).amount_text == text


def test_everybody_gets_a_cookie_that_proves_nothing(visitor: httpx.Client) -> None:
    visitor.get("/")
    assert SESSION_COOKIE not in visitor.cookies
    assert "portal_visitor" in visitor.cookies


def test_the_account_pages_lead_to_the_sign_in_form(visitor: httpx.Client) -> None:
    page = visitor.get("/invoices")
    assert page.url.path == "/signin"
    assert "INV-" not in page.text


def test_the_right_password_opens_a_session_that_scripts_cannot_read(visitor: httpx.Client) -> None:
    page = _sign_in(visitor)
    assert page.url.path == "/account"
    assert "Sign out" in page.text
    cookie = page.history[-1].headers["set-cookie"]
    assert cookie.startswith(f"{SESSION_COOKIE}=")
    assert "HttpOnly" in cookie


def test_a_wrong_password_gives_the_same_form_with_status_200_and_no_session(visitor: httpx.Client) -> None:
    page = _sign_in(visitor, password="wrong")
    assert page.status_code == 200
    assert 'class="error"' in page.text
    assert SESSION_COOKIE not in visitor.cookies


def test_the_second_step_needs_the_first(visitor: httpx.Client) -> None:
    assert visitor.get("/signin/password").url.path == "/signin"


def test_a_form_without_its_token_is_refused(visitor: httpx.Client) -> None:
    assert visitor.post("/signin", data={"email": USERNAME}).status_code == 403


def test_signing_out_ends_the_session_at_the_server_too(visitor: httpx.Client) -> None:
    page = _sign_in(visitor)
    token = visitor.cookies[SESSION_COOKIE]
    _send(visitor, page.text, "/signout")
    visitor.cookies.set(SESSION_COOKIE, token)
    assert visitor.get("/invoices").url.path == "/signin"


def test_eight_pages_hold_every_invoice_once(visitor: httpx.Client, portal: RunningPortal) -> None:
    _sign_in(visitor)
    pages = [visitor.get("/invoices", params={"page": number}).text for number in range(1, 9)]
    seen = [re.findall(r'<td class="code">(.*?)</td>', page) for page in pages]
    assert [len(rows) for rows in seen] == [25] * 8
    assert [number for rows in seen for number in rows] == [invoice.number for invoice in invoices(portal.db)]
    assert all("200 invoices" in page for page in pages)
    assert visitor.get("/invoices?page=9").status_code == 404


def test_an_invoice_has_what_the_list_does_not_show(visitor: httpx.Client, portal: RunningPortal) -> None:
    _sign_in(visitor)
    invoice = invoices(portal.db, 2026)[0]
    page = unescape(visitor.get(f"/invoices/{invoice.number}").text)
    assert invoice.vat in page
    assert invoice.due_text in page


def test_the_log_counts_each_form_and_keeps_no_value(visitor: httpx.Client, portal: RunningPortal) -> None:
    before = len(posts(portal.db, "password"))
    page = _sign_in(visitor)
    _send(visitor, page.text, "/newsletter", email="someone@example.test")
    assert len(posts(portal.db, "password")) == before + 1
    assert posts(portal.db)[-1].form == "newsletter"
    kept = b"".join(path.read_bytes() for path in portal.db.parent.iterdir())
    assert PASSWORD.encode() not in kept
    assert b"someone@example.test" not in kept


def test_no_target_outside_the_portal_is_followed(visitor: httpx.Client) -> None:
    for target in ("//example.invalid/", "https://example.invalid/", "/\\example.invalid"):
        assert 'value="/account"' in visitor.get("/signin", params={"next": target}).text


def test_the_portal_ends_when_its_parent_closes_stdin(tmp_path: Path) -> None:
    with running_portal(tmp_path) as portal:
        assert portal.process.stdin is not None
        portal.process.stdin.close()
        assert portal.process.wait(timeout=10) == 0


def test_a_password_is_no_argument(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.sites.portal", "--db", str(tmp_path / "db"), "--password", "x"]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 2


async def test_the_hand_written_script_signs_in_and_collects_the_year(portal: RunningPortal) -> None:
    found = await run_reference(portal.url, USERNAME, PASSWORD, 2026)
    truth = [(it.number, it.issued_text, it.amount_text) for it in invoices(portal.db, 2026)]
    assert list(found.rows) == truth
    assert found.login_s > 0
    assert found.collect_s > 0


async def test_the_cookie_banner_catches_clicks_until_it_is_answered_and_stays_away_then(portal: RunningPortal) -> None:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=browser_path(), args=list(BROWSER_ARGS))
        page = await browser.new_page()
        await page.goto(portal.url)
        await page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
        top = "b => { const r = b.getBoundingClientRect(); return document.elementFromPoint(r.x + 5, r.y + 5).closest('.cookies') !== null }"  # noqa: E501
        subscribe = page.get_by_role("button", name="Subscribe")
        assert await subscribe.evaluate(top) is True
        await page.get_by_role("button", name="Reject optional").click()
        assert await subscribe.evaluate(top) is False
        await page.reload()
        await expect(page.get_by_role("dialog")).to_have_count(0)
        assert {
            cookie.get("value") for cookie in await page.context.cookies() if cookie.get("name") == "cookie_choice"
        } == {"necessary"}
        await browser.close()
