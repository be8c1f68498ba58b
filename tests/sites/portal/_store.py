"""The portal's database: invoices, accounts, sessions, and a log of requests that never holds a value."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

from ._data import DEFAULT_SEED, Invoice, make

_SCHEMA = """
create table if not exists setting (name text primary key, value text not null);
create table if not exists invoice (
  position integer primary key, number text unique not null, issued text not null, due text not null,
  customer text not null, description text not null, cents integer not null, status text not null, vat text not null);
create table if not exists account (email text primary key, salt blob not null, hash blob not null);
create table if not exists session (token text primary key, email text not null);
create table if not exists pending (visitor text primary key, email text not null, target text not null);
create table if not exists request (
  id integer primary key, at text not null, method text not null, path text not null, form text not null);
"""
_COLUMNS = "number, issued, due, customer, description, cents, status, vat"


@dataclass(frozen=True, slots=True)
class Post:
    """One request to the portal. `form` names the form it came from; what was typed is not kept."""

    method: str
    path: str
    form: str
    at: datetime


@contextmanager
def _reading(db: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(f"file:{db}?mode=ro", uri=True)
    try:
        yield connection
    finally:
        connection.close()


def invoices(db: Path, year: int | None = None) -> list[Invoice]:
    """The truth: the invoices in the portal's order, of one year or all."""
    where, values = ("where issued like ?", (f"{year}-%",)) if year else ("", ())
    with _reading(db) as connection:
        rows = connection.execute(f"select {_COLUMNS} from invoice {where} order by position", values).fetchall()
    return [_invoice(row) for row in rows]


def posts(db: Path, form: str | None = None) -> list[Post]:
    """Every POST so far, oldest first; only those of one form when it is named (`password`, `newsletter`, ...)."""
    with _reading(db) as connection:
        rows = connection.execute("select method, path, form, at from request where method = 'POST' order by id")
        found = [Post(method, path, name, datetime.fromisoformat(at)) for method, path, name, at in rows]
    return [post for post in found if form in (None, post.form)]


class Store:
    """The serving side; one connection, used from the event loop's thread only."""

    def __init__(self, db: Path, seed: int = DEFAULT_SEED) -> None:
        self._db = sqlite3.connect(db, isolation_level=None)
        self._db.execute("pragma journal_mode = wal")
        self._db.executescript(_SCHEMA)
        if not self._db.execute("select 1 from invoice limit 1").fetchone():
            self._fill(make(seed))
        self._db.execute("insert or ignore into setting values ('key', ?)", (secrets.token_hex(32),))
        self._key = str(self._db.execute("select value from setting where name = 'key'").fetchone()[0]).encode()

    def close(self) -> None:
        """Close the connection; the file stays."""
        self._db.close()

    def log(self, method: str, path: str, form: str) -> None:
        """Note a request."""
        self._db.execute(
            "insert into request (at, method, path, form) values (?, ?, ?, ?)",
            (datetime.now(UTC).isoformat(), method, path, form),
        )

    def token_for(self, visitor: str, purpose: str) -> str:
        """The token a form of this visitor has to carry."""
        return hmac.new(self._key, f"{purpose}:{visitor}".encode(), "sha256").hexdigest()

    def add_account(self, email: str, password: str) -> None:
        """Create the account, or give it a new password."""
        salt = secrets.token_bytes(16)
        self._db.execute(
            "insert or replace into account values (?, ?, ?)", (email.lower(), salt, _hash(password, salt))
        )

    def accepts(self, email: str, password: str) -> bool:
        """Whether the account exists and has this password; takes as long either way."""
        row = self._db.execute("select salt, hash from account where email = ?", (email.lower(),)).fetchone()
        salt, known = row or (b"no such account", b"")
        return hmac.compare_digest(_hash(password, salt), known)

    def remember(self, visitor: str, email: str, target: str) -> None:
        """Note who began to sign in, and where to go afterwards."""
        self._db.execute("insert or replace into pending values (?, ?, ?)", (visitor, email, target))

    def remembered(self, visitor: str) -> tuple[str, str] | None:
        """The e-mail address of the first step and the target, if there was one."""
        row = self._db.execute("select email, target from pending where visitor = ?", (visitor,)).fetchone()
        return (row[0], row[1]) if row else None

    def open_session(self, visitor: str, email: str) -> str:
        """A new session's token; the first step is forgotten."""
        self._db.execute("delete from pending where visitor = ?", (visitor,))
        token = secrets.token_urlsafe(24)
        self._db.execute("insert into session values (?, ?)", (_digest(token), email))
        return token

    def session(self, token: str) -> str | None:
        """The e-mail address signed in with this token."""
        row = self._db.execute("select email from session where token = ?", (_digest(token),)).fetchone()
        return str(row[0]) if row else None

    def close_session(self, token: str) -> None:
        """Sign out."""
        self._db.execute("delete from session where token = ?", (_digest(token),))

    def count(self) -> int:
        """How many invoices there are."""
        return int(self._db.execute("select count(*) from invoice").fetchone()[0])

    def page(self, number: int, size: int) -> list[Invoice]:
        """The invoices of one page, counted from 1."""
        rows = self._db.execute(
            f"select {_COLUMNS} from invoice order by position limit ? offset ?", (size, (number - 1) * size)
        )
        return [_invoice(row) for row in rows]

    def invoice(self, number: str) -> Invoice | None:
        """The invoice with this number."""
        row = self._db.execute(f"select {_COLUMNS} from invoice where number = ?", (number,)).fetchone()
        return _invoice(row) if row else None

    def _fill(self, made: list[Invoice]) -> None:
        self._db.executemany(
            "insert into invoice values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    position,
                    it.number,
                    it.issued.isoformat(),
                    it.due.isoformat(),
                    it.customer,
                    it.description,
                    int(it.amount * 100),
                    it.status,
                    it.vat,
                )
                for position, it in enumerate(made)
            ],
        )


def _invoice(row: tuple[str, str, str, str, str, int, str, str]) -> Invoice:
    number, issued, due, customer, description, cents, status, vat = row
    amount = Decimal(cents).scaleb(-2)
    days = date.fromisoformat(issued), date.fromisoformat(due)
    return Invoice(number, *days, customer, description, amount, status, vat)


def _hash(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, n=2**13, r=8, p=1)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
