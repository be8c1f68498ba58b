"""Existing files: which are left alone and why, and how the others are replaced."""

from __future__ import annotations

import errno
import fcntl
import os
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from remit.contract import Reason
from remit.records import plain_name
from remit.sheets import SheetError, append_csv, append_xlsx, existing_file, write_csv, write_xlsx
from remit.sheets import _existing as module
from tests.sheets.books import VBA, everything

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def workbook(folder: Path, name: str = "a.xlsx") -> Path:
    path = folder / name
    write_xlsx(path, ["Number"], [["INV-1"]], receipt_lines=lambda _: [], title="Data")
    return path


def append(folder: Path, name: str = "a.xlsx") -> None:
    found = existing_file(folder, name)
    if found.kind == ".csv":
        append_csv(found, ["Number"], [["INV-2"]], chosen={}, fold=plain_name)
    else:
        append_xlsx(found, ["Number"], [["INV-2"]], count=1, chosen={}, fold=plain_name)


def refusal(folder: Path, name: str = "a.xlsx") -> Reason:
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and not path.is_symlink()}
    with pytest.raises(SheetError) as caught:
        append(folder, name)
    after = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and not path.is_symlink()}
    assert after == before
    return caught.value.reason


@pytest.mark.parametrize("lock", [".~lock.a.xlsx#", "~$a.xlsx"])
def test_a_file_that_another_program_has_open_is_left_alone(tmp_path: Path, lock: str) -> None:
    workbook(tmp_path)
    (tmp_path / lock).write_text("someone")
    assert refusal(tmp_path) is Reason.FILE_LOCKED


def test_two_writers_do_not_meet_in_a_file(tmp_path: Path) -> None:
    with workbook(tmp_path).open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert refusal(tmp_path) is Reason.FILE_LOCKED


def test_a_read_only_file_is_left_alone(tmp_path: Path) -> None:
    workbook(tmp_path).chmod(0o444)
    assert refusal(tmp_path) is Reason.FILE_READ_ONLY


def test_a_folder_that_takes_no_files_is_a_refusal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workbook(tmp_path)

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "no")

    monkeypatch.setattr(tempfile, "TemporaryDirectory", refuse)
    assert refusal(tmp_path) is Reason.FILE_READ_ONLY


CONTENTS: dict[str, tuple[Callable[[Path], object], Reason]] = {
    "encrypted": (
        lambda path: path.write_bytes(OLE + bytes(600) + "EncryptedPackage".encode("utf-16-le") + bytes(600)),
        Reason.FILE_ENCRYPTED,
    ),
    "old_format_renamed": (
        lambda path: path.write_bytes(OLE + bytes(600) + "Workbook".encode("utf-16-le")),
        Reason.FILE_KIND,
    ),
    "text_renamed": (lambda path: path.write_text("Number\nINV-1\n"), Reason.FILE_KIND),
    "empty": (lambda path: path.write_bytes(b""), Reason.FILE_KIND),
    "other_zip": (lambda path: _zip(path, {"hello.txt": b"x"}), Reason.FILE_KIND),
    "document_renamed": (lambda path: _zip(path, _package("wordprocessingml.document")), Reason.FILE_KIND),
    "macros_renamed": (lambda path: everything(path.with_suffix(".xlsm")).rename(path), Reason.FILE_KIND),
    "binary_workbook": (lambda path: _zip(path, _package("excel.sheet.binary")), Reason.FILE_KIND),
    "truncated": (
        lambda path: path.write_bytes(workbook(path.parent, "b.xlsx").read_bytes()[:-40]),
        Reason.FILE_DAMAGED,
    ),
}


@pytest.mark.parametrize("name", CONTENTS)
def test_a_file_that_is_not_what_its_name_says_is_left_alone(tmp_path: Path, name: str) -> None:
    make, reason = CONTENTS[name]
    make(tmp_path / "a.xlsx")
    assert refusal(tmp_path) is reason


def test_a_workbook_called_csv_is_left_alone(tmp_path: Path) -> None:
    workbook(tmp_path).rename(tmp_path / "a.csv")
    assert refusal(tmp_path, "a.csv") is Reason.FILE_KIND


def test_an_encrypted_part_is_not_opened(tmp_path: Path) -> None:
    path = workbook(tmp_path)
    data = bytearray(path.read_bytes())
    at = data.rindex(b"PK\x01\x02")
    data[at + 8] |= 1
    path.write_bytes(data)
    assert refusal(tmp_path) is Reason.FILE_ENCRYPTED


def test_files_over_the_limit_are_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workbook(tmp_path)
    monkeypatch.setattr(module, "LARGEST_FILE", 100)
    assert refusal(tmp_path) is Reason.FILE_OVER_LIMIT


def test_parts_that_unpack_beyond_the_limit_are_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workbook(tmp_path)
    monkeypatch.setattr("remit.sheets._package.LARGEST_PART", 100)
    assert refusal(tmp_path) is Reason.FILE_OVER_LIMIT


@pytest.mark.parametrize("name", ["../b/a.xlsx", "/etc/a.xlsx", ".a.xlsx", "a\x00.xlsx", ""])
def test_names_that_lead_elsewhere_are_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "b").mkdir()
    workbook(tmp_path / "b")
    assert refusal(tmp_path, name) is Reason.FILE_NAME


def test_a_link_and_a_folder_are_no_files_of_ours(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "a.xlsx").symlink_to(workbook(tmp_path))
    (tmp_path / "files" / "b.xlsx").mkdir()
    assert refusal(tmp_path / "files", "a.xlsx") is Reason.FILE_MISSING
    assert refusal(tmp_path / "files", "b.xlsx") is Reason.FILE_MISSING
    assert refusal(tmp_path / "files", "c.xlsx") is Reason.FILE_MISSING


def test_a_file_saved_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    path = workbook(tmp_path)
    found = existing_file(tmp_path, "a.xlsx")

    def rows() -> list[list[str]]:
        other = workbook(tmp_path, "other.xlsx")
        other.replace(path)
        return [["INV-2"]]

    saved = None
    with pytest.raises(SheetError) as caught:
        append_xlsx(found, ["Number"], (row for row in rows()), count=1, chosen={}, fold=plain_name)
    saved = path.read_bytes()
    assert caught.value.reason is Reason.FILE_CHANGED
    assert existing_file(tmp_path, "a.xlsx").path.read_bytes() == saved
    assert os.listdir(tmp_path) == ["a.xlsx"]


def test_the_backup_is_the_old_file_in_a_private_folder(tmp_path: Path) -> None:
    path = workbook(tmp_path)
    before, mode = path.read_bytes(), 0o640
    path.chmod(mode)
    append(tmp_path)
    folder = tmp_path / module.BACKUPS
    assert [entry.read_bytes() for entry in folder.iterdir()] == [before]
    assert folder.stat().st_mode & 0o777 == 0o700
    assert path.stat().st_mode & 0o777 == mode
    assert sorted(os.listdir(tmp_path)) == [module.BACKUPS, "a.xlsx"]


def test_old_backups_of_the_same_file_are_forgotten(tmp_path: Path) -> None:
    workbook(tmp_path)
    workbook(tmp_path, "a.b.xlsx")
    append(tmp_path, "a.b.xlsx")
    for _ in range(module.KEPT + 2):
        append(tmp_path)
    names = [entry.name for entry in (tmp_path / module.BACKUPS).iterdir()]
    assert len(names) == module.KEPT + 1
    assert sum(name.startswith("a.b.") for name in names) == 1


def test_a_file_system_without_links_keeps_a_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = workbook(tmp_path).read_bytes()

    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    append(tmp_path)
    assert [entry.read_bytes() for entry in (tmp_path / module.BACKUPS).iterdir()] == [before]


def test_macros_survive(tmp_path: Path) -> None:
    path = everything(tmp_path / "a.xlsm")
    append(tmp_path, "a.xlsm")
    with zipfile.ZipFile(path) as package:
        assert package.read("xl/vbaProject.bin") == VBA


def test_upper_case_endings_are_found(tmp_path: Path) -> None:
    workbook(tmp_path).rename(tmp_path / "A.XLSX")
    append(tmp_path, "A.XLSX")


CSVS = {
    "plain": (b"Number,Date\nINV-1,2026-01-01\n", b"INV-2,\n"),
    "excel": (b"\xef\xbb\xbfNumber;Date\r\nINV-1;01/01/2026\r\n", b"INV-2;\r\n"),
    "no_last_line_ending": (b"Number,Date\nINV-1,x", b"\nINV-2,\n"),
    "utf_16": ("\ufeffNumber\tDate\r\nINV-1\tx\r\n".encode("utf-16-le"), "INV-2\t\r\n".encode("utf-16-le")),
    "told": (b"sep=|\nNumber|Date\nINV-1|x\n", b"INV-2|\n"),
}


@pytest.mark.parametrize("name", CSVS)
def test_a_csv_file_goes_on_as_it_began(tmp_path: Path, name: str) -> None:
    old, added = CSVS[name]
    (tmp_path / "a.csv").write_bytes(old)
    append(tmp_path, "a.csv")
    assert (tmp_path / "a.csv").read_bytes() == old + added


def test_text_added_to_a_csv_file_is_protected(tmp_path: Path) -> None:
    write_csv(tmp_path / "a.csv", ["Number"], [["INV-1"]])
    told = append_csv(existing_file(tmp_path, "a.csv"), ["number "], [["=1+1"], ["-5.00"]], chosen={}, fold=plain_name)
    assert (tmp_path / "a.csv").read_bytes().endswith(b"'=1+1\r\n-5.00\r\n")
    assert (told.receipt.cells_protected, told.first_row) == (1, 3)


def test_a_csv_file_without_fitting_headings_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("Alpha,Beta\n1,2\n")
    assert refusal(tmp_path, "a.csv") is Reason.HEADINGS_NOT_FOUND
    (tmp_path / "a.csv").write_text("Number,Number\n1,2\n")
    assert refusal(tmp_path, "a.csv") is Reason.HEADINGS_AMBIGUOUS


def _zip(path: Path, parts: dict[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w") as package:
        for name, data in parts.items():
            package.writestr(name, data)


def _package(kind: str) -> dict[str, bytes]:
    """The smallest package whose main part is of another kind."""
    types = f'<Types><Override PartName="/main.xml" ContentType="application/vnd.{kind}.main+xml"/></Types>'
    relation = '<Relationships><Relationship Id="r1" Type="x/officeDocument" Target="main.xml"/></Relationships>'
    return {"[Content_Types].xml": types.encode(), "_rels/.rels": relation.encode(), "main.xml": b"<main/>"}
