from __future__ import annotations

import pytest

from remit.executors import _signing_in
from tests.executors.conftest import PASSWORD, USERNAME, Remit, Serve
from tests.sites.pages import Answer, Page, Request

INSIDE = "<title>Desk</title><h1>Invoices</h1><a href=/me>My account</a><a href=/logout>Log out</a>"
FORM = (
    "<form method=post action=/login>{note}<label>E-mail <input name=email type=email></label>"
    "<label>Password <input name=password type=password></label><button>Log in</button></form>"
)


def accepts(request: Request) -> str | Answer:
    """The right name and password lead inside; anything else to the form with a message."""
    sent = request.form
    if request.method == "POST" and (sent.get("email"), sent.get("password")) == (USERNAME, PASSWORD):
        return Answer.redirect("/inside")
    note = "<p role=alert>Invalid credentials</p>" if request.method == "POST" else ""
    return FORM.format(note=note)


def refuses(request: Request) -> str:
    note = "<p role=alert>Invalid credentials</p>" if request.method == "POST" else ""
    return FORM.format(note=note)


async def test_a_form_behind_a_menu_is_found_and_sent_once(remit: Remit, served: Serve) -> None:
    menu = (
        "<button aria-haspopup=menu aria-label='Account menu' onclick='m.hidden=false'>=</button>"
        "<div id=m role=menu hidden><a role=menuitem href=/login>Sign in</a></div>"
    )
    site = served({"/": menu, "/login": accepts, "/inside": INSIDE})
    assert (await remit.login(site))["status"] == "done"
    assert len(site.posts()) == 1


async def test_two_steps_send_each_part_to_its_own_form(remit: Remit, served: Serve) -> None:
    first = (
        "<title>Sign in</title><main><form method=post action=/signin><h1>Sign in</h1><label>E-mail <input name=email "
        "type=email autocomplete=username></label><button>Next</button></form></main>"
    )
    second = (
        f"<h1>Welcome</h1><p>{USERNAME}</p><form method=post action=/login><label>Password "
        "<input name=password type=password></label><button>Sign in</button></form>"
    )
    pages: dict[str, Page] = {
        "/": first,
        "/signin": lambda request: Answer.redirect("/password"),
        "/password": second,
        "/login": lambda request: Answer.redirect("/inside"),
        "/inside": INSIDE,
    }
    site = served(pages)
    item = await remit.login(site)
    assert item["status"] == "done", item
    assert [(post.path, post.form) for post in site.posts()] == [
        ("/signin", {"email": USERNAME}),
        ("/login", {"password": PASSWORD}),
    ]


async def test_a_wrong_password_is_rejected_rested_and_not_sent_again(remit: Remit, served: Serve) -> None:
    site = served({"/": refuses, "/login": refuses})
    assert (await remit.login(site))["reason"] == "rejected"
    again = await remit.call("login_sites", session_ids=[await remit.open(site)])
    assert again["sessions"][0]["reason"] == "cool_down"
    assert len(site.posts()) == 1


async def test_nothing_is_typed_on_an_origin_the_credential_does_not_list(remit: Remit, served: Serve) -> None:
    other = served({"/login": accepts})
    site = served({"/": f"<a href={other.url}/login>Log in</a>"})
    item = await remit.login(site)
    assert item["status"] == "failed"
    assert not other.posts()
    assert not site.posts()


async def test_the_password_never_goes_into_the_field_for_the_name(remit: Remit, served: Serve) -> None:
    site = served({"/": accepts, "/login": accepts, "/inside": INSIDE})
    await remit.login(site)
    assert [post.form["email"] for post in site.posts()] == [USERNAME]


async def test_an_account_icon_that_came_with_the_submit_is_a_sign_of_a_session(remit: Remit, served: Serve) -> None:
    page = (
        "<header><div id=h><button onclick='d.hidden=false'>Login</button></div></header>"
        '<div role=dialog aria-label=Login id=d hidden><form onsubmit="event.preventDefault();d.remove();'
        "h.innerHTML='<button id=header-account>&nbsp;</button>'\"><label>Username <input name=u></label>"
        "<label>Password <input type=password></label><button>Login</button></form></div>"
    )
    assert (await remit.login(served({"/": page}), username="ada"))["status"] == "done"


async def test_a_form_that_goes_away_without_any_sign_proves_nothing(
    remit: Remit, served: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_signing_in, "PATIENCE_S", 1.5)
    site = served({"/": accepts, "/login": accepts, "/inside": "<h1>Something happened</h1><a href=/>Home</a>"})
    assert (await remit.login(site))["reason"] == "not_verified"
    assert len(site.posts()) == 1


async def test_after_a_stored_sign_in_page_the_way_to_records_begins_where_it_led(remit: Remit, served: Serve) -> None:
    def rows(word: str) -> str:
        row = f"<tr><td>{word}</td><td>1</td></tr>"
        return f"<h1>Posts</h1><table><tr><th>Title</th><th>Day</th></tr>{row * 3}</table>"

    inside = INSIDE + "<nav><a href=/inside/posts>Posts</a></nav>"
    pages: dict[str, Page] = {"/": "<a href=/posts>Posts</a>", "/posts": rows("public"), "/inside/posts": rows("own")}
    site = served({**pages, "/login": accepts, "/inside": inside})
    session = (await remit.login(site, login_path="/login"))["session_id"]
    done = await remit.call("collect_sites", session_ids=[session], items="posts", fields=["title"], start="Posts")
    assert {row[0] for row in remit.texts(done["collections"][0])} == {"own"}


async def test_a_form_that_would_send_elsewhere_is_not_filled(remit: Remit, served: Serve) -> None:
    elsewhere = served({"/steal": "<h1>Thanks</h1>"})
    form = FORM.format(note="").replace("action=/login", f"action={elsewhere.url}/steal")
    site = served({"/": form})
    assert (await remit.login(site))["reason"] == "origin_not_allowed"
    assert elsewhere.requests == []


async def test_what_every_visitor_is_offered_is_no_sign_of_a_session(
    remit: Remit, served: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_signing_in, "PATIENCE_S", 1.5)
    always = "<a href=/me>My account</a><div hidden><a href=/logout>Sign out</a></div>"
    site = served({"/": always + FORM.format(note=""), "/login": always + "<h1>Success!</h1>"})
    item = await remit.login(site)
    assert (item["status"], item["reason"]) == ("failed", "not_verified")
    assert len(site.posts()) == 1


@pytest.mark.parametrize("words", ["Delete my account", "Create my free account", "Close my account"])
@pytest.mark.parametrize(
    "form", ["<form method=post action=/act><button>{}</button></form>", "<button onclick='{}'>{}</button>"]
)
async def test_an_account_word_on_a_button_that_acts_is_no_way_in(
    remit: Remit, served: Serve, words: str, form: str
) -> None:
    act = 'fetch("/act", {method: "POST"})'
    button = form.format(words) if "onclick" not in form else form.format(act, words)
    site = served({"/": f"<h1>Garden</h1>{button}", "/act": "Gone"})
    assert (await remit.login(site))["reason"] == "no_login_form"
    assert not site.posts()


async def test_a_sign_in_elsewhere_is_named_and_not_followed(remit: Remit, served: Serve) -> None:
    other = served({"/login": accepts})
    site = served({"/": f"<h1>Garden</h1><a href={other.url}/login>Sign in</a>"})
    assert (await remit.login(site))["reason"] == "origin_not_allowed"
    assert not other.requests
