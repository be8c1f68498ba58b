"""Whose password a page wants: another name stops the sign-in, and the own one partly hidden does not."""

from __future__ import annotations

import pytest

from tests.executors.conftest import PASSWORD, USERNAME, Remit, Serve
from tests.sites.signin import two_steps
from tests.sites.signin.desk import carried, desk, sent
from tests.sites.signin_app import Accounts

OTHER = "somebody.else@example.test"


@pytest.mark.parametrize("how", ["readonly", "disabled"])
async def test_another_name_in_a_field_that_takes_no_typing_stops_the_sign_in(
    remit: Remit, served: Serve, how: str
) -> None:
    site = served(desk(two_steps.FIRST_PAGE, who=lambda _: two_steps.closed(OTHER, how)))
    item = await remit.login(site)
    assert (item["status"], item["reason"]) == ("failed", "identity_mismatch")
    assert sent(site) == [("/who", {"email": USERNAME})]
    assert carried(site, PASSWORD) == []
    assert OTHER not in str(item)


@pytest.mark.parametrize("shown", [USERNAME, USERNAME.upper(), "a•••@example.test", ""])
async def test_the_own_name_in_such_a_field_goes_on(remit: Remit, served: Serve, shown: str) -> None:
    site = served(desk(two_steps.FIRST_PAGE, who=lambda _: two_steps.closed(shown, "disabled")))
    assert (await remit.login(site))["status"] == "done"
    assert sent(site)[1:] == [("/login", {"password": PASSWORD})]


@pytest.mark.parametrize("shown", ["a•••@example.test", "a*a@e******.test"])
async def test_the_own_name_partly_hidden_goes_on(remit: Remit, served: Serve, shown: str) -> None:
    site = served(desk(two_steps.FIRST_PAGE, who=lambda _: two_steps.names_someone(shown)))
    assert (await remit.login(site))["status"] == "done"
    assert sent(site)[1:] == [("/login", {"password": PASSWORD})]


async def test_another_name_partly_hidden_stops_it(remit: Remit, served: Serve) -> None:
    site = served(desk(two_steps.FIRST_PAGE, who=lambda _: two_steps.names_someone("b•••@example.test")))
    assert (await remit.login(site))["reason"] == "identity_mismatch"
    assert carried(site, PASSWORD) == []


async def test_a_page_from_before_the_session_ended_is_no_sign_that_it_lives(remit: Remit, served: Serve) -> None:
    accounts = Accounts(USERNAME, PASSWORD)
    site = served(accounts.pages())
    remit.store(site)
    session = await remit.open(site)
    assert (await remit.login_again(session))["status"] == "done"
    accounts.inside.clear()
    again = await remit.login_again(session)
    assert (again["status"], again.get("already")) == ("done", None)
    assert len(site.posts("/login")) == 2
    once_more = await remit.login_again(session)
    assert (once_more["status"], once_more.get("already")) == ("done", True)
    assert len(site.posts("/login")) == 2
