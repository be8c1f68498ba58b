"""Datasets: collected entries, durable as soon as they are appended, read back in chunks."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import TypedDict

from remit.contract import Reason, RemitError
from remit.state import Database

from ._amounts import DecimalMark
from ._dates import DateRules
from ._entries import Cell, DatasetInfo, DatasetState, Entry, Field, FieldTyping, Flag, Receipt, Row
from ._evidence import ColumnType, Reading, Suggestion
from ._intervals import DateOrder

CHUNK = 1000
"""Rows held in memory at a time while a dataset is read."""

_SCHEMA = (
    """CREATE TABLE IF NOT EXISTS datasets (
        id TEXT PRIMARY KEY, run_id TEXT NOT NULL, fields TEXT NOT NULL, state TEXT NOT NULL,
        receipt TEXT, created_at TEXT NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS dataset_entries (
        dataset_id TEXT NOT NULL REFERENCES datasets (id) ON DELETE CASCADE, position INTEGER NOT NULL,
        key TEXT, page INTEGER, row INTEGER, flag TEXT, texts TEXT NOT NULL, machines TEXT,
        PRIMARY KEY (dataset_id, position)) WITHOUT ROWID""",
)


class DatasetError(RemitError):
    """There is no such dataset (`UNKNOWN_DATASET`), or it is used as it must not be (`INVALID_ARGUMENTS`)."""


class _Stored(TypedDict):
    """A field and how it is read, as the database keeps it."""

    name: str
    type: ColumnType
    unresolved: int
    suggestion: Suggestion | None
    order: DateOrder
    language: str | None
    context_year: int | None
    mark: DecimalMark | None
    doubtful_order: bool


class Datasets:
    """The datasets of one database. Every change is one transaction, on disk when the method returns."""

    def __init__(self, db: Database) -> None:
        self._db = db
        db.ensure(*_SCHEMA)

    def create(self, run_id: str, fields: Sequence[str]) -> str:
        """A new, open dataset of these field names; its id."""
        dataset_id = f"ds_{secrets.token_urlsafe(9)}"
        stored = _dump([_store(Field(name), Reading("text")) for name in fields])
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with self._db.transaction():
            self._db.execute(
                "INSERT INTO datasets VALUES (?, ?, ?, 'open', NULL, ?)", (dataset_id, run_id, stored, now)
            )
        return dataset_id

    def of_run(self, run_id: str) -> tuple[str, ...]:
        """The ids of the datasets a run made, oldest first."""
        found = self._db.all("SELECT id FROM datasets WHERE run_id = ? ORDER BY created_at, rowid", (run_id,))
        return tuple(row["id"] for row in found)

    def append(self, dataset_id: str, entries: Iterable[Entry]) -> int:
        """Add entries at the end, all or none; the number of rows the dataset then has.

        Raises:
            DatasetError: no such dataset, or it is finished, or an entry has another number of fields.
        """
        with self._db.transaction():
            state, fields = self._head(dataset_id)
            if state != "open":
                raise DatasetError(Reason.INVALID_ARGUMENTS)
            start = self._end(dataset_id)
            rows = [
                _row_of(dataset_id, position, entry, len(fields)) for position, entry in enumerate(entries, start=start)
            ]
            self._db.many("INSERT INTO dataset_entries VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
        return start + len(rows)

    def finish(self, dataset_id: str, receipt: Receipt) -> None:
        """Close the dataset with the receipt of its collection. A second receipt replaces the first."""
        with self._db.transaction():
            self._head(dataset_id)
            stored = _dump(dict(receipt))
            self._db.execute("UPDATE datasets SET state = 'finished', receipt = ? WHERE id = ?", (stored, dataset_id))

    def type_fields(self, dataset_id: str, typings: Mapping[str, FieldTyping] | None = None) -> tuple[Field, ...]:
        """Decide the type of every field on all its cells; rows are typed accordingly from then on.

        `typings` tells by field name what is known; a field not named is typed on its cells alone.
        """
        names = [field.name for field in self._head(dataset_id)[1]]
        evidences = [(typings or {}).get(name, FieldTyping()).evidence() for name in names]
        for entry in self._entries(dataset_id):
            for evidence, text, machine in zip(evidences, entry.texts, _machines(entry), strict=True):
                evidence.see(text, machine)
        readings = [evidence.decide() for evidence in evidences]
        unresolved = [0] * len(names)
        for entry in self._entries(dataset_id):
            for at, (reading, text, machine) in enumerate(zip(readings, entry.texts, _machines(entry), strict=True)):
                unresolved[at] += bool(text.strip()) and reading.value(text, machine) is None
        fields = tuple(
            Field(name, reading.type, count, evidence.suggestion(reading))
            for name, reading, count, evidence in zip(names, readings, unresolved, evidences, strict=True)
        )
        stored = _dump([_store(field, reading) for field, reading in zip(fields, readings, strict=True)])
        with self._db.transaction():
            self._db.execute("UPDATE datasets SET fields = ? WHERE id = ?", (stored, dataset_id))
        return fields

    def info(self, dataset_id: str) -> DatasetInfo:
        """What the dataset holds, without its rows.

        Raises:
            DatasetError: no such dataset.
        """
        found = self._db.one("SELECT run_id, receipt FROM datasets WHERE id = ?", (dataset_id,))
        state, fields = self._head(dataset_id)
        counts = self._db.one(
            "SELECT count(*) AS total, count(flag) AS flagged FROM dataset_entries WHERE dataset_id = ?", (dataset_id,)
        )
        assert found is not None
        assert counts is not None
        receipt: Receipt | None = None if found["receipt"] is None else json.loads(found["receipt"])
        return DatasetInfo(dataset_id, found["run_id"], state, fields, counts["total"], counts["flagged"], receipt)

    def rows(self, dataset_id: str) -> Iterator[Row]:
        """The rows in the order they were appended, `CHUNK` of them in memory at a time.

        Raises:
            DatasetError: no such dataset (at once, not at the first row).
        """
        self._head(dataset_id)
        readings = self._readings(dataset_id)
        return (
            Row(position, _cells(entry, readings), entry.key, entry.page, entry.row, entry.flag)
            for position, entry in enumerate(self._entries(dataset_id))
        )

    def _head(self, dataset_id: str) -> tuple[DatasetState, tuple[Field, ...]]:
        found = self._db.one("SELECT fields, state FROM datasets WHERE id = ?", (dataset_id,))
        if found is None:
            raise DatasetError(Reason.UNKNOWN_DATASET)
        return found["state"], tuple(_field(stored) for stored in _load_fields(found["fields"]))

    def _end(self, dataset_id: str) -> int:
        found = self._db.one("SELECT max(position) AS last FROM dataset_entries WHERE dataset_id = ?", (dataset_id,))
        return 0 if found is None or found["last"] is None else found["last"] + 1

    def _readings(self, dataset_id: str) -> tuple[Reading, ...]:
        found = self._db.one("SELECT fields FROM datasets WHERE id = ?", (dataset_id,))
        return tuple(_reading(stored) for stored in _load_fields(found["fields"])) if found else ()

    def _entries(self, dataset_id: str) -> Iterator[Entry]:
        last = -1
        while True:
            chunk = self._db.all(
                "SELECT * FROM dataset_entries WHERE dataset_id = ? AND position > ? ORDER BY position LIMIT ?",
                (dataset_id, last, CHUNK),
            )
            for found in chunk:
                machines = None if found["machines"] is None else tuple(json.loads(found["machines"]))
                flag: Flag | None = found["flag"]
                texts = tuple(json.loads(found["texts"]))
                yield Entry(texts, machines, found["key"], found["page"], found["row"], flag)
            if len(chunk) < CHUNK:
                return
            last = chunk[-1]["position"]


def _row_of(dataset_id: str, position: int, entry: Entry, width: int) -> tuple[str | int | None, ...]:
    if len(entry.texts) != width or len(_machines(entry)) != width:
        raise DatasetError(Reason.INVALID_ARGUMENTS)
    machines = None if entry.machines is None else _dump(entry.machines)
    return dataset_id, position, entry.key, entry.page, entry.row, entry.flag, _dump(entry.texts), machines


def _machines(entry: Entry) -> tuple[str | None, ...]:
    return entry.machines if entry.machines is not None else (None,) * len(entry.texts)


def _cells(entry: Entry, readings: Sequence[Reading]) -> tuple[Cell, ...]:
    return tuple(
        Cell(text, reading.value(text, machine))
        for text, machine, reading in zip(entry.texts, _machines(entry), readings, strict=True)
    )


def _dump(data: object) -> str:
    # A lone surrogate, which pages can contain, is not text SQLite takes: as an ASCII escape it survives.
    return json.dumps(data, ensure_ascii=True, separators=(",", ":"))


def _load_fields(text: str) -> list[_Stored]:
    fields: list[_Stored] = json.loads(text)
    return fields


def _store(field: Field, reading: Reading) -> _Stored:
    return {
        "name": field.name,
        "type": field.type,
        "unresolved": field.unresolved,
        "suggestion": field.suggestion,
        "order": reading.rules.order,
        "language": reading.rules.language,
        "context_year": reading.rules.context_year,
        "mark": reading.mark,
        "doubtful_order": reading.doubtful_order,
    }


def _field(stored: _Stored) -> Field:
    return Field(stored["name"], stored["type"], stored["unresolved"], stored["suggestion"])


def _reading(stored: _Stored) -> Reading:
    rules = DateRules(stored["order"], stored["language"], stored["context_year"])
    return Reading(stored["type"], rules, stored["mark"], stored["doubtful_order"])
