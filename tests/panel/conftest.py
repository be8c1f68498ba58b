"""A real panel over real rooms, and a real browser in front of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio
import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, Page, async_playwright

from remit.contract import Registry, builtin_folder
from remit.handoff import Answer, Pending, Question
from remit.panel import Panel
from remit.runs import Rooms, Runs
from remit.settings import Settings
from tests.sites.portal_reference import BROWSER_ARGS, browser_path

RUN = "r_waiting_run"


@dataclass
class Desk:
    """A panel with a question or more open, and what came of them."""

    panel: Panel
    rooms: Rooms
    runs: Runs
    answers: list[Answer]

    @asynccontextmanager
    async def asking(self, question: Question) -> AsyncIterator[Pending]:
        """Ask, until the block ends or it is answered."""
        opened: list[Pending] = []
        here = anyio.Event()

        def noticed(pending: Pending) -> None:
            opened.append(pending)
            here.set()

        async def wait() -> None:
            self.answers.append((await self.rooms.desk.ask(question, RUN, "test", noticed=noticed)).given)

        task = asyncio.create_task(wait())
        await here.wait()
        try:
            yield opened[0]
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


@asynccontextmanager
async def a_panel(folder: Path, **more: object) -> AsyncIterator[Desk]:
    settings = Settings(
        data_dir=folder / "data",
        vault_dir=folder / "vault",
        files_dir=folder / "files",
        vault_key="file",
        model="none",
        panel_open="never",
        **more,  # type: ignore[arg-type]
    )
    registry = Registry((builtin_folder(),))
    async with (
        Rooms(settings) as rooms,
        Runs(rooms, find=registry.published.get) as runs,
        Panel(rooms, runs, registry) as panel,
    ):
        runs.door = panel
        if rooms.journal.get(RUN) is None:
            rooms.journal.begin(RUN, "login_sites", "digest", "test")
        yield Desk(panel, rooms, runs, [])


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Browser]:
    ready: asyncio.Future[Browser] = asyncio.get_running_loop().create_future()
    over = asyncio.Event()

    async def live() -> None:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=browser_path(), args=list(BROWSER_ARGS))
            ready.set_result(browser)
            await over.wait()
            await browser.close()

    task = asyncio.create_task(live())
    yield await ready
    over.set()
    await task


@pytest_asyncio.fixture(loop_scope="session")
async def context(chromium: Browser) -> AsyncIterator[BrowserContext]:
    context = await chromium.new_context()
    context.set_default_timeout(10_000)
    yield context
    await context.close()


@pytest_asyncio.fixture(loop_scope="session")
async def page(context: BrowserContext) -> Page:
    return await context.new_page()


async def enter(page: Page, desk: Desk, path: str = "/") -> str:
    """Pair the browser by a one-time token; the base of its pages."""
    await page.goto(await desk.panel.way_in(path), wait_until="commit")
    await page.wait_for_url("**/p/**")
    await page.get_by_role("heading", level=1).wait_for()
    return page.url.split("/p/")[0] + "/p/" + page.url.split("/p/")[1].split("/")[0]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of this folder with the shared browser run in its loop; the hook is shown those of every folder."""
    for item in items:
        here = Path(__file__).parent in item.path.parents
        if here and isinstance(item, pytest.Function) and {"page", "context", "chromium"} & set(item.fixturenames):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)
