"""What somebody may do who can write the folder and knows the format, but not the key."""

from __future__ import annotations

import hashlib
import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from remit.contract import Reason
from remit.settings import Settings
from remit.vault import Vault, VaultError, status

from .helpers import credential, settings_in

Edit = Callable[[dict[str, Any], dict[str, Any]], None]


def _file(configuration: Settings) -> Path:
    return configuration.vault_dir / "vault"


def _parts(data: bytes) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(data.partition(b"\n")[2])
    return document


def _write(path: Path, document: dict[str, Any]) -> None:
    """Like an attacker who puts the checksum right again."""
    body = json.dumps(document).encode()
    path.write_bytes(b"remit-vault 1 " + hashlib.sha256(body).hexdigest().encode() + b"\n" + body)


def _reason(configuration: Settings) -> Reason:
    with pytest.raises(VaultError) as refused:
        Vault.open(configuration)
    assert status(configuration).problem is refused.value.reason
    return refused.value.reason


def _stored(tmp_path: Path) -> tuple[Settings, bytes, bytes]:
    """A vault, with its file at an earlier moment and now."""
    configuration = settings_in(tmp_path)
    vault = Vault.open(configuration)
    vault.add(credential())
    vault.put_private("session", "cred_1", b"old")
    earlier = _file(configuration).read_bytes()
    vault.put_private("session", "cred_1", b"new")
    return configuration, earlier, _file(configuration).read_bytes()


def test_any_flipped_byte_is_tampering(tmp_path: Path) -> None:
    configuration, _, data = _stored(tmp_path)
    positions = random.Random(1).sample(range(len(data)), 150) + list(range(90)) + [len(data) - 1]
    for position in positions:
        changed = bytearray(data)
        changed[position] ^= 1 << (position % 8)
        _file(configuration).write_bytes(changed)
        with pytest.raises(VaultError) as refused:
            Vault.open(configuration)
        assert refused.value.reason is Reason.VAULT_TAMPERED, position


def test_a_truncated_file_is_tampering(tmp_path: Path) -> None:
    configuration, _, data = _stored(tmp_path)
    for length in (0, 1, 40, 80, len(data) // 2, len(data) - 1):
        _file(configuration).write_bytes(data[:length])
        assert _reason(configuration) is Reason.VAULT_TAMPERED


def _swap_entries(now: dict[str, Any], earlier: dict[str, Any]) -> None:
    first, second, *_ = now["entries"]
    now["entries"][first], now["entries"][second] = now["entries"][second], now["entries"][first]


def _delete_entry(now: dict[str, Any], earlier: dict[str, Any]) -> None:
    now["entries"].popitem()


def _rename_entry(now: dict[str, Any], earlier: dict[str, Any]) -> None:
    now["entries"]["0123456789abcdef"] = now["entries"].popitem()[1]


def _copy_entry(now: dict[str, Any], earlier: dict[str, Any]) -> None:
    now["entries"]["0123456789abcdef"] = next(iter(now["entries"].values()))


def _replay_entry(now: dict[str, Any], earlier: dict[str, Any]) -> None:
    """The last entry of both is the private record."""
    now["entries"][list(now["entries"])[-1]] = list(earlier["entries"].values())[-1]


def _roll_back_index(now: dict[str, Any], earlier: dict[str, Any]) -> None:
    now["index"] = earlier["index"]


def _index_as_entry(now: dict[str, Any], earlier: dict[str, Any]) -> None:
    now["index"] = next(iter(now["entries"].values()))


def _drop_everything(now: dict[str, Any], earlier: dict[str, Any]) -> None:
    now["entries"] = {}


def _flip_in_entry(now: dict[str, Any], earlier: dict[str, Any]) -> None:
    name = next(iter(now["entries"]))
    text = now["entries"][name]
    now["entries"][name] = text[:40] + ("A" if text[40] != "A" else "B") + text[41:]


def _unknown_member(now: dict[str, Any], earlier: dict[str, Any]) -> None:
    now["more"] = 1


@pytest.mark.parametrize(
    "edit",
    [
        _swap_entries,
        _delete_entry,
        _rename_entry,
        _copy_entry,
        _replay_entry,
        _roll_back_index,
        _index_as_entry,
        _drop_everything,
        _flip_in_entry,
        _unknown_member,
    ],
)
def test_parts_that_do_not_belong_together_are_tampering_even_with_a_right_checksum(tmp_path: Path, edit: Edit) -> None:
    configuration, earlier, now = _stored(tmp_path)
    document = _parts(now)
    edit(document, _parts(earlier))
    _write(_file(configuration), document)
    assert _reason(configuration) is Reason.VAULT_TAMPERED


def test_putting_the_right_parts_back_opens_it_again(tmp_path: Path) -> None:
    """Proof that the edits above fail for what they edit, not for how they write."""
    configuration, _, now = _stored(tmp_path)
    _write(_file(configuration), _parts(now))
    assert Vault.open(configuration).get_private("session", "cred_1") == b"new"


def test_an_index_and_entries_of_another_vault_are_tampering(tmp_path: Path) -> None:
    configuration, _, now = _stored(tmp_path / "one")
    _, _, theirs = _stored(tmp_path / "two")
    document = _parts(theirs) | {"header": _parts(now)["header"]}
    _write(_file(configuration), document)
    assert _reason(configuration) is Reason.VAULT_TAMPERED


def test_an_open_vault_notices_that_the_whole_file_was_put_back_or_taken_away(tmp_path: Path) -> None:
    configuration, earlier, now = _stored(tmp_path)
    vault = Vault.open(configuration)
    _file(configuration).write_bytes(earlier)
    with pytest.raises(VaultError, match="vault_tampered"):
        vault.list()
    _file(configuration).unlink()
    with pytest.raises(VaultError, match="vault_tampered"):
        vault.add(credential())
    _file(configuration).write_bytes(now)
    os.chmod(_file(configuration), 0o600)
    assert len(vault.list()) == 1


def test_a_header_cannot_ask_for_all_memory(tmp_path: Path) -> None:
    configuration, _, now = _stored(tmp_path)
    document = _parts(now)
    document["header"]["lock"] |= {
        "kind": "passphrase",
        "stretching": {"salt": "A" * 22 + "==", "memory_kib": 2**31, "passes": 1, "lanes": 1},
    }
    _write(_file(configuration), document)
    assert _reason(settings_in(tmp_path, "auto")) is Reason.VAULT_TAMPERED
