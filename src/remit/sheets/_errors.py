"""The one error of this room."""

from __future__ import annotations

from remit.contract import RemitError


class SheetError(RemitError):
    """A spreadsheet could not be written; nothing was left behind.

    `FILE_NAME`, `FILE_EXISTS`, `FILE_UNWRITABLE` or `FILE_TOO_LARGE`.
    """
