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


@cache
def watch_script() -> str:
    """Watch a document and read it again and again; each look is kept under a number until it is dropped."""
    return f"""() => {{
      const {{ rest, stop }} = ({script("calm")})(), observe = {observe_script()}, kept = new Map();
      let last = 0;
      return {{
        rest, stop,
        at: (number) => kept.get(number),
        see: ({{ content, keep }}) => {{
          for (const number of kept.keys()) if (number !== keep) kept.delete(number);
          const seen = observe({{ content }});
          kept.set(++last, seen);
          return [last, seen.json, self.origin === 'null'];
        }},
      }};
    }}"""
