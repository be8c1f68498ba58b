"""Datasets: durable, streamed, typed beside their source text."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from remit.contract import Reason
from remit.records import (
    Amount,
    DatasetError,
    Datasets,
    DateInterval,
    Entry,
    Field,
    FieldTyping,
    Period,
    cover,
    year_in,
)
from remit.records._datasets import CHUNK
from remit.runs import Journal
from remit.state import Database

FIELDS = ("Number", "Date", "Total")


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    database = Database.in_folder(tmp_path / "data")
    yield database
    database.close()


def entry(number: int, day: str = "15/09/2026", total: str = "€ 1.234,50") -> Entry:
    return Entry((f"INV-{number}", day, total), key=f"INV-{number}", page=1 + number // 25, row=number % 25)


def test_rows_come_back_in_order_with_their_origin(db: Database) -> None:
    datasets = Datasets(db)
    dataset = datasets.create("run_1", FIELDS)
    assert dataset.startswith("ds_")
    assert datasets.append(dataset, [entry(0), entry(1)]) == 2
    assert datasets.append(dataset, [entry(26)]) == 3
    rows = list(datasets.rows(dataset))
    assert [(row.position, row.key, row.page, row.row) for row in rows] == [
        (0, "INV-0", 1, 0),
        (1, "INV-1", 1, 1),
        (2, "INV-26", 2, 1),
    ]
    assert [cell.text for cell in rows[2].cells] == ["INV-26", "15/09/2026", "€ 1.234,50"]
    assert datasets.of_run("run_1") == (dataset,)


def test_typed_values_stand_beside_the_source_text(db: Database) -> None:
    datasets = Datasets(db)
    dataset = datasets.create("run_1", FIELDS)
    datasets.append(dataset, [entry(1), entry(2, total="3.350"), entry(3, day="soon", total="")])
    assert datasets.type_fields(dataset, {"Date": FieldTyping(hint="date")}) == (
        Field("Number", "text"),
        Field("Date", "date", unresolved=1),
        Field("Total", "amount"),
    )
    rows = list(Datasets(db).rows(dataset))
    assert rows[0].cells[1].value == DateInterval.day(date(2026, 9, 15))
    assert rows[1].cells[2].value == Amount(Decimal(3350))
    assert (rows[2].cells[1].text, rows[2].cells[1].is_unresolved) == ("soon", True)
    assert not rows[2].cells[2].is_unresolved


def test_a_suggested_order_can_be_told_afterwards(db: Database) -> None:
    datasets = Datasets(db)
    dataset = datasets.create("run_1", ["Date"])
    datasets.append(dataset, [Entry(("04/05/2026",)), Entry(("04/13/2026",))])
    assert datasets.type_fields(dataset) == (Field("Date", "date", 2, "date_order"),)
    assert datasets.type_fields(dataset, {"Date": FieldTyping(date_order="mdy")}) == (Field("Date", "date"),)


def test_machine_values_and_flags_are_kept(db: Database) -> None:
    datasets = Datasets(db)
    dataset = datasets.create("run_1", ["When"])
    datasets.append(
        dataset, [Entry(("yesterday",), ("2026-09-15",), flag="duplicate"), Entry(("today",), ("2026-09-16",))]
    )
    datasets.type_fields(dataset)
    first = next(datasets.rows(dataset))
    assert first.cells[0].value == DateInterval.day(date(2026, 9, 15))
    assert first.flag == "duplicate"
    assert datasets.info(dataset).flagged == 1


def test_where_each_value_came_from_is_kept(db: Database) -> None:
    datasets = Datasets(db)
    dataset = datasets.create("run_1", ["Number", "Due"])
    whole = Entry(("7", "15/09/2026"), page=2, row=4, cells=(0, None), listed=(None, "Sep 2026"), context_year=2026)
    datasets.append(dataset, [whole, Entry(("8", ""))])
    assert list(datasets.entries(dataset)) == [whole, Entry(("8", ""))]
    for broken in (Entry(("7", ""), cells=(0,)), Entry(("7", ""), listed=(None,))):
        with pytest.raises(DatasetError):
            datasets.append(dataset, [broken])


def test_the_year_of_a_group_is_its_rows_year_and_says_so(db: Database) -> None:
    datasets = Datasets(db)
    dataset = datasets.create("run_1", ["Date"])
    groups = {"Invoices 2025": ("31 Dec",), "2026 (24)": ("1 Jan", "2 Jan 2024"), "Older": ("3 Jan",)}
    datasets.append(
        dataset, [Entry((text,), context_year=year_in(group)) for group, texts in groups.items() for text in texts]
    )
    (field,) = datasets.type_fields(dataset, {"Date": FieldTyping("date")})
    assert (field.unresolved, field.context_years, field.suggestion) == (1, 2, "context_year")
    assert datasets.info(dataset).fields == (field,)
    values = [row.cells[0].value for row in datasets.rows(dataset)]
    assert [value.start if isinstance(value, DateInterval) else None for value in values] == [
        date(2025, 12, 31),
        date(2026, 1, 1),
        date(2024, 1, 2),
        None,
    ]


def test_rows_may_be_read_from_a_position(db: Database) -> None:
    datasets = Datasets(db)
    dataset = datasets.create("run_1", FIELDS)
    datasets.append(dataset, [entry(number) for number in range(5)])
    assert [row.position for row in datasets.rows(dataset, 3)] == [3, 4]
    assert list(datasets.rows(dataset, 9)) == []


def test_a_dataset_is_its_principals_who_began_the_run(db: Database) -> None:
    journal = Journal(db)
    for run_id, principal in (("run_1", "ada"), ("run_2", "bob")):
        journal.begin(run_id, "collect_sites", "digest", principal)
    datasets = Datasets(db)
    ada, bob = datasets.of("ada"), datasets.of("bob")
    dataset = ada.create("run_1", ["a"])
    assert ada.append(dataset, [Entry(("1",))]) == 1
    ada.finish(dataset, {}, cover("a", (), Period(), exhausted=True), "digest")
    assert (ada.of_run("run_1"), bob.of_run("run_1")) == ((dataset,), ())
    assert (ada.covered("digest", "a"), bob.covered("digest", "a")) == ((Period(),), ())
    uses: tuple[Callable[[], object], ...] = (
        lambda: bob.info(dataset),
        lambda: bob.rows(dataset),
        lambda: bob.entries(dataset),
        lambda: bob.readings(dataset),
        lambda: bob.type_fields(dataset),
        lambda: bob.decide(dataset, [None]),
        lambda: bob.read_as(dataset, (), ()),
        lambda: bob.append(dataset, [Entry(("2",))]),
        lambda: bob.finish(dataset, {}),
    )
    for use in uses:
        with pytest.raises(DatasetError) as caught:
            use()
        assert caught.value.reason is Reason.UNKNOWN_DATASET
    assert datasets.info(dataset).rows == 1


def test_a_dataset_of_no_known_run_is_nobodys(db: Database) -> None:
    Journal(db)
    dataset = Datasets(db).create("", ["a"])
    with pytest.raises(DatasetError):
        Datasets(db).of("ada").info(dataset)


def test_a_database_of_before_takes_new_entries(tmp_path: Path) -> None:
    database = Database.in_folder(tmp_path / "data")
    database.ensure(
        """CREATE TABLE dataset_entries (dataset_id TEXT NOT NULL, position INTEGER NOT NULL, key TEXT, page INTEGER,
        row INTEGER, flag TEXT, texts TEXT NOT NULL, machines TEXT, PRIMARY KEY (dataset_id, position)) WITHOUT ROWID"""
    )
    for _ in range(2):
        datasets = Datasets(database)
        dataset = datasets.create("run_1", ["a"])
        datasets.append(dataset, [Entry(("1",), cells=(3,))])
        assert next(datasets.entries(dataset)).cells == (3,)
    database.close()


def test_info_counts_and_keeps_the_receipt(db: Database) -> None:
    datasets = Datasets(db)
    dataset = datasets.create("run_1", FIELDS)
    datasets.append(dataset, [entry(1)])
    assert (datasets.info(dataset).state, datasets.info(dataset).receipt) == ("open", None)
    datasets.finish(dataset, {"pages": 1, "complete": True, "stop": "exhausted"})
    info = datasets.info(dataset)
    assert (info.run_id, info.state, info.rows, info.receipt) == (
        "run_1",
        "finished",
        1,
        {"pages": 1, "complete": True, "stop": "exhausted"},
    )


def test_a_finished_dataset_takes_no_more(db: Database) -> None:
    datasets = Datasets(db)
    dataset = datasets.create("run_1", FIELDS)
    datasets.finish(dataset, {})
    with pytest.raises(DatasetError) as caught:
        datasets.append(dataset, [entry(1)])
    assert caught.value.reason is Reason.INVALID_ARGUMENTS


def test_a_chunk_with_one_bad_entry_is_not_appended_at_all(db: Database) -> None:
    datasets = Datasets(db)
    dataset = datasets.create("run_1", FIELDS)
    with pytest.raises(DatasetError):
        datasets.append(dataset, [entry(1), Entry(("too", "few"))])
    assert datasets.info(dataset).rows == 0


def test_an_unknown_dataset_is_a_reason_at_once(db: Database) -> None:
    datasets = Datasets(db)
    for use in (datasets.info, datasets.rows, datasets.type_fields):
        with pytest.raises(DatasetError) as caught:
            use("ds_nothing")
        assert caught.value.reason is Reason.UNKNOWN_DATASET


def test_more_than_a_chunk_is_read_whole_while_others_write(db: Database) -> None:
    datasets = Datasets(db)
    dataset = datasets.create("run_1", FIELDS)
    datasets.append(dataset, [entry(number) for number in range(CHUNK * 2 + 1)])
    rows = datasets.rows(dataset)
    assert next(rows).key == "INV-0"
    datasets.create("run_2", FIELDS)
    assert sum(1 for _ in rows) == CHUNK * 2


def test_a_lone_surrogate_survives(db: Database) -> None:
    datasets = Datasets(db)
    dataset = datasets.create("run_1", ["a"])
    datasets.append(dataset, [Entry(("x\ud800",))])
    assert next(datasets.rows(dataset)).cells[0].text == "x\ud800"


KILLED = """
import os, signal, sys
from pathlib import Path
from remit.records import Datasets, Entry
from remit.state import Database
datasets = Datasets(Database.in_folder(Path(sys.argv[1])))
dataset = datasets.create("run_1", ["a"])
for number in range(3):
    datasets.append(dataset, [Entry((str(number),))])
def endless():
    yield Entry(("never",))
    os.kill(os.getpid(), signal.SIGKILL)
datasets.append(dataset, endless())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_what_was_appended_survives_a_kill_and_half_a_chunk_does_not(tmp_path: Path) -> None:
    ended = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "data")], timeout=60)
    assert ended.returncode == -signal.SIGKILL
    database = Database.in_folder(tmp_path / "data")
    datasets = Datasets(database)
    (dataset,) = datasets.of_run("run_1")
    assert [row.cells[0].text for row in datasets.rows(dataset)] == ["0", "1", "2"]
    assert datasets.append(dataset, [Entry(("3",))]) == 4
    database.close()
