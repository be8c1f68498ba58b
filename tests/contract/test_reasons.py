from __future__ import annotations

import ast
from pathlib import Path

from remit.contract import Reason

SOURCE = Path(__file__).parents[2] / "src" / "remit"


def _used_in(path: Path) -> set[str]:
    tree = ast.parse(path.read_text("utf-8"))
    return {
        node.attr for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "Reason"
    }  # fmt: skip


def test_every_reason_is_reached_by_some_code() -> None:
    used = {name for path in SOURCE.rglob("*.py") if path.name != "_reasons.py" for name in _used_in(path)}
    assert {reason.name for reason in Reason} - used == set()
