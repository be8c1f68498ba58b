from __future__ import annotations

import stat
from pathlib import Path

import pytest
from pydantic import ValidationError

from remit.browser import Arrived, Wish
from remit.contract import Reason, RemitError
from remit.executors._received import keep, kind_of, stem_of
from remit.executors.act_sites import Arguments
from tests.sites.acting import PDF, archive

JAR = archive("META-INF/MANIFEST.MF", "Main.class")


@pytest.mark.parametrize(
    ("data", "name", "kind"),
    [
        (PDF, "a.pdf", "pdf"),
        (PDF, "a", "pdf"),
        (PDF, "download.aspx", "pdf"),
        (b"\x89PNG\r\n\x1a\n...", "a.PNG", "png"),
        (b"\xff\xd8\xff\xe0", "a.jpeg", "jpg"),
        (archive("a.txt"), "a.zip", "zip"),
        (archive("[Content_Types].xml", "xl/workbook.xml"), "a.xlsx", "xlsx"),
        (b"a;b\n1;2\n", "a.csv", "csv"),
        ("à;b\n".encode("utf-16"), "a.csv", "csv"),
        (b"\xe0;b\n", "a.csv", "csv"),
        (b"<?xml version='1.0'?><f/>", "a.xml", "xml"),
        (b"<f/>", "a.xml", "xml"),
        (b"\x30\x82\x01\x00\x06", "a.xml.p7m", "p7m"),
        (b'{"a": 1}', "a.json", "json"),
        (b"hello", "", "txt"),
    ],
)
def test_a_kind_is_told_by_the_content(data: bytes, name: str, kind: str) -> None:
    assert kind_of(data, name) == kind


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"<!DOCTYPE html><p>Sorry", "a.pdf"),
        (b"  <html><p>Sorry", "a.xml"),
        (b"<svg xmlns='x'><script>1</script></svg>", "a.xml"),
        (b"<html>", "a.html"),
        (PDF, "a.csv"),
        (PDF, "a.exe"),
        (b"MZ\x90\x00", "a"),
        (b"\x7fELF\x02", "a.bin"),
        (b"#!/bin/sh\nrm", "a.txt"),
        (b"#!/bin/sh\nrm", "a.sh"),
        (JAR, "a.jar"),
        (JAR, "a.zip"),
        (archive("xl/workbook.xml", "xl/vbaProject.bin"), "a.xlsx"),
        (archive("a.txt"), "a.xlsx"),
        (b"PK\x03\x04broken", "a.zip"),
        (b"no json", "a.json"),
        (b"not xml", "a.xml"),
        (b"", "a.csv"),
        (b" \n", "a.txt"),
    ],
)
def test_what_runs_or_is_not_what_its_name_says_has_no_kind(data: bytes, name: str) -> None:
    assert kind_of(data, name) is None


@pytest.mark.parametrize(
    ("goal", "row", "stem"),
    [
        ("download invoice INV-2041", "", "download-INV-2041"),
        ("download the report", "", "download"),
        ("x", "../../etc/passwd\0", "download-etc-passwd"),
        ("x", "CON", "download-CON"),
        ("x", "Müller & Söhne\u202e.exe", "download-Müller-Söhne-exe"),
        ("x", "y" * 300, "download-" + "y" * 51),
    ],
)
def test_a_file_is_named_in_the_planners_words_alone(goal: str, row: str, stem: str) -> None:
    assert stem_of(Wish(goal, "download", row=row)) == stem


def test_no_file_is_replaced_and_all_are_private(tmp_path: Path) -> None:
    wish = Wish("download 2041", "download")
    kept = [keep(Arrived("page says.pdf", PDF), wish, tmp_path) for _ in range(3)]
    names = ["download-2041.pdf", "download-2041-2.pdf", "download-2041-3.pdf"]
    assert [each.path.name for each in kept] == names
    assert {stat.S_IMODE(each.path.stat().st_mode) for each in kept} == {0o600}
    assert sorted(path.name for path in (tmp_path / "Downloads").iterdir()) == sorted(names)


def test_a_folder_that_cannot_be_written_is_a_typed_end(tmp_path: Path) -> None:
    (tmp_path / "Downloads").write_text("a file")
    with pytest.raises(RemitError) as error:
        keep(Arrived("a.pdf", PDF), Wish("download", "download"), tmp_path)
    assert error.value.reason is Reason.FILE_UNWRITABLE


@pytest.mark.parametrize("until", ["shown", "gone"])
def test_what_is_to_be_shown_or_gone_must_be_said(until: str) -> None:
    with pytest.raises(ValidationError):
        Arguments.model_validate({"session_ids": ["s"], "goal": "x", "until": until, "words": " - "})
