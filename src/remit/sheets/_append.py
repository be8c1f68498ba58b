"""Rows added to an existing workbook: the parts that must change are rewritten, all others stay byte for byte."""

from __future__ import annotations

import html
import re
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

from remit.contract import Reason

from ._block import Block
from ._errors import Loss, SheetError, WouldLoseError
from ._existing import Existing, replacing
from ._find import Finder, Place
from ._formulas import Move, moved_formula
from ._header import Wanted
from ._headings import Fold, check_fields
from ._new_rows import Column, NewRows
from ._package import Package, serialise, understood
from ._ranges import read_area
from ._receipt import PlainRow, Tally, WriteReceipt
from ._rewrite import Plan, rewritten, with_filter
from ._rows import BlockRow, Texts
from ._sheet_xml import Tags
from ._shift import losses_in_place, losses_of_moving, tail_of
from ._styles import Styles
from ._values import MAX_ROWS
from ._workbook import Workbook

LEVEL: Final = 1
"""Compression of the new sheet: as quick as can be; the part is a tenth larger than at zlib's default of 6."""

BYTES_OF_A_ROW: Final = 4096
"""A generous guess, by which it is decided whether the part may outgrow a plain zip entry."""


@dataclass(frozen=True, slots=True)
class Appended:
    """What was added, where, and what was not.

    `first_row` is the row of the sheet with the first new record. `unplaced` are fields no heading takes, `ambiguous`
    those that several fit; both were left out. `stale` says that formulas keep the values computed before, until the
    program computes them anew.
    """

    receipt: WriteReceipt
    first_row: int
    unplaced: tuple[str, ...]
    ambiguous: tuple[str, ...]
    backup: Path | None
    stale: bool = False


def append_xlsx(
    found: Existing,
    fields: Sequence[str],
    rows: Iterable[PlainRow],
    *,
    count: int,
    chosen: Mapping[str, str],
    fold: Fold,
    sheet: str | None = None,
) -> Appended:
    """Add `count` rows under the last row of data of the block whose headings fit the fields, above its totals.

    `chosen` binds headings to fields and wins over names. New cells take over the formats of the last row of data.
    Everything else in the workbook stays as it is; rows below the data move down where that breaks nothing.

    Raises:
        WouldLoseError: `WOULD_LOSE`, with what would break; nothing was changed.
        SheetError: `HEADINGS_NOT_FOUND`, `HEADINGS_AMBIGUOUS`, `SHEET_MISSING`, `UNKNOWN_FIELD`, `FILE_TOO_LARGE`,
            `FILE_DAMAGED`, and those of `replacing`; nothing was changed.
    """
    wanted = Wanted(tuple(fields), chosen, fold)
    check_fields(fields, chosen)
    with understood(), replacing(found) as (draft, backup), Package.open(found.path) as package:
        append = _Append(package, wanted, count, sheet)
        with zipfile.ZipFile(draft, "x", allowZip64=True) as target:
            append.write(target, rows)
        if append.tally.rows != count:
            raise SheetError(Reason.INVALID_ARGUMENTS)
    return append.told(backup)


class _Append:
    """One append, planned when made."""

    def __init__(self, package: Package, wanted: Wanted, count: int, sheet: str | None) -> None:
        self.tally = Tally()
        self._package = package
        self._wanted = wanted
        self._workbook = Workbook(package)
        self._refuse_whole(package)
        self._place = Finder(self._workbook, wanted).place(sheet)
        self._tags = _tags(self._place)
        self._plan = _plan(self._place.block, count)
        self._move = self._checked_move()
        self._styles = self._read_styles()
        self._recalculate = False

    def write(self, target: zipfile.ZipFile, rows: Iterable[PlainRow]) -> None:
        """Fill the new package; the sheet comes before the styles, which it may extend."""
        changes = self._small_changes()
        styles = self._workbook.related("styles") or ""
        late = {self._place.sheet.part, styles, *changes}
        self._package.copy_except(frozenset(late), target)
        self._write_sheet(target, rows)
        if styles:
            data = self._styles.data() if self._styles.changed else self._package.read(styles)
            changes[styles] = data
        for part, content in changes.items():
            target.writestr(self._package.successor(part), content)

    def told(self, backup: Path) -> Appended:
        """What was done."""
        binding = self._place.block.header.binding
        names = self._wanted.fields
        used = len({place for place in binding.places if place is not None})
        stale = not self._workbook.recalculates and not self._recalculate and self._has_formulas
        return Appended(
            self.tally.receipt(used),
            self._plan.last + 1,
            tuple(names[at] for at in binding.unplaced),
            tuple(names[at] for at in binding.ambiguous),
            backup,
            stale,
        )

    @property
    def _has_formulas(self) -> bool:
        return self._workbook.related("calcChain") is not None

    def _refuse_whole(self, package: Package) -> None:
        losses = []
        if any(name.startswith("_xmlsignatures/") for name in package.names):
            losses.append(Loss.SIGNATURE)
        if any(name.startswith("xl/revisions/") for name in package.names):
            losses.append(Loss.REVISIONS)
        if losses:
            raise WouldLoseError(losses)
        if self._workbook.is_reserved:
            raise SheetError(Reason.FILE_READ_ONLY)

    def _checked_move(self) -> Move | None:
        plan = self._plan
        if plan.last + plan.count + plan.shift > MAX_ROWS:
            raise SheetError(Reason.FILE_TOO_LARGE)
        binding = self._place.block.header.binding
        if binding.missing:
            raise SheetError(Reason.HEADINGS_NOT_FOUND)
        if not any(place is not None for place in binding.places):
            raise SheetError(Reason.HEADINGS_AMBIGUOUS)
        tail = tail_of(self._place, self._tags)
        losses = losses_in_place(self._workbook, self._place, tail, plan.area)
        move = None
        if plan.shift and plan.below is not None:
            move = Move(self._place.sheet.name, plan.last, plan.count, plan.below, plan.shift)
            losses |= losses_of_moving(self._workbook, self._place, tail, move)
        if losses:
            raise WouldLoseError(losses)
        return move

    def _read_styles(self) -> Styles:
        part = self._workbook.related("styles")
        if part is None:
            raise SheetError(Reason.FILE_DAMAGED)
        return Styles(self._package.tree(part))

    def _write_sheet(self, target: zipfile.ZipFile, rows: Iterable[PlainRow]) -> None:
        plan, place = self._plan, self._place
        new = NewRows(
            self._columns(), self._styles, self._tags.prefix.decode(), self.tally, since_1904=self._workbook.since_1904
        )
        cells = new.cells(rows, plan.last + 1, len(self._wanted.fields))
        info = self._package.successor(place.sheet.part, LEVEL)
        info.file_size = self._package.size(place.sheet.part) + plan.count * BYTES_OF_A_ROW
        header = place.block.header.row.number
        with self._package.stream(place.sheet.part) as raw, target.open(info, "w") as part:
            for block in rewritten(
                raw, plan, cells, self._edit_cell, lambda tail: with_filter(tail, plan, header, self._tags.prefix)
            ):
                part.write(block)

    def _columns(self) -> list[Column]:
        block = self._place.block
        header = block.header
        last = BlockRow(block.last, Texts(self._tags, {}), header.left, header.right)
        styles = last.styles if block.has_data else {}
        default = _column_styles(self._place.head, self._tags)
        return [
            Column(at, field, styles.get(at, default(at)), not block.has_data)
            for at, field in enumerate(header.binding.places, start=header.left)
        ]

    def _edit_cell(self, body: bytes, row: int) -> bytes:
        """The content of a cell that moves; a formula that was changed has no computed value any more."""
        del row
        found = self._tags.formula.search(body)
        if found is None or self._move is None or found[2] is None:
            return body
        old = html.unescape(found[2].decode("utf-8"))
        new = moved_formula(old, self._move)
        if new is None:
            raise WouldLoseError([Loss.FORMULAS])
        self._recalculate = True
        if new != old:
            body = body[: found.start(2)] + escape(new).encode() + body[found.end(2) :]
        return self._tags.value.sub(b"", body)

    def _small_changes(self) -> dict[str, bytes]:
        """Tables, and what moved formulas ask for: the order of computation, and computing at opening."""
        changes: dict[str, bytes] = {}
        table = self._place.block.header.table
        if table is not None:
            changes[table.part] = self._grown_table(table.part)
        if self._move is not None and self._moves_formulas():
            if not self._workbook.recalculates:
                changes[self._workbook.part] = self._recalculating()
            chain = self._workbook.related("calcChain")
            if chain is not None:
                changes[chain] = self._moved_chain(chain, self._move)
        return changes

    def _moves_formulas(self) -> bool:
        from ._sheet_xml import SheetStream

        assert self._move is not None
        with self._package.stream(self._place.sheet.part) as raw:
            stream = SheetStream(raw)
            mark = b"<" + stream.tags.prefix + b"f"
            return any(row.number >= self._move.below and mark in row.data for row in stream.rows())

    def _grown_table(self, part: str) -> bytes:
        root = self._package.tree(part)
        for element in (root, *root.iterchildren("{*}autoFilter")):
            area = read_area(element.get("ref") or "")
            if area is None:
                raise SheetError(Reason.FILE_DAMAGED)
            element.set("ref", str(self._plan.grown(area)))
        return serialise(root)

    def _recalculating(self) -> bytes:
        root = self._workbook.root
        found = root.find("{*}calcPr")
        if found is None:
            raise WouldLoseError([Loss.FORMULAS])
        found.set("fullCalcOnLoad", "1")
        return serialise(root)

    def _moved_chain(self, part: str, move: Move) -> bytes:
        root = self._package.tree(part)
        sheet_id = ""
        for cell in root:
            sheet_id = cell.get("i") or sheet_id
            named = re.fullmatch(r"([A-Z]+)(\d+)", cell.get("r") or "")
            if named and sheet_id == self._place.sheet.sheet_id:
                cell.set("r", f"{named[1]}{move.row(int(named[2]))}")
        return serialise(root)


def _plan(block: Block, count: int) -> Plan:
    """Where the rows go. One empty row before what stands below is kept if there is one."""
    last, below = block.last.number, block.below
    shift = 0
    if below is not None:
        gap = below - last - 1
        shift = max(0, count + min(gap, 1) - gap)
    header = block.header
    return Plan(last, block.last.end, count, header.left, header.right, below, shift)


def _tags(place: Place) -> Tags:
    named = re.match(rb"<(?:([\w.-]+):)?", place.root)
    return Tags(named[1] + b":" if named and named[1] else b"")


def _column_styles(head: bytes, tags: Tags) -> Callable[[int], int]:
    """The format each column gives to cells that have none."""
    spans = []
    for col in re.findall(rb"<" + tags.prefix + rb"col\s[^>]*>", head):
        found = dict(re.findall(rb"\b(min|max|style)\s*=\s*[\"'](\d+)[\"']", col))
        if len(found) == 3:
            spans.append((int(found[b"min"]), int(found[b"max"]), int(found[b"style"])))
    return lambda at: next((style for low, high, style in spans if low <= at <= high), 0)
