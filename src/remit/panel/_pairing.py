"""Which browsers are let in: a one-time token is exchanged for a cookie that only this panel is ever sent.

Cookies of 127.0.0.1 go to every port, and another local user may listen on one. So the cookie has a path that nobody
can guess, and the browser keeps that path where only this port's pages can read it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from remit.state import Database

TOKEN_S = 600.0
PAIRING_S = 30 * 24 * 3600.0
"""A browser that was not used for so long is let in no more, in seconds."""
_TABLES = (
    "CREATE TABLE IF NOT EXISTS panel_tokens (hash TEXT PRIMARY KEY, expires REAL NOT NULL)",
    "CREATE TABLE IF NOT EXISTS panel_forms (once TEXT PRIMARY KEY)",
    "CREATE TABLE IF NOT EXISTS panel_pairings (hash TEXT PRIMARY KEY, prefix TEXT UNIQUE NOT NULL, used REAL)",
)


@dataclass(frozen=True, slots=True)
class Paired:
    """A browser that is let in: its path, and its cookie."""

    prefix: str
    cookie: str = field(repr=False)

    @property
    def csrf(self) -> str:
        """What its forms carry: another site cannot know it, and another browser has another."""
        return hmac.digest(self.cookie.encode(), b"remit form", hashlib.sha256).hex()


class Pairings:
    """Tokens and pairings of a data directory, as hashes. `clock` gives Unix seconds."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._db = database
        self._clock = clock
        database.ensure(*_TABLES)

    def token(self) -> str:
        """A one-time token for a browser."""
        token = secrets.token_urlsafe(32)
        self._db.execute("DELETE FROM panel_tokens WHERE expires < ?", (self._clock(),))
        self._db.execute("INSERT INTO panel_tokens VALUES (?, ?)", (_hash(token), self._clock() + TOKEN_S))
        return token

    def pair(self, token: str) -> Paired | None:
        """Spend a token; None where it was spent, has expired or never was."""
        spent = self._db.execute(
            "DELETE FROM panel_tokens WHERE hash = ? AND expires >= ?", (_hash(token), self._clock())
        )
        if not spent:
            return None
        paired = Paired(secrets.token_urlsafe(24), secrets.token_urlsafe(32))
        self._db.execute(
            "INSERT INTO panel_pairings VALUES (?, ?, ?)", (_hash(paired.cookie), paired.prefix, self._clock())
        )
        return paired

    def known(self, prefix: str, cookie: str) -> Paired | None:
        """The pairing of a request; None for any other."""
        row = self._db.one("SELECT prefix, used FROM panel_pairings WHERE hash = ?", (_hash(cookie),))
        if row is None or not hmac.compare_digest(str(row["prefix"]).encode(), prefix.encode()):
            return None
        if self._clock() - row["used"] > PAIRING_S:
            self.end(cookie)
            return None
        if self._clock() - row["used"] > 60:
            self._db.execute("UPDATE panel_pairings SET used = ? WHERE hash = ?", (self._clock(), _hash(cookie)))
        return Paired(prefix, cookie)

    def is_first(self, once: str) -> bool:
        """Whether a form is sent for the first time; each has a number of its own, and only one of two gets a yes."""
        return bool(once) and self._db.execute("INSERT OR IGNORE INTO panel_forms VALUES (?)", (once,)) == 1

    def end(self, cookie: str) -> None:
        """Let this browser in no more."""
        self._db.execute("DELETE FROM panel_pairings WHERE hash = ?", (_hash(cookie),))

    def end_all(self) -> None:
        """Let no browser in, and no token."""
        self._db.execute("DELETE FROM panel_pairings")
        self._db.execute("DELETE FROM panel_tokens")


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
