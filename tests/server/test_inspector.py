"""The MCP inspector, an independent client, lists the tools and calls one over stdio in both eras."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .conversations import environment

VERSION = "2.12.0"
TOOLS = Path(__file__).parents[2] / ".tools" / f"inspector-{VERSION}"
INSPECTOR = TOOLS / "node_modules" / ".bin" / "mcp-inspector"

pytestmark = pytest.mark.skipif(
    shutil.which("node") is None or shutil.which("npm") is None, reason="node is missing: the inspector cannot run"
)


@pytest.fixture(scope="module")
def inspector() -> Path:
    if not INSPECTOR.exists():
        TOOLS.mkdir(parents=True, exist_ok=True)
        package = f"@modelcontextprotocol/inspector@{VERSION}"
        command = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(TOOLS), package]
        subprocess.run(command, check=True, capture_output=True, timeout=300)
    return INSPECTOR


def inspect(inspector: Path, folder: Path, era: str, *method: str) -> dict[str, object]:
    command = [
        str(inspector),
        "--cli",
        "--protocol-era",
        era,
        sys.executable,
        "-m",
        "remit",
        "serve",
        *method,
    ]
    environ = {
        **environment(folder),
        "HOME": str(folder),
        "MCP_INSPECTOR_SECRET_STORE": "file",
        "PATH": os.environ["PATH"],
    }
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
    answer: dict[str, object] = json.loads(done.stdout)
    return answer


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_the_inspector_lists_the_tools_and_calls_one(inspector: Path, tmp_path: Path, era: str) -> None:
    listed = inspect(inspector, tmp_path, era, "--method", "tools/list")
    assert isinstance(listed["tools"], list)
    assert len(listed["tools"]) >= 7
    called = inspect(
        inspector, tmp_path, era, "--method", "tools/call", "--tool-name", "list_credentials", "--tool-args-json", "{}"
    )
    assert called["structuredContent"] == {"status": "done", "credentials": []}


def test_the_inspector_finds_the_schemas_portable(inspector: Path, tmp_path: Path) -> None:
    assert inspect(inspector, tmp_path, "modern", "--method", "tools/list", "--strict")
