from __future__ import annotations

import threading
from contextlib import ExitStack
from pathlib import Path

import anyio
import pytest
from playwright.async_api import Error as PlaywrightError

from remit.browser import Broker, BrowserError
from remit.contract import Origin, Reason
from remit.settings import Settings
from tests.browser.conftest import Open
from tests.sites.pages import Answer, Page, serve


async def reason_of_opening(broker: Broker, url: str, timeout_s: float = 5) -> Reason:
    with pytest.raises(BrowserError) as error:
        await broker.open(url, timeout_s=timeout_s)
    return error.value.reason


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        (Answer("<h1>Sorry</h1>", status=503), Reason.SITE_ERROR),
        (Answer("", status=500), Reason.SITE_ERROR),
        (Answer("", status=204), Reason.NOT_A_PAGE),
        (Answer("{}", headers={"content-type": "application/json"}), Reason.NOT_A_PAGE),
        (Answer("%PDF-1.4", headers={"content-type": "application/pdf"}), Reason.NOT_A_PAGE),
        (Answer("x", headers={"content-disposition": "attachment; filename=x.zip"}), Reason.NOT_A_PAGE),
    ],
)
async def test_what_is_no_page_has_a_reason_and_leaves_no_session(broker: Broker, page: Page, reason: Reason) -> None:
    before = broker.sessions()
    with serve({"/": page}) as site:
        assert await reason_of_opening(broker, site.url) is reason
    assert broker.sessions() == before


async def test_a_page_that_is_not_found_is_a_page(broker: Broker) -> None:
    with serve({}) as site:
        session = await broker.open(site.url)
        assert session.origin == site.origin
        await broker.close(session.id)


@pytest.mark.parametrize(
    "address", ["ftp://example.test/", "file:///etc/passwd", "http://user@example.test/", "hello", ""]
)
async def test_only_plain_web_addresses_are_opened(broker: Broker, address: str) -> None:
    assert await reason_of_opening(broker, address) is Reason.BAD_ADDRESS


async def test_nobody_listening_is_unreachable(broker: Broker) -> None:
    with serve({}) as site:
        url = site.url
    assert await reason_of_opening(broker, url) is Reason.SITE_UNREACHABLE


async def test_a_silent_site_times_out(broker: Broker) -> None:
    release = threading.Event()
    with serve({"/": Answer("late", release=release)}) as site:
        assert await reason_of_opening(broker, site.url, timeout_s=0.3) is Reason.SITE_TIMEOUT
        release.set()


async def test_sessions_share_nothing(broker: Broker) -> None:
    def greet(request: object) -> Answer:
        del request
        return Answer("<h1>Hi</h1>", headers={"set-cookie": "sid=1"})

    with serve({"/": greet}) as site:
        one, two = await broker.open(site.url), await broker.open(site.url)
        assert [request.cookies for request in site.requests] == [{}, {}]
        assert one.id != two.id
        await broker.close(one.id)
        await broker.close(two.id)


async def test_cookies_are_noticed_by_marks_and_kept_only_as_bytes(broker: Broker) -> None:
    count = iter(range(9))
    with serve(
        {"/": lambda _: Answer("<h1>Hi</h1>", headers={"set-cookie": f"sid=secret{next(count)}; Path=/"})}
    ) as site:
        session = await broker.open(site.url)
        first = await session.cookie_marks(["sid", "other"])
        assert list(first) == ["sid"]
        assert "secret" not in first["sid"]
        assert await session.cookie_marks(["sid"]) == first
        await session.goto(site.url)
        assert await session.cookie_marks(["sid"]) != first
        kept = await session.storage_state(frozenset({site.origin}))
        await broker.close(session.id)
        again = await broker.open(site.url, storage=kept)
        assert site.requests[-1].cookies == {"sid": "secret1"}
        await broker.close(again.id)


async def test_one_run_uses_a_session_and_another_is_told_at_once(opened: Open, broker: Broker) -> None:
    session, _ = await opened("<h1>Hi</h1>")
    with session.use():
        with pytest.raises(BrowserError) as error, broker.session(session.id).use():
            pass
        assert error.value.reason is Reason.SESSION_BUSY
    with session.use() as again:
        assert again is session


async def test_an_unknown_id_is_unknown_and_a_closed_one_too(opened: Open, broker: Broker) -> None:
    session, _ = await opened("<h1>Hi</h1>")
    assert broker.session(session.id) is session
    await broker.close(session.id)
    for id_ in (session.id, "s_0"):
        with pytest.raises(BrowserError) as error:
            broker.session(id_)
        assert error.value.reason is Reason.UNKNOWN_SESSION
    with pytest.raises(BrowserError) as error:
        await session.observe()
    assert error.value.reason is Reason.SESSION_LOST


async def test_only_so_many_sessions_and_idle_ones_make_room() -> None:
    now = 0.0
    with serve({"/": "<h1>Hi</h1>"}) as site:
        async with Broker(Settings(max_sessions=2, session_idle_s=100), clock=lambda: now) as broker:
            first = await broker.open(site.url)
            now = 50
            second = await broker.open(site.url)
            assert await reason_of_opening(broker, site.url) is Reason.TOO_MANY_SESSIONS
            now = 120
            third = await broker.open(site.url)
            assert [session.id for session in broker.sessions()] == [second.id, third.id]
            now = 300
            with second.use():
                assert await broker.expire_idle() == (third.id,)
            assert first.lost


async def test_a_crashed_browser_is_a_lost_session_and_the_next_one_starts_afresh() -> None:
    with serve({"/": "<h1>Hi</h1>"}) as site:
        async with Broker(Settings()) as broker:
            session = await broker.open(site.url)
            assert broker._engine is not None
            await broker._engine.browser.close()
            with pytest.raises(BrowserError) as error:
                broker.session(session.id)
            assert error.value.reason is Reason.SESSION_LOST
            assert (await broker.open(site.url)).origin == site.origin


async def test_without_a_browser_it_says_so(tmp_path: Path) -> None:
    async with Broker(Settings(browser_path=tmp_path / "none")) as broker:
        assert await reason_of_opening(broker, "http://127.0.0.1:9/") is Reason.BROWSER_MISSING


async def test_what_is_no_browser_fails() -> None:
    async with Broker(Settings(browser_path=Path("/bin/false"))) as broker:
        assert await reason_of_opening(broker, "http://127.0.0.1:9/") is Reason.BROWSER_FAILED


async def test_dialogs_are_dismissed_and_counted(opened: Open) -> None:
    session, _ = await opened(
        "<script>alert('a'); document.title = String(confirm('b')) + prompt('c')</script><h1>Hi</h1>"
    )
    assert (await session.observe()).main.title == "falsenull"
    assert session.tally.dialogs == 3


async def test_pages_nobody_asked_for_are_closed_and_counted(opened: Open) -> None:
    session, site = await opened(
        {"/": "<h1>Hi</h1><script>setTimeout(() => window.open('/ad'), 50)</script>", "/ad": "Ad"}
    )
    with anyio.fail_after(5):
        while not session.tally.popups and not site.asked("/ad"):
            await session.changed(0.1)
    assert (await session.observe()).main.url == f"{site.url}/"


async def test_a_redirect_to_another_origin_is_noticed(broker: Broker) -> None:
    with ExitStack() as stack:
        other = stack.enter_context(serve({"/": "<a href=/x>Go</a>", "/x": "X"}))
        site = stack.enter_context(serve({"/": Answer.redirect(f"{other.url}/")}))
        session = await broker.open(site.url)
        assert session.origin == other.origin
        assert not session.inside
        seen = await session.observe()
        with pytest.raises(BrowserError) as error:
            await session.click(seen, 0, 0)
        assert error.value.reason is Reason.LEFT_SITE
        assert not other.asked("/x")
        session.allow(frozenset({other.origin}))
        assert session.inside
        await broker.close(session.id)


async def test_origins_are_compared_exactly(opened: Open) -> None:
    session, site = await opened("<h1>Hi</h1>")
    for address in (
        f"http://localhost:{site.port}/",
        f"https://127.0.0.1:{site.port}/",
        f"http://127.0.0.1:{site.port + 1}/",
    ):
        with pytest.raises(BrowserError) as error:
            await session.goto(address)
        assert error.value.reason is Reason.LEFT_SITE
    assert session.origin == Origin("http", "127.0.0.1", site.port)


async def test_opening_is_cancelled_within_a_second(broker: Broker) -> None:
    release = threading.Event()
    with serve({"/": Answer("late", release=release)}) as site:
        before = broker.sessions()
        with anyio.move_on_after(0.3) as scope:
            await broker.open(site.url)
        assert scope.cancelled_caught
        assert broker.sessions() == before
        release.set()


async def test_waiting_is_cancelled_within_a_second(opened: Open) -> None:
    session, _ = await opened("<h1>Hi</h1>")
    with anyio.fail_after(1), anyio.move_on_after(0.2):
        await session.changed(60)


async def test_a_crashed_page_is_a_lost_session(broker: Broker) -> None:
    with serve({"/": "<h1>Hi</h1>"}) as site:
        session = await broker.open(site.url)
        with pytest.raises(PlaywrightError):
            await session._tab.page.goto("chrome://crash", timeout=3000)
        for call in (session.observe, session.settle):
            with pytest.raises(BrowserError) as error:
                await call()
            assert error.value.reason is Reason.SESSION_LOST
        with pytest.raises(BrowserError) as error:
            broker.session(session.id)
        assert error.value.reason is Reason.SESSION_LOST
