"""From a published executor to the tool a client lists."""

from __future__ import annotations

from mcp import types

from remit.contract import Effect, Published

_ANNOTATIONS = {
    Effect.READ_ONLY: types.ToolAnnotations(read_only_hint=True, open_world_hint=False),
    Effect.CREATE_ONLY: types.ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False),
    Effect.REVERSIBLE: types.ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True),
    Effect.INTERACTIVE: types.ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=True),
    Effect.MUTATING: types.ToolAnnotations(read_only_hint=False, destructive_hint=True, open_world_hint=True),
}


def tool_definition(published: Published) -> types.Tool:
    """Name, title, description, both schemas and the annotations that follow from the effect."""
    manifest = published.manifest
    return types.Tool(
        name=manifest.name,
        title=manifest.title,
        description=f"{manifest.purpose} Not for: {manifest.not_for}",
        input_schema=published.input_schema,
        output_schema=published.output_schema,
        annotations=_ANNOTATIONS[manifest.effect],
    )
