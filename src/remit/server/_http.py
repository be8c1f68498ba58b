"""Serving over streamable HTTP: loopback by default, Host and Origin checked, a bearer token beyond loopback."""

from __future__ import annotations

import hmac
import ipaddress

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from remit.contract import Secret
from remit.settings import Settings

from ._app import build

GRACE_S = 3


class TokenRequiredError(ValueError):
    """A server beyond loopback needs a token."""

    def __init__(self) -> None:
        super().__init__("beyond loopback a bearer token is required: set REMIT_HTTP_TOKEN")


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class BearerToken:
    """ASGI middleware: 401 unless the request carries the token."""

    def __init__(self, app: ASGIApp, token: Secret) -> None:
        self._app = app
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the lifespan and authorised requests through."""
        if scope["type"] == "http" and not self._authorised(scope):
            challenge = {"WWW-Authenticate": 'Bearer realm="remit"'}
            await JSONResponse({"error": "unauthorized"}, status_code=401, headers=challenge)(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _authorised(self, scope: Scope) -> bool:
        given = dict(scope["headers"]).get(b"authorization", b"")
        return hmac.compare_digest(given, b"Bearer " + self._token.reveal().encode())


def http_app(
    settings: Settings, *, host: str, allowed_hosts: tuple[str, ...] = (), token: Secret | None = None
) -> ASGIApp:
    """The ASGI application.

    Raises:
        TokenRequiredError: the host is not loopback and there is no token.
    """
    if token is None and not is_loopback(host):
        raise TokenRequiredError
    names = ("127.0.0.1:*", "localhost:*", "[::1]:*", *allowed_hosts)
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=list(names),
        allowed_origins=[f"{scheme}://{name}" for name in names for scheme in ("http", "https")],
    )
    app: ASGIApp = build(settings).streamable_http_app(transport_security=security, host=host)
    return app if token is None else BearerToken(app, token)


def serve_http(
    settings: Settings, *, host: str, port: int, allowed_hosts: tuple[str, ...] = (), token: Secret | None = None
) -> None:
    """Serve at `http://host:port/mcp` until SIGTERM or SIGINT; open sessions are closed before returning."""
    app = http_app(settings, host=host, allowed_hosts=allowed_hosts, token=token)
    uvicorn.run(app, host=host, port=port, log_level="warning", access_log=False, timeout_graceful_shutdown=GRACE_S)
