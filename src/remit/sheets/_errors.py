"""The errors of this room."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from remit.contract import Reason, RemitError


class SheetError(RemitError):
    """A spreadsheet could not be written or read; an existing file was not changed, and nothing was left behind."""


class Loss(StrEnum):
    """What adding rows to a workbook would break, so that nothing is added."""

    ARRAY_FORMULAS = "array_formulas"
    CELLS_BESIDE = "cells_beside"
    CHARTS = "charts"
    COMMENTS = "comments"
    CONDITIONAL_FORMATS = "conditional_formats"
    CONTROLS = "controls"
    DRAWINGS = "drawings"
    EXTENSIONS = "extensions"
    FORMULAS = "formulas"
    HYPERLINKS = "hyperlinks"
    MERGED_CELLS = "merged_cells"
    NAMES = "names"
    PAGE_BREAKS = "page_breaks"
    PIVOT_TABLES = "pivot_tables"
    PROTECTION = "protection"
    REVISIONS = "revisions"
    SIGNATURE = "signature"
    TABLES = "tables"
    VALIDATIONS = "validations"


class WouldLoseError(SheetError):
    """`WOULD_LOSE`, with what would be lost."""

    def __init__(self, losses: Iterable[Loss]) -> None:
        super().__init__(Reason.WOULD_LOSE)
        self.losses = tuple(sorted(set(losses)))
