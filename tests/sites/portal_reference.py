"""The shortest honest script for the demo's job: what Remit's time is compared with.

Written for this one portal, by its labels; it signs in and reads every page of invoices in the browser.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass

from playwright.async_api import Page, async_playwright

BROWSER_ARGS = ("--no-sandbox", "--disable-background-networking")
_READ = "rows => rows.map(row => [...row.cells].map(cell => cell.innerText))"

Row = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Reference:
    """Number, date and amount of each invoice as shown, and the seconds of both halves, without the browser's start."""

    rows: tuple[Row, ...]
    login_s: float
    collect_s: float


def browser_path() -> str | None:
    """Chromium as `CHROMIUM` says or Debian installs it; None for Playwright's own."""
    path = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    return path if os.access(path, os.X_OK) else None


async def run_reference(url: str, username: str, password: str, year: int = 2026) -> Reference:
    """Sign in at the portal and collect the year's invoices."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=browser_path(), args=list(BROWSER_ARGS))
        try:
            page = await browser.new_page()
            start = time.perf_counter()
            await sign_in(page, url, username, password)
            signed_in = time.perf_counter()
            rows = await collect(page, year)
            return Reference(tuple(rows), signed_in - start, time.perf_counter() - signed_in)
        finally:
            await browser.close()


async def sign_in(page: Page, url: str, username: str, password: str) -> None:
    """From the home page to the account."""
    await page.goto(url)
    await page.get_by_role("button", name="Reject optional").click()
    await page.get_by_role("button", name="Account").click()
    await page.get_by_role("link", name="Sign in").click()
    await page.get_by_label("E-mail", exact=True).fill(username)
    await page.get_by_role("button", name="Next").click()
    await page.get_by_label("Password").fill(password)
    await page.get_by_role("main").get_by_role("button", name="Sign in").click()
    await page.get_by_role("heading", name="Welcome back").wait_for()


async def collect(page: Page, year: int) -> list[Row]:
    """Number, date and amount of the year's invoices, from all pages."""
    found: list[Row] = []
    await page.get_by_role("link", name="Invoices", exact=True).click()
    while True:
        await page.get_by_role("heading", name="Invoices").wait_for()
        cells: list[list[str]] = await page.eval_on_selector_all("tbody tr", _READ)
        found += [(row[0], row[1], row[4]) for row in cells if row[1].endswith(f"/{year}")]
        following = page.get_by_role("link", name="Next", exact=True)
        if not await following.count():
            return found
        async with page.expect_navigation():
            await following.click()
