"""A real server as a child over stdio, with folders of its own."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal

from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

Era = Literal["legacy", "2026-07-28"]
ERAS: tuple[Era, ...] = ("legacy", "2026-07-28")


def environment(folder: Path, **more: str) -> dict[str, str]:
    """What keeps a server of a test away from everything else on the machine."""
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("REMIT_")},
        "REMIT_DATA_DIR": str(folder / "data"),
        "REMIT_VAULT_DIR": str(folder / "vault"),
        "REMIT_FILES_DIR": str(folder / "files"),
        "REMIT_VAULT_KEY": "file",
        "REMIT_MODEL": "none",
        "REMIT_PANEL_OPEN": "never",
        **more,
    }


def server(folder: Path, **more: str) -> StdioServerParameters:
    """How a client starts it."""
    return StdioServerParameters(command=sys.executable, args=["-m", "remit", "serve"], env=environment(folder, **more))


@asynccontextmanager
async def connected(folder: Path, era: Era = "2026-07-28", **more: str) -> AsyncIterator[Client]:
    """A client of it, in one protocol era."""
    async with Client(stdio_client(server(folder, **more)), mode=era) as client:
        yield client
