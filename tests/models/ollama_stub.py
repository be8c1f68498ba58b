"""A local HTTP server that speaks Ollama's native protocol and says what a test wants."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MODEL = "qwen2.5:7b"

Body = dict[str, Any]
Chat = Callable[[Body], Iterable[Body | bytes]]


def part(content: str, **more: Any) -> Body:
    """One line of a streamed chat."""
    return {
        "model": MODEL,
        "created_at": "2026-01-01T00:00:00Z",
        "message": {"role": "assistant", "content": content},
        "done": False,
        **more,
    }


def end(body: Body, *, read: int | None = None, reason: str = "stop") -> Body:
    """The last line; `read` defaults to a token for every 3.5 characters of the prompt."""
    sent = sum(len(message["content"]) for message in body["messages"])
    count = int(sent / 3.5) if read is None else read
    return part("", done=True, done_reason=reason, prompt_eval_count=count, eval_count=9, total_duration=1)


def saying(*pieces: str) -> Chat:
    """A model that always writes `pieces`."""

    def chat(body: Body) -> Iterator[Body]:
        yield from (part(piece) for piece in pieces)
        yield end(body)

    return chat


@dataclass
class Stub:
    """What the server does, and what it was sent."""

    chat: Chat = field(default_factory=lambda: saying('{"answer": "none"}'))
    listed: list[Body] = field(default_factory=lambda: [{"name": MODEL, "model": MODEL}])
    shown: Body = field(default_factory=lambda: {"model_info": {}, "capabilities": ["completion"]})
    fails: dict[str, tuple[int, Body]] = field(default_factory=dict)
    redirect: str = ""
    loads: threading.Event = field(default_factory=threading.Event)
    loading: threading.Event = field(default_factory=threading.Event)
    stopped: threading.Event = field(default_factory=threading.Event)
    hung_up: threading.Event = field(default_factory=threading.Event)
    requests: list[tuple[str, Body]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    address: str = ""

    def sent(self, path: str) -> list[Body]:
        return [body for at, body in self.requests if at == path]


class Handler(BaseHTTPRequestHandler):
    """Answers for the stub of its server."""

    protocol_version = "HTTP/1.1"
    stub: Stub

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass

    def do_GET(self) -> None:
        self.note({})
        self.reply({"models": self.stub.listed} if self.path == "/api/tags" else {"version": "0.12.0"})

    def do_POST(self) -> None:
        body: Body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.note(body)
        if self.path in self.stub.fails:
            status, error = self.stub.fails[self.path]
            self.reply(error, status)
        elif self.path == "/api/show":
            self.reply(self.stub.shown)
        elif self.path == "/api/generate":
            self.stub.loading.set()
            self.stub.loads.wait(10)
            self.reply({"model": MODEL, "response": "", "done": True, "done_reason": "load"})
        elif self.path == "/api/chat":
            self.stream(body)
        else:
            self.reply({"error": "not found"}, 404)

    def note(self, body: Body) -> None:
        self.stub.requests.append((self.path, body))
        self.stub.headers.append({key.lower(): value for key, value in self.headers.items()})

    def reply(self, body: Body, status: int = 200) -> None:
        data = json.dumps(body).encode()
        self.send_response(302 if self.stub.redirect else status)
        if self.stub.redirect:
            self.send_header("Location", self.stub.redirect + self.path)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def stream(self, body: Body) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            for line in self.stub.chat(body):
                data = line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n"
                self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            self.wfile.write(b"0\r\n\r\n")
        except OSError:
            self.stub.hung_up.set()
            self.close_connection = True


@contextmanager
def serving(stub: Stub) -> Iterator[Stub]:
    """Serve `stub` on a free port of loopback."""
    stub.loads.set()

    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (Handler,), {"stub": stub}))
    server.daemon_threads = True
    stub.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield stub
    finally:
        stub.loads.set()
        stub.stopped.set()
        server.shutdown()
        server.server_close()
        thread.join()
