from __future__ import annotations

import pytest

from remit.contract import Secret
from remit.executors import _signing_in
from tests.executors.conftest import PASSWORD, USERNAME, Remit, Serve
from tests.sites.pages import Answer, Page, Request
from tests.sites.signin import codes
from tests.sites.signin.desk import FORM, INSIDE, carried, desk, document, door, refusing, sent, typed

GIVEN = {"email": USERNAME, "password": PASSWORD}
LOGIN = ("/login", GIVEN)
TOTP = Secret("otpauth://totp/x?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")


async def test_a_wrong_password_is_rejected_though_the_site_sets_a_cookie(remit: Remit, served: Serve) -> None:
    again = refusing(FORM, "<p style=color:red>Incorrect password, dear canary-page-words.</p>")
    pages: dict[str, Page] = {
        "/": lambda _: Answer(FORM, headers={"set-cookie": "sid=guest; Path=/"}),
        "/login": lambda _: Answer.redirect("/again", **{"set-cookie": "sid=other; Path=/"}),
        "/again": lambda _: again(Request("POST", "/again", "", "", {})),
    }
    site = served(pages)
    item = await remit.login(site)
    assert (item["status"], item["reason"]) == ("failed", "rejected")
    assert sent(site) == [LOGIN]
    assert "canary-page-words" not in str(item)
    rested = await remit.login_again(await remit.open(site))
    assert rested["reason"] == "cool_down"
    assert sent(site) == [LOGIN]


@pytest.mark.parametrize(
    ("page", "status", "reason"),
    [
        (codes.LOCKED, "failed", "account_locked"),
        (codes.MAINTENANCE, "failed", "maintenance"),
        (codes.TOO_MANY, "failed", "too_many_attempts"),
        (codes.TERMS, "needs_user", "terms"),
        (codes.NEW_PASSWORD, "needs_user", "change_password"),
        (codes.AUTHENTICATOR, "needs_user", "one_time_code"),
        (codes.SIX_BOXES, "needs_user", "one_time_code"),
        (codes.LETTERS, "needs_user", "one_time_code"),
    ],
    ids=["locked", "maintenance", "too many", "terms", "new password", "authenticator", "boxes", "letters"],
)
async def test_what_comes_after_the_submit_is_named_and_not_answered(
    remit: Remit, served: Serve, page: str, status: str, reason: str
) -> None:
    site = served(desk(FORM, login=door(FORM, "/then"), then=page))
    item = await remit.login(site)
    assert (item["status"], item["reason"]) == (status, reason)
    assert sent(site) == [LOGIN]
    assert typed(site) == {"email", "password"}
    assert carried(site, PASSWORD) == ["/login"]


async def test_a_box_to_trust_the_device_is_left_ticked_where_it_was(remit: Remit, served: Serve) -> None:
    site = served(desk(FORM, login=door(FORM, "/then"), then=codes.ONE_FIELD, code=door(codes.ONE_FIELD)))
    assert (await remit.login(site, totp=TOTP))["status"] == "done"
    posted = sent(site)
    assert [path for path, _ in posted] == ["/login", "/code"]
    assert posted[1][1]["trust"] == "on"
    assert len(posted[1][1]["code"]) == 6
    assert carried(site, PASSWORD) == ["/login"]


async def test_a_challenge_that_comes_late_is_no_rejection(
    remit: Remit, served: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_signing_in, "PATIENCE_S", 4.0)
    again = codes.challenge_late(FORM, 1000)
    site = served(desk(FORM, login=lambda _: again))
    item = await remit.login(site)
    assert (item["status"], item["reason"]) == ("needs_user", "challenge")
    assert sent(site) == [LOGIN]


async def test_a_challenge_beside_a_refusal_does_not_hide_it(remit: Remit, served: Serve) -> None:
    again = refusing(codes.challenge_late(FORM, 0))
    site = served(desk(FORM, login=again))
    item = await remit.login(site)
    assert (item["status"], item["reason"]) == ("failed", "rejected")
    assert sent(site) == [LOGIN]


async def test_what_a_person_finished_by_himself_is_gone_on_from(remit: Remit, served: Serve) -> None:
    """He solved the challenge and pressed the button, too: the session is found as it is, and nothing is sent."""
    challenged = document("<h1>Are you human?</h1><div class=h-captcha>…</div><button>Next</button>", "Acme")
    site = served(desk(FORM, login=lambda _: challenged))
    remit.store(site)
    session = await remit.open(site)
    item = await remit.login_again(session)
    assert (item["status"], item["reason"]) == ("needs_user", "challenge")
    site.pages["/"] = INSIDE
    await (await remit.session(session)).goto(site.url)
    assert (await remit.answer())["status"] == "done"
    assert sent(site) == [LOGIN]


async def test_a_tab_that_a_person_closed_is_told_of(remit: Remit, served: Serve) -> None:
    site = served(desk(FORM, login=door(FORM, "/then"), then=codes.ONE_FIELD))
    remit.store(site)
    session = await remit.open(site)
    assert (await remit.login_again(session))["reason"] == "one_time_code"
    await (await remit.session(session)).close()
    item = (await remit.answer())["sessions"][0]
    assert item["status"] == "failed"
    assert item["reason"] in {"session_lost", "unknown_session"}
    assert sent(site) == [LOGIN]
