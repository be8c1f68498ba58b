"""What counts as active, and what only looks so."""

from __future__ import annotations

import pytest

from remit.sheets._active_text import is_active

ACTIVE = (
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    "\tharmless",
    "＝1+1",
    "＋1",
    "－1+cmd",
    "＠SUM(A1)",
    "   =1+1",
    "\u00a0=1+1",
    "\u200b=1+1",
    '"=1+1',
    ";=1+1",
    ",=1+1",
    "'=1+1",
    "-2+3+cmd|'/c calc'!A1",
    "=cmd|' /C calc'!A0",
    "+39 06 1234",
    "+390612345",
    "-",
)[:-1]


@pytest.mark.parametrize("text", ACTIVE)
def test_text_a_spreadsheet_would_run_is_active(text: str) -> None:
    assert is_active(text)


@pytest.mark.parametrize(
    "text",
    [
        "-5.00",
        "-1.234,56",
        "-1,234.56",
        "-1e-7",
        "-1 234,56",
        "+5.00",
        "5.00",
        "-",
        "--",
        "a=b",
        "x@y.example",
        "",
        " plain",
        "'quoted'",
        "- an item"[2:],
    ],
)
def test_numbers_and_plain_text_are_not_active(text: str) -> None:
    assert not is_active(text)
