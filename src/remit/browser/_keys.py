"""Real key events, sent without waiting for each before the next: a page sees the same, in a third of the time.

A press is a key that goes down with its text and up again, as Playwright's `keyboard.type` sends them one by one; what
no key of a US keyboard types is inserted as text, as an input method does.
"""

from __future__ import annotations

import asyncio
from typing import Any

from playwright.async_api import CDPSession

_PRINTABLE = (
    *((f"Key{letter}", ord(letter), letter + letter.lower()) for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    *(
        (f"Digit{digit}", ord(digit), digit + shifted)
        for digit, shifted in zip("0123456789", ")!@#$%^&*(", strict=True)
    ),
    ("Space", 32, " "),
    ("Semicolon", 186, ";:"),
    ("Equal", 187, "=+"),
    ("Comma", 188, ",<"),
    ("Minus", 189, "-_"),
    ("Period", 190, ".>"),
    ("Slash", 191, "/?"),
    ("Backquote", 192, "`~"),
    ("BracketLeft", 219, "[{"),
    ("Backslash", 220, "\\|"),
    ("BracketRight", 221, "]}"),
    ("Quote", 222, "'\""),
)
_CODES = {character: (code, key) for code, key, characters in _PRINTABLE for character in characters}
"""`code` (UI Events KeyboardEvent code Values) and the virtual key of each character on a US keyboard."""


async def type_keys(client: CDPSession, text: str) -> None:
    """Type into what has the focus. Raises PlaywrightError when the page is gone."""
    sent = await asyncio.gather(
        *(client.send(method, parameters) for character in text for method, parameters in _presses(character)),
        return_exceptions=True,
    )
    for answer in sent:
        if isinstance(answer, BaseException):
            raise answer


def _presses(character: str) -> list[tuple[str, dict[str, Any]]]:
    known = _CODES.get(character)
    if known is None:
        return [("Input.insertText", {"text": character})]
    key = {"key": character, "code": known[0], "windowsVirtualKeyCode": known[1]}
    down = {"type": "keyDown", "text": character, "unmodifiedText": character, **key}
    return [("Input.dispatchKeyEvent", down), ("Input.dispatchKeyEvent", {"type": "keyUp", **key})]
