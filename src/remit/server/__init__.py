"""Remit as an MCP server: tools from the registry, stdio and streamable HTTP, both protocol eras."""

from ._app import Application, build
from ._http import http_app, serve_http
from ._stdio import serve_stdio
from ._tools import tool_definition

__all__ = ["Application", "build", "http_app", "serve_http", "serve_stdio", "tool_definition"]
