"""One-time codes by time: which one to type now, and where."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio

from remit.browser import CodeTarget, Observation
from remit.contract import Secret

if TYPE_CHECKING:
    from collections.abc import Container

    from remit.vault import Credential

MARGIN_S = 7.0
"""A code that stays current for fewer seconds is not typed: typing, sending and slow clocks take time, too."""
MOST_CODES = 2
"""One code, and after its rejection one more, of another moment."""


@dataclass(frozen=True, slots=True)
class CodeGoal:
    """The form that asks for a code, the observation it can be filled in, and the code for it."""

    seen: Observation
    target: CodeTarget
    code: Secret


def code_length(credential: Credential) -> int:
    """How many characters the credential's own codes have.

    Raises:
        VaultError: BAD_TOTP, the credential makes none.
    """
    from remit.vault import totp_now

    return len(totp_now(credential, time.time)[0].reveal())


def takes_code(seen: Observation, target: CodeTarget, length: int) -> bool:
    """Whether the form has room for a code of this length."""
    if len(target.boxes) > 1:
        return len(target.boxes) == length
    frame = next(frame for frame in seen.frames if frame.index == target.frame)
    room = frame.controls[target.boxes[0]].maxlength
    return room is None or room <= 0 or room >= length


async def fresh_code(credential: Credential, used: Container[str]) -> Secret:
    """A code that was not typed before and stays current long enough; waits for the next one where needed.

    Raises:
        VaultError: BAD_TOTP, the credential has no such secret.
    """
    from remit.vault import totp_now

    while True:
        code, left = totp_now(credential, time.time)
        if left >= MARGIN_S and code.reveal() not in used:
            return code
        await anyio.sleep(left + 0.05)
