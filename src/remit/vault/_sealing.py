"""Authenticated encryption: AES-256-GCM, each plaintext bound to what it is."""

from __future__ import annotations

import json
import os

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.padding import PKCS7

from remit.contract import Reason

from ._errors import VaultError

KEY_BYTES = 32
FORMAT = 1
"""Version of the file and of every sealed part; part of each one's associated data."""

_NONCE_BYTES = 12  # NIST SP 800-38D, 8.2.2: random 96-bit nonces serve for 2^32 messages under one key.
_PADDING = PKCS7(2040)  # 255 bytes, the most PKCS #7 can say: the length of a password does not show in the file.


class Seal:
    """Seals and opens under one key. What was sealed as one thing never opens as another."""

    __slots__ = ("_aead",)

    def __init__(self, key: bytes) -> None:
        self._aead = AESGCM(key)

    def close(self, plain: bytes, *identity: str) -> bytes:
        """Nonce and ciphertext of `plain`, good only for the same `identity`."""
        padder, nonce = _PADDING.padder(), os.urandom(_NONCE_BYTES)
        return nonce + self._aead.encrypt(nonce, padder.update(plain) + padder.finalize(), _associated(identity))

    def open(self, sealed: bytes, *identity: str) -> bytes:
        """What `close` was given.

        Raises:
            VaultError: `vault_tampered`: another key, another identity, or changed bytes; they cannot be told apart.
        """
        nonce, ciphertext = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
        try:
            padded = self._aead.decrypt(nonce, ciphertext, _associated(identity))
            unpadder = _PADDING.unpadder()
            return unpadder.update(padded) + unpadder.finalize()
        except (InvalidTag, ValueError):
            raise VaultError(Reason.VAULT_TAMPERED) from None


def _associated(identity: tuple[str, ...]) -> bytes:
    """JSON, so that ("a", "bc") and ("ab", "c") differ."""
    return json.dumps(["remit-vault", FORMAT, *identity]).encode()
