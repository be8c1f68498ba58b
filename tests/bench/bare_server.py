"""A bare SDK server with as many tools as Remit has, to compare with: the least an MCP server can do."""

from __future__ import annotations

import sys
from typing import Any

import anyio
from mcp import types
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server

COUNT = int(sys.argv[1])
SCHEMA: dict[str, Any] = {"type": "object", "properties": {"text": {"type": "string"}}, "additionalProperties": False}
OUTPUT: dict[str, Any] = {"type": "object", "properties": {"status": {"type": "string"}}, "required": ["status"]}
TOOLS = [
    types.Tool(name=f"tool_{at}", description="Does nothing.", input_schema=SCHEMA, output_schema=OUTPUT)
    for at in range(COUNT)
]


async def _list(_ctx: object, _params: object) -> types.ListToolsResult:
    return types.ListToolsResult(tools=TOOLS)


async def _call(_ctx: object, _params: object) -> types.CallToolResult:
    content = types.TextContent(type="text", text='{"status":"done"}')
    return types.CallToolResult(content=[content], structured_content={"status": "done"})


async def _serve() -> None:
    server: Server[Any] = Server("bare", version="1", on_list_tools=_list, on_call_tool=_call)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


anyio.run(_serve)
