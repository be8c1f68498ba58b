"""The command line: `remit serve | call | tools | check | doctor | vault | demo`."""

import sys


def main() -> None:
    """Run the command line. The plain server, which a client waits for, starts without what only people need."""
    if sys.argv[1:] == ["serve"]:
        from ._serve import serve

        serve()
    else:
        from ._main import main as commands

        commands()


__all__ = ["main"]
