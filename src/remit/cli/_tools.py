"""`remit tools`."""

from __future__ import annotations

import json

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from remit.contract import Registry, builtin_folder, compact
from remit.server import tool_definition
from remit.settings import Settings

CHARACTERS_PER_TOKEN = 4


def _tokens(text: str) -> int:
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def show_tools(*, as_json: bool) -> None:
    """Print the published and the dropped executors.

    `model_tokens` counts name, title, description and input schema, which a client hands to its model; `list_tokens`
    the whole of `tools/list`. Both are characters / 4.
    """
    registry = Registry((builtin_folder(), *Settings().manifest_dirs))
    items = [
        (item, tool_definition(item).model_dump(mode="json", by_alias=True, exclude_none=True))
        for item in registry.published.values()
    ]
    rows = [
        {
            "name": wire["name"],
            "title": wire["title"],
            "intelligence": item.manifest.intelligence.value,
            "transport": item.manifest.transport.value,
            "effect": item.manifest.effect.value,
            "capabilities": [capability.value for capability in item.manifest.capabilities],
            "model_tokens": _tokens(
                compact({key: wire[key] for key in ("name", "title", "description", "inputSchema")})
            ),
            "list_tokens": _tokens(compact(wire)),
        }
        for item, wire in items
    ]
    dropped = [{"name": item.name, "file": str(item.source), "problem": item.problem} for item in registry.dropped]
    if as_json:
        total = {
            "model_tokens": sum(int(row["model_tokens"]) for row in rows),
            "list_tokens": _tokens(compact({"tools": [wire for _, wire in items]})),
        }
        print(json.dumps({"tools": rows, "dropped": dropped, **total}, indent=2))
        return
    _print(rows, dropped)


def _print(rows: list[dict[str, object]], dropped: list[dict[str, str]]) -> None:
    console = Console()
    table = Table(title="Published tools", title_justify="left")
    for heading in ("tool", "title", "kind", "effect", "tokens"):
        table.add_column(heading, justify="right" if heading == "tokens" else "left")
    for row in rows:
        kind = f"{row['intelligence']}, {row['transport']}"
        table.add_row(str(row["name"]), str(row["title"]), kind, str(row["effect"]), str(row["model_tokens"]))
    console.print(table)
    for item in dropped:
        console.print(
            f"[red]not published[/red] {escape(item['name'])}: {escape(item['problem'])}",
            highlight=False,
            soft_wrap=True,
        )
