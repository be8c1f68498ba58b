from __future__ import annotations

import subprocess
import sys

import remit.browser


def test_every_public_name_is_there() -> None:
    assert all(getattr(remit.browser, name) is not None for name in remit.browser.__all__)


def test_observations_do_without_playwright() -> None:
    script = "import sys, remit.browser; remit.browser.Observation; sys.exit('playwright' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
