"""The sites a rule is about: any, those below a domain, or one exact origin."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from remit.contract import AddressError, Origin

_HOST = re.compile(r"[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*")
_ANY = "*"
_BELOW = "*."


@dataclass(frozen=True, slots=True)
class Target:
    """Which origins are meant. Without `origin` any, and also what is about no site at all.

    Attributes:
        origin: the exact origin, or the domain that others stand below.
        below: the subdomains of its host, at any depth, are meant, and not the host itself. Scheme and port are exact.
    """

    origin: Origin | None = None
    below: bool = False

    @classmethod
    def parse(cls, text: str) -> Target:
        """Read `*`, `https://portal.example` or `https://*.portal.example:8443`.

        Raises:
            ValueError: anything else: a path, a wildcard elsewhere, a host no browser would show.
        """
        if text == _ANY:
            return cls()
        scheme, mark, rest = text.partition("://")
        below = rest.startswith(_BELOW)
        origin = _exact(f"{scheme}{mark}{rest.removeprefix(_BELOW) if below else rest}")
        if below and _is_address(origin.host):
            raise ValueError
        return cls(origin, below)

    def covers(self, origin: Origin | None) -> bool:
        """Whether something at this origin is meant."""
        if self.origin is None:
            return True
        if origin is None or not self.below:
            return origin == self.origin
        same = (origin.scheme, origin.port) == (self.origin.scheme, self.origin.port)
        return same and origin.host.endswith(f".{self.origin.host}")

    @property
    def precision(self) -> int:
        """Larger is more precise: any, below a domain, below a longer one, exact. Compare what covers the same."""
        if self.origin is None:
            return 0
        return len(self.origin.host) if self.below else _EXACT


_EXACT = 1 << 16


def _exact(text: str) -> Origin:
    """An origin and nothing besides. A rule for a host that no origin ever has would silently never hold."""
    try:
        origin, parts = Origin.of(text), urlsplit(text)
        host = _host(origin.host)
    except (AddressError, ValueError):
        raise ValueError from None
    if not text.isprintable() or " " in text or text != f"{parts.scheme}://{parts.netloc}" or parts.port == 0:
        raise ValueError
    return Origin(origin.scheme, host, origin.port)


def _host(host: str) -> str:
    if ":" in host:
        return str(ipaddress.IPv6Address(host))
    if not _HOST.fullmatch(host):
        raise ValueError
    return str(ipaddress.IPv4Address(host)) if _is_address(host) else host


def _is_address(host: str) -> bool:
    return ":" in host or host.rpartition(".")[2].isdecimal()
