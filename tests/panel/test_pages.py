"""Every page, light and dark, wide and on a phone: nothing serious for axe, and nothing to scroll sideways."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser

from remit.contract import Origin, Secret
from remit.vault import NewCredential

from .conftest import RUN, a_panel, enter
from .test_questions import CHOICE, CODE, CONSENT

PAGES = ("/", "/runs", f"/runs/{RUN}", "/runs/r_unknown", "/credentials", "/executors", "/status")
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1200])
async def test_pages_are_accessible_and_fit(chromium: Browser, tmp_path: Path, scheme: Any, width: int) -> None:
    context = await chromium.new_context(viewport={"width": width, "height": 740}, color_scheme=scheme, bypass_csp=True)
    page = await context.new_page()
    async with (
        a_panel(tmp_path) as desk,
        desk.asking(CONSENT) as consent,
        desk.asking(CODE) as code,
        desk.asking(CHOICE) as choice,
    ):
        site = Origin.of("https://a-rather-long-name-of-a-portal.supplier.example")
        desk.rooms.vault.add(
            NewCredential(label="Water", origins=(site,), username=Secret("u"), password=Secret("p"), keep_session=True)
        )
        await page.goto(f"http://127.0.0.1:{await desk.panel.begin()}/")
        problems = await check(page, "door")
        base = await enter(page, desk)
        for path in (*PAGES, *(f"/q/{pending.id}" for pending in (consent, code, choice)), "/q/q_unknown"):
            await page.goto(base + path)
            problems += await check(page, path)
    await context.close()
    assert problems == []


async def check(page: Any, path: str) -> list[str]:
    """What is wrong with a page."""
    await page.evaluate(AXE)
    told = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    found = [f"{path}: {each['id']}" for each in told["violations"] if each["impact"] in ("serious", "critical")]
    if await page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        found.append(f"{path}: scrolls sideways")
    return found
