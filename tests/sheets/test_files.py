"""Names and the appearance of files."""

from __future__ import annotations

import errno
import os
import threading
from pathlib import Path

import pytest

from remit.contract import Reason
from remit.sheets import SheetError, safe_file_name
from remit.sheets._files import new_file


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("invoices", "invoices.xlsx"),
        ("invoices.xlsx", "invoices.xlsx"),
        ("Invoices.XLSX", "Invoices.xlsx"),
        ("fatture 2026", "fatture 2026.xlsx"),
        ("Übersicht", "Übersicht.xlsx"),
        ("Cafe\u0301", "Caf\u00e9.xlsx"),
        ("v1.2", "v1.2.xlsx"),
        ("console", "console.xlsx"),
    ],
)
def test_a_plain_name_is_kept_and_gets_its_suffix(name: str, expected: str) -> None:
    assert safe_file_name(name, ".xlsx") == expected


@pytest.mark.parametrize(
    "name",
    [
        "",
        "  ",
        ".xlsx",
        ".hidden",
        "-rf",
        "../up",
        "a/b",
        "a\\b",
        "C:evil",
        "CON",
        "con.xlsx",
        "Aux.report",
        "lpt1",
        "a\x00b",
        "a\nb",
        "a\u202egpj",
        "a\u2028b",
        "what?",
        "a.",
        "a.xlsm",
        "a.csv",
        "x" * 200,
        "é" * 80,
        "~$a",
        "\ud800",
    ],
)
def test_a_name_that_is_unsafe_somewhere_is_refused(name: str) -> None:
    with pytest.raises(SheetError) as caught:
        safe_file_name(name, ".xlsx")
    assert caught.value.reason is Reason.FILE_NAME


def test_missing_parents_are_made_and_only_the_file_remains(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "out.csv"
    with new_file(path) as draft:
        draft.write_text("whole")
        assert not path.exists()
    assert path.read_text() == "whole"
    assert path.stat().st_mode & 0o777 == 0o600
    assert os.listdir(path.parent) == ["out.csv"]


def test_an_existing_file_is_never_changed(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.write_text("old")
    with pytest.raises(SheetError) as caught, new_file(path) as draft:
        draft.write_text("new")
    assert caught.value.reason is Reason.FILE_EXISTS
    assert path.read_text() == "old"


def test_a_dangling_link_counts_as_existing(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(SheetError) as caught, new_file(path) as draft:
        draft.write_text("new")
    assert caught.value.reason is Reason.FILE_EXISTS
    assert not (tmp_path / "elsewhere").exists()


def test_of_two_writers_exactly_one_wins(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    both_inside = threading.Barrier(2, timeout=10)
    ends: list[str] = []

    def write(text: str) -> None:
        try:
            with new_file(path) as draft:
                draft.write_text(text)
                both_inside.wait()
            ends.append(text)
        except SheetError as error:
            ends.append(error.reason)

    writers = [threading.Thread(target=write, args=(text,)) for text in ("one", "two")]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert sorted(ends) == sorted([Reason.FILE_EXISTS, path.read_text()])
    assert os.listdir(tmp_path) == ["out.csv"]


@pytest.mark.parametrize("exists", [False, True])
def test_a_file_system_without_links_still_replaces_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, exists: bool
) -> None:
    def refuse(source: Path, target: Path) -> None:
        if exists:
            target.write_text("old")
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    path = tmp_path / "out.csv"
    if exists:
        with pytest.raises(SheetError) as caught, new_file(path) as draft:
            draft.write_text("new")
        assert caught.value.reason is Reason.FILE_EXISTS
    else:
        with new_file(path) as draft:
            draft.write_text("new")
    assert path.read_text() == ("old" if exists else "new")
    assert os.listdir(tmp_path) == ["out.csv"]


def test_a_failure_midway_leaves_nothing(tmp_path: Path) -> None:
    def write_half() -> None:
        with new_file(tmp_path / "out.csv") as draft:
            draft.write_text("half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_half()
    assert os.listdir(tmp_path) == []


def test_a_parent_that_is_a_file_is_unwritable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(SheetError) as caught, new_file(tmp_path / "file" / "out.csv"):
        pass
    assert caught.value.reason is Reason.FILE_UNWRITABLE
