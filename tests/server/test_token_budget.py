"""What the tools cost a planner before it has done anything: characters / 4."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from .conversations import environment

MODEL_TOKENS, LIST_TOKENS = 100, 300


def test_the_catalogue_stays_within_its_budget(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "remit", "tools", "--json"]
    shown = subprocess.run(command, env=environment(tmp_path), capture_output=True, text=True, check=True, timeout=60)
    answer = json.loads(shown.stdout)
    count = len(answer["tools"])
    assert count >= 7
    assert answer["model_tokens"] <= MODEL_TOKENS * count
    assert answer["list_tokens"] <= LIST_TOKENS * count
    assert answer["model_tokens"] == sum(tool["model_tokens"] for tool in answer["tools"])
