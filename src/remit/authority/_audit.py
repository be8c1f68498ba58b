"""The audit log: every decision and effect, in rows that hang on each other."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from remit.state import Database

from ._audit_row import RUN_ID, AuditReport, Broken, Entry, entry_of, text_of
from ._facts import AuditKind, Facts
from ._keeping import (
    AuditError,
    Head,
    HeadError,
    ensure_folder,
    ensure_key,
    others_at,
    read_head,
    read_key,
    write_head,
)

KEY_FILE = "audit.key"
_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS audit_chain (one INTEGER PRIMARY KEY CHECK (one = 1), name TEXT NOT NULL)",
    """CREATE TABLE IF NOT EXISTS audit (
        sequence INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL, run_id TEXT NOT NULL,
        facts TEXT NOT NULL, previous TEXT NOT NULL, hash TEXT NOT NULL)""",
    "CREATE INDEX IF NOT EXISTS audit_of_run ON audit (run_id)",
    # These stop a mistake of our own. Whoever means it can drop them; the hashes are for that.
    "CREATE TRIGGER IF NOT EXISTS audit_stays BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'append only'); END",
    "CREATE TRIGGER IF NOT EXISTS audit_holds BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'append only'); END",
)
_PAGE = 1000


class Audit:
    """An append-only log of decisions and effects, shared by all processes of a data directory.

    Each row's hash is an HMAC-SHA256, with a key of this instance (`audit.key`, 0600, beside the database), over the
    log's name, the row, and the hash of the row before. After each row a head record (sequence and hash of the last)
    is written into another folder, `keeping`: Remit gives the vault's.

    Found by `verify`: a row that was changed in any byte, removed, put in, exchanged with another or brought from
    another log; rows cut off at the end; a database put back to an older copy; a whole log gone from its place.

    Not found, and this is the limit:

    - Whoever has the key *and* can write both folders, such as any program of this user, can write another history.
      With the key but without the other folder, only what came after the head record can be forged.
    - Whoever removes rows at the end and the head record with them: this is `no_head` until the next row; from then on
      the report says since which row the head record knows.
    - The last row alone, if the process is killed in the moment between writing it and writing the head.
    - What was never logged. The log proves nothing about a Remit whose code was changed.

    Rows hold closed values only (see `Facts`). Appending does not join a transaction of the caller and must not happen
    within one of the same database: the log has a connection of its own, so that what it says is on disk, whatever
    becomes of the caller's.
    """

    def __init__(self, database: Database, keeping: Path, clock: Callable[[], float] = time.time) -> None:
        """Open the log in `database`, with its head in `keeping`; `clock` gives Unix seconds.

        Raises:
            AuditError: the database or a folder cannot be used.
        """
        self._clock = clock
        self._keeping = keeping
        with _typed_errors():
            self._db = Database(database.path)
            self._place = str(database.path.resolve())
            self._key_path = database.path.with_name(KEY_FILE)
            self._db.ensure(*_SCHEMA)
            self._chain = self._begun()
            self._key = read_key(self._key_path)

    def close(self) -> None:
        """Close the log's connection."""
        self._db.close()

    def append(self, kind: AuditKind, run_id: str | None = None, facts: Facts | None = None) -> int:
        """Write a row; its sequence. It is on disk when this returns.

        Raises:
            AuditError: it could not be written, so what was to be logged must not happen.
            ValueError: `run_id` is no id.
        """
        return self.append_all([(kind, run_id, facts)])

    def append_all(self, rows: Sequence[tuple[AuditKind, str | None, Facts | None]]) -> int:
        """Write rows in their order, all or none, with one head for the last; its sequence. Raises as `append`."""
        texts = [
            (kind.value, RUN_ID.validate_python(run_id) if run_id is not None else "", (facts or Facts()).canonical())
            for kind, run_id, facts in rows
        ]
        if self._key is None:
            raise AuditError
        with _typed_errors():
            with self._db.transaction():
                last, previous = self._last()
                for text in texts:
                    last += 1
                    row = (last, int(self._clock() * 1000), *text, previous)
                    previous = self._hash([str(value).encode() for value in row], self._key)
                    self._db.execute("INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?, ?)", (*row, previous))
            self._advance_head()
        return last

    def verify(self) -> AuditReport:
        """Hold every row against the one before it, and the last against the head record."""
        try:
            return self._verified()
        except sqlite3.Error:
            return AuditReport(0, None, Broken.UNREADABLE)

    def entries(self, run_id: str | None = None, *, most: int = 200) -> list[Entry]:
        """The last rows, of one run or of all, oldest first. They are shown as they are: `verify` says if they hold.

        Raises:
            AuditError: the database is damaged.
        """
        with _typed_errors():
            rows = self._db.all(
                f"SELECT {_COLUMNS} FROM audit WHERE (? IS NULL OR run_id = ?) ORDER BY sequence DESC LIMIT ?",  # noqa: S608
                (run_id, run_id, most),
            )
        return [entry_of(row) for row in reversed(rows)]

    def _begun(self) -> str:
        """The log's name; a new log gets a key and a head at once, so that a missing head always means something."""
        with self._db.transaction():
            row = self._db.one("SELECT name FROM audit_chain")
            if row is not None:
                return str(row["name"])
            chain = secrets.token_hex(16)
            ensure_key(self._key_path)
            ensure_folder(self._keeping)
            write_head(self._keeping, Head(chain=chain, place=self._place, since=0, sequence=0, hash=_origin_of(chain)))
            self._db.execute("INSERT INTO audit_chain VALUES (1, ?)", (chain,))
            return chain

    def _last(self) -> tuple[int, str]:
        row = self._db.one("SELECT sequence, hash FROM audit ORDER BY sequence DESC LIMIT 1")
        return (row["sequence"], str(row["hash"])) if row is not None else (0, _origin_of(self._chain))

    def _advance_head(self) -> None:
        """Write the head for the last row on disk.

        Within a transaction, so that of several processes none puts it back. A head that does not fit the log is the
        evidence that rows are missing, and stays.
        """
        with self._db.transaction():
            last, own = self._last()
            try:
                head = read_head(self._keeping, self._chain)
            except HeadError:
                return
            if head is not None and self._hash_at(head.sequence) != head.hash:
                return
            since = head.since if head is not None else last
            ensure_folder(self._keeping)
            write_head(self._keeping, Head(chain=self._chain, place=self._place, since=since, sequence=last, hash=own))

    def _hash_at(self, sequence: int) -> str | None:
        if sequence == 0:
            return _origin_of(self._chain)
        row = self._db.one("SELECT CAST(hash AS BLOB) AS hash FROM audit WHERE sequence = ?", (sequence,))
        return text_of(row["hash"]) if row is not None else None

    def _verified(self) -> AuditReport:
        if self._key is None:
            return AuditReport(0, None, Broken.NO_KEY)
        # Before the rows: a row that another process appends meanwhile must not look like one that the head lacks.
        try:
            head, damaged = read_head(self._keeping, self._chain), False
        except (HeadError, OSError):
            head, damaged = None, True
        rows, broken = self._walked(self._key)
        if broken is not None:
            return AuditReport(rows, rows + 1, broken)
        if head is None:
            return AuditReport(rows, None, Broken.BAD_HEAD if damaged else Broken.NO_HEAD)
        return self._held_against(head, rows)

    def _held_against(self, head: Head, rows: int) -> AuditReport:
        if head.sequence > rows:
            return AuditReport(rows, rows + 1, Broken.CUT_SHORT)
        if self._hash_at(head.sequence) != head.hash:
            return AuditReport(rows, head.sequence, Broken.REWRITTEN)
        if others_at(self._keeping, self._place, self._chain):
            return AuditReport(rows, None, Broken.VANISHED)
        return AuditReport(rows, since=head.since)

    def _walked(self, key: bytes) -> tuple[int, Broken | None]:
        """How many rows are sound from the first on, and what is wrong with the next."""
        sound, previous = 0, _origin_of(self._chain)
        for row in self._rows():
            broken = self._wrong(row, sound + 1, previous, key)
            if broken is not None:
                return sound, broken
            sound, previous = sound + 1, text_of(row["hash"])
        return sound, None

    def _wrong(self, row: sqlite3.Row, expected: int, previous: str, key: bytes) -> Broken | None:
        if row["sequence"] != expected:
            return Broken.REMOVED if row["sequence"] > expected else Broken.MOVED
        fields = [str(row["sequence"]).encode(), *(row[name] for name in _HASHED)]
        if not all(isinstance(field, bytes) for field in fields):
            return Broken.CHANGED
        if self._hash(fields, key) != text_of(row["hash"]):
            return Broken.CHANGED
        return Broken.MOVED if text_of(row["previous"]) != previous else None

    def _rows(self) -> Iterator[sqlite3.Row]:
        """All rows, page by page. As bytes: a value that is no text, or of another type, must not stop the reading."""
        after: int | None = None
        while True:
            rows = self._db.all(
                f"SELECT {_COLUMNS} FROM audit WHERE ? IS NULL OR sequence > ? ORDER BY sequence LIMIT {_PAGE}",  # noqa: S608
                (after, after),
            )
            yield from rows
            if len(rows) < _PAGE:
                return
            after = rows[-1]["sequence"]

    def _hash(self, fields: list[bytes], key: bytes) -> str:
        """Over each field with its length before it, so that nothing can move from one field to the next."""
        digest = hmac.new(key, digestmod=hashlib.sha256)
        for field in (self._chain.encode(), *fields):
            digest.update(len(field).to_bytes(8, "big") + field)
        return digest.hexdigest()


_HASHED = ("at", "kind", "run_id", "facts", "previous")
_COLUMNS = "sequence, " + ", ".join(f"CAST({name} AS BLOB) AS {name}" for name in (*_HASHED, "hash"))


def open_audit(data_dir: Path, keeping: Path) -> Audit:
    """The log of a data directory, in a file of its own: nobody who writes there waits for it.

    Raises:
        AuditError: the folder or the file cannot be used.
    """
    with _typed_errors():
        database = Database(data_dir / "audit.sqlite3")
    try:
        return Audit(database, keeping)
    finally:
        database.close()


def _origin_of(chain: str) -> str:
    """What the first row follows."""
    return hashlib.sha256(b"remit audit log\0" + chain.encode()).hexdigest()


@contextmanager
def _typed_errors() -> Iterator[None]:
    """An error of the system carries a path; outside it is `data_unavailable` and nothing else."""
    try:
        yield
    except (OSError, OverflowError, sqlite3.Error):
        raise AuditError from None
