"""What the families of sign-in pages share: a door that lets in, one that refuses, and a witness of typing."""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.sites.pages import Answer, Page, Request, Site

INSIDE = "<title>Desk</title><h1>Invoices</h1><a href=/me>My account</a><a href=/logout>Log out</a>"
NAME = "<label>E-mail <input name=email type=email></label>"
SECRET = "<label>Password <input name=password type=password></label>"
BUTTON = "<button>Log in</button>"
WITNESS = (
    "<script>addEventListener('input',e=>{const t=e.composedPath()[0];fetch('/typed?'+(t.name||t.id))},true)</script>"
)
"""Tells the server the name of each field that anything is typed into, and nothing else."""
REFUSAL = "<p role=alert style=color:red>Incorrect password.</p>"


def document(body: str, title: str = "Sign in", head: str = "") -> str:
    """A whole page with a witness."""
    return f"<!doctype html><html lang=en><head><title>{title}</title>{WITNESS}{head}</head><body>{body}</body></html>"


def form(*parts: str, action: str = "/login", attributes: str = "") -> str:
    """A form that posts its parts."""
    return f"<form method=post action={action} {attributes}>{''.join(parts)}</form>"


FORM = document(form(NAME, SECRET, BUTTON))


def door(page: str, to: str = "/inside", **headers: str) -> Callable[[Request], str | Answer]:
    """The page; whatever is posted leads inside. What that was, is for the test to say."""
    return lambda request: Answer.redirect(to, **headers) if request.method == "POST" else page


def refusing(page: str, said: str = REFUSAL) -> Callable[[Request], str]:
    """The page; whatever is posted is answered by it again, with what is said before its form."""
    return lambda request: page.replace("<body>", f"<body>{said}", 1) if request.method == "POST" else page


def desk(page: str, **more: Page) -> dict[str, Page]:
    """A site whose first page is this one."""
    return {"/": page, "/login": door(page), "/inside": INSIDE, **{f"/{name}": each for name, each in more.items()}}


def typed(site: Site) -> set[str]:
    """The names of the fields that anything was typed into, as the witness saw it."""
    return {request.query for request in list(site.requests) if request.path == "/typed"}


def sent(site: Site) -> list[tuple[str, dict[str, str]]]:
    """What was posted, in order: where, and the fields."""
    return [(post.path, post.form) for post in site.posts()]


def carried(site: Site, secret: str) -> list[str]:
    """The paths of all requests that carry the secret in any part."""
    found = re.compile(re.escape(secret))
    return [r.path for r in site.requests if found.search(f"{r.path}?{r.query} {r.body} {r.form}{dict(r.headers)}")]
