"""The panel as a server of its own port within this process, begun when it is first needed."""

from __future__ import annotations

import os
import socket
import sys
import time
import webbrowser
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from types import TracebackType
from typing import Self

import anyio
import anyio.abc
import anyio.to_thread

from remit.contract import Registry
from remit.runs import Rooms, Runs

from ._finding import last_port, note_panel
from ._pairing import Pairings

_END_S = 3.0


class Panel:
    """The door to the questions of this process. An async context manager: leaving it ends the server."""

    def __init__(self, rooms: Rooms, runs: Runs, registry: Registry) -> None:
        self._rooms = rooms
        self._runs = runs
        self._registry = registry
        self._group: anyio.abc.TaskGroup | None = None
        self._beginning = anyio.Lock()
        self._pairings: Pairings | None = None
        self._announced: set[str] = set()
        self._ended = anyio.Event()
        self._stop: Callable[[], None] = self._ended.set
        self.port: int | None = None

    async def __aenter__(self) -> Self:
        self._group = await anyio.create_task_group().__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._group is not None
        with anyio.CancelScope(shield=True), anyio.move_on_after(_END_S):
            self._stop()
            await self._ended.wait()
        self._group.cancel_scope.cancel()
        await self._group.__aexit__(kind, error, trace)

    async def link(self, question_id: str) -> str | None:
        """A question's address; only a paired browser is let in by it."""
        await self.begin()
        return f"http://127.0.0.1:{self.port}/q/{question_id}"

    async def ticket(self, question_id: str) -> str | None:
        """The same with a one-time token, for a person's client."""
        return await self.way_in(f"/q/{question_id}")

    async def announce(self, question_id: str) -> None:
        """Open a question in this desktop's browser, once, where there is one and the configuration allows it."""
        if question_id in self._announced or self._rooms.settings.panel_open == "never" or not has_desktop():
            return
        self._announced.add(question_id)
        address = await self.ticket(question_id)
        if address is not None:
            await anyio.to_thread.run_sync(webbrowser.open, address)

    async def way_in(self, path: str = "/") -> str:
        """An address with a token that pairs the browser which opens it first."""
        await self.begin()
        assert self._pairings is not None
        return f"http://127.0.0.1:{self.port}{path}#{self._pairings.token()}"

    async def begin(self) -> int:
        """Serve, if that has not begun; the port."""
        async with self._beginning:
            if self.port is None:
                self.port = await self._serve()
        return self.port

    async def _serve(self) -> int:
        import uvicorn

        from ._app import House, build_app
        from ._guard import Guard

        begun = anyio.Event()

        class Server(uvicorn.Server):
            async def startup(self, sockets: list[socket.socket] | None = None) -> None:
                """Say when it listens."""
                await super().startup(sockets)
                begun.set()

            def capture_signals(self) -> AbstractContextManager[None]:  # type: ignore[override]
                """Signals are the process's own."""
                return nullcontext()

        database = self._rooms.database
        listening = _listen(self._rooms.settings.panel_port or last_port(database))
        port = int(listening.getsockname()[1])
        self._pairings = Pairings(database)
        house = House(self._rooms, self._runs, self._registry, self._pairings, port)
        guarded = Guard(build_app(house), port)
        server = Server(
            uvicorn.Config(guarded, log_config=None, access_log=False, lifespan="off", timeout_graceful_shutdown=1)
        )

        async def serve() -> None:
            try:
                await server.serve(sockets=[listening])
            finally:
                listening.close()
                self._ended.set()

        def stop() -> None:
            server.should_exit = True

        self._stop = stop

        assert self._group is not None
        self._group.start_soon(serve, name="panel")
        await begun.wait()
        note_panel(database, port, time.time())
        return port


def _listen(port: int) -> socket.socket:
    """A socket on loopback, on this port if it is free, else on any."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(("127.0.0.1", port))
    except OSError:
        listening.bind(("127.0.0.1", 0))
    listening.listen(64)
    return listening


def has_desktop() -> bool:
    """Whether somebody sits in front of this machine."""
    if any(name in os.environ for name in ("SSH_CONNECTION", "SSH_TTY", "CI")):
        return False
    return sys.platform in ("darwin", "win32") or any(name in os.environ for name in ("DISPLAY", "WAYLAND_DISPLAY"))
