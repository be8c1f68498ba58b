"""Audit logs for tests, and ways to tamper with their tables as somebody with the file could."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from enum import StrEnum
from pathlib import Path

from remit.authority import Audit, AuditKind, AuditReport, Decision, Facts
from remit.contract import Capability, Origin
from remit.state import Database

RUN, OTHER_RUN = "r_aaaaaaaaaaaa", "r_bbbbbbbbbbbb"


class Sent(StrEnum):
    """Stands for an enumeration of a room above."""

    CLICK = "click"
    OBSERVED = "observed"


FACTS = (
    Facts(executor="login_sites", capability=Capability.VAULT_USE, target=Origin.of("https://portal.example:8443")),
    Facts(decision=Decision.ASK),
    Facts(),
    Facts(effect=Sent.CLICK, number=7, fingerprint="ab" * 32),
)


def database_of(folder: Path) -> Path:
    """The database's file."""
    return folder / "data" / "remit.sqlite3"


def open_log(folder: Path) -> Audit:
    """The log of a folder, its head beside its data."""
    database = Database(database_of(folder))
    try:
        return Audit(database, folder / "vault")
    finally:
        database.close()


def write(folder: Path, rows: int) -> None:
    """Append rows of several kinds."""
    with closing(open_log(folder)) as audit:
        for number in range(rows):
            kind = tuple(AuditKind)[number % len(AuditKind)]
            audit.append(kind, (RUN, OTHER_RUN, None)[number % 3], FACTS[number % len(FACTS)])


def verify(folder: Path) -> AuditReport:
    """What a fresh process would say."""
    with closing(open_log(folder)) as audit:
        return audit.verify()


def head_of(folder: Path) -> Path:
    """The one head record."""
    (head,) = (folder / "vault").glob("audit-*.head")
    return head


@contextmanager
def tampering(folder: Path) -> Iterator[sqlite3.Connection]:
    """The table without what keeps Remit itself from changing it."""
    with closing(sqlite3.connect(database_of(folder), isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER IF EXISTS audit_stays")
        connection.execute("DROP TRIGGER IF EXISTS audit_holds")
        yield connection
