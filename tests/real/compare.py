"""Comparing what was written to a file with the truth: rows as a multiset over the asked fields."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from pathlib import Path

from openpyxl import load_workbook

from .application import Question, TruthRow, ValueKind

Cell = str | int | float | bool | date | datetime | None
_HEADER_WITHIN = 10
_GUARDED = ("'=", "'+", "'-", "'@", "'\t", "'\r")


@dataclass(frozen=True, slots=True)
class Comparison:
    """How many rows were wanted, written and right; rows twice, rows that are no truth, and truth without a row."""

    wanted: int
    rows: int
    right: int
    duplicates: int
    wrong: int
    missing: int
    fields_missing: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether the rows are the truth, no more and no less."""
        return self.right == self.wanted == self.rows


def compare(path: Path, question: Question, truth: Sequence[TruthRow]) -> Comparison:
    """Compare a written XLSX or CSV with the truth of the question it answers."""
    rows = _read_xlsx(path, question) if path.suffix == ".xlsx" else _read_csv(path)
    return compare_rows(rows, question, truth)


def compare_rows(rows: Sequence[Sequence[Cell]], question: Question, truth: Sequence[TruthRow]) -> Comparison:
    """Compare rows, the header first, with the truth. The order of rows and of columns means nothing."""
    columns = _columns(rows, question.fields)
    absent = tuple(field for field in question.fields if field not in columns)
    readers = {field: _Reader(field, question.typed.get(field), truth) for field in columns}
    seen = Counter(
        tuple(readers[field].cell(_at(row, columns[field])) if field in columns else "" for field in question.fields)
        for row in rows[1:]
        if any(cell not in (None, "") for cell in row)
    )
    known = {field: _Reader(field, question.typed.get(field), truth) for field in question.fields}
    want = Counter(tuple(known[field].truth(row) for field in question.fields) for row in truth)
    extra, right = seen - want, (seen & want).total()
    duplicates = sum(count for row, count in extra.items() if row in want)
    return Comparison(
        wanted=want.total(),
        rows=seen.total(),
        right=right,
        duplicates=duplicates,
        wrong=extra.total() - duplicates,
        missing=want.total() - right,
        fields_missing=absent,
    )


class _Reader:
    """Brings the cells of one column and the truth of its field to one form.

    A typed field is compared by its value. A text cell in it stands for the value which the truth gives to that text:
    a value left as text counts as right when it reads as the application shows it.
    """

    def __init__(self, field: str, kind: ValueKind | None, rows: Sequence[TruthRow]) -> None:
        self.field = field
        self.kind = kind
        self._values = {tidy(row[field]): row[f"{field}:value"] for row in rows} if kind else {}

    def truth(self, row: TruthRow) -> str:
        return row[f"{self.field}:value"] if self.kind else _plain_number(tidy(row[self.field]))

    def cell(self, cell: Cell) -> str:
        if isinstance(cell, str):
            return self._text(tidy(cell))
        if isinstance(cell, date):
            return _moment(cell, self.kind)
        if isinstance(cell, bool) or cell is None:
            return "" if cell is None else str(cell)
        return _number(Decimal(str(cell)), self.kind)

    def _text(self, text: str) -> str:
        if not self.kind:
            return _plain_number(text)
        if text in self._values:
            return self._values[text]
        if self.kind in ("date", "datetime"):
            return _iso(text, self.kind)
        try:
            return _number(Decimal(text), self.kind)
        except InvalidOperation:
            return text


def tidy(text: str) -> str:
    """Collapse white space."""
    return " ".join(text.split())


def _moment(cell: date, kind: ValueKind | None) -> str:
    if isinstance(cell, datetime):
        at_midnight = (cell.hour, cell.minute) == (0, 0)
        if kind == "datetime" or (kind is None and not at_midnight):
            return f"{cell:%Y-%m-%dT%H:%M}"
    return f"{cell:%Y-%m-%d}"


def _iso(text: str, kind: ValueKind) -> str:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    return _moment(moment, kind)


def _number(value: Decimal, kind: ValueKind | None) -> str:
    if kind == "amount":
        return f"{value:.2f}"
    return str(int(value)) if value == value.to_integral_value() else f"{value.normalize():f}"


def _plain_number(text: str) -> str:
    """`12` in a text column may be written as the number 12, but `007` may not become 7."""
    try:
        value = Decimal(text) if text.isascii() else None
    except InvalidOperation:
        return text
    return text if value is None or not value.is_finite() or _number(value, None) != text else _number(value, None)


def _columns(rows: Sequence[Sequence[Cell]], fields: Sequence[str]) -> dict[str, int]:
    header = [_name(cell) for cell in rows[0]] if rows else []
    return {field: header.index(_name(field)) for field in fields if _name(field) in header}


def _name(cell: Cell) -> str:
    return tidy(str(cell if cell is not None else "")).casefold().replace("_", " ")


def _at(row: Sequence[Cell], column: int) -> Cell:
    return row[column] if column < len(row) else None


def _read_xlsx(path: Path, question: Question) -> list[list[Cell]]:
    """The rows of the first sheet from the line on which most fields are named."""
    book = load_workbook(path, read_only=True)
    try:
        rows: list[list[Cell]] = [
            [_cell(value) for value in row] for row in book.worksheets[0].iter_rows(values_only=True)
        ]
    finally:
        book.close()
    named = [len(_columns(rows[at:], question.fields)) for at in range(min(len(rows), _HEADER_WITHIN))]
    return rows[named.index(max(named)) :] if named else []


def _cell(value: object) -> Cell:
    return value if isinstance(value, str | int | float | date) or value is None else str(value)


def _read_csv(path: Path) -> list[list[Cell]]:
    """The rows of a CSV of any usual delimiter; the apostrophe that keeps text from being a formula is taken off."""
    with path.open(newline="", encoding="utf-8-sig") as file:
        head = file.readline()
        file.seek(0)
        delimiter = max(",;\t", key=head.count)
        return [
            [cell[1:] if cell.startswith(_GUARDED) else cell for cell in row]
            for row in csv.reader(file, delimiter=delimiter)
        ]
