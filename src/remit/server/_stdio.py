"""Serving over stdin and stdout, and leaving cleanly on EOF, SIGTERM and SIGINT."""

from __future__ import annotations

import os
import signal

import anyio
from mcp.server.stdio import stdio_server

from remit.settings import Settings

from ._app import build

UNWIND_S = 10.0


async def serve_stdio(settings: Settings) -> None:
    """Serve one client until it closes stdin or a signal comes.

    A signal cancels what runs, waits until the browser is closed, and then leaves without interpreter finalisation: the
    SDK's stdin reader is a thread that only ends with its stream.
    """
    server = build(settings)
    finished = anyio.Event()
    scope = anyio.CancelScope()

    async def leave_on_signal() -> None:
        with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
            async for received in signals:
                scope.cancel()
                with anyio.CancelScope(shield=True), anyio.move_on_after(UNWIND_S):
                    await finished.wait()
                os._exit(128 + received)

    async with anyio.create_task_group() as group:
        group.start_soon(leave_on_signal)
        async with stdio_server() as (read, write):
            with scope:
                try:
                    await server.run(read, write, server.create_initialization_options())
                finally:
                    finished.set()
            if scope.cancelled_caught:
                await anyio.sleep_forever()
        group.cancel_scope.cancel()
