"""`write_spreadsheet`: a dataset to a new XLSX or CSV file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import anyio.to_thread
from pydantic import StringConstraints

from remit.contract import ArgumentsModel, Outcome, ResultModel, done
from remit.runs import Call, EffectKind, Settled

from ._shared import Handle

if TYPE_CHECKING:
    from remit.records import Cell, DatasetInfo, Datasets
    from remit.sheets import Plain, PlainRow, WriteReceipt


class Arguments(ArgumentsModel):
    """What to write, and the file's name; its ending, .xlsx or .csv, says which kind."""

    dataset_id: Handle
    name: Annotated[str, StringConstraints(min_length=1, max_length=120)]


class Result(ResultModel):
    """The file and what is in it."""

    path: str
    rows: int
    columns: int
    cells_protected: int
    notice: str | None = None


class WriteSpreadsheet:
    """Writes what was collected, typed where every value of a column could be read."""

    arguments_model = Arguments
    result_model = Result

    async def run(self, call: Call, arguments: Arguments) -> Outcome[Result]:
        """Done when the file is in its place, whole."""
        from remit.sheets import CSV_NOTICE, safe_file_name

        suffix: Literal[".csv", ".xlsx"] = ".csv" if arguments.name.lower().endswith(".csv") else ".xlsx"
        path = call.settings.files_dir / safe_file_name(arguments.name, suffix)
        info = call.datasets.info(arguments.dataset_id)
        effect = call.intend(EffectKind.WRITE_FILE, suffix)
        receipt = await anyio.to_thread.run_sync(_write, path, call.datasets, info)
        effect.settle(Settled.OBSERVED)
        return done(
            Result(
                path=str(path),
                rows=receipt.rows,
                columns=receipt.columns,
                cells_protected=receipt.cells_protected,
                notice=CSV_NOTICE if suffix == ".csv" else None,
            )
        )


def _write(path: Path, datasets: Datasets, info: DatasetInfo) -> WriteReceipt:
    from remit.sheets import write_csv, write_xlsx

    columns = [field.name for field in info.fields]
    rows = _plain_rows(datasets, info.dataset_id)
    if path.suffix == ".csv":
        return write_csv(path, columns, rows)
    return write_xlsx(path, columns, rows, receipt_lines=_receipt_lines(info), title="Records")


def _plain_rows(datasets: Datasets, dataset_id: str) -> Iterator[PlainRow]:
    for row in datasets.rows(dataset_id):
        yield tuple(_plain(cell) for cell in row.cells)


def _plain(cell: Cell) -> Plain:
    """The typed value; where a spreadsheet has no type for it, the source text stays."""
    from remit.records import plain_value

    value = plain_value(cell.value)
    return value if value is not None else (cell.text or None)


def _receipt_lines(info: DatasetInfo) -> list[str]:
    lines = [f"{name.replace('_', ' ')}: {_said(value)}" for name, value in (info.receipt or {}).items()]
    unread = [
        f"not read as {field.type}: {field.name}: {field.unresolved}" for field in info.fields if field.unresolved
    ]
    return lines + unread


def _said(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "not known" if value is None else str(value)
