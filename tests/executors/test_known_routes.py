from __future__ import annotations

from dataclasses import replace

from remit.vault import Vault
from tests.executors.conftest import PASSWORD, USERNAME, Remit, Serve
from tests.sites.pages import Answer, Page, Request
from tests.sites.signin_app import Accounts

HOME = "<title>Shop</title><h1>Shop</h1><nav><a href=/help>Help</a><a href=/news>News</a>{entry}</nav>"
MENU = (
    "<button aria-haspopup=menu onclick='m.hidden=false'>Account</button>"
    "<div id=m hidden><a href=/login>Sign in</a></div>"
)
REGISTER = (
    "<h1>Create an account</h1><form method=post action=/register><label>E-mail <input name=email type=email></label>"
    "<label>New password <input type=password name=p1></label><label>Repeat password <input type=password name=p2>"
    "</label><button>Create account</button></form>"
)


def shop(entry: str) -> dict[str, Page]:
    desk = Accounts(USERNAME, PASSWORD)

    def login(request: Request) -> str | Answer:
        answer = desk.login(request)
        return (
            replace(answer, headers={**answer.headers, "location": "/desk"}) if isinstance(answer, Answer) else answer
        )

    return {
        "/": HOME.format(entry=entry),
        "/help": "<h1>Help</h1>",
        "/news": "<h1>News</h1>",
        "/login": login,
        "/desk": desk.guarded("<h1>Desk</h1><a href=/logout>Log out</a>"),
    }


async def test_the_second_sign_in_takes_the_known_way(remit: Remit, served: Serve) -> None:
    site = served(shop(MENU))
    known = remit.store(site)
    assert (await remit.login_again(await remit.open(site)))["status"] == "done"
    kept = Vault.open(remit.settings).get_private("route", known)
    assert kept is not None
    told = await remit.call("login_sites", session_ids=[await remit.open(site)])
    assert told["status"] == "done"
    assert "model_calls" not in told["spent"]
    assert site.asked("/help") == 0
    assert Vault.open(remit.settings).get_private("route", known) == kept


async def test_a_known_way_that_leads_nowhere_any_more_is_found_anew(remit: Remit, served: Serve) -> None:
    site = served(shop(MENU))
    known = remit.store(site)
    await remit.login_again(await remit.open(site))
    before = Vault.open(remit.settings).get_private("route", known)
    site.pages["/"] = HOME.format(entry="<a href=/login>Log in</a>")
    assert (await remit.login_again(await remit.open(site)))["status"] == "done"
    assert Vault.open(remit.settings).get_private("route", known) != before


async def test_the_end_of_a_known_way_is_recognised_anew(remit: Remit, served: Serve) -> None:
    site = served(shop(MENU))
    remit.store(site)
    await remit.login_again(await remit.open(site))
    site.pages["/login"] = REGISTER
    assert (await remit.login_again(await remit.open(site)))["reason"] == "no_login_form"
    assert not site.posts("/register")
