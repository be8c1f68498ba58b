"""One-time codes by time (RFC 6238) from a base32 secret or an `otpauth://totp` address."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar
from urllib.parse import parse_qs, urlencode, urlsplit

import pyotp

from remit.contract import Reason, Secret

from ._errors import VaultError

_STAND_IN = "A" * 32


class _Totp(pyotp.TOTP):
    """A TOTP generator that takes short secrets too.

    pyotp asks for the 112 bits of NIST SP 800-63B; that is a rule for who issues a secret, and many sites issue 80.
    """

    min_secret_length_bits: ClassVar[int] = 64


def check_totp(secret: Secret) -> None:
    """Raise `bad_totp` unless codes can be computed from `secret`."""
    _generator(secret)


def code_at(secret: Secret, clock: Callable[[], float]) -> tuple[Secret, float]:
    """The code at the wall time of `clock` (Unix seconds) and the seconds for which it stays the current one."""
    generator, now = _generator(secret), clock()
    return Secret(generator.at(int(now))), generator.interval - now % generator.interval


def _generator(secret: Secret) -> _Totp:
    generator = _parsed(secret.reveal().strip())
    if generator is None:  # Raised out here, so that no exception that quotes the secret is its context.
        raise VaultError(Reason.BAD_TOTP)
    return generator


def _parsed(text: str) -> _Totp | None:
    try:
        generator = _from_address(text) if text.lower().startswith("otpauth:") else _Totp(_base32(text))
        generator.at(0)
    except (ValueError, TypeError, ZeroDivisionError):
        return None
    return generator if generator.interval > 0 and generator.byte_secret() else None


def _from_address(address: str) -> _Totp:
    """Let pyotp read and judge the address, with a long secret in place of a perhaps short one."""
    parts = urlsplit(address)
    query = parse_qs(parts.query, keep_blank_values=True, strict_parsing=True)
    (secret,) = query.get("secret", [])
    query["secret"] = [_STAND_IN]
    otp = pyotp.parse_uri(parts._replace(query=urlencode(query, doseq=True)).geturl())
    if type(otp) is not pyotp.TOTP:
        raise ValueError
    return _Totp(_base32(secret), digits=otp.digits, digest=otp.digest, interval=otp.interval)


def _base32(text: str) -> str:
    """Without the blanks and hyphens that sites print for readability, and the padding they forget."""
    return "".join(text.split()).replace("-", "").rstrip("=").upper()
