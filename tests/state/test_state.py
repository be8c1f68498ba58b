from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from remit.state import Database, private_dir, private_file


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_everything_private_is_for_its_owner_only(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        folder = private_dir(tmp_path / "a" / "b")
        private_file(folder / "file", b"data")
        database = Database.in_folder(tmp_path / "data")
        database.ensure("CREATE TABLE IF NOT EXISTS t (x)")
        files = list((tmp_path / "data").iterdir())
        assert {mode(file) for file in files} == {0o600}
        database.close()
    finally:
        os.umask(old)
    assert mode(folder) == mode(tmp_path / "data") == 0o700
    assert mode(folder / "file") == 0o600


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "file"
    private_file(path, b"old")
    with pytest.raises(TypeError):
        private_file(path, "not bytes")  # type: ignore[arg-type]
    assert path.read_bytes() == b"old"
    assert [item.name for item in tmp_path.iterdir()] == ["file"]


def test_a_transaction_is_all_or_nothing(tmp_path: Path) -> None:
    database = Database.in_folder(tmp_path)
    database.ensure("CREATE TABLE IF NOT EXISTS t (x)")

    def fail_midway() -> None:
        with database.transaction():
            database.execute("INSERT INTO t VALUES (1)")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_midway()
    with database.transaction(), database.transaction():
        database.execute("INSERT INTO t VALUES (2)")
    assert [row["x"] for row in database.all("SELECT x FROM t")] == [2]
    assert database.one("SELECT x FROM t WHERE x = 1") is None
    database.close()
