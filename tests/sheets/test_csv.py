"""CSV files, read back with the csv module."""

from __future__ import annotations

import csv
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from remit.contract import Reason
from remit.sheets import CSV_NOTICE, Plain, SheetError, WriteReceipt, write_csv
from remit.sheets import _csv as module
from tests.sheets.test_active_text import ACTIVE


def read(path: Path, delimiter: str = ",", encoding: str = "utf-8-sig") -> list[list[str]]:
    with path.open(encoding=encoding, newline="") as file:
        return list(csv.reader(file, delimiter=delimiter))


def test_active_text_is_protected_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    receipt = write_csv(path, ["Text"], [[text] for text in ACTIVE])
    rows = read(path)
    assert [row[0] for row in rows[1:]] == [f"'{text}" for text in ACTIVE]
    assert receipt == WriteReceipt(len(ACTIVE), 1, len(ACTIVE), dates=0, numbers=0, texts=len(ACTIVE))


def test_an_active_header_is_protected_too(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    assert write_csv(path, ["=1+1", "Plain"], []).cells_protected == 1
    assert read(path) == [["'=1+1", "Plain"]]


def test_numbers_stay_numbers_typed_or_not(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    row: list[Plain] = [Decimal("-5.00"), -3, "-1e-7", "-1.234,56", "-", True]
    receipt = write_csv(path, list("abcdef"), [row])
    assert read(path)[1] == ["-5.00", "-3", "-1e-7", "-1.234,56", "-", "TRUE"]
    assert (receipt.cells_protected, receipt.numbers, receipt.texts) == (0, 3, 3)


def test_semicolon_files_have_decimal_commas(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    write_csv(path, ["a", "b"], [[Decimal("1234.50"), "x;y"]], dialect="semicolon")
    assert read(path, ";")[1] == ["1234,50", "x;y"]
    assert path.read_bytes().startswith(b"\xef\xbb\xbfa;b\r\n")


def test_identifiers_dates_and_unicode_come_back_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    texts = ["00123", "12345678901234567890", "1E5", "MAR1", "a\nb", 'say "hi"', "Übung 日本"]
    receipt = write_csv(
        path,
        [str(at) for at in range(10)],
        [[*texts, None, date(2026, 9, 15), datetime(2026, 9, 15, 14, 5)]],
        bom=False,
    )
    expected = [*texts, "", "2026-09-15", "2026-09-15 14:05:00"]
    assert read(path, encoding="utf-8")[1] == expected
    assert not path.read_bytes().startswith(b"\xef\xbb\xbf")
    assert receipt.dates == 2


def test_a_lone_surrogate_does_not_spoil_the_file(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    write_csv(path, ["a"], [["x\ud800y\x00z"]])
    assert read(path)[1] == ["x?yz"]


def test_more_rows_than_a_program_opens_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_ROWS", 3)
    write_csv(tmp_path / "fits.csv", ["a"], [[1], [2]])
    with pytest.raises(SheetError) as caught:
        write_csv(tmp_path / "out.csv", ["a"], [[1], [2], [3]])
    assert caught.value.reason is Reason.FILE_TOO_LARGE
    assert [entry.name for entry in tmp_path.iterdir()] == ["fits.csv"]


def test_the_notice_says_that_protection_does_not_last() -> None:
    assert "do not survive every re-save" in CSV_NOTICE
