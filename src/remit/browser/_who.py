"""Whether a name that a page shows may be the credential's own: sites hide part of an address by dots or stars."""

from __future__ import annotations

import re

_HIDDEN = re.compile(r"(?:[*•·∙●✱×]|\.{2,}|…)+")


def may_name(shown: str, own: str) -> bool:
    """False where a page plainly shows another name than the own one.

    An address and a plain name say nothing about each other: a user name may belong to any address.
    """
    seen, mine = shown.strip().casefold(), own.strip().casefold()
    if not seen or ("@" in seen) != ("@" in mine):
        return True
    parts = _HIDDEN.split(seen)
    return re.fullmatch(".*".join(map(re.escape, parts)), mine) is not None
