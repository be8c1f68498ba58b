from __future__ import annotations

import base64
import unicodedata
from pathlib import Path

import pytest

from remit.contract import Reason, Secret
from remit.vault import KeyKind, Vault, VaultError, VaultStatus, status

from .conftest import MemoryKeyring
from .helpers import Key, credential, settings_in


def _reason(folder: Path, key: Key = "auto", passphrase: str | None = None) -> Reason:
    with pytest.raises(VaultError) as refused:
        Vault.open(settings_in(folder, key), (lambda: Secret(passphrase)) if passphrase is not None else None)
    return refused.value.reason


def test_headless_the_key_is_a_file(tmp_path: Path) -> None:
    Vault.open(settings_in(tmp_path, "auto")).add(credential())
    assert status(settings_in(tmp_path, "auto")) == VaultStatus(KeyKind.FILE, True, 1, None)


def test_a_real_keyring_is_preferred_to_a_file(tmp_path: Path, memory_keyring: MemoryKeyring) -> None:
    Vault.open(settings_in(tmp_path, "auto")).add(credential())
    assert status(settings_in(tmp_path, "auto")) == VaultStatus(KeyKind.KEYRING, True, 1, None)
    assert len(memory_keyring.kept) == 1
    assert not (settings_in(tmp_path).vault_dir / "master.key").exists()


def test_a_passphrase_in_the_environment_is_preferred_to_both(
    tmp_path: Path, memory_keyring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REMIT_VAULT_PASSPHRASE", "open sesame")
    Vault.open(settings_in(tmp_path, "auto")).add(credential())
    assert status(settings_in(tmp_path, "auto")) == VaultStatus(KeyKind.PASSPHRASE, True, 1, None)
    assert memory_keyring.kept == {}


def test_an_existing_vault_keeps_its_kind(tmp_path: Path, memory_keyring: MemoryKeyring) -> None:
    Vault.open(settings_in(tmp_path, "file")).add(credential())
    assert len(Vault.open(settings_in(tmp_path, "auto")).list()) == 1
    assert memory_keyring.kept == {}


def test_another_kind_than_the_configured_one_does_not_open_it(tmp_path: Path) -> None:
    Vault.open(settings_in(tmp_path, "file")).add(credential())
    assert _reason(tmp_path, "keyring") is Reason.VAULT_WRONG_KEY


def test_two_vaults_have_two_keys_in_the_keyring(tmp_path: Path, memory_keyring: MemoryKeyring) -> None:
    for name in ("one", "two"):
        Vault.open(settings_in(tmp_path / name, "keyring")).add(credential())
    assert len(set(memory_keyring.kept.values())) == 2


def test_a_keyring_that_is_missing_locked_or_emptied_leaves_the_vault_locked(
    tmp_path: Path, memory_keyring: MemoryKeyring
) -> None:
    Vault.open(settings_in(tmp_path, "keyring")).add(credential())
    memory_keyring.locked = True
    assert _reason(tmp_path) is Reason.VAULT_LOCKED
    memory_keyring.locked = False
    memory_keyring.kept.clear()
    assert _reason(tmp_path) is Reason.VAULT_LOCKED
    assert status(settings_in(tmp_path)).problem is Reason.VAULT_WRONG_KEY


def test_without_a_keyring_none_is_made(tmp_path: Path) -> None:
    with pytest.raises(VaultError, match="vault_locked"):
        Vault.open(settings_in(tmp_path, "keyring")).add(credential())
    assert status(settings_in(tmp_path, "keyring")) == VaultStatus(KeyKind.KEYRING, False, 0, None)


def test_another_key_in_the_keyring_is_a_wrong_key(tmp_path: Path, memory_keyring: MemoryKeyring) -> None:
    Vault.open(settings_in(tmp_path, "keyring")).add(credential())
    (name,) = memory_keyring.kept
    for other in (base64.b64encode(bytes(32)).decode(), "short", "ü"):
        memory_keyring.kept[name] = other
        assert _reason(tmp_path) is Reason.VAULT_WRONG_KEY


def test_a_key_file_that_is_gone_locks_and_another_one_is_wrong(tmp_path: Path) -> None:
    Vault.open(settings_in(tmp_path)).add(credential())
    key = settings_in(tmp_path).vault_dir / "master.key"
    for other in (base64.b64encode(bytes(32)), b"", b"\xff" * 32):
        key.write_bytes(other)
        assert _reason(tmp_path) is Reason.VAULT_WRONG_KEY
    key.unlink()
    assert _reason(tmp_path) is Reason.VAULT_LOCKED


def test_a_passphrase_opens_in_any_unicode_form_and_a_wrong_one_does_not(tmp_path: Path) -> None:
    typed = unicodedata.normalize("NFD", "clé du coffre")
    Vault.open(settings_in(tmp_path, "passphrase"), lambda: Secret(typed)).add(credential())
    composed = unicodedata.normalize("NFC", typed)
    assert typed != composed
    assert len(Vault.open(settings_in(tmp_path, "auto"), lambda: Secret(composed)).list()) == 1
    assert _reason(tmp_path, passphrase="cle du coffre") is Reason.VAULT_WRONG_KEY
    assert _reason(tmp_path, passphrase="") is Reason.VAULT_LOCKED
    assert _reason(tmp_path) is Reason.VAULT_LOCKED
    assert status(settings_in(tmp_path, "auto")) == VaultStatus(KeyKind.PASSPHRASE, True, None, Reason.VAULT_LOCKED)


def test_the_passphrase_is_asked_for_once(tmp_path: Path) -> None:
    asked = []

    def ask() -> Secret:
        asked.append(1)
        return Secret("open sesame")

    vault = Vault.open(settings_in(tmp_path, "passphrase"), ask)
    vault.add(credential())
    vault.add(credential())
    assert len(vault.list()) == 2
    assert len(asked) == 1


def test_a_vault_whose_making_failed_can_be_made_afterwards(tmp_path: Path) -> None:
    answers = [Secret(""), Secret("open sesame")]
    vault = Vault.open(settings_in(tmp_path, "passphrase"), lambda: answers.pop(0))
    with pytest.raises(VaultError, match="vault_locked"):
        vault.add(credential())
    vault.add(credential())
    assert len(vault.list()) == 1
