"""`login_sites` on small sites, from an open page, against the shortest hand-written script from the same page."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import Browser, Page, async_playwright

from remit.runs import Rooms, Runs
from remit.settings import Settings
from tests.executors.conftest import PASSWORD, USERNAME, Remit
from tests.sites.pages import Answer, Site, serve
from tests.sites.pages import Page as Served
from tests.sites.portal_reference import BROWSER_ARGS, browser_path
from tests.sites.signin_app import FORM, INSIDE, Accounts

from ._figures import Figure, ms, seconds

ROUNDS = 7
BOUND = 1.25

Script = Callable[[Page], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Case:
    """A site and a script written for it."""

    name: str
    pages: dict[str, Served]
    script: Script


async def _form(page: Page) -> None:
    await page.get_by_label("E-mail").fill(USERNAME)
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Log in").click()
    await page.get_by_role("link", name="Log out").wait_for()


async def _behind_a_link(page: Page) -> None:
    await page.get_by_role("link", name="Sign in").click()
    await _form(page)


async def _behind_a_menu(page: Page) -> None:
    await page.get_by_role("button", name="Account").click()
    await _behind_a_link(page)


async def _in_two_steps(page: Page) -> None:
    await page.get_by_label("E-mail").fill(USERNAME)
    await page.get_by_role("button", name="Next").click()
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Sign in").click()
    await page.get_by_role("link", name="Log out").wait_for()


async def _after_cookies(page: Page) -> None:
    await page.get_by_role("button", name="Reject all").click()
    await _form(page)


_FIRST = (
    "<title>Sign in</title><main><form method=post action=/signin><h1>Sign in</h1><label>E-mail <input name=email "
    "type=email autocomplete=username></label><button>Next</button></form></main>"
)
_SECOND = (
    f"<title>Sign in</title><h1>Welcome</h1><p>{USERNAME}</p><form method=post action=/in><label>Password "
    "<input name=password type=password></label><button>Sign in</button></form>"
)
_BANNER = (
    "<div id=c style='position:fixed;bottom:0;left:0;right:0;padding:2em;background:#fff'><p>We use cookies.</p>"
    "<button onclick='c.remove()'>Accept all</button><button onclick='c.remove()'>Reject all</button></div>"
)


def cases() -> list[Case]:
    """The sites."""
    inside: dict[str, Served] = {"/inside": INSIDE, "/in": lambda _: Answer.redirect("/inside")}

    def desk(home: str) -> dict[str, Served]:
        accounts = Accounts(USERNAME, PASSWORD)
        form = accounts.login

        def login(request: object) -> str | Answer:
            answer = form(request)  # type: ignore[arg-type]
            return Answer.redirect("/inside") if isinstance(answer, Answer) else answer

        return {"/": home, "/login": login, **inside}

    menu = (
        "<button aria-haspopup=menu onclick='m.hidden=false'>Account</button>"
        "<div id=m hidden><a href=/login>Sign in</a></div>"
    )
    return [
        Case("form on the page", desk(FORM.format(note="")), _form),
        Case("behind a link", desk("<h1>Shop</h1><a href=/login>Sign in</a>"), _behind_a_link),
        Case("behind a menu", desk(f"<h1>Shop</h1>{menu}"), _behind_a_menu),
        Case(
            "two steps",
            {"/": _FIRST, "/signin": lambda _: Answer.redirect("/second"), "/second": _SECOND, **inside},
            _in_two_steps,
        ),
        Case("cookie banner", desk(FORM.format(note="") + _BANNER), _after_cookies),
    ]


async def signing_in_figures() -> list[Figure]:
    """The median of each site, taken in turns, and of their ratios."""
    figures: list[Figure] = []
    async with _remit() as remit, _browser() as browser:
        for case in cases():
            with serve(case.pages) as site:
                figures.append(await _compare(remit, browser, case, site))
    ratios = [figure.ratio for figure in figures if figure.ratio is not None]
    middle = statistics.median(ratios)
    return [*figures, Figure("sign in, median of the sites", "", "hand-written scripts", middle, f"≤ {BOUND}x", BOUND)]


async def _compare(remit: Remit, browser: Browser, case: Case, site: Site) -> Figure:
    remit.store(site)
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(ROUNDS):
        ours.append(await _ours(remit, site))
        theirs.append(await _theirs(browser, case, site))
    mine, other = statistics.median(ours), statistics.median(theirs)
    return Figure(f"sign in: {case.name}", ms(mine), f"script: {ms(other)}", mine / other)


async def _ours(remit: Remit, site: Site) -> float:
    session = await remit.open(site)

    async def sign_in() -> None:
        item = await remit.login_again(session)
        assert item["status"] == "done", item

    took = await seconds(sign_in)
    await remit.call("close_sites", session_ids=[session])
    return took


async def _theirs(browser: Browser, case: Case, site: Site) -> float:
    context = await browser.new_context()
    page = await context.new_page()
    await page.goto(site.url)
    took = await seconds(lambda: case.script(page))
    await context.close()
    return took


@asynccontextmanager
async def _remit() -> AsyncIterator[Remit]:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        settings = Settings(
            data_dir=root / "data", vault_dir=root / "vault", files_dir=root / "files", vault_key="file", model="none"
        )
        async with Rooms(settings) as rooms, Runs(rooms) as runs:
            yield Remit(runs, settings, rooms)


@asynccontextmanager
async def _browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=browser_path(), args=list(BROWSER_ARGS))
        try:
            yield browser
        finally:
            await browser.close()
