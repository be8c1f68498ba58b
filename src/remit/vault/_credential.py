"""A credential: what a person gives, what is kept, and what may be told about it."""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Self

from pydantic import BaseModel, ConfigDict, Field

from remit.contract import AddressError, Origin, Reason, Secret

from ._errors import VaultError
from ._totp import check_totp, code_at


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCredential:
    """A credential to be stored.

    Attributes:
        label: what its owner calls it; one line.
        origins: the exact origins where it may be typed; at least one.
        login_url: where signing in begins, on one of the origins; None when it is to be found.
        username: empty for a site that asks for a password only.
        totp: a base32 secret or an `otpauth://totp` address; None when Remit is not to make codes.
        session_cookies: names of the cookies whose change proves a sign-in.
        keep_session: the signed-in browser state may be kept, encrypted, between runs.

    Raises:
        VaultError: `bad_credential` or `bad_totp`.
    """

    label: str = field(repr=False)
    origins: tuple[Origin, ...] = field(repr=False)
    username: Secret
    password: Secret
    login_url: str | None = field(default=None, repr=False)
    totp: Secret | None = None
    session_cookies: tuple[str, ...] = field(default=(), repr=False)
    keep_session: bool = False

    def __post_init__(self) -> None:
        texts = (
            self.label,
            self.username.reveal(),
            self.password.reveal(),
            self.login_url or "",
            *self.session_cookies,
        )
        complete = _is_line(self.label) and self.origins and self.password.reveal()
        if not complete or not all(map(_is_text, texts)):
            raise VaultError(Reason.BAD_CREDENTIAL)
        if self.login_url is not None and not _is_on(self.login_url, self.origins):
            raise VaultError(Reason.BAD_CREDENTIAL)
        if self.totp is not None:
            check_totp(self.totp)


@dataclass(frozen=True, slots=True, kw_only=True)
class CredentialInfo:
    """All that may be listed. Neither the user name nor anything that helps to guess a password."""

    id: str
    label: str = field(repr=False)
    origins: tuple[Origin, ...] = field(repr=False)
    has_totp: bool
    keep_session: bool
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Credential(NewCredential):
    """A stored credential, opened for use. `id` is random; it says nothing about the content."""

    id: str
    created_at: datetime


def totp_now(credential: Credential, clock: Callable[[], float]) -> tuple[Secret, float]:
    """The current one-time code and the seconds for which it stays current.

    Digits, period and algorithm are those of the stored address (RFC 6238's defaults for a bare secret). `clock` gives
    Unix seconds, as `time.time` does. A caller who sees too few seconds left waits for the next code.

    Raises:
        VaultError: `bad_totp`, if the credential has no such secret.
    """
    if credential.totp is None:
        raise VaultError(Reason.BAD_TOTP)
    return code_at(credential.totp, clock)


class _Public(BaseModel):
    """The half of a credential that is read to list it. Sealed like all else."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    label: str = Field(repr=False)
    origins: tuple[str, ...] = Field(repr=False)
    login_url: str | None = Field(repr=False)
    session_cookies: tuple[str, ...] = Field(repr=False)
    has_totp: bool
    keep_session: bool
    created_at: datetime


class _Hidden(BaseModel):
    """The half that is read only to sign in."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    username: str = Field(repr=False)
    password: str = Field(repr=False)
    totp: str | None = Field(repr=False)


@dataclass(frozen=True, slots=True)
class Halves:
    """A credential as bytes: what listing reads, and what only signing in reads."""

    public: bytes = field(repr=False)
    hidden: bytes = field(repr=False)

    @classmethod
    def of(cls, new: NewCredential) -> Self:
        """Split a new credential, dated now."""
        public = _Public(
            label=new.label,
            origins=tuple(dict.fromkeys(map(str, new.origins))),
            login_url=new.login_url,
            session_cookies=new.session_cookies,
            has_totp=new.totp is not None,
            keep_session=new.keep_session,
            created_at=datetime.now(UTC),
        )
        hidden = _Hidden(
            username=new.username.reveal(),
            password=new.password.reveal(),
            totp=new.totp.reveal() if new.totp else None,
        )
        return cls(public.model_dump_json().encode(), hidden.model_dump_json().encode())

    def whole(self, credential_id: str) -> Credential:
        """The credential again."""
        public, hidden = _Public.model_validate_json(self.public), _Hidden.model_validate_json(self.hidden)
        return Credential(
            id=credential_id,
            label=public.label,
            origins=tuple(map(Origin.of, public.origins)),
            login_url=public.login_url,
            username=Secret(hidden.username),
            password=Secret(hidden.password),
            totp=Secret(hidden.totp) if hidden.totp is not None else None,
            session_cookies=public.session_cookies,
            keep_session=public.keep_session,
            created_at=public.created_at,
        )


def info_of(credential_id: str, public_half: bytes) -> CredentialInfo:
    """What may be listed of a credential, without opening its other half."""
    public = _Public.model_validate_json(public_half)
    return CredentialInfo(
        id=credential_id,
        label=public.label,
        origins=tuple(map(Origin.of, public.origins)),
        has_totp=public.has_totp,
        keep_session=public.keep_session,
        created_at=public.created_at,
    )


def new_id() -> str:
    """A fresh opaque id."""
    return f"cred_{secrets.token_hex(8)}"


def _is_line(label: str) -> bool:
    """Control characters could move the cursor of the terminal that lists it."""
    return bool(label.strip()) and not any(unicodedata.category(character) == "Cc" for character in label)


def _is_text(text: str) -> bool:
    """Lone surrogates are no text: no keyboard types them and no file stores them."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _is_on(url: str, origins: tuple[Origin, ...]) -> bool:
    try:
        return Origin.of(url) in origins
    except AddressError:
        return False
