"""`read_spreadsheet`: what reaches the dataset, and how little reaches the planner."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import date
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import pytest_asyncio
from openpyxl.worksheet.worksheet import Worksheet

from remit.contract import Registry, builtin_folder
from remit.records import plain_value
from remit.runs import Rooms, Runs
from remit.settings import Settings

Json = dict[str, Any]
PUBLISHED = Registry((builtin_folder(),)).published
CANARY = "canary-value-41"


class Reader:
    """Calls the tools as the server does."""

    def __init__(self, rooms: Rooms, folder: Path) -> None:
        self._rooms = rooms
        self.folder = folder

    async def call(self, tool: str, **arguments: object) -> Json:
        """The result, which is small."""
        item = PUBLISHED[tool]
        given = item.executor.arguments_model.model_validate(arguments)
        async with Runs(self._rooms) as runs:
            payload: Json = (await runs.call(item, given, "test")).payload()
        assert len(json.dumps(payload, separators=(",", ":"))) <= 1200
        return payload

    def values(self, told: Json) -> list[list[object]]:
        """The typed values in the dataset."""
        rows = self._rooms.datasets.rows(told["dataset_id"])
        return [[plain_value(cell.value) for cell in row.cells] for row in rows]

    def book(self, *rows: list[object]) -> None:
        """A workbook of these rows."""
        made = openpyxl.Workbook()
        assert isinstance(made.active, Worksheet)
        for row in rows:
            made.active.append(row)
        made.save(self.folder / "a.xlsx")


@pytest_asyncio.fixture
async def reader(tmp_path: Path) -> AsyncIterator[Reader]:
    folder = tmp_path / "files"
    folder.mkdir()
    settings = Settings(
        data_dir=tmp_path / "data", vault_dir=tmp_path / "vault", files_dir=folder, vault_key="file", model="none"
    )
    async with Rooms(settings) as rooms:
        yield Reader(rooms, folder)


async def test_a_workbook_becomes_a_typed_dataset_and_its_values_stay_here(reader: Reader) -> None:
    reader.book(["Number", "Date", "Amount", "Count"], [CANARY, date(2026, 9, 1), 1234.567, 12345678901])
    told = await reader.call("read_spreadsheet", name="a.xlsx")
    assert [(item["name"], item["type"]) for item in told["fields"]] == [
        ("Number", "text"),
        ("Date", "date"),
        ("Amount", "amount"),
        ("Count", "integer"),
    ]
    assert (told["status"], told["rows"], told["columns"]) == ("done", 1, 4)
    number, day, amount, count = reader.values(told)[0]
    assert (number, str(day), str(amount), count) == (CANARY, "2026-09-01", "1234.567", 12345678901)
    assert CANARY not in json.dumps(told)


async def test_what_was_read_can_be_written_again(reader: Reader) -> None:
    reader.book(["Number", "Amount"], ["=1+1 is text"[1:], 2.5], ["00123", 3])
    told = await reader.call("read_spreadsheet", name="a.xlsx")
    written = await reader.call("write_spreadsheet", dataset_id=told["dataset_id"], name="b.xlsx")
    sheet = openpyxl.load_workbook(written["path"])["Records"]
    assert [[cell.value for cell in row] for row in sheet.iter_rows()] == [
        ["Number", "Amount"],
        ["1+1 is text", 2.5],
        ["00123", 3],
    ]


async def test_formulas_without_a_stored_value_make_the_reading_partial(reader: Reader) -> None:
    reader.book(["Number", "Amount"], ["INV-1", "=1+1"])
    told = await reader.call("read_spreadsheet", name="a.xlsx")
    assert (told["status"], told["reason"], told["uncomputed"]) == ("partial", "unreadable_values", 1)


async def test_a_csv_file_is_typed_by_its_columns_and_its_order_may_be_told(reader: Reader) -> None:
    (reader.folder / "a.csv").write_text("Number;Date;Amount\n00123;09/15/2026;1.234,50\n00124;01/02/2026;2,00\n")
    told = await reader.call("read_spreadsheet", name="a.csv")
    assert told["fields"][1]["suggestion"] == "date_order"
    told = await reader.call("read_spreadsheet", name="a.csv", date_order="mdy")
    assert [item["type"] for item in told["fields"]] == ["text", "date", "amount"]
    assert [str(value) for value in reader.values(told)[0]] == ["00123", "2026-09-15", "1234.50"]


async def test_a_wide_file_gives_a_small_result(reader: Reader) -> None:
    reader.book([f"A heading that is rather long, number {at}" for at in range(200)], ["x"] * 200)
    told = await reader.call("read_spreadsheet", name="a.xlsx")
    assert (told["columns"], len(told["fields"])) == (200, 10)


@pytest.mark.parametrize(
    ("name", "reason"), [("none.csv", "file_missing"), ("../a.csv", "file_name"), ("a.ods", "file_name")]
)
async def test_only_spreadsheets_of_the_folder_are_read(reader: Reader, name: str, reason: str) -> None:
    told = await reader.call("read_spreadsheet", name=name)
    assert (told["status"], told["reason"]) == ("failed", reason)


async def test_a_damaged_file_is_typed(reader: Reader) -> None:
    (reader.folder / "a.xlsx").write_bytes(b"PK\x03\x04 not a package")
    assert (await reader.call("read_spreadsheet", name="a.xlsx"))["reason"] == "file_damaged"


async def test_a_sheet_is_chosen_by_name(reader: Reader) -> None:
    reader.book(["Number", "Amount"], ["INV-1", 1])
    assert (await reader.call("read_spreadsheet", name="a.xlsx", sheet="Sheet"))["rows"] == 1
    assert (await reader.call("read_spreadsheet", name="a.xlsx", sheet="Other"))["reason"] == "sheet_missing"
