"""Rows added at the end of a CSV file, in its own encoding and with its own delimiter."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from remit.contract import Reason

from ._append import Appended
from ._csv import csv_cell
from ._csv_source import CsvFile, csv_file
from ._errors import SheetError
from ._existing import Existing, replacing
from ._headings import Binding, Fold, Names, bind, check_fields
from ._receipt import PlainRow, Tally
from ._values import MAX_ROWS

_ENDINGS = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le"}


@dataclass(frozen=True, slots=True)
class _Header:
    binding: Binding
    rows: int


def append_csv(
    found: Existing, fields: Sequence[str], rows: Iterable[PlainRow], *, chosen: Mapping[str, str], fold: Fold
) -> Appended:
    """Add rows at the end of a CSV file, under the headings that fit their fields.

    Raises:
        SheetError: `HEADINGS_NOT_FOUND`, `HEADINGS_AMBIGUOUS`, `UNKNOWN_FIELD`, `FILE_TOO_LARGE`, `FILE_DAMAGED`, and
            those of `replacing`; nothing was changed.
    """
    check_fields(fields, chosen)
    with replacing(found) as (draft, backup):
        file = csv_file(found.path)
        header = _header(file, fields, chosen, fold)
        tally = Tally()
        shutil.copyfile(found.path, draft)
        _add(draft, file, header, rows, tally)
    binding = header.binding
    return Appended(
        tally.receipt(len({place for place in binding.places if place is not None})),
        header.rows + 1,
        tuple(fields[at] for at in binding.unplaced),
        tuple(fields[at] for at in binding.ambiguous),
        backup,
    )


def _header(file: CsvFile, fields: Sequence[str], chosen: Mapping[str, str], fold: Fold) -> _Header:
    names = Names([*fields, *chosen], fold)
    best: Binding | None = None
    tied = False
    count = 0
    for row in file.rows():
        count += 1
        if not any(text in names for text in row):
            continue
        binding = bind(row, fields, chosen, fold)
        if best is None or binding.fits > best.fits:
            best, tied = binding, False
        elif binding.fits == best.fits:
            tied = True
    if best is None or not best.fits or best.missing:
        raise SheetError(Reason.HEADINGS_NOT_FOUND)
    if tied or all(place is None for place in best.places):
        raise SheetError(Reason.HEADINGS_AMBIGUOUS)
    return _Header(best, count)


def _add(draft: Path, file: CsvFile, header: _Header, rows: Iterable[PlainRow], tally: Tally) -> None:
    ending = _line_ending(draft, file)
    mark = "," if file.delimiter == ";" else "."
    encoding = _ENDINGS.get(file.encoding, file.encoding)
    try:
        with draft.open("a", encoding=encoding, newline="") as target:
            if not _ends_with_line(draft):
                target.write(ending)
            writer = csv.writer(target, delimiter=file.delimiter, lineterminator=ending)
            for row in rows:
                tally.rows += 1
                if header.rows + tally.rows > MAX_ROWS:
                    raise SheetError(Reason.FILE_TOO_LARGE)
                values = (None if place is None else row[place] for place in header.binding.places)
                writer.writerow([csv_cell(value, mark, tally) for value in values])
    except UnicodeError:  # a character that the file's own encoding does not have
        raise SheetError(Reason.FILE_UNWRITABLE) from None


def _line_ending(path: Path, file: CsvFile) -> str:
    with path.open(encoding=file.encoding, errors="replace", newline="") as source:
        return "\r\n" if source.readline(1 << 20).endswith("\r\n") else "\n"


def _ends_with_line(path: Path) -> bool:
    with path.open("rb") as source:
        source.seek(-min(2, path.stat().st_size), 2)
        return source.read(2).rstrip(b"\x00").endswith(b"\n")
