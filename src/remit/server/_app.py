"""The one dispatch point. Every exception ends here as a typed result; nothing of it leaves."""

from __future__ import annotations

import hashlib
import logging
import sys
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import anyio
from mcp import MCPError, types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import NotificationOptions, Server
from mcp.server.models import InitializationOptions
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged
from pydantic import BaseModel, ValidationError

import remit
from remit.contract import Envelope, Published, Reason, Registry, RemitError, Status, builtin_folder, describe_call
from remit.handoff import QUESTION_S
from remit.panel import Panel
from remit.runs import Parked, Report, Rooms, Runs
from remit.settings import Settings

from ._asking import ClientChannel, park, reply_of
from ._tools import tool_definition

logger = logging.getLogger(__name__)

WATCH_S = 1.0
MOST_SESSIONS = 64
INSTRUCTIONS = (
    "Remit acts on web sites without showing you pages or passwords. Order: open_sites, login_sites, collect_sites, "
    "write_spreadsheet. Hand ids on. After status running call continue_run. Believe status and reason, not hopes: "
    "partial is partial."
)
Context = ServerRequestContext["Application"]


@dataclass
class Application:
    """What lives as long as the server: the registry and the runs."""

    settings: Settings
    registry: Registry
    rooms: Rooms
    runs: Runs
    bus: InMemorySubscriptionBus
    sessions: OrderedDict[int, ServerSession] = field(default_factory=OrderedDict)

    def remember(self, session: ServerSession) -> None:
        """Keep one way back to each connection of the older era, the latest `MOST_SESSIONS` of them."""
        if not session.can_send_request:
            return
        self.sessions[id(session.client_params)] = session
        while len(self.sessions) > MOST_SESSIONS:
            self.sessions.popitem(last=False)

    async def reload(self) -> bool:
        """Read the manifests again and tell every client if the tools changed."""
        if not self.registry.reload():
            return False
        report_dropped(self.registry)
        await self.bus.publish(ToolsListChanged())
        for key, session in list(self.sessions.items()):
            try:
                await session.send_tool_list_changed()
            except Exception:  # noqa: BLE001 - a client that has gone is no reason to fail
                self.sessions.pop(key, None)
        return True


class _Server(Server["Application"]):
    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        """Announce that the list of tools may change, which the SDK does not do by itself."""
        options = notification_options or NotificationOptions(tools_changed=True)
        return super().create_initialization_options(options, experimental_capabilities, extensions)


def report_dropped(registry: Registry) -> None:
    """Say on stderr which manifests are not published, and why."""
    for item in registry.dropped:
        print(f"remit: {item.name} is not published: {item.problem}", file=sys.stderr)  # noqa: T201


def build(settings: Settings) -> Server[Application]:
    """A server over the built-in manifests and those of the configured folders."""
    bus = InMemorySubscriptionBus()
    registry = Registry((builtin_folder(), *settings.manifest_dirs))

    @asynccontextmanager
    async def lifespan(_: Server[Application]) -> AsyncIterator[Application]:
        report_dropped(registry)
        async with (
            Rooms(settings) as rooms,
            Runs(rooms, find=registry.published.get) as runs,
            Panel(rooms, runs, registry) as panel,
            anyio.create_task_group() as group,
        ):
            runs.door = panel
            application = Application(settings, registry, rooms, runs, bus)
            group.start_soon(_watch, application)
            yield application
            group.cancel_scope.cancel()

    server = _Server(
        "remit",
        version=remit.__version__,
        title="Remit",
        instructions=INSTRUCTIONS,
        lifespan=lifespan,
        on_list_tools=_list_tools,
        on_call_tool=_call_tool,
        on_subscriptions_listen=ListenHandler(bus),
    )
    security = RequestStateSecurity.ephemeral(ttl=QUESTION_S)
    server.middleware.append(RequestStateBoundary(security, default_audience=server.name))
    return server


async def _watch(application: Application) -> None:
    """Reload when a manifest file appears, changes or goes."""
    before = _signature(application.settings)
    while True:
        await anyio.sleep(WATCH_S)
        now = _signature(application.settings)
        if now != before:
            before = now
            try:
                await application.reload()
            except Exception as error:  # noqa: BLE001 - a bad manifest must not end the server
                logger.error("the manifests could not be read again: %s", type(error).__name__)


def _signature(settings: Settings) -> frozenset[tuple[str, int, int]]:
    found = set()
    for folder in (builtin_folder(), *settings.manifest_dirs):
        for path in folder.glob("*.toml"):
            with suppress(OSError):
                stat = path.stat()
                found.add((str(path), stat.st_mtime_ns, stat.st_size))
    return frozenset(found)


async def _list_tools(ctx: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
    del params
    application = ctx.lifespan_context
    application.remember(ctx.session)
    return types.ListToolsResult(tools=[tool_definition(item) for item in application.registry.published.values()])


async def _call_tool(
    ctx: Context, params: types.CallToolRequestParams
) -> types.CallToolResult | types.InputRequiredResult:
    application = ctx.lifespan_context
    published = application.registry.published.get(params.name)
    if published is None:
        raise MCPError(code=types.INVALID_PARAMS, message="Unknown tool")
    try:
        arguments = published.executor.arguments_model.model_validate(params.arguments or {})
    except ValidationError as error:
        return _result(
            Envelope.error(Reason.INVALID_ARGUMENTS, detail=describe_call(error, published.manifest.arguments))
        )
    try:
        told = await _run(ctx, params, published, arguments)
    except RemitError as error:
        return _result(Envelope.error(error.reason))
    except Exception as error:  # noqa: BLE001 - on older connections the SDK would send the exception's text
        logger.error("%s failed at the door: %s", params.name, type(error).__name__)
        return _result(Envelope.error(Reason.INTERNAL))
    return park(told, ClientChannel(ctx)) if isinstance(told, Parked) else _result(told)


async def _run(
    ctx: Context, params: types.CallToolRequestParams, published: Published, arguments: BaseModel
) -> Envelope | Parked:
    """Begin a run, or go on with the one that the client was asked about."""
    runs, principal, channel = ctx.lifespan_context.runs, _principal(ctx), ClientChannel(ctx)
    if params.request_state is None:
        return await runs.call_through(published, arguments, principal, _report(ctx), channel)
    run_id, question_id, reply = reply_of(params.request_state, params.input_responses)
    return await runs.answered(run_id, question_id, reply, principal, _report(ctx), channel)


def _result(envelope: Envelope) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=envelope.text())],
        structured_content=envelope.payload(),
        is_error=envelope.status is Status.FAILED,
    )


def _report(ctx: Context) -> Report:
    async def report(done: float, total: float | None, message: str) -> None:
        with suppress(Exception):  # progress is a courtesy: a client that cannot take it still gets its result
            await ctx.session.report_progress(done, total, message)

    return report


def _principal(ctx: Context) -> str:
    """Who calls: the bearer of a token over HTTP, or whoever started the process."""
    headers = getattr(ctx.request, "headers", None)
    if headers is None:
        return "stdio"
    token = headers.get("authorization", "")
    return f"http:{hashlib.sha256(token.encode()).hexdigest()[:16]}" if token else "http"
