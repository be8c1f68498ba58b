"""Rows a second and memory of collecting 1,000, 10,000 and 100,000 rows: from pages as data to a dataset on disk.

A hundred rows a page, as served portals show them. Without a browser: what a page costs there is measured by
`observing`. Seconds are of the processor, which others on the machine
slow least; memory is by how much the process grew at most.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import psutil

from remit.browser import Frame
from remit.executors._area import select
from remit.executors._harvest import Harvest, Wanted
from remit.executors._same_list import SameList
from remit.records import Datasets
from remit.state import Database
from tests.browser.by_hand import observed

from ._figures import Figure

COUNTS = (1_000, 10_000, 100_000)
SIZE = 100
LINEAR = 1.5
"""Time a row at most, at 100,000 against 1,000, to be called linear."""

WANTED = Wanted("invoices", ("number", "date", "amount"))


def page_of(first: int) -> Frame:
    """A page of the list, as observed."""
    rows = "".join(
        f"<tr><td><a href=/i/{n}>INV-{n:06}</a></td><td>2026-0{n % 9 + 1}-11</td><td>{n}.50 €</td></tr>"
        for n in range(first, first + SIZE)
    )
    head = "<thead><tr><th>Number</th><th>Date</th><th>Amount</th></tr></thead>"
    return observed(f"<main><h1>Invoices</h1><table>{head}<tbody>{rows}</tbody></table></main>")


def collect(count: int, folder: Path) -> tuple[float, int]:
    """Seconds of the processor for reading the list's rows, making pages left out; and bytes."""
    database = Database.in_folder(folder)
    datasets = Datasets(database)
    harvest = Harvest(WANTED, datasets, datasets.create("run", WANTED.fields))
    first = select(page_of(0), WANTED)
    assert first is not None
    same, spent, process = SameList(WANTED, first), 0.0, psutil.Process()
    start_bytes = peak = process.memory_info().rss
    for start in range(0, count, SIZE):
        frame = page_of(start)
        began = time.process_time()
        chosen = same.find(frame)
        assert chosen is not None
        harvest.take(frame, chosen.list, chosen.columns, overlapping=False)
        spent += time.process_time() - began
        peak = max(peak, process.memory_info().rss)
    assert harvest.counts.exported == count
    database.close()
    return spent, peak - start_bytes


async def collecting_figures() -> list[Figure]:
    """A figure a size, and one for linearity."""
    figures: list[Figure] = []
    each: dict[int, float] = {}
    for count in COUNTS:
        with tempfile.TemporaryDirectory() as folder:
            spent, grown = collect(count, Path(folder))
        each[count] = spent / count
        ours = f"{1 / each[count]:,.0f} rows/s"
        figures.append(Figure(f"collect {count:,} rows", ours, f"the process grew by {grown / 1e6:.0f} MB", None))
    growth = each[COUNTS[-1]] / each[COUNTS[0]]
    figures.append(Figure("collect: time a row, 100,000 / 1,000", "", "", growth, f"≤ {LINEAR} (linear)", LINEAR))
    return figures
