"""What was written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Final

Plain = str | int | Decimal | date | datetime | bool | None
PlainRow = Sequence[Plain]

CSV_NOTICE: Final = (
    "The apostrophes that protect text from being read as a formula do not survive every re-save of a CSV file, and CSV"
    " keeps no types: a program may re-read codes such as 00123 or 1E5 as numbers. XLSX keeps both."
)
"""What must be said of every CSV file (OWASP, "CSV Injection")."""


@dataclass(frozen=True, slots=True)
class WriteReceipt:
    """Counts of what a file holds, the header row aside.

    `cells_protected` counts texts, headers among them, that a spreadsheet would otherwise read as a formula.
    `truncated` counts texts cut to what a cell may hold, and `cleaned` texts that lost control characters XML forbids.
    """

    rows: int
    columns: int
    cells_protected: int
    dates: int
    numbers: int
    texts: int
    truncated: int = 0
    cleaned: int = 0


class Tally:
    """Counts while writing."""

    def __init__(self) -> None:
        self.rows = self.protected = self.dates = self.numbers = self.texts = self.truncated = self.cleaned = 0

    def receipt(self, columns: int) -> WriteReceipt:
        """The counts so far."""
        return WriteReceipt(
            self.rows, columns, self.protected, self.dates, self.numbers, self.texts, self.truncated, self.cleaned
        )
