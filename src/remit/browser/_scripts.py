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
    """Observe again and tell of the one control whose element is `seen.elements[index]`."""
    return f"""([seen, index]) => {{
      const only = seen.elements[index];
      return only && only.isConnected ? ({script("observe")})({{ content: false, only }}).json : null;
    }}"""
