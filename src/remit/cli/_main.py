"""The commands. Each imports what it needs when it runs, so that `remit serve` starts fast."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

app = typer.Typer(
    name="remit",
    help="Tools for AI planners that keep secrets, selectors and pages to themselves.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def main() -> None:
    """Run one command."""
    from ._audit import audit_app
    from ._serve import told_plainly
    from ._vault import vault_app

    app.add_typer(vault_app, name="vault", help="The credentials on this machine.")
    app.add_typer(audit_app, name="audit", help="The log of decisions and effects.")
    with told_plainly():
        app()


@app.command()
def serve(
    http: Annotated[bool, typer.Option(help="Serve streamable HTTP instead of stdio.")] = False,
    host: Annotated[str, typer.Option(help="Address to listen on with --http.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on with --http.")] = 8765,
    allow_host: Annotated[list[str] | None, typer.Option(help="Further Host header to accept, as name:port.")] = None,
) -> None:
    """Serve MCP over stdio (the default) or HTTP. Beyond loopback, REMIT_HTTP_TOKEN is required."""
    from ._serve import serve as serve_one
    from ._serve import serve_over_http

    if http:
        serve_over_http(host, port, tuple(allow_host or ()))
    else:
        serve_one()


@app.command()
def tools(
    json_output: Annotated[bool, typer.Option("--json", help="Machine-readable, with token counts.")] = False,
) -> None:
    """Show the published tools, what they cost a model to read, and what is not published."""
    from ._tools import show_tools

    show_tools(as_json=json_output)


@app.command()
def check(
    write: Annotated[bool, typer.Option("--write", help="Update the manifests' sections from the code.")] = False,
) -> None:
    """Hold every manifest against its code."""
    from ._check import check_manifests

    sys.exit(check_manifests(write=write))


@app.command()
def doctor(json_output: Annotated[bool, typer.Option("--json")] = False) -> None:
    """Say what is missing on this machine and the exact command that mends it."""
    from ._doctor import examine

    sys.exit(examine(as_json=json_output))


@app.command()
def call(
    tool: Annotated[str, typer.Argument(help="The tool's name.")],
    arguments: Annotated[str, typer.Argument(help="Its arguments as a JSON object.")] = "{}",
    json_output: Annotated[bool, typer.Option("--json", help="Print the structured result only.")] = False,
) -> None:
    """Call one tool as a planner would, with a progress bar. Sessions end with the command."""
    from ._call import call_tool

    sys.exit(call_tool(tool, arguments, as_json=json_output))


@app.command()
def panel(
    show_only: Annotated[bool, typer.Option("--print", help="Print the link; open no browser.")] = False,
) -> None:
    """Open the panel: answer questions, enter credentials, see what ran."""
    from ._panel import open_panel

    open_panel(show_only=show_only)


@app.command()
def demo(keep: Annotated[bool, typer.Option(help="Keep the demo's folder.")] = False) -> None:
    """Run the main job end to end on a supplier portal of our own."""
    from ._demo import run_demo

    sys.exit(run_demo(keep=keep))
