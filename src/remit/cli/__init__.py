"""The command line: `remit serve | call | tools | check | doctor | vault | demo`."""

from ._main import main

__all__ = ["main"]
