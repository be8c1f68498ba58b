"""Writing new workbooks, and adding rows to large ones. Processor time, so that a busy machine is fair to both."""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import openpyxl
import xlsxwriter

from remit.records import plain_name
from remit.sheets import Plain, append_xlsx, existing_file, write_xlsx

from ._figures import Figure
from .big_books import ROWS_OF_50_MB, big_other_sheet, one_big_sheet

SIZES = (1_000, 10_000, 100_000)
WRITE_BOUND, LINEAR_BOUND, MEMORY_BOUND = 1.1, 1.3, 1.3
SHEET_BOUND, OTHER_BOUND = 4.0, 0.1
ADDED = 100
COLUMNS = ("Number", "Customer", "Date", "Amount", "Count", "Currency", "State", "Description")
Writer = Callable[[Path, int], None]


async def writing_figures() -> list[Figure]:
    """Rows per second at three sizes, memory, and appends of 100 rows to workbooks of 50 MB."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        return [*_writing(folder), *_appending(folder)]


def _writing(folder: Path) -> Iterator[Figure]:
    ours = {size: _cost(_remit, folder, size) for size in SIZES}
    for rival, write in (("XlsxWriter constant_memory", _xlsxwriter), ("openpyxl write_only", _openpyxl)):
        for size in SIZES:
            theirs = _cost(write, folder, size)
            yield _figure(
                f"write {size:,} rows", ours[size][0] / theirs[0], _speed(size, ours[size]),
                f"{rival}: {_speed(size, theirs)}", WRITE_BOUND,
            )  # fmt: skip
    small, large = ours[SIZES[1]], ours[SIZES[2]]
    ten = SIZES[2] / SIZES[1]
    yield _figure(
        "time per row, 100,000 rows", large[0] / small[0] / ten, _speed(SIZES[2], large),
        f"10,000 rows: {_speed(SIZES[1], small)}", LINEAR_BOUND,
    )  # fmt: skip
    yield _figure(
        "memory, 100,000 rows",
        large[1] / small[1],
        f"{large[1]:.0f} MB",
        f"10,000 rows: {small[1]:.0f} MB",
        MEMORY_BOUND,
    )


def _appending(folder: Path) -> Iterator[Figure]:
    big, other = (
        one_big_sheet(folder / "big.xlsx", ROWS_OF_50_MB),
        big_other_sheet(folder / "other.xlsx", ROWS_OF_50_MB),
    )
    large, small = _cost(_append, big, ADDED), _cost(_append, other, ADDED)
    again = _cost(_repack, big, ADDED)
    yield _figure(
        "append 100 rows to the 50 MB sheet", large[0] / again[0], _append_text(large),
        f"unpack and pack that sheet: {_append_text(again)}", SHEET_BOUND,
    )  # fmt: skip
    yield _figure(
        "append 100 rows beside a 50 MB sheet", small[0] / large[0], _append_text(small),
        f"to it: {_append_text(large)}", OTHER_BOUND,
    )  # fmt: skip
    copied = _cost(_copy, other, ADDED)
    yield Figure("the same", _append_text(small), f"copying the file: {_append_text(copied)}", small[0] / copied[0])


def _figure(what: str, ratio: float, ours: str, against: str, bound: float) -> Figure:
    return Figure(what, ours, against, ratio, f"≤ {bound}x", bound)


def _speed(size: int, cost: tuple[float, float]) -> str:
    return f"{size / cost[0]:,.0f} rows/s"


def _append_text(cost: tuple[float, float]) -> str:
    return f"{cost[0]:.2f} s, {cost[1]:.0f} MB"


def _cost(work: Writer, place: Path, size: int) -> tuple[float, float]:
    """The best of a few processes of their own: processor seconds, and megabytes at the peak."""
    command = [sys.executable, "-m", "tests.bench.writing", work.__name__, str(place), str(size)]
    rounds = 1 if place.is_file() else 3
    told = [subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() for _ in range(rounds)]
    return min(float(seconds) for seconds, _ in told), min(float(memory) for _, memory in told)


def _measured(work: Writer, place: Path, size: int) -> str:
    with tempfile.TemporaryDirectory(dir=place if place.is_dir() else place.parent) as folder:
        target = Path(folder) / "out.xlsx"
        if place.is_file():
            shutil.copyfile(place, target)
        start = time.process_time()
        work(target, size)
        seconds = time.process_time() - start
    return f"{seconds} {_peak()}"


def _peak() -> float:
    """Megabytes. On Linux not by `getrusage`, which counts what the parent had when it forked."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text().split("VmHWM:")[1].split()[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20)


def _rows(size: int) -> Iterator[list[Plain]]:
    for at in range(size):
        yield [
            f"INV-{at:06}", f"Customer number {at * 7919 % 104729} GmbH", date(2026, 1, 1) + timedelta(at % 360),
            Decimal(at * 37 % 99999) / 100, at, "EUR", "paid" if at % 3 else "open", f"Description of the thing {at}",
        ]  # fmt: skip


def _remit(path: Path, size: int) -> None:
    write_xlsx(path, COLUMNS, _rows(size), receipt_lines=lambda _: ["a receipt"], title="Records")


def _xlsxwriter(path: Path, size: int) -> None:
    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    book = xlsxwriter.Workbook(str(path), {**options, "default_date_format": "yyyy-mm-dd"})
    sheet = book.add_worksheet("Records")
    sheet.write_row(0, 0, COLUMNS)
    for at, row in enumerate(_rows(size), start=1):
        sheet.write_row(at, 0, row)
    book.close()


def _openpyxl(path: Path, size: int) -> None:
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Records")
    sheet.append(list(COLUMNS))
    for row in _rows(size):
        sheet.append(row)
    book.save(path)


def _append(path: Path, size: int) -> None:
    rows: list[list[Plain]] = [[f"NEW-{at}", date(2026, 9, 1), Decimal(at)] for at in range(size)]
    found = existing_file(path.parent, path.name)
    fields = ("Number", "Date", "Amount")
    append_xlsx(found, fields, rows, count=size, chosen={}, fold=plain_name, sheet="Data 1")


def _repack(path: Path, size: int) -> None:
    """What no change to a sheet can do without."""
    del size
    again = path.with_name("again.xlsx")
    with (
        zipfile.ZipFile(path) as source,
        source.open("xl/worksheets/sheet1.xml") as sheet,
        zipfile.ZipFile(again, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as target,
        target.open("sheet1.xml", "w") as packed,
    ):
        shutil.copyfileobj(sheet, packed, 1 << 20)


def _copy(path: Path, size: int) -> None:
    del size
    shutil.copyfile(path, path.with_name("copy.xlsx"))


if __name__ == "__main__":
    known = {work.__name__: work for work in (_remit, _xlsxwriter, _openpyxl, _append, _repack, _copy)}
    print(_measured(known[sys.argv[1]], Path(sys.argv[2]), int(sys.argv[3])))
