"""`write_spreadsheet`: a dataset to a new XLSX or CSV file, under the rows of a workbook, or to Google Sheets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeVar

import anyio.to_thread
from pydantic import Field, StringConstraints

from remit.contract import ArgumentsModel, Outcome, Reason, RemitError, ResultModel, Status, done
from remit.runs import Call, Effect, EffectKind, Settled

from ._shared import Handle

if TYPE_CHECKING:
    from remit.records import Cell, DatasetInfo, Datasets
    from remit.sheets import Appended, Binding, Plain, PlainRow, WouldLoseError, WriteReceipt

Name = Annotated[str, StringConstraints(max_length=200)]
Mode = Literal["create", "append"]
T = TypeVar("T")

GOOGLE: Final = "google:"
"""What a name begins with that means a Google spreadsheet; its id follows. No file may be called so."""
MOST_NAMED: Final = 4
MOST_ROWS: Final = 5
"""Fields named in a result, and rows told of each: a result stays small whatever the dataset is."""
LONGEST_NAME: Final = 32
STALE: Final = "Formulas show values computed before until the workbook is recalculated."


class Arguments(ArgumentsModel):
    """What to write, and where: the name's ending says which kind; `google:` and an id mean a Google spreadsheet.

    `columns` binds headings to fields. For a new file they are its columns, in this order; "" leaves the choice of the
    field to the heading's name.
    """

    dataset_id: Handle
    name: Annotated[str, StringConstraints(min_length=1, max_length=120)]
    mode: Mode = "create"
    columns: Annotated[dict[Name, Name], Field(max_length=200)] | None = Field(
        default=None, description="Heading to field."
    )
    sheet: Annotated[str, StringConstraints(max_length=100)] | None = None


class Unresolved(ResultModel):
    """Values written as text because they could not be read as their field's type."""

    field: str
    count: int
    rows: tuple[int, ...]


class Result(ResultModel):
    """The file and what is in it. `left_out` are fields without a column, `lost` what an append would have broken."""

    path: str | None = None
    rows: int = 0
    columns: int = 0
    cells_protected: int = 0
    first_row: int | None = None
    left_out: tuple[str, ...] | None = None
    unresolved: tuple[Unresolved, ...] | None = None
    lost: tuple[str, ...] | None = None
    backup: str | None = None
    notice: str | None = None


class WriteSpreadsheet:
    """Writes what was collected, typed where every value of a column could be read."""

    arguments_model = Arguments
    result_model = Result

    async def run(self, call: Call, arguments: Arguments) -> Outcome[Result]:
        """Done when the file is in its place, whole; partial where a field was left out because several columns fit."""
        info = call.datasets.info(arguments.dataset_id)
        source = _Source(call.datasets, info)
        if arguments.name.startswith(GOOGLE):
            return await _to_google(call, arguments, source)
        if arguments.mode == "append":
            return await _append(call, arguments, source)
        return await _create(call, arguments, source)


async def _create(call: Call, arguments: Arguments, source: _Source) -> Outcome[Result]:
    from remit.sheets import CSV_NOTICE, safe_file_name, write_csv, write_xlsx

    suffix: Literal[".csv", ".xlsx"] = ".csv" if arguments.name.lower().endswith(".csv") else ".xlsx"
    path = call.settings.files_dir / safe_file_name(arguments.name, suffix)
    headings, binding = _new_columns(arguments, source)
    rows = source.rows(binding.places)

    def write() -> WriteReceipt:
        if suffix == ".csv":
            return write_csv(path, headings, rows)
        return write_xlsx(path, headings, rows, receipt_lines=source.lines, title=arguments.sheet or "Records")

    receipt = await _observed(call, suffix, write)
    told = Result(
        path=str(path),
        rows=receipt.rows,
        columns=receipt.columns,
        cells_protected=receipt.cells_protected,
        left_out=source.left_out(binding),
        unresolved=source.unresolved(2),
        notice=CSV_NOTICE if suffix == ".csv" else None,
    )
    return _ended(told, ambiguous=bool(binding.ambiguous))


async def _append(call: Call, arguments: Arguments, source: _Source) -> Outcome[Result]:
    from remit.records import plain_name
    from remit.sheets import CSV_NOTICE, WouldLoseError, append_csv, append_xlsx, existing_file

    found = await anyio.to_thread.run_sync(existing_file, call.settings.files_dir, arguments.name)
    chosen = _chosen(arguments)

    def write() -> Appended:
        rows = source.rows()
        if found.kind == ".csv":
            return append_csv(found, source.fields, rows, chosen=chosen, fold=plain_name)
        return append_xlsx(
            found, source.fields, rows, count=source.count, chosen=chosen, fold=plain_name, sheet=arguments.sheet
        )

    try:
        appended = await _observed(call, found.kind, write)
    except WouldLoseError as error:
        return _lost(str(found.path), error)
    return _told(str(found.path), appended, source, CSV_NOTICE if found.kind == ".csv" else None)


async def _to_google(call: Call, arguments: Arguments, source: _Source) -> Outcome[Result]:
    """The request is dispatched once. Where its answer is lost, the effect stays open and the outcome unknown."""
    from remit.records import plain_name
    from remit.sheets import GoogleSheets, SheetError, WouldLoseError

    spreadsheet_id = arguments.name.removeprefix(GOOGLE).strip()
    effects: list[Effect] = []
    async with GoogleSheets.from_environment(lambda: effects.append(_intended(call, "google"))) as google:
        try:
            if arguments.mode == "append":
                rows = await anyio.to_thread.run_sync(lambda: list(source.rows()))
                chosen = _chosen(arguments)
                told = await google.append(spreadsheet_id, source.fields, rows, chosen, plain_name, arguments.sheet)
            else:
                headings, binding = _new_columns(arguments, source)
                rows = await anyio.to_thread.run_sync(lambda: list(source.rows(binding.places)))
                told = await google.create(spreadsheet_id, arguments.sheet or "Records", headings, rows)
                told = replace(
                    told, ambiguous=_names(source, binding.ambiguous), unplaced=_names(source, binding.unplaced)
                )
        except WouldLoseError as error:
            return _lost(google.address(spreadsheet_id), error)
        except SheetError as error:
            if effects and error.reason is not Reason.OUTCOME_UNKNOWN:
                effects[-1].settle(Settled.NOT_SENT)
            raise
    effects[-1].settle(Settled.OBSERVED)
    return _told(google.address(spreadsheet_id), told, source, None)


def _lost(path: str, error: WouldLoseError) -> Outcome[Result]:
    lost = tuple(loss.value for loss in error.losses)
    return Outcome(Status.FAILED, Result(path=path, lost=lost), Reason.WOULD_LOSE)


def _told(path: str, appended: Appended, source: _Source, notice: str | None) -> Outcome[Result]:
    receipt = appended.receipt
    told = Result(
        path=path,
        rows=receipt.rows,
        columns=receipt.columns,
        cells_protected=receipt.cells_protected,
        first_row=appended.first_row,
        left_out=_named((*appended.ambiguous, *appended.unplaced)),
        unresolved=source.unresolved(appended.first_row),
        backup=appended.backup.name if appended.backup else None,
        notice=STALE if appended.stale else notice,
    )
    return _ended(told, ambiguous=bool(appended.ambiguous))


def _ended(told: Result, *, ambiguous: bool) -> Outcome[Result]:
    return Outcome(Status.PARTIAL, told, Reason.HEADINGS_AMBIGUOUS) if ambiguous else done(told)


def _intended(call: Call, target: str) -> Effect:
    return call.intend(EffectKind.WRITE_FILE, target)


async def _observed(call: Call, target: str, write: Callable[[], T]) -> T:
    """A file is written whole or not at all, so an error means that nothing was."""
    effect = _intended(call, target)
    try:
        written = await anyio.to_thread.run_sync(write)
    except RemitError:
        effect.settle(Settled.NOT_SENT)
        raise
    effect.settle(Settled.OBSERVED)
    return written


def _chosen(arguments: Arguments) -> dict[str, str]:
    return {heading: field for heading, field in (arguments.columns or {}).items() if field}


def _new_columns(arguments: Arguments, source: _Source) -> tuple[list[str], Binding]:
    """The headings of a new file: those the caller gave, to which the fields add nothing; else the fields' names."""
    from remit.records import plain_name
    from remit.sheets import Binding, bind, check_fields

    if not arguments.columns:
        return source.fields, Binding(tuple(range(len(source.fields))), (), (), ())
    check_fields(source.fields, _chosen(arguments))
    headings = list(arguments.columns)
    return headings, bind(headings, source.fields, _chosen(arguments), plain_name)


def _names(source: _Source, places: Iterable[int]) -> tuple[str, ...]:
    return tuple(source.fields[at] for at in places)


def _named(names: Iterable[str]) -> tuple[str, ...] | None:
    """A few names, none of them long; None where there are none."""
    return tuple(name[:LONGEST_NAME] for name in islice(names, MOST_NAMED)) or None


class _Source:
    """The dataset's rows as a spreadsheet can hold them, and what was seen while they were read."""

    def __init__(self, datasets: Datasets, info: DatasetInfo) -> None:
        self._datasets = datasets
        self._info = info
        self.fields = [field.name for field in info.fields]
        self.count = info.rows
        self._unread: dict[int, list[int]] = {}
        self._unread_counts: Counter[int] = Counter()

    def rows(self, places: Sequence[int | None] | None = None) -> Iterator[PlainRow]:
        """The rows, or of each row the fields at these places."""
        self._unread.clear()
        self._unread_counts.clear()
        for row in self._datasets.rows(self._info.dataset_id):
            values = [self._plain(at, cell, row.position) for at, cell in enumerate(row.cells)]
            yield values if places is None else [None if at is None else values[at] for at in places]

    def _plain(self, at: int, cell: Cell, position: int) -> Plain:
        """The typed value; where a spreadsheet has no type for it, the source text stays."""
        from remit.records import plain_value

        if cell.is_unresolved:
            self._unread_counts[at] += 1
            if self._unread_counts[at] <= MOST_ROWS:
                self._unread.setdefault(at, []).append(position)
        value = plain_value(cell.value)
        return value if value is not None else (cell.text or None)

    def unresolved(self, first: int) -> tuple[Unresolved, ...] | None:
        """What could not be read, by field, with the first few rows of the sheet, of which record 0 is in `first`."""
        found = (
            Unresolved(
                field=self.fields[at][:LONGEST_NAME], count=count, rows=tuple(first + row for row in self._unread[at])
            )
            for at, count in sorted(self._unread_counts.items())
        )
        return tuple(islice(found, MOST_NAMED)) or None

    def left_out(self, binding: Binding) -> tuple[str, ...] | None:
        """The fields no column takes."""
        return _named(self.fields[at] for at in (*binding.ambiguous, *binding.unplaced))

    def lines(self, written: WriteReceipt) -> Iterator[str]:
        """The receipt as a person reads it, once the rows are written."""
        for name, value in (self._info.receipt or {}).items():
            yield f"{name.replace('_', ' ')}: {_said(value)}"
        yield f"rows written: {written.rows}"
        if written.cells_protected:
            yield f"texts kept from being read as formulas: {written.cells_protected}"
        if written.truncated:
            yield f"texts cut to what a cell holds: {written.truncated}"
        for at, count in sorted(self._unread_counts.items()):
            shown = ", ".join(str(row + 2) for row in self._unread[at])
            more = ", ..." if count > len(self._unread[at]) else ""
            yield f"not read as {self._info.fields[at].type}: {self.fields[at]}: {count} (rows {shown}{more})"


def _said(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "not known" if value is None else str(value)
