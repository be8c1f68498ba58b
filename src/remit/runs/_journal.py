"""The SQLite journal: every run, and every effect as an intent before and an outcome after.

A run whose process is gone without an end is told truthfully: `outcome_unknown` where an effect has an intent and no
outcome, else `interrupted`; what it had reported is kept. Nothing in the journal is ever executed again.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from dataclasses import dataclass
from sqlite3 import Row
from typing import Any

from remit.contract import Reason, Status, compact
from remit.state import Database, is_alive, this_process

_TABLES = (
    """CREATE TABLE IF NOT EXISTS runs (
        id TEXT PRIMARY KEY, tool TEXT NOT NULL, digest TEXT NOT NULL, principal TEXT NOT NULL,
        process TEXT NOT NULL, started REAL NOT NULL, ended REAL, status TEXT, reason TEXT,
        checkpoint TEXT, payload TEXT, arguments TEXT, resumes TEXT, waiting TEXT,
        notes TEXT, abandoned TEXT)""",
    """CREATE TABLE IF NOT EXISTS effects (
        id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL REFERENCES runs(id), kind TEXT NOT NULL,
        target TEXT NOT NULL, intended REAL NOT NULL, settled REAL, outcome TEXT)""",
    """CREATE TABLE IF NOT EXISTS sessions (
        id TEXT PRIMARY KEY, owner TEXT NOT NULL, process TEXT NOT NULL, opened REAL NOT NULL, credential_id TEXT)""",
    "CREATE INDEX IF NOT EXISTS effects_of_run ON effects(run_id)",
    "CREATE INDEX IF NOT EXISTS open_runs ON runs(ended) WHERE ended IS NULL",
)


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run as the journal knows it.

    `payload` is what the planner was or will be told; None while it is active. `arguments` is JSON. `resumes` is the
    run that this one took up again, `successor` the one that took up this. `notes` are what the executor needs to take
    it up; `abandoned` says that its process ended before it did. Times are Unix seconds.
    """

    id: str
    tool: str
    principal: str
    status: Status | None
    payload: dict[str, Any] | None
    started: float
    ended: float | None = None
    arguments: str | None = None
    resumes: str | None = None
    successor: str | None = None
    waiting: Reason | None = None
    notes: dict[str, Any] | None = None
    abandoned: bool = False


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A browser session that was opened once, and the credential that it was signed in with."""

    id: str
    owner: str
    credential_id: str | None


class Journal:
    """Runs and effects of all Remit processes that share a data directory."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._process = this_process()
        database.ensure(*_TABLES)
        database.ensure_columns("runs", ("arguments", "resumes", "waiting", "notes", "abandoned"))
        self._end_abandoned()

    def begin(
        self,
        run_id: str,
        tool: str,
        digest: str,
        principal: str,
        *,
        arguments: str | None = None,
        resumes: str | None = None,
    ) -> None:
        """Write that a run starts; `arguments` as JSON (they hold no secret), `resumes` the run it takes up again."""
        self._db.execute(
            "INSERT INTO runs (id, tool, digest, principal, process, started, arguments, resumes)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (run_id, tool, digest, principal, self._process, time.time(), arguments, resumes),
        )

    def checkpoint(self, run_id: str, fields: dict[str, Any], notes: dict[str, Any] | None = None) -> None:
        """Keep what the run can already hand over, should it end here, and what is needed to take it up again."""
        told = compact(notes) if notes is not None else None
        self._db.execute("UPDATE runs SET checkpoint = ?, notes = ? WHERE id = ?", (compact(fields), told, run_id))

    def finish(self, run_id: str, payload: dict[str, Any]) -> None:
        """Write how a run ended."""
        self._db.execute(
            "UPDATE runs SET ended = ?, status = ?, reason = ?, payload = ? WHERE id = ?",
            (time.time(), str(payload["status"]), payload.get("reason"), compact(payload), run_id),
        )

    def intend(self, run_id: str, kind: str, target: str) -> int:
        """Write that an effect is about to happen; on disk when this returns."""
        with self._db.transaction():
            self._db.execute(
                "INSERT INTO effects (run_id, kind, target, intended) VALUES (?, ?, ?, ?)",
                (run_id, kind, target, time.time()),
            )
            row = self._db.one("SELECT last_insert_rowid() AS id")
        return int(row["id"]) if row else 0

    def settle(self, effect_id: int, outcome: str) -> None:
        """Write what became of an effect."""
        self._db.execute("UPDATE effects SET settled = ?, outcome = ? WHERE id = ?", (time.time(), outcome, effect_id))

    def get(self, run_id: str) -> StoredRun | None:
        """One run, or None."""
        row = self._db.one("SELECT * FROM runs WHERE id = ?", (run_id,))
        if row is None:
            return None
        if row["ended"] is None and not is_alive(row["process"]):
            self._abandon(run_id, json.loads(row["checkpoint"]) if row["checkpoint"] else {})
            return self.get(run_id)
        return self._stored(row)

    def recent(self, most: int = 100) -> list[StoredRun]:
        """The latest runs of all processes, newest first."""
        self._end_abandoned()
        rows = self._db.all("SELECT * FROM runs ORDER BY started DESC LIMIT ?", (most,))
        return [self._stored(row) for row in rows]

    def wait(self, run_id: str, reason: Reason | None) -> None:
        """Write that a run waits for a person, and why; or, with None, that it goes on."""
        self._db.execute("UPDATE runs SET waiting = ? WHERE id = ?", (reason.value if reason else None, run_id))

    def session_opened(self, session_id: str, owner: str) -> None:
        """Write that a browser session exists."""
        self._db.execute(
            "INSERT OR REPLACE INTO sessions (id, owner, process, opened) VALUES (?, ?, ?, ?)",
            (session_id, owner, self._process, time.time()),
        )

    def session_signed_in(self, session_id: str, credential_id: str) -> None:
        """Write which credential a session was signed in with."""
        self._db.execute("UPDATE sessions SET credential_id = ? WHERE id = ?", (credential_id, session_id))

    def session_closed(self, session_id: str) -> None:
        """Forget a session that was ended on purpose."""
        self._db.execute("DELETE FROM sessions WHERE id = ?", (session_id,))

    def session_of_before(self, session_id: str, owner: str) -> StoredSession | None:
        """A session of this owner that ended with its process; None where there is none, or its process lives."""
        row = self._db.one("SELECT * FROM sessions WHERE id = ? AND owner = ?", (session_id, owner))
        if row is None or (row["process"] != self._process and is_alive(row["process"])):
            return None
        return StoredSession(row["id"], row["owner"], row["credential_id"])

    def _stored(self, row: Row) -> StoredRun:
        successor = self._db.one("SELECT id FROM runs WHERE resumes = ?", (row["id"],))
        return StoredRun(
            row["id"],
            row["tool"],
            row["principal"],
            Status(row["status"]) if row["status"] else None,
            json.loads(row["payload"]) if row["payload"] else None,
            row["started"],
            row["ended"],
            row["arguments"],
            row["resumes"],
            successor["id"] if successor else None,
            Reason.of(row["waiting"]) if row["waiting"] else None,
            json.loads(row["notes"]) if row["notes"] else None,
            row["abandoned"] is not None,
        )

    def effects(self, run_id: str) -> list[tuple[str, str, str | None]]:
        """Kind, target and outcome of a run's effects, in order."""
        rows = self._db.all("SELECT kind, target, outcome FROM effects WHERE run_id = ? ORDER BY id", (run_id,))
        return [(row["kind"], row["target"], row["outcome"]) for row in rows]

    def has_open(self, run_id: str, kinds: Iterable[str]) -> bool:
        """Whether an effect of one of these kinds has an intent and no outcome."""
        return any(kind in kinds and outcome is None for kind, _, outcome in self.effects(run_id))

    def _end_abandoned(self) -> None:
        for row in self._db.all("SELECT id, process, checkpoint FROM runs WHERE ended IS NULL"):
            if not is_alive(row["process"]):
                self._abandon(row["id"], json.loads(row["checkpoint"]) if row["checkpoint"] else {})

    def _abandon(self, run_id: str, kept: dict[str, Any]) -> None:
        row = self._db.one("SELECT count(*) AS open FROM effects WHERE run_id = ? AND settled IS NULL", (run_id,))
        waited = self._db.one("SELECT 1 FROM runs WHERE id = ? AND waiting IS NOT NULL", (run_id,)) is not None
        if waited and not (row and row["open"]):
            status, reason = Status.NEEDS_USER, Reason.WAS_WAITING
        else:
            status = Status.PARTIAL if kept else Status.FAILED
            reason = Reason.OUTCOME_UNKNOWN if row and row["open"] else Reason.INTERRUPTED
        told = {"status": status.value, "reason": reason.value, "message": reason.sentence, "run_id": run_id, **kept}
        with self._db.transaction():
            self.finish(run_id, told)
            self._db.execute("UPDATE runs SET abandoned = 'yes' WHERE id = ?", (run_id,))
