"""The panel's pages. All but the door stand below a browser's own path, and are shown to that browser only."""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from urllib.parse import parse_qsl

import anyio.to_thread
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from remit.contract import Reason, Registry, RemitError
from remit.handoff import Desk
from remit.runs import Rooms, Runs

from . import _credentials, _overview, _questions
from ._finding import instance_key, proof
from ._pairing import Paired, Pairings

COOKIE = "remit"
_MOST_BODY = 16 * 1024
_TYPES = {"css": "text/css", "js": "text/javascript"}
_STATUS = {Reason.QUESTION_CLOSED: 409, Reason.UNKNOWN_RUN: 404, Reason.UNKNOWN_CREDENTIAL: 404}


@dataclass(frozen=True, slots=True)
class Visit:
    """One request of a paired browser."""

    request: Request
    paired: Paired
    house: House
    form: dict[str, str]

    @property
    def base(self) -> str:
        """The path that all of this browser's pages begin with."""
        return f"/p/{self.paired.prefix}"

    def page(self, template: str, status: int = 200, **facts: object) -> Response:
        """A page."""
        text = _environment().get_template(template)
        return HTMLResponse(text.render(base=self.base, csrf=self.paired.csrf, **facts), status)

    def go(self, path: str) -> Response:
        """After a change the browser is sent to a page, so that going back or loading anew changes nothing."""
        return RedirectResponse(f"{self.base}{path}", 303)


@dataclass(frozen=True, slots=True)
class House:
    """What the pages show."""

    rooms: Rooms
    runs: Runs
    registry: Registry
    pairings: Pairings
    port: int

    @property
    def desk(self) -> Desk:
        """The questions."""
        return self.rooms.desk


Page = Callable[[Visit], Awaitable[Response]]


def build_app(house: House) -> Starlette:
    """The ASGI application, without the guard."""

    def private(path: str, page: Page, *methods: str) -> Route:
        async def endpoint(request: Request) -> Response:
            return await _entered(request, house, page)

        return Route("/p/{prefix}" + path, endpoint, methods=list(methods or ("GET",)))

    async def hello(request: Request) -> Response:
        nonce = request.query_params.get("nonce", "")[:64]
        key = await anyio.to_thread.run_sync(instance_key, house.rooms.settings.data_dir)
        return PlainTextResponse(proof(key, nonce, house.port))

    async def pair(request: Request) -> Response:
        form = await _form(request)
        paired = house.pairings.pair(form.get("token", ""))
        if paired is None:
            return JSONResponse({"reason": Reason.QUESTION_CLOSED.value}, 403)
        answer = JSONResponse({"prefix": paired.prefix})
        answer.set_cookie(
            COOKIE, paired.cookie, path=f"/p/{paired.prefix}/", httponly=True, samesite="strict", max_age=30 * 24 * 3600
        )
        return answer

    return Starlette(
        routes=[
            Route("/hello", hello),
            Route("/pair", pair, methods=["POST"]),
            Route("/static/{name}", _static),
            private("/", _overview.home),
            private("/q/{id}", _questions.show),
            private("/q/{id}", _questions.answer, "POST"),
            private("/q/{id}/picture", _questions.picture),
            private("/q/{id}/frame", _questions.frame),
            private("/q/{id}/act", _questions.act, "POST"),
            private("/credentials", _credentials.show),
            private("/credentials", _credentials.add, "POST"),
            private("/credentials/{id}/remove", _credentials.remove, "POST"),
            private("/runs", _overview.runs),
            private("/runs/{id}", _overview.run),
            private("/runs/{id}/cancel", _overview.cancel, "POST"),
            private("/executors", _overview.executors),
            private("/status", _overview.status),
            private("/leave", _leave, "POST"),
            Route("/{path:path}", _door),
        ]
    )


async def _entered(request: Request, house: House, page: Page) -> Response:
    paired = house.pairings.known(request.path_params["prefix"], request.cookies.get(COOKIE, ""))
    if paired is None:
        return _not_paired()
    form = await _form(request) if request.method == "POST" else {}
    if request.method == "POST" and not hmac.compare_digest(form.get("csrf", "").encode(), paired.csrf.encode()):
        return PlainTextResponse("Refused: the form is not of this browser.", 403)
    visit = Visit(request, paired, house, form)
    try:
        return await page(visit)
    except RemitError as error:
        return visit.page("problem.html", _STATUS.get(error.reason, 400), sentence=error.reason.sentence)


async def _form(request: Request) -> dict[str, str]:
    """The fields of a form; more than a person types is not read."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MOST_BODY:
            return {}
    try:
        return dict(parse_qsl(body.decode("utf-8"), keep_blank_values=True, max_num_fields=64))
    except ValueError:
        return {}


async def _door(request: Request) -> Response:
    del request
    return HTMLResponse(_environment().get_template("door.html").render())


def _not_paired() -> Response:
    return HTMLResponse(_environment().get_template("door.html").render(lost=True), 403)


async def _leave(visit: Visit) -> Response:
    visit.house.pairings.end_all() if visit.form.get("all") else visit.house.pairings.end(visit.paired.cookie)
    return RedirectResponse("/", 303)


async def _static(request: Request) -> Response:
    name = request.path_params["name"]
    found = _statics().get(name)
    if found is None:
        return PlainTextResponse("Not here.", 404)
    return Response(found, media_type=_TYPES[name.rpartition(".")[2]])


@cache
def _statics() -> dict[str, bytes]:
    folder = files(__package__).joinpath("static")
    return {each.name: each.read_bytes() for each in folder.iterdir() if each.name.rpartition(".")[2] in _TYPES}


@cache
def _environment() -> Environment:
    return Environment(loader=PackageLoader(__package__), autoescape=True, undefined=StrictUndefined, trim_blocks=True)
