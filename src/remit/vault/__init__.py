"""The one encrypted store of credentials.

It knows no browser and no site. What leaves it is a `Credential`, whose secrets print nothing, or a `CredentialInfo`,
which holds none.
"""

from ._credential import Credential, CredentialInfo, NewCredential, totp_now
from ._errors import VaultError
from ._keys import PASSPHRASE_VARIABLE, KeyKind
from ._status import VaultStatus, status
from ._vault import Vault

__all__ = [
    "PASSPHRASE_VARIABLE",
    "Credential",
    "CredentialInfo",
    "KeyKind",
    "NewCredential",
    "Vault",
    "VaultError",
    "VaultStatus",
    "status",
    "totp_now",
]
