"""A stand-in for Remit with the same face, to test this harness: it may leak, lose a row, or leave a process behind.

`FAKE_REMIT` in its environment names what it does wrong, separated by spaces. It is started as
`python -m tests.real.fake_remit serve`.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from datetime import date
from pathlib import Path

import mcp.types as t
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from openpyxl import Workbook

_TOOLS = ("open_sites", "login_sites", "collect_sites", "write_spreadsheet", "close_sites", "continue_run")
_FAULTS = os.environ.get("FAKE_REMIT", "").split()


async def _list(ctx: ServerRequestContext, params: t.PaginatedRequestParams | None) -> t.ListToolsResult:
    del ctx, params
    return t.ListToolsResult(
        tools=[
            t.Tool(name=name, description="#catalogue https://example.org/", input_schema={"type": "object"})
            for name in _TOOLS
        ]
    )


async def _call(ctx: ServerRequestContext, params: t.CallToolRequestParams) -> t.CallToolResult:
    if "hang" in _FAULTS and params.name == "collect_sites":
        _say_hanging()
        await asyncio.Event().wait()
    answer = _answer(params.name, dict(params.arguments or {}))
    if "progress" in _FAULTS and params.name == "collect_sites":
        await ctx.session.report_progress(1, 2, "clicked " + _secret())
    text = json.dumps(answer)
    return t.CallToolResult(content=[t.TextContent(type="text", text=text)], structured_content=answer)


def _answer(tool: str, arguments: dict[str, object]) -> dict[str, object]:
    answer: dict[str, object] = {"status": "done", "reason": None, "run_id": f"run_{tool}", "spent": {"model_calls": 1}}
    if tool == "open_sites":
        return {**answer, "sessions": [{"session_id": "s1"}]}
    if tool == "login_sites":
        refused = {"session_id": "s1", "status": "failed", "reason": "no_login_form"}
        entry = refused if "refuse" in _FAULTS else {"session_id": "s1", "status": "signed_in"}
        return {**answer, "sessions": [entry], **_extra()}
    if tool == "collect_sites":
        return {**answer, "status": "running", "run_id": "run_collect"}
    if tool == "continue_run":
        return {**answer, "run_id": "run_collect", "dataset_id": "d1"}
    if tool == "write_spreadsheet":
        _write(Path(os.environ["REMIT_FILES_DIR"]) / str(arguments["name"]))
    return answer


def _extra() -> dict[str, object]:
    said = {
        "result": _secret(),
        "address": "http://127.0.0.1/hidden",
        "selector": "used input[name=password]",
        "href": "followed index.php?page=2",
        "record": "the last was Alpha Works 17",
        "sentence": "Welcome to the smallest application of the world",
    }
    if "stderr" in _FAULTS:
        sys.stderr.write(_secret().encode().hex())
    if "data" in _FAULTS:
        Path(os.environ["REMIT_DATA_DIR"], "log").write_text(_secret(), encoding="utf-8")
    if "process" in _FAULTS:
        subprocess.Popen(["sleep", "60"], start_new_session=True, stdin=-3, stdout=-3, stderr=-3)
    return {fault: said[fault] for fault in _FAULTS if fault in said}


def _say_hanging() -> None:
    Path(os.environ["HOME"], "hanging").touch()


def _secret() -> str:
    return Path(os.environ["REMIT_VAULT_DIR"], "..", "secret").read_text(encoding="utf-8")


def _write(path: Path) -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["Number", "Day"])
    rows = [["Alpha Works 17", date(2026, 3, 7)], ["Beta Works 18", date(2026, 4, 8)]]
    for row in rows[:1] if "lose" in _FAULTS else rows:
        sheet.append(row)
    book.save(path)


async def _serve() -> None:
    server = Server("fake", on_list_tools=_list, on_call_tool=_call)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    if sys.argv[1] == "vault":
        secret = sys.stdin.read().splitlines()[1]
        Path(os.environ["REMIT_VAULT_DIR"], "..", "secret").write_text(secret, encoding="utf-8")
    else:
        asyncio.run(_serve())
