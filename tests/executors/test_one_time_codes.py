from __future__ import annotations

import pyotp
import pytest

from remit.contract import Secret
from remit.executors import _one_time
from remit.handoff import Verdict
from tests.executors.conftest import PASSWORD, USERNAME, Remit, Serve
from tests.sites.pages import Answer, Request
from tests.sites.signin_app import BOXES, CODE, Accounts

SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
PERIOD_S = 3
QUICK = f"otpauth://totp/x?secret={SECRET}&period={PERIOD_S}"


@pytest.fixture(autouse=True)
def little_margin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_one_time, "MARGIN_S", 1.0)


def accounts(**facts: object) -> Accounts:
    return Accounts(USERNAME, PASSWORD, **{"totp": QUICK, **facts})  # type: ignore[arg-type]


async def test_a_code_is_typed_and_sent_once(remit: Remit, served: Serve) -> None:
    desk = accounts()
    site = served(desk.pages())
    item = await remit.login(site, totp=Secret(QUICK))
    assert item["status"] == "done", item
    assert len(desk.codes) == 1
    assert "trust" not in site.posts("/code")[0].form
    assert len(site.posts("/login")) == 1


async def test_six_boxes_get_one_digit_each(remit: Remit, served: Serve) -> None:
    desk = accounts(code_page=BOXES)
    site = served(desk.pages())
    assert (await remit.login(site, totp=Secret(QUICK)))["status"] == "done"
    sent = site.posts("/code")[0].form
    assert [sent[f"d{n}"] for n in range(1, 7)] == list(desk.codes[0])
    assert len(site.posts("/code")) == 1


async def test_a_first_box_that_takes_a_paste_gets_one_digit_too(remit: Remit, served: Serve) -> None:
    desk = accounts(code_page=BOXES.replace("maxlength=1", "maxlength=6", 1))
    site = served(desk.pages())
    assert (await remit.login(site, totp=Secret(QUICK)))["status"] == "done"
    assert site.posts("/code")[0].form["d1"] == desk.codes[0][0]


async def test_what_the_page_sends_by_itself_is_the_one_submit(remit: Remit, served: Serve) -> None:
    desk = accounts(code_page=BOXES.replace("{after}", "send"))
    site = served(desk.pages())
    assert (await remit.login(site, totp=Secret(QUICK)))["status"] == "done"
    assert len(site.posts("/code")) == 1


async def test_a_rejected_code_is_followed_by_one_of_the_next_moment(remit: Remit, served: Serve) -> None:
    refused: list[str] = []
    desk = accounts()

    def once_refused(request: Request) -> str | Answer:
        if request.method == "POST" and not refused:
            refused.append(request.form["code"])
            return CODE.format(note="<p role=alert>This code has expired.</p>")
        return desk.code(request)

    site = served(desk.pages({"/code": once_refused}))
    assert (await remit.login(site, totp=Secret(QUICK)))["status"] == "done"
    assert desk.codes != refused
    assert len(site.posts("/code")) == 2


async def test_two_rejected_codes_end_the_attempt_and_rest_the_credential(remit: Remit, served: Serve) -> None:
    desk = accounts()
    site = served(desk.pages({"/code": lambda request: desk.code_page.format(note="<p role=alert>Invalid code.</p>")}))
    item = await remit.login(site, totp=Secret(QUICK))
    assert (item["status"], item["reason"]) == ("failed", "code_rejected")
    sent = [post.form["code"] for post in site.posts("/code")]
    assert len(set(sent)) == 2 == len(sent)
    again = await remit.login_again(await remit.open(site))
    assert again["reason"] == "cool_down"
    assert len(site.posts("/login")) == 1


async def test_a_code_about_to_end_is_not_typed(remit: Remit, served: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_one_time, "MARGIN_S", 2.0)
    desk = accounts(too_old_s=1.0)
    site = served(desk.pages())
    assert (await remit.login(site, totp=Secret(QUICK)))["status"] == "done"
    assert len(desk.codes) == 1


async def test_without_a_secret_for_codes_a_person_is_needed_and_can_go_on(remit: Remit, served: Serve) -> None:
    desk = accounts()
    site = served(desk.pages())
    remit.store(site)
    session = await remit.open(site)
    item = await remit.login_again(session)
    assert (item["status"], item["reason"]) == ("needs_user", "one_time_code")
    assert not site.posts("/code")
    assert PASSWORD not in str([post.form for post in site.posts("/code")])

    again = await remit.login_again(session)
    assert (again["status"], again["reason"]) == ("needs_user", "one_time_code")
    assert len(site.posts("/login")) == 1

    asked_again = await remit.answer()  # too early: nothing was confirmed yet
    assert asked_again["reason"] == "one_time_code"

    desk.inside |= desk.halfway  # a person confirmed it on another device
    live = await remit.session(session)
    await live.goto(site.url)
    assert (await remit.answer())["status"] == "done"
    assert len(site.posts("/login")) == 1


async def test_a_code_that_a_person_gives_is_typed_and_sent_once(remit: Remit, served: Serve) -> None:
    desk = accounts(code_page=BOXES, sms="012345")
    site = served(desk.pages())
    assert (await remit.login(site))["reason"] == "one_time_code"
    told = await remit.answer(Verdict.CODE, code=Secret("012345"))
    assert told["status"] == "done"
    assert len(site.posts("/login")) == len(site.posts("/code")) == 1


async def test_a_code_that_is_rejected_is_asked_for_once_more(remit: Remit, served: Serve) -> None:
    desk = accounts()
    site = served(desk.pages({"/code": lambda request: desk.code_page.format(note="<p role=alert>Invalid code.</p>")}))
    assert (await remit.login(site))["reason"] == "one_time_code"
    told = await remit.answer(Verdict.CODE, code=Secret("111111"))
    assert (told["status"], told["reason"]) == ("needs_user", "one_time_code")
    told = await remit.answer(Verdict.CODE, code=Secret("222222"))
    assert (told["status"], told["reason"]) == ("failed", "code_rejected")
    assert [post.form["code"] for post in site.posts("/code")] == ["111111", "222222"]
    assert len(site.posts("/login")) == 1


@pytest.mark.parametrize(("verdict", "reason"), [(Verdict.REFUSED, "refused"), (Verdict.CANCELLED, "cancelled")])
async def test_a_person_may_say_no(remit: Remit, served: Serve, verdict: Verdict, reason: str) -> None:
    site = served(accounts().pages())
    assert (await remit.login(site))["status"] == "needs_user"
    told = await remit.answer(verdict)
    assert (told["status"], told["reason"]) == ("failed", reason)
    assert not site.posts("/code")


async def test_closing_the_session_ends_the_waiting(remit: Remit, served: Serve) -> None:
    site = served(accounts().pages())
    remit.store(site)
    session = await remit.open(site)
    waiting = await remit.call("login_sites", session_ids=[session])
    assert waiting["status"] == "needs_user"
    assert (await remit.call("close_sites", session_ids=[session]))["closed"] == 1
    told = await remit.call("continue_run", run_id=waiting["run_id"])
    assert (told["status"], told["reason"]) == ("failed", "cancelled")


async def test_a_code_of_another_length_than_the_boxes_is_not_typed(remit: Remit, served: Serve) -> None:
    desk = accounts(code_page=BOXES.replace("6", "5").replace("Digit 5 of 5' maxlength=1", "' hidden"))
    site = served(desk.pages())
    item = await remit.login(site, totp=Secret(QUICK))
    assert item["status"] != "done"
    assert not site.posts("/code")


def test_codes_are_those_of_the_time() -> None:
    totp = pyotp.parse_uri(QUICK)
    assert isinstance(totp, pyotp.TOTP)
    assert totp.interval == PERIOD_S
