"""`remit call`: one tool through a server of its own, over stdio, exactly as a planner would."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import anyio
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters, stdio_client
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from remit.contract import Status
from remit.settings import Settings

EXIT = {Status.DONE: 0, Status.PARTIAL: 3, Status.NEEDS_USER: 4, Status.RUNNING: 0, Status.FAILED: 1}


def call_tool(tool: str, arguments: str, *, as_json: bool) -> int:
    """Call, show progress on stderr, print the result; the exit code says how it ended."""
    try:
        parsed = json.loads(arguments)
    except json.JSONDecodeError as error:
        print(f"remit: the arguments are no JSON (at character {error.pos})", file=sys.stderr)
        return 2
    if not isinstance(parsed, dict):
        print("remit: the arguments must be a JSON object", file=sys.stderr)
        return 2
    Settings()  # a broken configuration is told here, in one line
    payload = anyio.run(_call, tool, parsed)
    if payload is None:
        print(f"remit: there is no tool {tool}; `remit tools` lists them", file=sys.stderr)
        return 2
    if as_json:
        print(json.dumps(payload, ensure_ascii=False, indent=2))
    else:
        _show(payload)
    return EXIT[Status(payload["status"])]


async def _call(tool: str, arguments: dict[str, Any]) -> dict[str, Any] | None:
    server = StdioServerParameters(command=sys.executable, args=["-m", "remit", "serve"], env=dict(os.environ))
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("working", total=None)
        async with Client(stdio_client(server)) as client:
            try:
                payload = await _ask(client, bar, task, tool, arguments)
            except MCPError:
                return None
            while payload["status"] == Status.RUNNING:
                payload = await _ask(client, bar, task, "continue_run", {"run_id": payload["run_id"]})
    return payload


async def _ask(client: Client, bar: Progress, task: TaskID, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    async def show(progress: float, total: float | None, message: str | None) -> None:
        bar.update(task, completed=progress, total=total, description=message or "working")

    result = await client.call_tool(tool, arguments, progress_callback=show)
    payload: dict[str, Any] = result.structured_content or {"status": "failed"}
    return payload


def _show(payload: dict[str, Any]) -> None:
    console = Console()
    colour = {"done": "green", "failed": "red"}.get(str(payload["status"]), "yellow")
    message = payload.get("message", "")
    console.print(f"[{colour}]{payload['status']}[/{colour}] {message}".rstrip(), highlight=False)
    for name, value in payload.items():
        if name in ("status", "message"):
            continue
        shown = value if isinstance(value, str | int) else json.dumps(value, ensure_ascii=False)
        console.print(f"  {name}: {shown}", highlight=False, markup=False)
