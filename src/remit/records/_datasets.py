"""Datasets: collected entries, durable as soon as they are appended, read back in chunks."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from datetime import UTC, datetime

from remit.contract import Reason
from remit.state import Database

from ._coverage import Coverage, Coverages
from ._entries import Cell, DatasetInfo, DatasetState, Entry, Field, FieldTyping, Receipt, Row
from ._evidence import Reading, Suggestion
from ._intervals import DateInterval, Period
from ._stored import (
    SCHEMA,
    DatasetError,
    StoredField,
    dump,
    entry_of,
    field_of,
    load_fields,
    reading_of,
    row_of,
    store_field,
)

CHUNK = 1000
"""Rows held in memory at a time while a dataset is read."""


class Datasets:
    """The datasets of one database. Every change is one transaction, on disk when the method returns."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._principal: str | None = None
        self._coverages = Coverages(db)
        db.ensure(*SCHEMA)
        if "more" not in {row["name"] for row in db.all("PRAGMA table_info(dataset_entries)")}:
            db.ensure("ALTER TABLE dataset_entries ADD COLUMN more TEXT")

    def of(self, principal: str) -> Datasets:
        """The same, for one principal: a dataset is its who began the run that made it, and unknown to all others."""
        mine = copy(self)
        mine._principal = principal
        return mine

    def create(self, run_id: str, fields: Sequence[str]) -> str:
        """A new, open dataset of these field names; its id."""
        dataset_id = f"ds_{secrets.token_urlsafe(9)}"
        stored = dump([store_field(Field(name), Reading("text")) for name in fields])
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with self._db.transaction():
            self._db.execute(
                "INSERT INTO datasets VALUES (?, ?, ?, 'open', NULL, ?)", (dataset_id, run_id, stored, now)
            )
        return dataset_id

    def of_run(self, run_id: str) -> tuple[str, ...]:
        """The ids of the datasets a run made, oldest first."""
        if not self._may_see(run_id):
            return ()
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
                row_of(dataset_id, position, entry, len(fields)) for position, entry in enumerate(entries, start=start)
            ]
            self._db.many("INSERT INTO dataset_entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        return start + len(rows)

    def replace(self, dataset_id: str, position: int, entry: Entry) -> None:
        """Put an entry in the place of the one at a position, once more of the same record was read.

        Raises:
            DatasetError: as `append`; INVALID_ARGUMENTS also where there is no such position.
        """
        with self._db.transaction():
            state, fields = self._head(dataset_id)
            if state != "open":
                raise DatasetError(Reason.INVALID_ARGUMENTS)
            row = row_of(dataset_id, position, entry, len(fields))
            gone = self._db.execute(
                "DELETE FROM dataset_entries WHERE dataset_id = ? AND position = ?", (dataset_id, position)
            )
            if not gone:
                raise DatasetError(Reason.INVALID_ARGUMENTS)
            self._db.many("INSERT INTO dataset_entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", [row])

    def finish(
        self, dataset_id: str, receipt: Receipt, coverage: Coverage | None = None, source: str | None = None
    ) -> None:
        """Close the dataset with the receipt of its collection. A second receipt replaces the first.

        `coverage` says which days were read, of the list that `source` identifies (a digest; never an address).
        """
        with self._db.transaction():
            self._head(dataset_id)
            self._db.execute(
                "UPDATE datasets SET state = 'finished', receipt = ? WHERE id = ?", (dump(dict(receipt)), dataset_id)
            )
            if coverage is not None and source is not None:
                self._coverages.record(dataset_id, source, coverage)

    def reopen(self, dataset_id: str) -> None:
        """Let entries be added again: the process that finished it was killed before it told of that."""
        with self._db.transaction():
            self._head(dataset_id)
            self._db.execute("UPDATE datasets SET state = 'open' WHERE id = ?", (dataset_id,))

    def covered(self, source: str, field: str) -> tuple[Period, ...]:
        """The days of a list that earlier runs read whole, one interval a run, oldest run first."""
        found = self._coverages.of_source(source, field)
        return tuple(covered for run_id, covered in found if self._may_see(run_id))

    def type_fields(self, dataset_id: str, typings: Mapping[str, FieldTyping] | None = None) -> tuple[Field, ...]:
        """Decide the type of every field on all its cells; rows are typed accordingly from then on.

        `typings` tells by field name what is known; a field not named is typed on its cells alone.
        """
        names = [field.name for field in self._head(dataset_id)[1]]
        known = [(typings or {}).get(name, FieldTyping()) for name in names]
        readings, suggestions = self.decide(dataset_id, known)
        return self.read_as(dataset_id, readings, suggestions)

    def decide(
        self, dataset_id: str, typings: Sequence[FieldTyping | None]
    ) -> tuple[tuple[Reading, ...], tuple[Suggestion | None, ...]]:
        """How each field would be read on all its cells, and what would settle the rest; nothing is stored.

        A field whose typing is None keeps the reading and the suggestion it has.
        """
        stored = self._stored_fields(dataset_id)
        readings = [reading_of(item) for item in stored]
        suggestions = [item["suggestion"] for item in stored]
        evidences = {at: typing.evidence() for at, typing in enumerate(typings) if typing is not None}
        for entry in self._entries(dataset_id) if evidences else ():
            for at, evidence in evidences.items():
                evidence.see(entry.texts[at], entry.machine(at), entry.context_year)
        for at, evidence in evidences.items():
            readings[at] = evidence.decide()
            suggestions[at] = evidence.suggestion(readings[at])
        return tuple(readings), tuple(suggestions)

    def readings(self, dataset_id: str) -> tuple[Reading, ...]:
        """How each field is read. Raises as `rows`."""
        return tuple(reading_of(item) for item in self._stored_fields(dataset_id))

    def read_as(
        self, dataset_id: str, readings: Sequence[Reading], suggestions: Sequence[Suggestion | None]
    ) -> tuple[Field, ...]:
        """Read the fields so from now on, as decided on all cells of this dataset or of the one it was taken from."""
        names = [field.name for field in self._head(dataset_id)[1]]
        unresolved, years = [0] * len(names), [0] * len(names)
        for entry in self._entries(dataset_id):
            for at, reading in enumerate(readings):
                value = reading.value(entry.texts[at], entry.machine(at), entry.context_year)
                unresolved[at] += value is None and bool(entry.texts[at].strip())
                years[at] += isinstance(value, DateInterval) and value.year_from_context
        types = [reading.type for reading in readings]
        fields = tuple(map(Field, names, types, unresolved, suggestions, years))
        stored = dump([store_field(field, reading) for field, reading in zip(fields, readings, strict=True)])
        with self._db.transaction():
            self._db.execute("UPDATE datasets SET fields = ? WHERE id = ?", (stored, dataset_id))
        return fields

    def info(self, dataset_id: str) -> DatasetInfo:
        """What the dataset holds, without its rows.

        Raises:
            DatasetError: no such dataset.
        """
        state, fields = self._head(dataset_id)
        found = self._db.one("SELECT run_id, receipt FROM datasets WHERE id = ?", (dataset_id,))
        counts = self._db.one(
            "SELECT count(*) AS total, count(flag) AS flagged FROM dataset_entries WHERE dataset_id = ?", (dataset_id,)
        )
        assert found is not None
        assert counts is not None
        receipt: Receipt | None = None if found["receipt"] is None else json.loads(found["receipt"])
        return DatasetInfo(dataset_id, found["run_id"], state, fields, counts["total"], counts["flagged"], receipt)

    def rows(self, dataset_id: str, start: int = 0) -> Iterator[Row]:
        """The rows from position `start` in the order they were appended, `CHUNK` of them in memory at a time.

        Raises:
            DatasetError: no such dataset (at once, not at the first row).
        """
        readings = self.readings(dataset_id)
        return (
            Row(position, _cells(entry, readings), entry.key, entry.page, entry.row, entry.flag)
            for position, entry in enumerate(self._entries(dataset_id, start), start)
        )

    def entries(self, dataset_id: str) -> Iterator[Entry]:
        """The entries as they were appended, in order. Raises as `rows`."""
        self._head(dataset_id)
        return self._entries(dataset_id)

    def _head(self, dataset_id: str) -> tuple[DatasetState, tuple[Field, ...]]:
        found = self._db.one("SELECT fields, state, run_id FROM datasets WHERE id = ?", (dataset_id,))
        if found is None or not self._may_see(found["run_id"]):
            raise DatasetError(Reason.UNKNOWN_DATASET)
        return found["state"], tuple(field_of(stored) for stored in load_fields(found["fields"]))

    def _may_see(self, run_id: str) -> bool:
        """Whether the principal began the run: the journal's table says so, that it is written in one place only."""
        if self._principal is None:
            return True
        mine = "SELECT 1 FROM runs WHERE id = ? AND principal = ?"
        return self._db.one(mine, (run_id, self._principal)) is not None

    def _stored_fields(self, dataset_id: str) -> list[StoredField]:
        self._head(dataset_id)
        found = self._db.one("SELECT fields FROM datasets WHERE id = ?", (dataset_id,))
        return load_fields(found["fields"]) if found else []

    def _end(self, dataset_id: str) -> int:
        found = self._db.one("SELECT max(position) AS last FROM dataset_entries WHERE dataset_id = ?", (dataset_id,))
        return 0 if found is None or found["last"] is None else found["last"] + 1

    def _entries(self, dataset_id: str, start: int = 0) -> Iterator[Entry]:
        last = start - 1
        while True:
            chunk = self._db.all(
                "SELECT * FROM dataset_entries WHERE dataset_id = ? AND position > ? ORDER BY position LIMIT ?",
                (dataset_id, last, CHUNK),
            )
            yield from map(entry_of, chunk)
            if len(chunk) < CHUNK:
                return
            last = chunk[-1]["position"]


def _cells(entry: Entry, readings: Sequence[Reading]) -> tuple[Cell, ...]:
    return tuple(
        Cell(text, reading.value(text, entry.machine(at), entry.context_year))
        for at, (text, reading) in enumerate(zip(entry.texts, readings, strict=True))
    )
