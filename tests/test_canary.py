from __future__ import annotations

import base64
import gzip
import html
import json
import zipfile
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest

from tests.canary import Canaries, Hit, encodings

SECRET = 'remit-Canary&b2"0c=6f+93 e8/ü'
CANARIES = Canaries({"password": SECRET, "username": ""})


def _encodings_in(data: bytes) -> set[str]:
    return {hit.encoding for hit in CANARIES.in_bytes(data, "here")}


@pytest.mark.parametrize(
    ("encoding", "form"),
    [
        ("plain", SECRET),
        ("plain", SECRET.swapcase()),
        ("reversed", SECRET[::-1]),
        ("url", quote(SECRET)),
        ("url", quote(SECRET, safe="").lower()),
        ("url", quote_plus(SECRET)),
        ("html", html.escape(SECRET)),
        ("json", json.dumps({"a": SECRET})),
        ("json", json.dumps(json.dumps({"a": SECRET}))),
        ("hex", SECRET.encode().hex()),
        ("hex", SECRET.encode().hex().upper()),
    ],
)
def test_a_secret_is_found_in_each_text_encoding(encoding: str, form: str) -> None:
    # swapping the case of "ü" changes its bytes, as case folding here is that of ASCII
    data = f"before {form} after".encode().replace("Ü".encode(), "ü".encode())
    assert encoding in _encodings_in(data)


@pytest.mark.parametrize("before", range(7))
@pytest.mark.parametrize("after", range(3))
def test_base64_is_found_whatever_stands_around_the_secret(before: int, after: int) -> None:
    data = b"x" * before + SECRET.encode() + b"y" * after
    assert "base64" in _encodings_in(base64.b64encode(data))
    assert "base64" in _encodings_in(base64.urlsafe_b64encode(data).rstrip(b"="))


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_found(codec: str) -> None:
    assert _encodings_in(SECRET.encode(codec)) == {"utf-16"}


def test_nothing_is_found_where_nothing_is() -> None:
    other = "remit-Canary-00000000-0000"
    for forms in encodings(other).values():
        assert all(not CANARIES.in_bytes(form, "here") for form in forms)


def test_a_string_that_chance_could_make_is_no_canary() -> None:
    with pytest.raises(ValueError, match="at least"):
        Canaries({"password": "abc"})


def test_a_hit_says_where_and_how_but_not_what() -> None:
    (hit,) = Canaries({"password": "remit-Canary-7f3a91c2e4"}).in_text("x remit-Canary-7f3a91c2e4 x", "stderr")
    assert hit == Hit("stderr", "password", "plain")
    assert "7f3a" not in repr(hit)


def test_files_archives_and_file_names_are_searched(tmp_path: Path) -> None:
    secret = "remit-Canary-7f3a91c2e4"
    canaries = Canaries({"password": secret})
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "log.gz").write_bytes(gzip.compress(secret.encode()))
    with zipfile.ZipFile(tmp_path / "book.xlsx", "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("xl/sharedStrings.xml", f"<t>{secret}</t>" * 20)
    (tmp_path / f"{secret}.txt").write_text("clean")
    hits = canaries.in_folder(tmp_path)
    assert {hit.where for hit in hits} >= {"book.xlsx!xl/sharedStrings.xml", "deep/log.gz!"}
    assert any(hit.where.startswith("name of") for hit in hits)
    assert all(secret not in repr(hit) for hit in hits)
