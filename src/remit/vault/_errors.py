"""What can go wrong at the vault's door."""

from __future__ import annotations

from remit.contract import RemitError


class VaultError(RemitError):
    """The vault refused. `reason` is one of:

    vault_locked         no key: not in the keyring, no key file, no passphrase given
    vault_wrong_key      there is a key, and it does not open this vault
    vault_tampered       the file was damaged, edited, mixed with older parts, or replaced while open
    vault_unsafe         somebody else may read it, or owns it
    vault_unreadable     the operating system could not read or write it
    unknown_credential   no such id
    bad_credential       what was to be stored is incomplete or contradicts itself
    bad_totp             the one-time-code secret is missing or none
    """
