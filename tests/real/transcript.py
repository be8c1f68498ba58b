"""Every message between client and server, both ways, as it went over the wire."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from mcp import StdioServerParameters
from mcp.client._transport import ReadStream, TransportStreams, WriteStream
from mcp.client.stdio import stdio_client
from mcp.shared.message import SessionMessage

Sender = Literal["client", "server"]
_CATALOGUE = ("tools", "resources", "prompts", "resourceTemplates", "serverInfo", "supportedVersions")


@dataclass(frozen=True, slots=True)
class Message:
    """One JSON-RPC message, `at` seconds after the first."""

    at: float
    sender: Sender
    body: dict[str, object]

    @property
    def is_about_a_run(self) -> bool:
        """Said by the server in the course of a call: a result, progress, a question or an error; not the catalogue."""
        result = self.body.get("result")
        listed = isinstance(result, dict) and any(key in result for key in _CATALOGUE)
        return self.sender == "server" and not listed


@dataclass(slots=True)
class Transcript:
    """The conversation so far."""

    messages: list[Message] = field(default_factory=list)
    _start: float = field(default_factory=time.monotonic)

    def note(self, sender: Sender, item: SessionMessage | Exception) -> None:
        """Add a message; what could not be parsed counts as said by the server, too."""
        if isinstance(item, Exception):
            body: dict[str, object] = {"unparsable": str(item)}
        else:
            body = item.message.model_dump(mode="json", by_alias=True, exclude_unset=True)
        self.messages.append(Message(time.monotonic() - self._start, sender, body))

    def write(self, path: Path, *, append: bool = False) -> None:
        """Keep it as JSON lines."""
        with path.open("a" if append else "w", encoding="utf-8") as file:
            for message in self.messages:
                line = {"at": round(message.at, 3), "from": message.sender, "message": message.body}
                file.write(json.dumps(line, ensure_ascii=False) + "\n")


@asynccontextmanager
async def recorded_stdio(
    server: StdioServerParameters, stderr: Path, transcript: Transcript
) -> AsyncIterator[TransportStreams]:
    """A server as a child over stdio, everything said noted, its stderr in a file."""
    with stderr.open("a", encoding="utf-8") as log:
        async with stdio_client(server, errlog=log) as (read, write):
            yield _Heard(read, transcript), _Said(write, transcript)


class _Heard:
    """The read stream, listened to."""

    def __init__(self, inner: ReadStream[SessionMessage | Exception], transcript: Transcript) -> None:
        self._inner = inner
        self._transcript = transcript

    async def receive(self) -> SessionMessage | Exception:
        item = await self._inner.receive()
        self._transcript.note("server", item)
        return item

    async def aclose(self) -> None:
        await self._inner.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        item = await self._inner.__anext__()
        self._transcript.note("server", item)
        return item

    async def __aenter__(self) -> Self:
        await self._inner.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return await self._inner.__aexit__(kind, error, trace)


class _Said:
    """The write stream, listened to."""

    def __init__(self, inner: WriteStream[SessionMessage], transcript: Transcript) -> None:
        self._inner = inner
        self._transcript = transcript

    async def send(self, item: SessionMessage, /) -> None:
        self._transcript.note("client", item)
        await self._inner.send(item)

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def __aenter__(self) -> Self:
        await self._inner.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return await self._inner.__aexit__(kind, error, trace)
