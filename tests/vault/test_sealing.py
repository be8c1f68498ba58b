from __future__ import annotations

import pytest

from remit.vault import VaultError
from remit.vault._sealing import Seal


def test_a_part_opens_only_as_what_it_was_sealed_as() -> None:
    seal = Seal(bytes(32))
    sealed = seal.close(b"text", "session", "cred_1")
    assert seal.open(sealed, "session", "cred_1") == b"text"
    for identity in (("session", "cred_2"), ("cooldown", "cred_1"), ("sessionc", "red_1"), ("session",), ()):
        with pytest.raises(VaultError, match="vault_tampered"):
            seal.open(sealed, *identity)


def test_a_part_opens_only_under_its_key_and_whole() -> None:
    sealed = Seal(bytes(32)).close(b"text", "x")
    for key, part in ((b"1" * 32, sealed), (bytes(32), sealed[:-1]), (bytes(32), sealed[:5]), (bytes(32), b"")):
        with pytest.raises(VaultError, match="vault_tampered"):
            Seal(key).open(part, "x")


def test_sealing_twice_gives_different_bytes_of_equal_rough_size() -> None:
    seal = Seal(bytes(32))
    parts = [seal.close(b"x" * length, "x") for length in (0, 0, 1, 254)]
    assert len(set(parts)) == 4
    assert {len(part) for part in parts} == {12 + 255 + 16}
