"""What an executor promises: manifests, results, reasons, and the types that carry secrets and origins."""

from .origin import AddressError, Origin
from .reasons import Branch, Reason, RemitError
from .secret import Secret

__all__ = ["AddressError", "Branch", "Origin", "Reason", "RemitError", "Secret"]
