"""The audit log as it is told: what `verify` finds, and rows as they can be shown."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import TypeGuard, cast

from pydantic import TypeAdapter, ValidationError

from ._facts import AuditKind, Facts, Id

RUN_ID: TypeAdapter[str] = TypeAdapter(Id)
LONGEST = 300


class Broken(StrEnum):
    """What is wrong with a log."""

    CHANGED = "changed"
    """The row is not the one that was written here: it was changed, exchanged with another, or put in."""
    REMOVED = "removed"
    """The row is missing though later ones are there."""
    MOVED = "moved"
    """The row does not follow the one before it: a row was put in front, or written by somebody with the key."""
    CUT_SHORT = "cut_short"
    """The head record knows rows from here on that are missing."""
    REWRITTEN = "rewritten"
    """The row differs from the one the head record knows: from somewhere before, the log is another."""
    VANISHED = "vanished"
    """Another log with rows stood in this place."""
    NO_HEAD = "no_head"
    """The head record is missing, so nobody can tell whether the end of the log is."""
    BAD_HEAD = "bad_head"
    """The head record is damaged."""
    NO_KEY = "no_key"
    """The key is missing, damaged, or readable by others."""
    UNREADABLE = "unreadable"
    """The database is damaged."""


@dataclass(frozen=True, slots=True)
class AuditReport:
    """What `verify` found.

    Attributes:
        rows: how many rows were found sound before the first problem; all of them where there is none.
        broken: the sequence of the first broken row, where the problem has one.
        reason: what is wrong; None where nothing is.
        since: where the head record is younger than the log: whether rows were cut off before this row is not known.
    """

    rows: int
    broken: int | None = None
    reason: Broken | None = None
    since: int = 0

    @property
    def is_intact(self) -> bool:
        """Whether nothing was found."""
        return self.reason is None


@dataclass(frozen=True, slots=True)
class Entry:
    """A row as it can be shown. What is none of ours, for it was changed, is None or left out.

    Attributes:
        sequence: its number, from 1.
        at: when, in UTC.
        kind: what.
        run_id: the run; None where it is about none.
        facts: by the names of `Facts`.
    """

    sequence: int
    at: datetime | None
    kind: AuditKind | None
    run_id: str | None
    facts: dict[str, str | int]


def text_of(stored: object) -> str:
    """A text column read as bytes; what never was one of ours becomes a text that is not either."""
    return stored.decode("utf-8", "replace") if isinstance(stored, bytes) else ""


def entry_of(row: sqlite3.Row) -> Entry:
    kinds: dict[str, AuditKind] = {kind.value: kind for kind in AuditKind}
    return Entry(
        row["sequence"],
        _moment(text_of(row["at"])),
        kinds.get(text_of(row["kind"])),
        _run(text_of(row["run_id"])),
        _facts(text_of(row["facts"])),
    )


def _moment(milliseconds: str) -> datetime | None:
    try:
        return datetime.fromtimestamp(int(milliseconds) / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _run(text: str) -> str | None:
    try:
        return RUN_ID.validate_python(text)
    except ValidationError:
        return None


def _facts(text: str) -> dict[str, str | int]:
    try:
        read: object = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    items = cast("dict[str, object]", read).items() if isinstance(read, dict) else ()
    return {name: fact for name, fact in items if name in Facts.model_fields and _can_be_shown(fact)}


def _can_be_shown(fact: object) -> TypeGuard[str | int]:
    return isinstance(fact, int) or (isinstance(fact, str) and len(fact) <= LONGEST and fact.isprintable())
