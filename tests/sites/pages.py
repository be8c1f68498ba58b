"""Small pages over real HTTP: `serve({"/": "<h1>Hello</h1>"})`. Two servers, or two names of one, are two origins."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from remit.contract import Origin


@dataclass(frozen=True, slots=True)
class Request:
    """What a browser sent."""

    method: str
    path: str
    query: str
    body: str
    headers: Mapping[str, str]

    @property
    def form(self) -> dict[str, str]:
        """The fields of a posted form; the last value of each."""
        return {name: values[-1] for name, values in parse_qs(self.body, keep_blank_values=True).items()}

    @property
    def cookies(self) -> dict[str, str]:
        """The cookies that were sent."""
        pairs = (part.strip().partition("=") for part in self.headers.get("cookie", "").split(";"))
        return {name: value for name, _, value in pairs if name}


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server says. It waits for `release` (at most 20 seconds) before it says anything."""

    body: str | bytes = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    release: threading.Event | None = None

    @classmethod
    def redirect(cls, to: str, **headers: str) -> Answer:
        """303 to another address."""
        return cls(status=303, headers={"location": to, **headers})


Page = str | Answer | Callable[[Request], "str | Answer"]


@dataclass(frozen=True, slots=True)
class Site:
    """A running server. `pages` may be changed while it runs; `requests` is what has been asked, favicons left out."""

    port: int
    pages: dict[str, Page]
    requests: list[Request]

    @property
    def url(self) -> str:
        """The address without a path: `http://127.0.0.1:port`."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def origin(self) -> Origin:
        """The same as an origin."""
        return Origin.of(self.url)

    def posts(self, path: str | None = None) -> list[Request]:
        """The posted requests, of one path or all."""
        return [r for r in self.requests if r.method == "POST" and path in (None, r.path)]

    def asked(self, path: str) -> int:
        """How often a path was asked for, by any method."""
        return sum(request.path == path for request in self.requests)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    site: Site

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that hangs up is no error."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def log_message(self, *args: object) -> None:
        """Say nothing."""

    def _answer(self) -> None:
        parts = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("content-length") or 0)).decode("utf-8", "replace")
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Request(self.command, parts.path, parts.query, body, headers)
        site = self.server.site
        if request.path != "/favicon.ico":
            site.requests.append(request)
        page = site.pages.get(
            request.path, Answer("<!doctype html><title>Not found</title><h1>Not found</h1>", status=404)
        )
        answer = page if isinstance(page, str | Answer) else page(request)
        self._send(Answer(answer) if isinstance(answer, str) else answer)

    def _send(self, answer: Answer) -> None:
        if answer.release is not None:
            answer.release.wait(20)
        body = answer.body.encode() if isinstance(answer.body, str) else answer.body
        headers = {"content-type": "text/html; charset=utf-8", "cache-control": "no-store", **answer.headers}
        with suppress(ConnectionError):
            self.send_response(answer.status)
            for name, value in headers.items():
                self.send_header(name, value)
            if answer.status != 204:
                self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)


@contextmanager
def serve(pages: Mapping[str, Page]) -> Iterator[Site]:
    """Serve pages by path on a loopback port of the system's choice, in a thread, until the block ends."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.site = Site(server.server_address[1], dict(pages), [])
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server.site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
