"""Capabilities, checked where a room's door is opened and not where an executor says so."""

from __future__ import annotations

from collections.abc import Iterable

from remit.contract import Capability, Reason, RemitError


class NotGrantedError(RemitError):
    """The manifest does not list the capability that was used."""

    def __init__(self) -> None:
        super().__init__(Reason.NOT_ALLOWED)


class Grants:
    """The capabilities of one call. They come from the manifest alone; nothing adds to them."""

    def __init__(self, capabilities: Iterable[Capability]) -> None:
        self._capabilities = frozenset(capabilities)

    def require(self, *any_of: Capability) -> None:
        """Pass if at least one of the capabilities is granted.

        Raises:
            NotGrantedError: none is.
        """
        if self._capabilities.isdisjoint(any_of):
            raise NotGrantedError
