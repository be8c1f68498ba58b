"""No piece of a credential is found where it should not be, in any coat."""

from __future__ import annotations

import base64
import logging
import traceback
from pathlib import Path
from urllib.parse import quote

import pytest

from remit.contract import Origin
from remit.vault import Vault, VaultError

from .helpers import credential, settings_in

_LABEL, _SITE, _USER, _PASSWORD, _TOTP = (
    "Kanarienvogel Ü",
    "kanari-site",
    "kanari@user ü",
    "kan/ari+pass wörd",
    "MFRGGZDFMZTWQ2LK",
)
_COOKIE, _PATH = "kanari_sid", "kanari-entry"
_CANARIES = (_LABEL, _SITE, _USER, _PASSWORD, _TOTP, _COOKIE, _PATH)


def _coats(canary: str) -> set[bytes]:
    """Plain, URL-encoded, hex, and base64 at each of the three alignments without its unstable ends."""
    raw = canary.encode()
    coats = {
        raw,
        canary.encode("utf-16-le"),
        quote(canary, safe="").encode(),
        raw.hex().encode(),
        raw.hex().upper().encode(),
    }
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        coats |= {encode(b"\0" * shift + raw)[4:-4] for shift in range(3)}
    return coats | {base64.b32encode(raw)[:-8], canary.encode("unicode_escape")}


def _found(data: bytes) -> set[str]:
    return {canary for canary in _CANARIES for coat in _coats(canary) if coat in data}


def _store(tmp_path: Path) -> tuple[Vault, str]:
    origin = Origin.of(f"https://{_SITE}.example")
    vault = Vault.open(settings_in(tmp_path))
    info = vault.add(
        credential(
            label=_LABEL,
            origins=(origin,),
            login_url=f"https://{_SITE}.example/{_PATH}",
            username=_USER,
            password=_PASSWORD,
            totp=_TOTP,
            session_cookies=(_COOKIE,),
        )
    )
    vault.put_private(_LABEL, _USER, _PASSWORD.encode())
    return vault, info.id


def test_the_search_itself_finds_canaries() -> None:
    for canary in _CANARIES:
        for coat in (canary.encode(), quote(canary, safe="").encode(), canary.encode().hex().encode()):
            assert _found(b"..." + coat + b"...") == {canary}
        for shift in range(3):
            assert canary in _found(base64.b64encode(b"x" * shift + canary.encode() + b"tail"))


def test_no_file_and_no_file_name_shows_anything(tmp_path: Path) -> None:
    _store(tmp_path)
    paths = list(tmp_path.rglob("*"))
    assert len(paths) == 4
    for path in paths:
        assert _found(path.name.encode()) == set()
        if path.is_file():
            data = path.read_bytes()
            assert _found(data) == set()
            assert _found(base64.urlsafe_b64decode(data.translate(None, b'{}":,\n .') + b"==")) == set()


def test_no_repr_shows_anything(tmp_path: Path) -> None:
    vault, credential_id = _store(tmp_path)
    things = (vault, vault.get(credential_id), vault.list(), vault.get(credential_id).username)
    for thing in things:
        for shown in (repr(thing), str(thing), f"{thing}", f"{thing!r}"):
            assert _found(shown.encode()) == set()


def _everything_about(error: BaseException) -> bytes:
    """All that a handler that ignores `from None` could print, also the causes it hides."""
    told, current = "", error
    while True:
        told += "".join(traceback.format_exception(current)) + repr(current) + str(current.args)
        following = current.__cause__ or current.__context__
        if following is None:
            return told.encode()
        current = following


def test_no_error_shows_anything(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    vault, credential_id = _store(tmp_path)
    file = settings_in(tmp_path).vault_dir / "vault"
    data = file.read_bytes()
    errors: list[VaultError] = []

    def collect(*changes: dict[str, str]) -> None:
        for change in changes:
            with pytest.raises(VaultError) as refused:
                credential(**({"label": _LABEL, "username": _USER, "password": _PASSWORD} | change))  # type: ignore[arg-type]
            errors.append(refused.value)

    collect({"login_url": f"ftp://{_SITE}/{_PATH}"}, {"totp": _PASSWORD}, {"totp": f"otpauth://totp/{_USER}?secret=1"})
    for damage in (data[:-9], data.replace(b"header", b"Header")):
        file.write_bytes(damage)
        with pytest.raises(VaultError) as refused:
            vault.get(credential_id)
        errors.append(refused.value)
    for error in errors:
        # The source lines of this very test are in its traceback; the values are not.
        assert _found(_everything_about(error)) == set()
    assert _found(caplog.text.encode()) == set()
