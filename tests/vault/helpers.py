"""What the vault's tests share: settings of a folder of their own, and a credential to store."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from remit.contract import Origin, Secret
from remit.settings import Settings
from remit.vault import NewCredential

Key = Literal["auto", "keyring", "file", "passphrase"]

SITE = Origin.of("https://portal.example")
TOTP = "JBSWY3DPEHPK3PXP"


def settings_in(folder: Path, key: Key = "file") -> Settings:
    return Settings(vault_dir=folder / "vault", vault_key=key)


def credential(
    *,
    label: str = "Supplier portal",
    origins: tuple[Origin, ...] = (SITE,),
    login_url: str | None = None,
    username: str = "alice",
    password: str = "correct horse",
    totp: str | None = None,
    session_cookies: tuple[str, ...] = (),
    keep_session: bool = False,
) -> NewCredential:
    return NewCredential(
        label=label,
        origins=origins,
        login_url=login_url,
        username=Secret(username),
        password=Secret(password),
        totp=Secret(totp) if totp is not None else None,
        session_cookies=session_cookies,
        keep_session=keep_session,
    )
