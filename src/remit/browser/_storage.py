"""Browser state that may be kept: of a credential's own origins and of nobody else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from remit.contract import AddressError, Origin


def own_state(state: Mapping[str, Any], origins: frozenset[Origin]) -> bytes:
    """Cookies and storage of these origins, out of what Playwright's `storage_state` gave.

    A cookie belongs to an origin whose host it would be sent to (RFC 6265, 5.1.3); cookies know no ports.
    """
    hosts = {host for origin in origins if (host := urlsplit(str(origin)).hostname)}
    cookies = [each for each in state.get("cookies", ()) if any(_matches(each["domain"], host) for host in hosts)]
    stores = [each for each in state.get("origins", ()) if _is_own(each["origin"], origins)]
    return json.dumps({"cookies": cookies, "origins": stores}).encode()


def _matches(domain: str, host: str) -> bool:
    bare = domain.lstrip(".").lower()
    return host == bare or (domain.startswith(".") and host.endswith(f".{bare}"))


def _is_own(address: str, origins: frozenset[Origin]) -> bool:
    try:
        return Origin.of(address) in origins
    except AddressError:
        return False
