"""A person in front of the panel, with a real browser: each kind of question, and what stays of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Page

from remit.authority import Scope
from remit.contract import Origin, Reason
from remit.handoff import Asked, Effect, Question, Through, Verdict

from .conftest import RUN, a_panel, enter

SITE = Origin.of("https://portal.example")
CONSENT = Question(
    Asked.CONSENT,
    Reason.APPROVAL_REQUIRED,
    SITE,
    tool="act_sites",
    effect=Effect.SEND_FORM,
    subject="<b>Save</b> & send",
    reach=Scope.PER_RUN,
)
CODE = Question(Asked.ONE_TIME_CODE, Reason.ONE_TIME_CODE, SITE, tool="login_sites")
CHOICE = Question(Asked.CHOICE, Reason.AMBIGUOUS, SITE, tool="act_sites", choices=("row one", "row two"))
DEMAND = Question(Asked.SITE_DEMAND, Reason.TERMS, SITE, tool="login_sites")


@pytest.mark.parametrize(
    ("button", "verdict"),
    [
        ("Allow once", Verdict.ALLOWED_ONCE),
        ("Allow for this site for this run", Verdict.ALLOWED_FOR_RUN),
        ("Refuse", Verdict.REFUSED),
    ],
)
async def test_consent_says_what_and_where_and_is_given_once(
    page: Page, tmp_path: Path, button: str, verdict: Verdict
) -> None:
    async with a_panel(tmp_path) as desk, desk.asking(CONSENT) as pending:
        base = await enter(page, desk, f"/q/{pending.id}")
        text = await page.locator("main").inner_text()
        assert "https://portal.example" in text
        assert "Send a form." in text
        assert "<b>Save</b> & send" in text
        assert await page.get_by_role("button", name="Always").count() == 0
        await page.get_by_role("button", name=button, exact=True).click()
        await page.wait_for_url(f"**/runs/{RUN}")
        assert [(answer.verdict, answer.through) for answer in desk.answers] == [(verdict, Through.PANEL)]
        await page.goto(f"{base}/q/{pending.id}")
        assert "Already answered" in await page.locator("h1").inner_text()


async def test_a_code_goes_to_the_run_and_is_nowhere_else(page: Page, tmp_path: Path) -> None:
    async with a_panel(tmp_path) as desk, desk.asking(CODE) as pending:
        await enter(page, desk, f"/q/{pending.id}")
        await page.get_by_label("The code").fill("012345-canary")
        await page.keyboard.press("Enter")
        await page.wait_for_url(f"**/runs/{RUN}")
        code = desk.answers[0].code
        assert code is not None
        assert code.reveal() == "012345-canary"
        assert "canary" not in page.url + await page.content()
    written = b"".join(path.read_bytes() for path in (tmp_path / "data").rglob("*") if path.is_file())
    assert b"canary" not in written


async def test_one_of_several_is_chosen_by_its_text(page: Page, tmp_path: Path) -> None:
    async with a_panel(tmp_path) as desk, desk.asking(CHOICE) as pending:
        await enter(page, desk, f"/q/{pending.id}")
        await page.get_by_label("row two").check()
        await page.get_by_role("button", name="Choose this").click()
        await page.wait_for_url(f"**/runs/{RUN}")
        assert (desk.answers[0].verdict, desk.answers[0].choice) == (Verdict.CHOSEN, 1)


async def test_two_panels_give_one_answer(page: Page, tmp_path: Path) -> None:
    async with a_panel(tmp_path) as desk, desk.asking(CONSENT) as pending:
        await enter(page, desk, f"/q/{pending.id}")
        other = await page.context.new_page()
        await other.goto(page.url)
        await page.get_by_role("button", name="Allow once").click()
        await page.wait_for_url(f"**/runs/{RUN}")
        await other.get_by_role("button", name="Refuse").click()
        assert "allowed once" in await other.locator("main").inner_text()
        assert [answer.verdict for answer in desk.answers] == [Verdict.ALLOWED_ONCE]


async def test_what_waits_is_on_the_first_page_and_works_by_keyboard(page: Page, tmp_path: Path) -> None:
    async with a_panel(tmp_path) as desk, desk.asking(DEMAND):
        await enter(page, desk)
        await page.get_by_role("link", name="The site asks for something").focus()
        await page.keyboard.press("Enter")
        await page.get_by_role("button", name="I am done, go on").focus()
        await page.keyboard.press("Enter")
        await page.wait_for_url(f"**/runs/{RUN}")
        assert desk.answers[0].verdict is Verdict.RESUMED
