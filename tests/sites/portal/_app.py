"""The portal's pages: public ones, the sign-in in two steps, and the account's invoices."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from urllib.parse import parse_qs

from jinja2 import Environment, FileSystemLoader, select_autoescape
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ._store import Store

PAGE_SIZE = 25
SESSION_COOKIE = "portal_session"
VISITOR_COOKIE = "portal_visitor"
_HERE = Path(__file__).parent
_POLICY = "default-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
_PRODUCTS = (
    ("Ropes and rigging", "Braided and twisted ropes from 4 to 48 mm, cut to length and spliced in our workshop."),
    ("Deck hardware", "Shackles, cleats, bollards and fenders in stainless steel and galvanised iron."),
    ("Paint and varnish", "Antifouling, primers and two-pack varnishes for wood, steel and fibreglass."),
    ("Pumps and filters", "Bilge and transfer pumps, with spare parts kept in stock for twenty years."),
)

Form = dict[str, str]
Endpoint = Callable[[Request], Awaitable[Response]]


class Portal:
    """The request handlers; they share a store and the templates."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._templates = Environment(
            loader=FileSystemLoader(_HERE / "templates"), autoescape=select_autoescape(), trim_blocks=True
        )

    def render(self, request: Request, name: str, status: int = 200, **values: object) -> Response:
        """A page, with what every page needs: who is signed in, the form token, and whether cookies were decided."""
        visitor = request.state.visitor
        page = self._templates.get_template(f"{name}.html").render(
            email=self.email(request),
            csrf=lambda form: self.store.token_for(visitor, form),
            cookies_open="cookie_choice" not in request.cookies,
            path=request.url.path,
            **values,
        )
        return HTMLResponse(page, status)

    def email(self, request: Request) -> str | None:
        """Who is signed in."""
        return self.store.session(request.cookies.get(SESSION_COOKIE, ""))

    async def form(self, request: Request, name: str) -> Form | None:
        """The fields sent, when the form's token is right; the request is logged under the form's name first."""
        self.store.log(request.method, request.url.path, name)
        sent = parse_qs((await request.body()).decode(errors="replace"), keep_blank_values=True)
        fields = {key: values[0] for key, values in sent.items()}
        expected = self.store.token_for(request.state.visitor, name)
        return fields if hmac.compare_digest(fields.get("csrf", ""), expected) else None

    def refuse(self, request: Request) -> Response:
        """The answer to a form without its token."""
        return self.render(request, "message", 403, title="This form has expired", text="Please go back and try again.")

    async def home(self, request: Request) -> Response:
        """The public home page."""
        return self.render(request, "home", products=_PRODUCTS)

    async def products(self, request: Request) -> Response:
        """What the supplier sells."""
        return self.render(request, "products", products=_PRODUCTS)

    async def company(self, request: Request) -> Response:
        """About the supplier."""
        return self.render(request, "company")

    async def search(self, request: Request) -> Response:
        """Search in the products; also a form that is no sign-in form."""
        query = request.query_params.get("q", "").strip()
        found = [item for item in _PRODUCTS if query and query.lower() in " ".join(item).lower()]
        return self.render(request, "search", query=query, products=found)

    async def newsletter(self, request: Request) -> Response:
        """Thank for an address, and keep nothing."""
        if await self.form(request, "newsletter") is None:
            return self.refuse(request)
        return self.render(request, "message", title="Thank you", text="You will hear from us four times a year.")

    async def cookies(self, request: Request) -> Response:
        """Keep the choice about cookies, for browsers without script."""
        fields = await self.form(request, "cookies")
        if fields is None:
            return self.refuse(request)
        response = RedirectResponse(_own_path(fields.get("back", "/")), 303)
        choice = "all" if fields.get("choice") == "all" else "necessary"
        response.set_cookie("cookie_choice", choice, max_age=31_536_000, samesite="lax")
        return response

    async def register(self, request: Request) -> Response:
        """The other form with a password: it creates no account."""
        if request.method == "GET":
            return self.render(request, "register")
        if await self.form(request, "register") is None:
            return self.refuse(request)
        return self.render(request, "message", title="Thank you", text="Our office will check your company's data.")

    async def forgot(self, request: Request) -> Response:
        """The decoy beside "Next"."""
        text = "Please call our office on weekdays from 8:30 to 17:00."
        return self.render(request, "message", title="Forgot your e-mail or password?", text=text)

    async def sign_in(self, request: Request) -> Response:
        """First step: the e-mail address. Whether an account exists is not told here."""
        target = _own_path(request.query_params.get("next", "/account"))
        if request.method == "GET":
            return self.render(request, "signin", target=target)
        fields = await self.form(request, "identifier")
        if fields is None:
            return self.refuse(request)
        address = fields.get("email", "").strip()
        if "@" not in address:
            return self.render(request, "signin", target=target, error="Enter a valid e-mail address.")
        self.store.remember(request.state.visitor, address, _own_path(fields.get("next", "/account")))
        return RedirectResponse("/signin/password", 303)

    async def password(self, request: Request) -> Response:
        """Second step: the identity is shown and the password asked. A wrong one gives the same page, status 200."""
        pending = self.store.remembered(request.state.visitor)
        if pending is None:
            return RedirectResponse("/signin", 303)
        address, target = pending
        if request.method == "GET":
            return self.render(request, "password", address=address)
        fields = await self.form(request, "password")
        if fields is None:
            return self.refuse(request)
        if not self.store.accepts(address, fields.get("password", "")):
            error = "The e-mail address or the password is wrong."
            return self.render(request, "password", address=address, error=error)
        response = RedirectResponse(target, 303)
        token = self.store.open_session(request.state.visitor, address)
        response.set_cookie(SESSION_COOKIE, token, httponly=True, samesite="lax")
        return response

    async def sign_out(self, request: Request) -> Response:
        """End the session."""
        if await self.form(request, "signout") is None:
            return self.refuse(request)
        self.store.close_session(request.cookies.get(SESSION_COOKIE, ""))
        response = RedirectResponse("/", 303)
        response.delete_cookie(SESSION_COOKIE)
        return response

    async def account(self, request: Request) -> Response:
        """The first page after signing in."""
        return self.render(request, "account", count=self.store.count(), latest=self.store.page(1, 3))

    async def invoices(self, request: Request) -> Response:
        """One page of invoices."""
        total = self.store.count()
        pages = max(1, -(-total // PAGE_SIZE))
        asked = request.query_params.get("page", "1")
        page = int(asked) if asked.isascii() and asked.isdecimal() else 0
        if not 1 <= page <= pages:
            return self.missing(request)
        rows = self.store.page(page, PAGE_SIZE)
        first = (page - 1) * PAGE_SIZE + 1
        return self.render(request, "invoices", rows=rows, page=page, pages=pages, total=total, first=first)

    async def invoice(self, request: Request) -> Response:
        """One invoice with what the list does not show."""
        found = self.store.invoice(request.path_params["number"])
        return self.render(request, "invoice", invoice=found) if found else self.missing(request)

    def missing(self, request: Request) -> Response:
        """Not found."""
        return self.render(request, "message", 404, title="Page not found", text="There is nothing at this address.")

    async def not_found(self, request: Request, _: Exception) -> Response:
        """Not found, for addresses no route knows."""
        return self.missing(request)

    def members_only(self, endpoint: Endpoint) -> Endpoint:
        """The page, or the way to it through the sign-in form."""

        async def guarded(request: Request) -> Response:
            if self.email(request) is None:
                return RedirectResponse(f"/signin?next={request.url.path}", 303)
            return await endpoint(request)

        return guarded


class _Visitors:
    """Gives everybody a cookie that says nothing about being signed in, logs requests, and forbids foreign content."""

    def __init__(self, app: ASGIApp, store: Store) -> None:
        self.app = app
        self.store = store

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith("/static/"):
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        visitor = request.cookies.get(VISITOR_COOKIE)
        extra = [(b"content-security-policy", _POLICY.encode()), (b"cache-control", b"no-store")]
        if not visitor:
            visitor = secrets.token_urlsafe(16)
            extra.append((b"set-cookie", f"{VISITOR_COOKIE}={visitor}; Path=/; SameSite=lax".encode()))
        request.state.visitor = visitor
        if request.method != "POST":
            self.store.log(request.method, scope["path"], "")

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *extra]
            await send(message)

        await self.app(scope, receive, with_headers)


def create_app(store: Store) -> Starlette:
    """The whole portal as an ASGI application."""
    portal = Portal(store)
    return Starlette(
        routes=_routes(portal),
        middleware=[Middleware(_Visitors, store=store)],
        exception_handlers={404: portal.not_found},
    )


def _routes(portal: Portal) -> Sequence[Route | Mount]:
    both = ["GET", "POST"]
    return [
        Route("/", portal.home),
        Route("/products", portal.products),
        Route("/company", portal.company),
        Route("/search", portal.search),
        Route("/newsletter", portal.newsletter, methods=["POST"]),
        Route("/cookies", portal.cookies, methods=["POST"]),
        Route("/register", portal.register, methods=both),
        Route("/forgot", portal.forgot),
        Route("/signin", portal.sign_in, methods=both),
        Route("/signin/password", portal.password, methods=both),
        Route("/signout", portal.sign_out, methods=["POST"]),
        Route("/account", portal.members_only(portal.account)),
        Route("/invoices", portal.members_only(portal.invoices)),
        Route("/invoices/{number}", portal.members_only(portal.invoice)),
        Mount("/static", StaticFiles(directory=_HERE / "static")),
    ]


def _own_path(target: str) -> str:
    """The path if it is one of this site; never a way to another site."""
    return target if target.startswith("/") and not target.startswith(("//", "/\\")) else "/account"
