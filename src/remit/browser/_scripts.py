"""The scripts that run in pages, read once."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def script(name: str) -> str:
    """The text of `<name>.js` of this room."""
    return files(__package__).joinpath(f"{name}.js").read_text("utf-8")


@cache
def reread_script() -> str:
    """Observe again and pick out the control whose element is `seen.elements[index]`."""
    return f"""([seen, index]) => {{
      const element = seen.elements[index];
      if (!element || !element.isConnected) return null;
      const fresh = ({script("observe")})({{ content: false }}), at = fresh.elements.indexOf(element);
      if (at < 0) return null;
      const data = JSON.parse(fresh.json), control = data.controls[at];
      return JSON.stringify({{ ...data, nodes: [], controls: [control],
        overlays: data.overlays.map((o) => ({{ ...o, controls: o.controls.includes(at) ? [at] : [] }})) }});
    }}"""
