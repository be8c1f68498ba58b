"""The scripts that run in pages, read once."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def script(name: str) -> str:
    """The text of `<name>.js` of this room."""
    return files(__package__).joinpath(f"{name}.js").read_text("utf-8")


@cache
def observe_script() -> str:
    """Observe; what is returned can observe again: `again(index)` tells of the one control of that number, or null."""
    return f"""(options) => {{
      const observe = {script("observe")};
      const seen = observe(options);
      seen.again = (index) => {{
        const only = seen.elements[index];
        return only && only.isConnected ? observe({{ content: false, only }}).json : null;
      }};
      return seen;
    }}"""
