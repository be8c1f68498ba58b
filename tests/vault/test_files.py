from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from remit.contract import Reason
from remit.vault import KeyKind, Vault, VaultError, VaultStatus, status

from .helpers import credential, settings_in


def _made(tmp_path: Path) -> Path:
    Vault.open(settings_in(tmp_path)).add(credential())
    return settings_in(tmp_path).vault_dir


def _reason(tmp_path: Path) -> Reason:
    with pytest.raises(VaultError) as refused:
        Vault.open(settings_in(tmp_path)).add(credential())
    return refused.value.reason


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_folder_and_files_are_private_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        folder = _made(tmp_path)
    finally:
        os.umask(before)
    assert _mode(folder) == 0o700
    assert {path.name: _mode(path) for path in folder.iterdir()} == dict.fromkeys(
        ["vault", "lock", "master.key"], 0o600
    )


@pytest.mark.parametrize("name", [".", "vault", "master.key", "lock"])
@pytest.mark.parametrize("more", [0o040, 0o004, 0o020])
def test_what_others_may_use_is_refused(tmp_path: Path, name: str, more: int) -> None:
    path = _made(tmp_path) / name
    path.chmod(_mode(path) | more)
    assert _reason(tmp_path) is Reason.VAULT_UNSAFE
    assert _mode(path) & more


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
@pytest.mark.parametrize("name", [".", "vault", "master.key", "lock"])
def test_what_another_user_owns_is_refused(tmp_path: Path, name: str) -> None:
    os.chown(_made(tmp_path) / name, 65534, -1)
    assert _reason(tmp_path) is Reason.VAULT_UNSAFE


def test_links_and_pipes_in_the_place_of_files_are_refused(tmp_path: Path) -> None:
    folder = _made(tmp_path)
    (folder / "vault").rename(tmp_path / "elsewhere")
    (folder / "vault").symlink_to(tmp_path / "elsewhere")
    assert _reason(tmp_path) is Reason.VAULT_UNSAFE
    (folder / "vault").unlink()
    os.mkfifo(folder / "vault", 0o600)
    assert _reason(tmp_path) is Reason.VAULT_UNSAFE


def test_an_empty_folder_is_made_private_and_a_used_open_one_refused(tmp_path: Path) -> None:
    folder = settings_in(tmp_path).vault_dir
    folder.mkdir(mode=0o755)
    (folder / "holiday.jpg").touch()
    assert _reason(tmp_path) is Reason.VAULT_UNSAFE
    (folder / "holiday.jpg").unlink()
    _made(tmp_path)
    assert _mode(folder) == 0o700


def test_a_place_that_is_no_folder_is_unreadable_and_told_by_status(tmp_path: Path) -> None:
    settings_in(tmp_path).vault_dir.touch(mode=0o600)
    assert _reason(tmp_path) is Reason.VAULT_UNREADABLE
    assert status(settings_in(tmp_path)) == VaultStatus(None, True, None, Reason.VAULT_UNREADABLE)


def test_status_of_nothing_makes_nothing(tmp_path: Path) -> None:
    assert status(settings_in(tmp_path)) == VaultStatus(KeyKind.FILE, False, 0, None)
    assert list(tmp_path.iterdir()) == []
