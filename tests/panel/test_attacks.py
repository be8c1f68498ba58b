"""Who is not let in: without a token, with a used one, from another site, under another name, from another port."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from playwright.async_api import Page

from remit.contract import Origin, Reason
from remit.handoff import Asked, Question
from remit.panel import live_panels
from remit.panel._finding import note_panel
from remit.state import Database
from tests.sites.pages import Request, serve

from .conftest import Desk, a_panel, enter

CODE = Question(Asked.ONE_TIME_CODE, Reason.ONE_TIME_CODE, Origin.of("https://portal.example"), tool="login_sites")


async def client(desk: Desk) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=f"http://127.0.0.1:{await desk.panel.begin()}", trust_env=False)


async def pair(http: httpx.AsyncClient, token: str) -> httpx.Response:
    return await http.post("/pair", data={"token": token}, headers={"origin": str(http.base_url).rstrip("/")})


async def test_without_a_token_nothing_of_a_question_is_shown(page: Page, tmp_path: Path) -> None:
    async with a_panel(tmp_path) as desk, desk.asking(CODE) as pending:
        link = await desk.panel.link(pending.id)
        assert link is not None
        assert "#" not in link
        await page.goto(link)
        assert "remit panel" in await page.locator("main").inner_text()
        assert "portal.example" not in await page.content()


async def test_a_link_may_be_opened_in_the_tab_that_was_refused(page: Page, tmp_path: Path) -> None:
    async with a_panel(tmp_path) as desk:
        await page.goto(f"http://127.0.0.1:{await desk.panel.begin()}/")
        await enter(page, desk)
        assert await page.locator("h1").inner_text() == "Questions"


async def test_a_token_is_good_for_one_browser(page: Page, tmp_path: Path) -> None:
    async with a_panel(tmp_path) as desk, await client(desk) as thief, desk.asking(CODE) as pending:
        address = await desk.panel.ticket(pending.id)
        assert address is not None
        await page.goto(address, wait_until="commit")
        await page.wait_for_url("**/p/**")
        assert (await pair(thief, address.partition("#")[2])).status_code == 403
        assert "#" not in page.url


@pytest.mark.parametrize("token", ["", "x", "0" * 43])
async def test_no_other_token_lets_in(tmp_path: Path, token: str) -> None:
    async with a_panel(tmp_path) as desk, await client(desk) as http:
        assert (await pair(http, token)).status_code == 403


async def test_a_path_without_its_cookie_shows_nothing(page: Page, tmp_path: Path) -> None:
    async with a_panel(tmp_path) as desk, await client(desk) as thief:
        base = await enter(page, desk)
        assert (await thief.get(base + "/")).status_code == 403
        assert (await thief.get(base + "/", headers={"cookie": "remit=guess"})).status_code == 403


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "evil.example:80"])
async def test_another_host_name_is_refused(tmp_path: Path, host: str) -> None:
    async with a_panel(tmp_path) as desk, await client(desk) as http:
        assert (await http.get("/", headers={"host": host})).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:1"},
        {"origin": "SELF", "sec-fetch-site": "cross-site"},
        {"origin": "SELF", "sec-fetch-site": "same-site"},
    ],
)
async def test_a_change_from_another_site_is_refused(tmp_path: Path, headers: dict[str, str]) -> None:
    async with a_panel(tmp_path) as desk, await client(desk) as http:
        own = str(http.base_url).rstrip("/")
        sent = {name: value.replace("SELF", own) for name, value in headers.items()}
        token = (await desk.panel.way_in()).partition("#")[2]
        assert (await http.post("/pair", data={"token": token}, headers=sent)).status_code == 403
        assert (await pair(http, token)).status_code == 200


async def test_a_form_without_this_browsers_own_mark_is_refused(page: Page, tmp_path: Path) -> None:
    async with a_panel(tmp_path) as desk, desk.asking(CODE) as pending:
        base = await enter(page, desk)
        forms: tuple[dict[str, str | float | bool], ...] = (
            {"verdict": "resumed"},
            {"verdict": "resumed", "csrf": "0" * 64},
        )
        for form in forms:
            own = base.split("/p/")[0]
            answer = await page.context.request.post(
                f"{base}/q/{pending.id}", form=form, headers={"origin": own}, max_redirects=0
            )
            assert answer.status == 403
        assert desk.answers == []


async def test_an_answer_for_another_run_is_refused(page: Page, tmp_path: Path) -> None:
    async with a_panel(tmp_path) as desk, desk.asking(CODE) as pending:
        await enter(page, desk, f"/q/{pending.id}")
        await page.evaluate("document.querySelector('input[name=run]').value = 'r_another_run'")
        await page.get_by_role("button", name="I am done").click()
        await page.get_by_role("heading", level=1).wait_for()
        assert desk.answers == []
        assert desk.rooms.desk.get(pending.id) is not None


async def test_no_page_can_be_framed_and_none_is_kept(tmp_path: Path) -> None:
    async with a_panel(tmp_path) as desk, await client(desk) as http:
        for path in ("/", "/q/x", "/static/panel.css", "/pair", "/hello"):
            headers = (await http.get(path)).headers
            assert "frame-ancestors 'none'" in headers["content-security-policy"]
            assert (headers["x-frame-options"], headers["cache-control"]) == ("DENY", "no-store")


async def test_the_cookie_goes_to_no_other_port(page: Page, tmp_path: Path) -> None:
    """Another user's server on this machine is of the same host, so cookies of a plain path would reach it."""
    got: list[str] = []

    def listen(request: Request) -> str:
        got.append(str(request.cookies))
        return "<h1>Other</h1>"

    async with a_panel(tmp_path) as desk:
        await enter(page, desk)
        with serve({"/": listen, "/p/": listen}) as other:
            await page.goto(other.url)
            await page.goto(other.url + "/p/")
        assert got
        assert not any("remit" in each for each in got)
        assert await page.evaluate("localStorage.length") == 0


async def test_who_took_the_port_of_a_panel_gets_no_token(tmp_path: Path) -> None:
    database = Database.in_folder(tmp_path)
    with serve({"/hello": "0" * 64}) as squatter:
        note_panel(database, int(squatter.url.rpartition(":")[2]), 1.0)
        assert live_panels(database, tmp_path) == []
        assert [request.path for request in squatter.requests] == ["/hello"]
    database.close()


async def test_a_panel_that_runs_is_found(tmp_path: Path) -> None:
    async with a_panel(tmp_path) as desk:
        port = await desk.panel.begin()
        import anyio.to_thread

        found = await anyio.to_thread.run_sync(live_panels, desk.rooms.database, tmp_path / "data")
        assert [panel.port for panel in found] == [port]


async def test_a_browser_stays_paired_over_a_restart_on_the_same_port(page: Page, tmp_path: Path) -> None:
    async with a_panel(tmp_path) as desk:
        await enter(page, desk)
        port = desk.panel.port
    async with a_panel(tmp_path) as desk:
        assert await desk.panel.begin() == port
        await page.goto(f"http://127.0.0.1:{port}/", wait_until="commit")
        await page.wait_for_url("**/p/**")
        assert await page.locator("h1").inner_text() == "Questions"
        await page.get_by_role("link", name="Status").click()
        await page.get_by_role("button", name="Sign this browser out").click()
        await page.goto(f"http://127.0.0.1:{port}/")
        assert "remit panel" in await page.locator("main").inner_text()
