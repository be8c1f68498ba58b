"""The SQLite database: WAL, private, shared by threads, safe under several processes."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from ._private import private_dir

_TAKE_S = 5.0

Value = str | bytes | int | float | None


class Database:
    """A connection that serialises its own use, and writes through to disk on every transaction.

    Rooms keep their own tables: each calls `ensure` once with its `CREATE TABLE IF NOT EXISTS` statements.
    """

    def __init__(self, path: Path) -> None:
        private_dir(path.parent)
        path.touch(mode=0o600)
        path.chmod(0o600)
        self.path = path
        self._lock = threading.RLock()
        self._connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=10)
        self._connection.row_factory = sqlite3.Row
        self._write_ahead()
        for pragma in ("synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
            self._connection.execute(f"PRAGMA {pragma}")

    def _write_ahead(self) -> None:
        """Take WAL. SQLite does not wait for others who do so at the same moment, whatever the timeout says."""
        until = time.monotonic() + _TAKE_S
        while True:
            try:
                self._connection.execute("PRAGMA journal_mode=WAL")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                    raise
            time.sleep(0.005)

    @classmethod
    def in_folder(cls, folder: Path) -> Self:
        """The database of a data directory."""
        return cls(folder / "remit.sqlite3")

    def ensure(self, *statements: str) -> None:
        """Run idempotent schema statements in one transaction."""
        with self.transaction():
            for statement in statements:
                self._connection.execute(statement)

    def ensure_columns(self, table: str, columns: Iterable[str]) -> None:
        """Add the text columns that an older database lacks."""
        with self.transaction():
            there = {row["name"] for row in self._connection.execute(f"PRAGMA table_info({table})")}
            for column in columns:
                if column not in there:
                    self._connection.execute(f"ALTER TABLE {table} ADD COLUMN {column} TEXT")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing, on disk when it ends. Not nestable across threads; re-entrant within one."""
        with self._lock:
            if self._connection.in_transaction:
                yield
                return
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def execute(self, statement: str, values: Iterable[Value] = ()) -> int:
        """Run one statement; the number of rows it changed."""
        with self._lock:
            return self._connection.execute(statement, tuple(values)).rowcount

    def many(self, statement: str, rows: Iterable[Iterable[Value]]) -> None:
        """Run one statement for each row."""
        with self._lock:
            self._connection.executemany(statement, [tuple(row) for row in rows])

    def all(self, statement: str, values: Iterable[Value] = ()) -> list[sqlite3.Row]:
        """All rows of a query."""
        with self._lock:
            return self._connection.execute(statement, tuple(values)).fetchall()

    def one(self, statement: str, values: Iterable[Value] = ()) -> sqlite3.Row | None:
        """The first row of a query, or None."""
        with self._lock:
            row: sqlite3.Row | None = self._connection.execute(statement, tuple(values)).fetchone()
            return row

    def close(self) -> None:
        """Close the connection; a database is not used afterwards."""
        with self._lock:
            self._connection.close()
