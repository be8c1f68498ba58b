from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from remit.cli._vault import vault_app
from remit.contract import Reason
from remit.settings import Settings
from remit.vault import Credential, Vault

_TOTP = "JBSWY3DPEHPK3PXP"
_MAIN = "from remit.cli._vault import vault_app; vault_app()"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REMIT_VAULT_DIR", str(tmp_path / "vault"))
    monkeypatch.setenv("REMIT_VAULT_KEY", "file")
    monkeypatch.delenv("REMIT_VAULT_PASSPHRASE", raising=False)
    return tmp_path / "vault"


def _run(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(vault_app, list(arguments), input=typed)


def _only() -> Credential:
    vault = Vault.open(Settings())
    (info,) = vault.list()
    return vault.get(info.id)


def test_add_reads_lines_when_input_is_no_terminal() -> None:
    ran = _run(
        *("add", "--url", "https://portal.example:8443/start?x=1", "--label", "Portal", "--totp", "--keep-session"),
        *(
            "--login-url",
            "https://sso.example/in",
            "--origin",
            "https://sso.example",
            "--cookie",
            "sid",
            "--cookie",
            "t",
        ),
        typed=f"alice\r\n correct horse \n{_TOTP}\n",
    )
    stored = _only()
    assert stored.totp is not None
    assert (ran.exit_code, ran.stderr) == (0, "")
    assert ran.stdout == f"Stored as {stored.id} for https://sso.example, https://portal.example:8443.\n"
    assert (stored.username.reveal(), stored.password.reveal(), stored.totp.reveal()) == (
        "alice",
        " correct horse ",
        _TOTP,
    )
    assert (stored.label, stored.login_url) == ("Portal", "https://sso.example/in")
    assert (stored.session_cookies, stored.keep_session) == (("sid", "t"), True)


def test_add_takes_an_empty_user_name_and_names_the_credential_by_its_host() -> None:
    assert _run("add", "--login-url", "https://portal.example/in", typed="\npw").exit_code == 0
    assert (_only().username.reveal(), _only().password.reveal(), _only().label) == ("", "pw", "portal.example")
    assert _only().totp is None


@pytest.mark.parametrize(
    ("arguments", "typed", "reason"),
    [
        (["--url", "https://a.example"], "only-a-user\n", Reason.BAD_CREDENTIAL),
        (["--url", "https://a.example", "--login-url", "https://b.example/in"], "u\npw\n", Reason.BAD_CREDENTIAL),
        (["--url", "https://a.example", "--totp"], "u\npw\n0189\n", Reason.BAD_TOTP),
        (["--url", "ftp://a.example"], "u\npw\n", Reason.BAD_ADDRESS),
        ([], "u\npw\n", Reason.BAD_ADDRESS),
    ],
)
def test_what_cannot_be_stored_is_one_sentence_on_stderr(arguments: list[str], typed: str, reason: Reason) -> None:
    ran = _run("add", *arguments, typed=typed)
    assert (ran.exit_code, ran.stdout, ran.stderr) == (1, "", reason.sentence + "\n")
    assert Vault.open(Settings()).list() == []


def test_list_shows_metadata_only() -> None:
    assert "No credentials are stored" in _run("list").stdout
    _run(
        "add",
        "--url",
        "https://a.example",
        "--label",
        "[red]My[/red] site",
        "--totp",
        typed=f"u-canary\np-canary\n{_TOTP}",
    )
    shown, plain = _run("list"), _run("list", "--json")
    (entry,) = json.loads(plain.stdout)
    assert entry == {
        "id": _only().id,
        "label": "[red]My[/red] site",
        "origins": ["https://a.example"],
        "has_totp": True,
        "keep_session": False,
        "created_at": _only().created_at.isoformat(timespec="seconds"),
    }
    for text in (_only().id, "[red]My[/red] site", "https://a.example"):
        assert text in shown.stdout
    for secret in ("u-canary", "p-canary", _TOTP):
        assert secret not in shown.stdout + plain.stdout


def test_remove_asks_first() -> None:
    _run("add", "--url", "https://a.example", typed="u\npw\n")
    kept = _run("remove", _only().id, typed="n\n")
    assert kept.exit_code == 1
    assert _only().label == "a.example"
    assert _run("remove", _only().id, typed="y\n").exit_code == 0
    assert Vault.open(Settings()).list() == []


def test_remove_with_yes_asks_nothing_and_knows_what_it_does_not_know() -> None:
    _run("add", "--url", "https://a.example", typed="u\npw\n")
    gone = _only().id
    assert _run("remove", gone, "--yes").stdout == f"Removed {gone}.\n"
    again = _run("remove", gone, "--yes")
    assert (again.exit_code, again.stdout, again.stderr) == (1, "", Reason.UNKNOWN_CREDENTIAL.sentence + "\n")


def test_a_vault_that_does_not_open_is_one_sentence_on_stderr(folder: Path) -> None:
    _run("add", "--url", "https://a.example", typed="u\npw\n")
    (folder / "master.key").unlink()
    for arguments in (["list"], ["list", "--json"], ["remove", "cred_1", "-y"], ["add", "--url", "https://a.example"]):
        ran = _run(*arguments, typed="u\npw\n")
        assert (ran.exit_code, ran.stdout, ran.stderr) == (1, "", Reason.VAULT_LOCKED.sentence + "\n")


class _Terminal:
    """A real terminal with `remit vault` in it; what it shows includes what it echoes."""

    def __init__(self, *arguments: str) -> None:
        self._ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-c", _MAIN, *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        self.shown = ""

    def answer(self, prompt: str, typed: str) -> None:
        """Wait for a prompt and type at once, as a script does: by then nothing may be echoed."""
        start = len(self.shown)
        while prompt not in self.shown[start:]:
            assert self._more(), self.shown
        os.write(self._ours, typed.encode() + b"\n")

    def end(self) -> int:
        while self._more():
            pass
        os.close(self._ours)
        return self.process.wait(20)

    def _more(self) -> bool:
        ready, _, _ = select.select([self._ours], [], [], 20)
        try:
            data = os.read(self._ours, 4096) if ready else b""
        except OSError:  # Linux says so when the last process has closed the terminal.
            return False
        self.shown += data.decode()
        return bool(data)


@pytest.fixture
def closing() -> Iterator[list[_Terminal]]:
    terminals: list[_Terminal] = []
    yield terminals
    for terminal in terminals:
        if terminal.process.poll() is None:
            terminal.process.kill()
            terminal.process.wait()


def test_at_a_terminal_nothing_typed_is_shown(closing: list[_Terminal], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REMIT_VAULT_KEY", "passphrase")
    terminal = _Terminal("add", "--url", "https://a.example", "--totp")
    closing.append(terminal)
    terminal.answer("User name", "u-canary")
    terminal.answer("Password", "p-canary")
    terminal.answer("Again", "other-canary")
    terminal.answer("Password", "p-canary")
    terminal.answer("Again", "p-canary")
    terminal.answer("One-time", _TOTP)
    terminal.answer("New passphrase", "k-canary")
    terminal.answer("Again", "k-canary")
    assert terminal.end() == 0, terminal.shown
    assert "Stored as cred_" in terminal.shown
    assert "canary" not in terminal.shown
    assert _TOTP not in terminal.shown

    monkeypatch.setenv("REMIT_VAULT_PASSPHRASE", "k-canary")
    assert (_only().username.reveal(), _only().password.reveal()) == ("u-canary", "p-canary")
