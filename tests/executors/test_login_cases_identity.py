from __future__ import annotations

import pytest

from remit.executors import _signing_in
from tests.executors.conftest import PASSWORD, USERNAME, Remit, Serve
from tests.sites.signin import moving
from tests.sites.signin.desk import FORM, carried, desk, door, sent, typed

GIVEN = {"email": USERNAME, "password": PASSWORD}


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_signing_in, "PATIENCE_S", 1.0)


@pytest.mark.parametrize("page", [moving.PREPENDED, moving.RENAMED], ids=["prepended", "renamed"])
async def test_an_entry_that_became_something_else_is_not_pressed(remit: Remit, served: Serve, page: str) -> None:
    site = served({**desk(page), "/login": door(FORM)})
    item = await remit.login(site)
    assert not site.asked("/delete")
    assert item["status"] == "failed"
    assert item["reason"] in {"target_changed", "covered_by_overlay", "control_gone", "no_login_form"}
    assert sent(site) == []


async def test_a_submit_button_that_became_something_else_is_not_pressed(remit: Remit, served: Serve) -> None:
    site = served(desk(moving.BUTTON_RECYCLED))
    item = await remit.login(site)
    assert item["status"] == "failed"
    assert sent(site) == []
    assert carried(site, PASSWORD) == []


async def test_what_only_moved_is_still_the_same(remit: Remit, served: Serve) -> None:
    site = served(desk(moving.SHIFTED))
    assert (await remit.login(site))["status"] == "done"
    assert not site.asked("/other")
    assert sent(site) == [("/login", GIVEN)]


async def test_a_box_with_a_listener_is_a_way_in(remit: Remit, served: Serve) -> None:
    site = served({**desk(moving.PLAIN), "/login": door(FORM)})
    assert (await remit.login(site))["status"] == "done"
    assert sent(site) == [("/login", GIVEN)]


@pytest.mark.usefixtures("impatient")
async def test_a_submit_that_worked_but_says_otherwise_is_not_repeated(remit: Remit, served: Serve) -> None:
    site = served(desk(FORM, login=lambda _: moving.TIMED_OUT))
    item = await remit.login(site)
    assert (item["status"], item["reason"]) == ("failed", "not_verified")
    assert sent(site) == [("/login", GIVEN)]


@pytest.mark.usefixtures("impatient")
async def test_nor_where_the_form_comes_again_with_it(remit: Remit, served: Serve) -> None:
    again = FORM.replace("<body>", "<body><p role=alert>Your session has timed out.</p>")
    site = served(desk(FORM, login=lambda _: again))
    item = await remit.login(site)
    assert item["status"] == "failed"
    assert sent(site) == [("/login", GIVEN)]
    assert typed(site) == {"email", "password"}
