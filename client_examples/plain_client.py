"""A planner in plain code: the MCP client that `make demo` runs.

It does what an LLM would do with Remit's tools, and sees what an LLM would see: handles, counts and closed reasons.

    python client_examples/plain_client.py https://portal.example --year 2026 --name invoices.xlsx
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

Payload = dict[str, Any]
FIELDS = ["number", "date", "amount"]
SERVER = StdioServerParameters(command=sys.executable, args=["-m", "remit", "serve"], env=dict(os.environ))


class Planner:
    """Calls tools, follows runs that were handed over, and counts what the results cost to read."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.characters = 0

    async def call(self, tool: str, arguments: Payload) -> Payload:
        """One call to its end; anything but done or partial ends the job."""
        print(f"→ {tool} {json.dumps(arguments, ensure_ascii=False)}", flush=True)
        payload = await self._send(tool, arguments)
        while payload["status"] == "running":
            payload = await self._send("continue_run", {"run_id": payload["run_id"]})
        print(f"← {json.dumps(payload, ensure_ascii=False)}", flush=True)
        if payload["status"] not in ("done", "partial"):
            raise SystemExit(f"{tool}: {payload['status']}: {payload.get('message', '')}")
        return payload

    async def _send(self, tool: str, arguments: Payload) -> Payload:
        result = await self._client.call_tool(tool, arguments, progress_callback=show)
        payload: Payload = result.structured_content or {}
        self.characters += len(json.dumps(payload, ensure_ascii=False, separators=(",", ":")))
        return payload


async def show(progress: float, total: float | None, message: str | None) -> None:
    """Print progress as it comes."""
    print(f"  … {message or progress}" + (f" ({progress:.0f} of {total:.0f})" if total else ""), flush=True)


async def collect_invoices(url: str, year: int, name: str) -> Payload:
    """Open, sign in, collect every invoice of the year, write the file, close."""
    async with Client(stdio_client(SERVER)) as client:
        planner = Planner(client)
        sessions = (await planner.call("open_sites", {"urls": [url]}))["sessions"]
        ids = [session["session_id"] for session in sessions]
        await planner.call("login_sites", {"session_ids": ids})
        period = {"field": "date", "from": f"{year}-01-01", "to": f"{year}-12-31"}
        wanted = {"session_ids": ids, "items": "invoices", "fields": FIELDS, "period": period}
        collected = (await planner.call("collect_sites", wanted))["collections"][0]
        written = await planner.call("write_spreadsheet", {"dataset_id": collected["dataset_id"], "name": name})
        await planner.call("close_sites", {"session_ids": ids})
    return {"collected": collected, "written": written, "planner_tokens": -(-planner.characters // 4)}


def main() -> None:
    """Parse the arguments and run the job."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url")
    parser.add_argument("--year", type=int, default=2026)
    parser.add_argument("--name", default="invoices.xlsx")
    parser.add_argument("--summary", type=Path, help="where to write what was done, as JSON")
    given = parser.parse_args()
    summary = asyncio.run(collect_invoices(given.url, given.year, given.name))
    if given.summary:
        given.summary.write_text(json.dumps(summary), encoding="utf-8")


if __name__ == "__main__":
    main()
