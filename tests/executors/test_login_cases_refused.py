from __future__ import annotations

import pytest

from remit.contract import Secret
from tests.executors.conftest import PASSWORD, USERNAME, Remit, Serve
from tests.sites.pages import Answer, Site
from tests.sites.signin import codes, forms, frames
from tests.sites.signin.desk import FORM, carried, desk, document, door, sent, typed

GIVEN = {"email": USERNAME, "password": PASSWORD}


async def test_a_hop_to_an_unlisted_sister_is_named(remit: Remit, served: Serve) -> None:
    sister = served({"/login": door(FORM)})
    site = served({"/": document("<a href=/sso>Log in</a>", "Shop"), "/sso": Answer.redirect(f"{sister.url}/login")})
    item = await remit.login(site)
    assert (item["status"], item["reason"]) == ("failed", "origin_not_allowed")


async def test_a_frame_without_an_origin_gets_nothing(remit: Remit, served: Serve) -> None:
    site = served(desk(frames.NOBODYS_FRAME))
    assert (await remit.login(site))["status"] == "failed"
    assert untouched(site)


async def test_a_button_that_sends_elsewhere_is_not_pressed(remit: Remit, served: Serve) -> None:
    other = served({"/login": door(FORM)})
    site = served(desk(frames.button_elsewhere(other.url)))
    item = await remit.login(site)
    assert item["status"] == "failed"
    assert untouched(other)
    assert not site.posts()


async def test_a_challenge_between_the_fields_is_for_a_person(remit: Remit, served: Serve) -> None:
    other = served({"/widget": "<p>Verifying…</p>"})
    page = frames.turnstile(other.url)
    site = served(desk(page, login=lambda _: page))
    item = await remit.login(site)
    assert (item["status"], item["reason"]) == ("needs_user", "challenge")
    assert sent(site) == [("/login", {**GIVEN, "cf-turnstile-response": ""})]
    assert untouched(other)


async def test_a_code_of_letters_does_not_come_from_a_clock(remit: Remit, served: Serve) -> None:
    site = served(desk(FORM, login=door(FORM, "/then"), then=codes.LETTERS))
    item = await remit.login(site, totp=Secret("otpauth://totp/x?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"))
    assert (item["status"], item["reason"]) == ("needs_user", "one_time_code")
    assert sent(site) == [("/login", GIVEN)]
    assert typed(site) == {"email", "password"}


@pytest.mark.parametrize("page", [forms.SINGLE_CHARACTERS, forms.KEYPAD], ids=["single characters", "keypad"])
async def test_single_characters_are_for_a_person(remit: Remit, served: Serve, page: str) -> None:
    site = served(desk(page))
    item = await remit.login(site)
    assert (item["status"], item["reason"]) == ("needs_user", "partial_password")
    assert typed(site) == set()
    assert sent(site) == []


async def test_a_frame_of_an_unlisted_origin_is_named(remit: Remit, served: Serve) -> None:
    other = served({})
    site = served(desk(frames.framed(other.url)))
    other.pages["/login"] = frames.form_in_frame(site.url)
    item = await remit.login(site)
    assert (item["status"], item["reason"]) == ("failed", "origin_not_allowed")
    assert untouched(other)
    assert untouched(site)


def untouched(site: Site) -> bool:
    return not typed(site) and not site.posts() and not carried(site, PASSWORD)


async def test_a_widget_that_was_there_already_is_waited_for(remit: Remit, served: Serve) -> None:
    other = served({"/widget": "<p>Verifying…</p>"})
    page = frames.turnstile(other.url, frames.SENT_BY_SCRIPT).replace("<iframe", "<p>I am human</p><iframe")
    site = served(desk(page))
    item = await remit.login(site)
    assert item["status"] == "done", item
    assert len(site.posts()) == 1
