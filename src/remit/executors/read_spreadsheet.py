"""`read_spreadsheet`: an XLSX or CSV file to a dataset. Its values stay here; the planner gets names and counts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Final, Literal

import anyio.to_thread
from pydantic import StringConstraints

from remit.contract import ArgumentsModel, Outcome, Reason, ResultModel, Status, done
from remit.runs import Call

if TYPE_CHECKING:
    from remit.records import Datasets, Entry, Field, FieldTyping
    from remit.sheets import ColumnKind, Existing, Opened

DateOrder = Literal["dmy", "mdy"]

CHUNK: Final = 1000
MOST_FIELDS: Final = 10
LONGEST_NAME: Final = 40
"""Fields named in a result, and characters of each: a result stays small whatever the file is."""


class Arguments(ArgumentsModel):
    """Which file of the folder; `date_order` is how dates written as text are read."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=160)]
    sheet: Annotated[str, StringConstraints(max_length=100)] | None = None
    date_order: DateOrder = "dmy"


class FieldItem(ResultModel):
    """A column."""

    name: str
    type: str
    unresolved: int | None = None
    suggestion: str | None = None


class Result(ResultModel):
    """What was read. `outside` are totals and notes, which are no records; `uncomputed` formulas without a value."""

    dataset_id: str
    rows: int
    columns: int
    fields: tuple[FieldItem, ...]
    header_row: int | None = None
    outside: int | None = None
    uncomputed: int | None = None
    other_sheets: int | None = None
    encoding: str | None = None


class ReadSpreadsheet:
    """Reads a table, typed by the file's own types or, where it has none, by what a whole column says."""

    arguments_model = Arguments
    result_model = Result

    async def run(self, call: Call, arguments: Arguments) -> Outcome[Result]:
        """Done when every row is in the dataset; partial where cells had no value to read."""
        from remit.sheets import existing_file

        found = await anyio.to_thread.run_sync(existing_file, call.settings.files_dir, arguments.name)
        result = await anyio.to_thread.run_sync(_read, call.datasets, call.run_id or "", found, arguments)
        if result.uncomputed:
            return Outcome(Status.PARTIAL, result, Reason.UNREADABLE_VALUES, next="write_spreadsheet")
        return done(result)


def _read(datasets: Datasets, run_id: str, found: Existing, arguments: Arguments) -> Result:
    from remit.records import plain_name
    from remit.sheets import opened_table

    with opened_table(found, arguments.sheet, plain_name) as table:
        dataset_id = datasets.create(run_id, table.fields)
        rows = _fill(datasets, dataset_id, table)
        typings = {name: _typing(table.kind(at), arguments.date_order) for at, name in enumerate(table.fields)}
        fields = datasets.type_fields(dataset_id, typings)
        datasets.finish(
            dataset_id,
            {
                "source": found.kind.lstrip("."),
                "exported": rows,
                "outside": table.outside,
                "formulas_without_value": table.uncomputed,
            },
        )
        return Result(
            dataset_id=dataset_id,
            rows=rows,
            columns=len(fields),
            fields=tuple(map(_item, islice(fields, MOST_FIELDS))),
            header_row=table.header_row or None,
            outside=table.outside or None,
            uncomputed=table.uncomputed or None,
            other_sheets=table.other_sheets or None,
            encoding=table.encoding,
        )


def _fill(datasets: Datasets, dataset_id: str, table: Opened) -> int:
    rows = 0
    entries = _entries(table)
    while chunk := list(islice(entries, CHUNK)):
        rows = datasets.append(dataset_id, chunk)
    return rows


def _entries(table: Opened) -> Iterator[Entry]:
    from remit.records import Entry

    for row in table.rows():
        machines = tuple(cell.machine for cell in row.cells)
        texts = tuple(cell.text for cell in row.cells)
        yield Entry(texts, machines if any(machines) else None, row=row.number - 1)


def _typing(kind: ColumnKind, order: DateOrder) -> FieldTyping:
    """What the file's own types say of a column; texts are left to what they say together."""
    from remit.records import FieldTyping

    if kind == "integer":
        return FieldTyping("integer")
    if kind == "number":
        return FieldTyping("amount", decimal_mark=".")
    if kind in ("date", "datetime"):
        return FieldTyping("date" if kind == "date" else "datetime")
    return FieldTyping(date_order=order)


def _item(field: Field) -> FieldItem:
    return FieldItem(
        name=field.name[:LONGEST_NAME],
        type=field.type,
        unresolved=field.unresolved or None,
        suggestion=field.suggestion,
    )
