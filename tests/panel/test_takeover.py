"""A person takes over the open page: what is shown of it, what reaches it, and when that ends."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytesseract
from PIL import Image
from playwright.async_api import Page

from remit.browser import LiveView, Session
from remit.contract import Origin, Reason
from remit.handoff import Asked, Question, Verdict
from tests.sites.pages import Site, serve

from .conftest import RUN, Desk, a_panel, enter

CANARY = "CANARY7391"
SHOWN = "VISIBLE4826"
BODY = f"""<title>Check</title><style>input,textarea,p{{font:40px monospace;display:block;width:700px}}</style>
<p>{SHOWN}</p><input value={CANARY}><input type=password value={CANARY}><textarea>{CANARY}</textarea>
<div contenteditable style='font:40px monospace'>{CANARY}</div>
<input style='-webkit-text-security:disc' value={CANARY}>
<style>button{{position:fixed;left:600px;top:600px;width:200px;height:80px}}</style>
<button onclick="fetch('/solved')">I am human</button>
<div style='height:3000px'></div><iframe srcdoc='<input value={CANARY} style="font:40px monospace">'></iframe>"""


@asynccontextmanager
async def challenged(desk: Desk, site: Site) -> AsyncIterator[tuple[Session, Question]]:
    broker = await desk.rooms.broker()
    session = await broker.open(site.url, owner="test")
    yield (
        session,
        Question(Asked.CHALLENGE, Reason.CHALLENGE, Origin.of(site.url), session_id=session.id, tool="login_sites"),
    )
    await broker.close(session.id, "test")


def read(picture: bytes) -> str:
    return str(pytesseract.image_to_string(Image.open(io.BytesIO(picture))))


async def test_every_field_is_covered_before_the_picture_leaves_the_browser(page: Page, tmp_path: Path) -> None:
    del page
    with serve({"/": BODY, "/solved": "x"}) as site:
        async with a_panel(tmp_path) as desk, challenged(desk, site) as (session, _):
            open_picture = await session.live_page.screenshot(type="jpeg")
            covered = await LiveView(session).picture()
    assert CANARY in read(open_picture)
    text = read(covered)
    assert SHOWN in text
    assert "CANARY" not in text
    assert "7391" not in text


async def test_a_press_on_the_picture_is_a_press_in_the_page(page: Page, tmp_path: Path) -> None:
    with serve({"/": BODY, "/solved": "x"}) as site:
        async with a_panel(tmp_path) as desk, challenged(desk, site) as (_, question), desk.asking(question) as pending:
            await enter(page, desk, f"/q/{pending.id}")
            live = page.get_by_role("img", name="The open page")
            await page.wait_for_function("document.getElementById('live').naturalWidth > 0")
            box = await live.bounding_box()
            assert box is not None
            ratio = box["width"] / 1280
            async with page.expect_response(lambda answer: answer.url.endswith("/act")) as acted:
                await live.click(position={"x": 700 * ratio, "y": 640 * ratio})
            assert (await acted.value).status == 200
            with anyio.fail_after(5):
                while not site.asked("/solved"):
                    await page.wait_for_timeout(20)
            assert site.asked("/solved") == 1
            await page.get_by_role("button", name="I am done").click()
            await page.wait_for_url(f"**/runs/{RUN}")
            assert desk.answers[0].verdict is Verdict.RESUMED
            base = page.url.split("/runs/")[0]
            for path in ("frame", "picture"):
                assert (await page.context.request.get(f"{base}/q/{pending.id}/{path}")).status == 409


async def test_no_page_is_shown_of_a_question_that_is_about_none(page: Page, tmp_path: Path) -> None:
    consent = Question(Asked.CONSENT, Reason.APPROVAL_REQUIRED, session_id="s_other", tool="act_sites")
    async with a_panel(tmp_path) as desk, desk.asking(consent) as pending:
        base = await enter(page, desk)
        assert (await page.context.request.get(f"{base}/q/{pending.id}/frame")).status == 400
