from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from remit.contract import Origin
from remit.executors import _signing_in
from tests.executors.conftest import PASSWORD, USERNAME, Remit, Serve
from tests.sites.pages import Answer, Request, Site
from tests.sites.signin import frames
from tests.sites.signin.desk import FORM, INSIDE, carried, desk, document, door, sent, typed

GIVEN = {"email": USERNAME, "password": PASSWORD}


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_signing_in, "PATIENCE_S", 1.0)


def untouched(site: Site) -> bool:
    """Nothing was typed or sent there, and no request of any kind carries the secret."""
    return not typed(site) and not site.posts() and not carried(site, PASSWORD)


def two(served: Serve) -> tuple[Site, Site]:
    """A bank whose form stands in a frame of another server, and that server."""
    other = served({})
    site = served(desk(frames.framed(other.url)))
    other.pages["/login"] = frames.form_in_frame(site.url)
    return site, other


async def test_a_frame_of_an_origin_that_is_not_listed_gets_nothing(remit: Remit, served: Serve) -> None:
    site, other = two(served)
    item = await remit.login(site)
    assert item["status"] == "failed"
    assert untouched(other)
    assert untouched(site)


async def test_a_frame_of_a_listed_origin_is_filled(remit: Remit, served: Serve) -> None:
    site, other = two(served)
    item = await remit.login(site, origins=(Origin.of(site.url), Origin.of(other.url)))
    assert item["status"] == "done"
    assert sent(site) == [("/login", GIVEN)]
    assert typed(other) == {"email", "password"}
    assert not other.posts()


async def test_a_twin_in_a_foreign_frame_gets_nothing(remit: Remit, served: Serve) -> None:
    other = served({"/login": door(FORM)})
    site = served(desk(frames.twin_in_frame(other.url)))
    assert (await remit.login(site))["status"] == "done"
    assert sent(site) == [("/login", GIVEN)]
    assert untouched(other)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("when", ["load", "name", "secret", "key"])
async def test_a_page_that_goes_elsewhere_takes_nothing_along(remit: Remit, served: Serve, when: str) -> None:
    other = served({"/login": door(FORM)})
    site = served(desk(frames.leaving(other.url, when)))
    item = await remit.login(site)
    assert item["status"] != "done"
    assert item["reason"] in {"origin_not_allowed", "left_site", "target_changed", "control_gone", "no_credential"}
    assert untouched(other)
    assert not site.posts()


@pytest.mark.usefixtures("impatient")
async def test_a_name_below_the_own_one_is_another_origin(remit: Remit, served: Serve) -> None:
    site = served({})
    own, evil = f"http://desk.localhost:{site.port}", f"http://evil.desk.localhost:{site.port}"

    def by_host(request: Request) -> str | Answer:
        return door(FORM if request.headers["host"] == urlsplit(evil).netloc else frames.leaving(evil, "name"))(request)

    site.pages.update({"/": by_host, "/login": by_host})
    remit.store(site, origins=(Origin.of(own),))
    opened = (await remit.call("open_sites", urls=[own]))["sessions"][0]
    item = await remit.login_again(opened["session_id"])
    assert item["status"] == "failed"
    assert evil in {f"http://{request.headers['host']}" for request in site.requests}
    assert carried(site, PASSWORD) == []
    assert sent(site) == []


async def test_a_credential_for_https_is_none_for_http(remit: Remit, served: Serve) -> None:
    site = served(desk(FORM))
    item = await remit.login(site, origins=(Origin.of(site.url.replace("http:", "https:")),))
    assert (item["status"], item["reason"]) == ("needs_user", "no_credential")
    assert untouched(site)


async def test_an_address_with_a_name_in_it_is_not_opened(remit: Remit, served: Serve) -> None:
    site = served(desk(FORM))
    for address in (
        f"http://ada@{site.url[7:]}",
        f"http://ada:secret@{site.url[7:]}",
        f"http://good.example@{site.url[7:]}/",
    ):
        opened = (await remit.call("open_sites", urls=[address]))["sessions"][0]
        assert (opened["status"], opened["reason"]) == ("failed", "bad_address")
    assert site.requests == []


async def test_a_frame_of_the_pages_own_origin_is_filled(remit: Remit, served: Serve) -> None:
    site = served(desk(frames.OWN_FRAME, form=frames.IN_OWN_FRAME))
    assert (await remit.login(site))["status"] == "done"
    assert sent(site) == [("/login", GIVEN)]


@pytest.mark.parametrize("listed", [True, False])
async def test_a_hop_to_a_sister_is_taken_exactly_where_it_is_listed(remit: Remit, served: Serve, listed: bool) -> None:
    site = served({"/inside": INSIDE})
    sister = served({"/login": door(FORM, f"{site.url}/inside")})
    site.pages["/"] = document("<a href=/sso>Log in</a>", "Shop")
    site.pages["/sso"] = Answer.redirect(f"{sister.url}/login")
    own = (Origin.of(site.url),)
    item = await remit.login(site, origins=(*own, Origin.of(sister.url)) if listed else own)
    if listed:
        assert item["status"] == "done"
        assert sent(sister) == [("/login", GIVEN)]
    else:
        assert item["status"] == "failed"
        assert untouched(sister)
    assert not site.posts()


async def test_a_form_that_turns_elsewhere_while_it_is_filled_is_not_sent(remit: Remit, served: Serve) -> None:
    other = served({"/login": door(FORM)})
    site = served(desk(frames.action_swapped(other.url)))
    item = await remit.login(site)
    assert item["status"] == "failed"
    assert item["reason"] in {"origin_not_allowed", "target_changed"}
    assert untouched(other)
    assert not site.posts()
