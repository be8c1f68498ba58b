"""Web origins: exact scheme, host and port (HTML standard, section 7.1.1 "Origins")."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self
from urllib.parse import urlsplit

from ._reasons import Reason, RemitError

_DEFAULT_PORTS = {"http": 80, "https": 443}


class AddressError(RemitError):
    """The text is no http(s) address, or carries user information."""

    def __init__(self) -> None:
        super().__init__(Reason.BAD_ADDRESS)


@dataclass(frozen=True, slots=True, order=True)
class Origin:
    """A tuple origin. `http://a` and `http://a:80` are the same; `http://a` and `https://a` are not."""

    scheme: str
    host: str
    port: int

    @classmethod
    def of(cls, url: str) -> Self:
        """The origin of an address.

        Raises:
            AddressError: not http(s), no host, a bad port, or `user@host` (a classic disguise).
        """
        try:
            parts = urlsplit(url.strip())
            port = parts.port
            host = (
                (parts.hostname or "")
                .rstrip(".")
                .encode("idna" if not (parts.hostname or "").isascii() else "ascii")
                .decode()
            )
        except (ValueError, UnicodeError):
            raise AddressError from None
        if parts.scheme not in _DEFAULT_PORTS or not host or parts.username is not None or parts.password is not None:
            raise AddressError
        return cls(parts.scheme, host.lower(), port or _DEFAULT_PORTS[parts.scheme])

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}" + ("" if self.port == _DEFAULT_PORTS[self.scheme] else f":{self.port}")
