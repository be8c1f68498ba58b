"""Starting the server and calling a tool, against a bare SDK server with the same number of tools."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from remit.contract import Registry, builtin_folder
from tests.server.conversations import environment

from ._figures import Figure, ms, side_by_side

STARTS, CALLS = 7, 200
START_BOUND, CALL_BOUND_MS = 1.3, 1.0


async def serving_figures() -> list[Figure]:
    """Start to the first `tools/list`, and what a call costs beyond the SDK's own cost."""
    count = len(Registry([builtin_folder()]).published)
    with tempfile.TemporaryDirectory() as folder:
        env = environment(Path(folder))
        bare_script = str(Path(__file__).parent / "bare_server.py")
        bare = StdioServerParameters(command=sys.executable, args=[bare_script, str(count)], env=env)
        remit = StdioServerParameters(command=str(Path(sys.executable).parent / "remit"), args=["serve"], env=env)
        ours, theirs = await side_by_side(lambda: _start(remit), lambda: _start(bare), STARTS)
        start = Figure(
            "server start to tools/list", ms(ours), f"bare SDK server: {ms(theirs)}", ours / theirs,
            f"≤ {START_BOUND}x", START_BOUND,
        )  # fmt: skip
        call_ours, call_theirs = await _calls(remit, "list_credentials"), await _calls(bare, "tool_0")
    overhead = (call_ours - call_theirs) * 1000
    call = Figure(
        "call overhead (difference in ms)", ms(call_ours), f"bare SDK server: {ms(call_theirs)}", overhead,
        f"≤ {CALL_BOUND_MS:.0f} ms", CALL_BOUND_MS,
    )  # fmt: skip
    return [start, call]


async def _start(server: StdioServerParameters) -> None:
    async with Client(stdio_client(server)) as client:
        await client.list_tools()


async def _calls(server: StdioServerParameters, tool: str) -> float:
    async with Client(stdio_client(server)) as client:
        await client.list_tools()
        await client.call_tool(tool, {})
        times: list[float] = []
        for _ in range(CALLS):
            start = time.perf_counter()
            await client.call_tool(tool, {})
            times.append(time.perf_counter() - start)
    return statistics.median(times)
