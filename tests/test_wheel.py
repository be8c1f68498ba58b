"""The wheel holds everything a machine without the checkout needs."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_wheel_carries_manifests_data_and_the_demo(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(tmp_path), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    names = set(zipfile.ZipFile(next(tmp_path.glob("*.whl"))).namelist())
    manifests = {f"remit/_manifests/{path.name}" for path in (ROOT / "manifests").glob("*.toml")}
    data = {
        f"remit/{path.relative_to(ROOT / 'src' / 'remit')}"
        for path in (ROOT / "src" / "remit").rglob("*")
        if path.is_file() and path.suffix in (".toml", ".js", ".txt", ".json", ".npz", ".typed")
    }
    assert manifests | data <= names
    assert {"remit/_portal/__main__.py", "remit/_client_examples/plain_client.py", "remit/py.typed"} <= names
    assert not {name for name in names if name.startswith(("tests/", "remit/tests"))}
