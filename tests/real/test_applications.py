"""All real applications, for `pytest -m real` with APPS naming their folder; `make real` prints the table instead."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

APPS = os.environ.get("APPS")
NAMES = sorted(path.parent.name for path in Path(APPS).glob("*/app.toml")) if APPS else []


@pytest.mark.real
@pytest.mark.skipif(not APPS, reason="APPS names no folder of applications")
@pytest.mark.parametrize("name", NAMES)
def test_remit_signs_in_as_expected_and_nothing_leaks(name: str) -> None:
    command = [sys.executable, "-m", "tests.real", name, "--report", "--no-reference"]
    done = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
