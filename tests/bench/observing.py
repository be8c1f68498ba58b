"""Observing a page of 100, 1,000 and 10,000 controls, against Playwright's `aria_snapshot(mode="ai")`.

The page is loaded anew before each measurement: a page is observed because it changed, and neither may live on what it
remembers of the page before.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page

from remit.browser import Broker, Session
from remit.settings import Settings
from tests.sites.pages import serve

from ._figures import Figure, ms, seconds

COUNTS = (100, 1_000, 10_000)
AT_LEAST = 10.0
PATIENCE_MS = 60_000
LINEAR = 1.5
"""Time a control at most, at 10,000 against 1,000, to be called linear."""


def page_of(controls: int) -> str:
    """Rows with a link, a checkbox and a button each."""
    row = '<tr><td>{0}</td><td><a href="/r/{0}">Item {0}</a></td><td><input type="checkbox" aria-label="pick {0}"></td><td><button>Edit</button></td></tr>'  # noqa: E501
    rows = "".join(row.format(number) for number in range(controls // 3))
    return f"<!doctype html><title>Bench</title><main><h1>Records</h1><table>{rows}</table></main>"


async def observing_figures() -> list[Figure]:
    """A figure a size, and one for linearity."""
    figures: list[Figure] = []
    times: dict[int, float] = {}
    pages = {f"/{count}": page_of(count) for count in COUNTS}
    with serve(pages) as site, tempfile.TemporaryDirectory() as folder:
        async with Broker(Settings(data_dir=Path(folder), vault_dir=Path(folder))) as broker:
            for count in COUNTS:
                session = await broker.open(f"{site.url.rstrip('/')}/{count}")
                times[count], theirs = await _compare(session, rounds=5 if count < 10_000 else 3)
                ratio = theirs / times[count] if theirs is not None else None
                against = f"aria_snapshot: {ms(theirs) if theirs is not None else 'does not end'}"
                goal = f"≥ {AT_LEAST:.0f}x faster"
                figures.append(
                    Figure(f"observe {count:,} controls", ms(times[count]), against, ratio, goal, AT_LEAST, "above")
                )
                await broker.close(session.id)
    each = {count: times[count] / count for count in COUNTS}
    growth = each[10_000] / each[1_000]
    figures.append(Figure("observe: time a control, 10,000 / 1,000", "", "", growth, f"≤ {LINEAR} (linear)", LINEAR))
    return figures


async def _compare(session: Session, rounds: int) -> tuple[float, float | None]:
    page: Page = session._tab.page
    address = session.url

    async def fresh(work: Callable[[], Awaitable[object]]) -> float:
        await session.goto(address)
        return await seconds(work)

    async def snapshot() -> None:
        await page.aria_snapshot(mode="ai", timeout=PATIENCE_MS)

    ours, theirs = [await fresh(session.observe)], []
    try:
        for _ in range(rounds):
            ours.append(await fresh(session.observe))
            theirs.append(await fresh(snapshot))
    except PlaywrightError:
        return statistics.median(ours), None
    return statistics.median(ours), statistics.median(theirs)
