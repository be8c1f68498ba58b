"""What a row of a sheet says: its texts, which cells are filled and with what, whether it sums up others."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

from ._sheet_xml import RawCell, RawRow, Tags
from ._totals import TotalLabels, sums_up

CellKind = Literal["text", "number", "formula"]
_TEXTS: Final = (b"s", b"inlineStr", b"str")


class Texts:
    """Reads the texts of cells; of the shared strings only those that matter are known."""

    def __init__(self, tags: Tags, shared: Mapping[int, str]) -> None:
        self.tags = tags
        self.shared = shared
        ids = b"|".join(b"%d" % index for index in shared)
        value = b"<" + tags.prefix + b"v>(?:" + ids + b")</" + tags.prefix + b"v>"
        self.any_shared = re.compile(value) if shared else None
        self._inline_mark = b"<" + tags.prefix + b"t"

    def of(self, cell: RawCell) -> str | None:
        """A cell's text; "" for a shared one that does not matter, None for what is no text."""
        kind = cell.type
        if kind == b"inlineStr":
            return self.tags.plain_text(cell.body)
        value = self.tags.value.search(cell.body)
        if value is None or kind not in _TEXTS:
            return None
        if kind == b"s":
            return self.shared.get(int(value[1]), "")
        return html.unescape(value[1].decode("utf-8"))

    def inline(self, row: bytes) -> list[str]:
        """The texts that stand in the row itself."""
        if self._inline_mark not in row:
            return []
        return [html.unescape(text.decode("utf-8")) for text in self.tags.text.findall(row)]


@dataclass(frozen=True)
class BlockRow:
    """A row as seen from the columns `left` to `right`."""

    raw: RawRow
    texts: Texts
    left: int
    right: int

    @property
    def number(self) -> int:
        """Its number in the sheet."""
        return self.raw.number

    @cached_property
    def all_cells(self) -> list[RawCell]:
        """Every cell of the row."""
        return self.texts.tags.cells(self.raw.data)

    @cached_property
    def filled(self) -> dict[int, RawCell]:
        """The filled cells of the block, by column."""
        tags = self.texts.tags
        return {
            cell.column: cell
            for cell in self.all_cells
            if self.left <= cell.column <= self.right and tags.is_filled(cell)
        }

    @cached_property
    def styles(self) -> dict[int, int]:
        """The formats of the block's cells, by column."""
        return {cell.column: cell.style or 0 for cell in self.all_cells if self.left <= cell.column <= self.right}

    def kind(self, column: int) -> CellKind:
        """What a filled cell holds."""
        cell = self.filled[column]
        if self.formula(column) is not None:
            return "formula"
        return "text" if cell.type in _TEXTS else "number"

    def formula(self, column: int) -> str | None:
        """The formula of a cell, "" where another cell holds its text; None if there is none."""
        cell = self.filled.get(column)
        found = self.texts.tags.formula.search(cell.body) if cell else None
        return None if found is None else html.unescape((found[2] or b"").decode("utf-8"))

    def is_total(self, above: BlockRow | None, headings: int, labels: TotalLabels) -> bool:
        """Whether the row sums up: it has an aggregate the row above lacks, or a label and is not filled throughout."""
        for column in self.filled:
            formula = self.formula(column)
            if formula and sums_up(formula, self.number):
                before = above.formula(column) if above and column in above.filled else None
                if not (before and sums_up(before, self.number - 1)):
                    return True
        labelled = any((self.texts.of(cell) or "") in labels for cell in self.filled.values())
        return labelled and (len(self.filled) < headings or any(self.kind(at) == "formula" for at in self.filled))

    def is_sparse(self, headings: int) -> bool:
        """Whether too little is filled for a row of data."""
        return len(self.filled) * 2 < headings or (headings == 2 and len(self.filled) < 2)

    def continues(self, last: BlockRow | None, headings: int) -> bool:
        """Whether the row, which follows a gap, goes on with what `last` was: numbers under numbers, or its formats."""
        if self.is_sparse(headings):
            return False
        if last is None:
            return True
        both = [at for at in self.filled if at in last.filled]
        numeric = [(self.kind(at) != "text", last.kind(at) != "text") for at in both]
        if any(mine != its for mine, its in numeric):
            return False
        styled = all(self.styles.get(at) == last.styles.get(at) for at in both) and any(self.styles.values())
        return bool(both) and (any(mine for mine, _ in numeric) or styled)
