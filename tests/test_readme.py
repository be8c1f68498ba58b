"""What the README says is so."""

from __future__ import annotations

import re
from pathlib import Path

from remit.contract import Registry, builtin_folder
from remit.settings import Settings

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")


def test_every_make_target_that_is_named_exists() -> None:
    named = set(re.findall(r"\bmake ([a-z]+)\b", README + (ROOT / "AGENTS.md").read_text("utf-8")))
    assert {"demo", "test", "check", "setup", "bench", "corpora", "real"} <= named
    assert named <= set(re.findall(r"^([a-z]+):", MAKEFILE, re.MULTILINE))


def test_the_table_of_tools_is_the_catalogue() -> None:
    named = set(re.findall(r"^\| `(\w+)` \|", README, re.MULTILINE))
    assert set(Registry([builtin_folder()]).published) <= named


def test_every_setting_that_is_named_exists() -> None:
    named = {name.lower() for name in re.findall(r"`REMIT_(\w+)(?:=[^`]*)?`", README)}
    assert named - {"vault_passphrase", "http_token"} <= set(Settings.model_fields)


def test_every_file_that_is_linked_exists() -> None:
    for page in ("README.md", "AGENTS.md", "SECURITY.md", "client_examples/README.md"):
        text = (ROOT / page).read_text("utf-8")
        for target in re.findall(r"\]\(([^)#:]+)\)", text):
            assert ((ROOT / page).parent / target).exists(), f"{page} links to {target}"
