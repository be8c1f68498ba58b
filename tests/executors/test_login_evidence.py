from __future__ import annotations

import pytest

from remit.executors import _signing_in
from tests.executors.conftest import PASSWORD, USERNAME, Remit, Serve
from tests.sites.pages import Answer, Request
from tests.sites.signin_app import FORM, WRONG, Accounts

BARE = "<title>Board</title><h1>Board</h1><p>12 orders</p><a href=/orders>Orders</a>"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_signing_in, "PATIENCE_S", 1.5)
    monkeypatch.setattr(_signing_in, "PROBE_S", 0.5)


@pytest.mark.usefixtures("impatient")
async def test_a_page_that_asked_to_sign_in_and_does_not_any_more_is_evidence(remit: Remit, served: Serve) -> None:
    desk = Accounts(USERNAME, PASSWORD)
    site = served(desk.pages({"/": desk.guarded(BARE)}))
    assert (await remit.login(site))["status"] == "done"
    assert len(site.posts("/login")) == 1


@pytest.mark.usefixtures("impatient")
async def test_a_page_without_a_form_that_everybody_sees_is_none(remit: Remit, served: Serve) -> None:
    def anything(request: Request) -> str | Answer:
        if request.method != "POST":
            return FORM.format(note="")
        return Answer.redirect("/welcome", **{"set-cookie": "sid=1; Path=/"})

    site = served({"/": lambda _: Answer.redirect("/login"), "/login": anything, "/welcome": "<h1>Success!</h1>"})
    item = await remit.login(site)
    assert (item["status"], item["reason"]) == ("failed", "not_verified")
    assert len(site.posts("/login")) == 1


async def test_a_changed_session_cookie_that_was_declared_is_evidence(remit: Remit, served: Serve) -> None:
    desk = Accounts(USERNAME, PASSWORD)
    site = served(desk.pages({"/": BARE}))
    site.pages["/"] = lambda request: BARE if request.cookies.get("sid") in desk.inside else FORM.format(note="")
    assert (await remit.login(site, session_cookies=("sid",)))["status"] == "done"


@pytest.mark.usefixtures("impatient")
async def test_a_declared_cookie_does_not_outweigh_a_form_that_is_still_there(remit: Remit, served: Serve) -> None:
    def refused(request: Request) -> str | Answer:
        note = WRONG if request.method == "POST" else ""
        return Answer(FORM.format(note=note), headers={"set-cookie": f"sid={len(site.requests)}; Path=/"})

    site = served({"/": refused, "/login": refused})
    item = await remit.login(site, session_cookies=("sid",))
    assert (item["status"], item["reason"]) == ("failed", "rejected")


async def test_being_inside_already_is_success_even_while_the_credential_rests(remit: Remit, served: Serve) -> None:
    desk = Accounts(USERNAME, PASSWORD)
    site = served(desk.pages())
    remit.store(site)
    session = await remit.open(site)
    assert (await remit.login_again(session))["status"] == "done"
    site.pages["/login"] = lambda request: FORM.format(note=WRONG if request.method == "POST" else "")
    assert (await remit.login_again(await remit.open(site)))["reason"] == "rejected"
    assert (await remit.login_again(await remit.open(site)))["reason"] == "cool_down"
    again = await remit.login_again(session)
    assert (again["status"], again["already"]) == ("done", True)
    assert len(site.posts("/login")) == 2
