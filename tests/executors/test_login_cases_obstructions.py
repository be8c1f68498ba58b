from __future__ import annotations

import pytest

from tests.executors.conftest import PASSWORD, USERNAME, Remit, Serve
from tests.sites.pages import Site
from tests.sites.signin import consent
from tests.sites.signin.desk import desk, sent, typed

GIVEN = {"email": USERNAME, "password": PASSWORD}


def chosen(site: Site) -> list[str]:
    """What the server was told of choices, in order."""
    return [request.query for request in list(site.requests) if request.path == "/chose"]


@pytest.mark.parametrize("page", [consent.COVERING, consent.SHADOW], ids=["over the button", "shadow root"])
async def test_a_banner_is_refused_once_and_the_sign_in_goes_on(remit: Remit, served: Serve, page: str) -> None:
    site = served(desk(page))
    assert (await remit.login(site))["status"] == "done"
    assert chosen(site) == ["reject"]
    assert sent(site) == [("/login", GIVEN)]


async def test_a_banner_in_a_frame_of_another_origin_is_refused(remit: Remit, served: Serve) -> None:
    other = served({"/cmp": consent.IN_FRAME})
    site = served(desk(consent.framed(other.url)))
    assert (await remit.login(site))["status"] == "done"
    assert chosen(other) == ["reject"]
    assert sent(site) == [("/login", GIVEN)]
    assert not typed(other)


async def test_a_banner_that_comes_while_typing_is_refused_before_the_submit(remit: Remit, served: Serve) -> None:
    site = served(desk(consent.AFTER_TYPING))
    assert (await remit.login(site))["status"] == "done"
    assert chosen(site) == ["reject"]
    assert sent(site) == [("/login", GIVEN)]


async def test_to_accept_or_to_pay_is_for_a_person(remit: Remit, served: Serve) -> None:
    site = served(desk(consent.ACCEPT_OR_PAY))
    item = await remit.login(site)
    assert (item["status"], item["reason"]) == ("needs_user", "consent_required")
    assert chosen(site) == []
    assert typed(site) == set()
    assert sent(site) == []


async def test_also_where_that_comes_while_typing(remit: Remit, served: Serve) -> None:
    site = served(desk(consent.PAY_AFTER_TYPING))
    item = await remit.login(site)
    assert (item["status"], item["reason"]) == ("needs_user", "consent_required")
    assert chosen(site) == []
    assert sent(site) == []


async def test_what_can_only_be_agreed_to_is_left_where_it_does_not_matter(remit: Remit, served: Serve) -> None:
    site = served(desk(consent.OK_ASIDE))
    assert (await remit.login(site))["status"] == "done"
    assert chosen(site) == []
    assert sent(site) == [("/login", GIVEN)]


@pytest.mark.parametrize("page", [consent.OK_COVERING, consent.SETTINGS], ids=["agree", "settings"])
async def test_nor_is_it_agreed_to_where_it_does(remit: Remit, served: Serve, page: str) -> None:
    site = served(desk(page))
    item = await remit.login(site)
    assert (item["status"], item["reason"]) == ("failed", "covered_by_overlay")
    assert chosen(site) == []
    assert sent(site) == []


async def test_what_lies_over_the_form_and_offers_nothing_is_named(remit: Remit, served: Serve) -> None:
    site = served(desk(consent.SILENT))
    item = await remit.login(site)
    assert (item["status"], item["reason"]) == ("failed", "covered_by_overlay")
    assert typed(site) == set()
    assert sent(site) == []


async def test_a_dialog_of_the_site_itself_is_not_closed(remit: Remit, served: Serve) -> None:
    site = served(desk(consent.OWN_DIALOG))
    assert (await remit.login(site))["status"] == "done"
    assert chosen(site) == []
    assert sent(site) == [("/login", GIVEN)]


async def test_a_banner_that_goes_by_itself_lets_nothing_below_be_pressed(remit: Remit, served: Serve) -> None:
    site = served(desk(consent.FLEETING))
    assert (await remit.login(site))["status"] == "done"
    assert not site.asked("/bought")
    assert chosen(site) == []
    assert sent(site) == [("/login", GIVEN)]


async def test_words_of_a_banner_without_one_are_left_alone(remit: Remit, served: Serve) -> None:
    site = served(desk(consent.MENTIONED))
    assert (await remit.login(site))["status"] == "done"
    assert sent(site) == [("/login", GIVEN)]
