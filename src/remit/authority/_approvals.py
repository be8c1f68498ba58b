"""What persons approved: durable, bound to what they were shown, and spent once where it was for once."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from sqlite3 import Row

from remit.contract import Capability, Origin
from remit.state import Database

from ._ruling import Scope

_TABLE = """CREATE TABLE IF NOT EXISTS approvals (
    id TEXT PRIMARY KEY, question_id TEXT NOT NULL UNIQUE, principal TEXT NOT NULL, executor TEXT NOT NULL,
    capability TEXT NOT NULL, target TEXT, scope TEXT NOT NULL, run_id TEXT, fingerprint TEXT, granted REAL NOT NULL,
    taken REAL, revoked REAL)"""
_LIVE = "taken IS NULL AND revoked IS NULL"
_FINGERPRINT = re.compile(r"[0-9a-f]{32,128}")


@dataclass(frozen=True, slots=True)
class Approval:
    """A person's yes.

    Attributes:
        question_id: the question it answered. One question gives at most one approval, however often it is posted.
        principal: whose run asked.
        executor: the tool that asked.
        capability: what it wants to use.
        target: the site; None where it is about none.
        scope: how long it stands.
        run_id: the run that asked; `ONCE` and `PER_RUN` stand for it alone.
        fingerprint: digest (hexadecimal) of the exact control and page the person was shown; with `ONCE` only.

    Raises:
        ValueError: what the scope needs is missing, or it has a fingerprint that would not count.
    """

    question_id: str
    principal: str
    executor: str
    capability: Capability
    target: Origin | None
    scope: Scope
    run_id: str | None = None
    fingerprint: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        once, for_run = self.scope is Scope.ONCE, self.scope in (Scope.ONCE, Scope.PER_RUN)
        if not self.question_id or (for_run and not self.run_id) or once != (self.fingerprint is not None):
            raise ValueError("an approval needs what its scope binds it to")
        if self.fingerprint is not None and not _FINGERPRINT.fullmatch(self.fingerprint):
            raise ValueError("a fingerprint is a hexadecimal digest")
        if self.scope is Scope.PER_TARGET and self.target is None:
            raise ValueError("an approval for a site needs the site")


@dataclass(frozen=True, slots=True)
class Granted:
    """An approval that stands: its id, what it is, and since when in Unix seconds."""

    id: str
    approval: Approval
    at: float


class Approvals:
    """All approvals of a data directory, shared by its processes. Only an answer of a person may become one.

    `clock` gives Unix seconds.
    """

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._db = database
        self._clock = clock
        database.ensure(_TABLE)

    def grant(self, approval: Approval) -> str:
        """Write an approval on disk; its id. Granting for the same question again gives the id of the first."""
        target = str(approval.target) if approval.target is not None else None
        with self._db.transaction():
            self._db.execute(
                "INSERT OR IGNORE INTO approvals (id, question_id, principal, executor, capability, target, scope,"
                " run_id, fingerprint, granted) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    f"a_{secrets.token_urlsafe(9)}",
                    approval.question_id,
                    approval.principal,
                    approval.executor,
                    approval.capability.value,
                    target,
                    approval.scope.value,
                    approval.run_id,
                    approval.fingerprint,
                    self._clock(),
                ),
            )
            row = self._db.one("SELECT id FROM approvals WHERE question_id = ?", (approval.question_id,))
        assert row is not None
        return str(row["id"])

    def stands(
        self,
        principal: str,
        executor: str,
        capability: Capability,
        target: Origin | None,
        run_id: str | None,
        *,
        at_most: Scope,
    ) -> bool:
        """Whether a person already said yes to this, for longer than once.

        `at_most` is the ruling's scope: an approval that stands longer than the policy now allows does not count, so
        with `ONCE` none does.
        """
        site = str(target) if target is not None else None
        found = self._db.one(
            f"SELECT 1 FROM approvals WHERE {_LIVE} AND principal = ? AND executor = ? AND capability = ? AND ("  # noqa: S608
            " (? >= 1 AND scope = 'per_run' AND run_id = ? AND target IS ?)"
            " OR (? >= 2 AND scope = 'per_target' AND target = ?) OR (? >= 3 AND scope = 'always'))",
            (
                principal,
                executor,
                capability.value,
                at_most.reach,
                run_id,
                site,
                at_most.reach,
                site,
                at_most.reach,
            ),
        )
        return found is not None

    def take(self, run_id: str, fingerprint: str) -> bool:
        """Spend an approval for once, immediately before the dispatch: True for exactly one caller per approval.

        It is spent on disk when this returns. Another fingerprint is another control: it needs a fresh approval.
        """
        changed = self._db.execute(
            f"UPDATE approvals SET taken = ? WHERE id = (SELECT id FROM approvals WHERE {_LIVE} AND scope = 'once'"  # noqa: S608
            " AND run_id = ? AND fingerprint = ? ORDER BY granted, id LIMIT 1)",
            (self._clock(), run_id, fingerprint),
        )
        return changed == 1

    def revoke(self, approval_id: str) -> bool:
        """Take an approval back; False where it no longer stands."""
        return self._revoke("id = ?", approval_id) == 1

    def end_run(self, run_id: str) -> int:
        """Take back what stood for a run alone, which has ended; how many."""
        return self._revoke("scope IN ('once', 'per_run') AND run_id = ?", run_id)

    def list(self, principal: str | None = None) -> tuple[Granted, ...]:
        """What stands, oldest first; of one principal or of all."""
        rows = self._db.all(
            f"SELECT * FROM approvals WHERE {_LIVE} AND (? IS NULL OR principal = ?) ORDER BY granted, id",  # noqa: S608
            (principal, principal),
        )
        return tuple(_granted(row) for row in rows)

    def _revoke(self, which: str, value: str) -> int:
        return self._db.execute(
            f"UPDATE approvals SET revoked = ? WHERE {_LIVE} AND {which}",  # noqa: S608
            (self._clock(), value),
        )


def _granted(row: Row) -> Granted:
    approval = Approval(
        row["question_id"],
        row["principal"],
        row["executor"],
        Capability(row["capability"]),
        Origin.of(row["target"]) if row["target"] is not None else None,
        Scope(row["scope"]),
        row["run_id"],
        row["fingerprint"],
    )
    return Granted(row["id"], approval, row["granted"])
