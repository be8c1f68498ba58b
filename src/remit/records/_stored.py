"""Entries and fields as the database keeps them."""

from __future__ import annotations

import json
import sqlite3
from typing import NotRequired, TypedDict

from remit.contract import Reason, RemitError

from ._amounts import DecimalMark
from ._dates import DateRules
from ._entries import Entry, Field, Flag
from ._evidence import ColumnType, Reading, Suggestion
from ._intervals import DateOrder

SCHEMA = (
    """CREATE TABLE IF NOT EXISTS datasets (
        id TEXT PRIMARY KEY, run_id TEXT NOT NULL, fields TEXT NOT NULL, state TEXT NOT NULL,
        receipt TEXT, created_at TEXT NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS dataset_entries (
        dataset_id TEXT NOT NULL REFERENCES datasets (id) ON DELETE CASCADE, position INTEGER NOT NULL,
        key TEXT, page INTEGER, row INTEGER, flag TEXT, texts TEXT NOT NULL, machines TEXT, more TEXT,
        PRIMARY KEY (dataset_id, position)) WITHOUT ROWID""",
)


class DatasetError(RemitError):
    """There is no such dataset (`UNKNOWN_DATASET`) or field of it (`UNKNOWN_FIELD`, `HEADINGS_AMBIGUOUS`), or it is
    used as it must not be (`INVALID_ARGUMENTS`).
    """


class StoredField(TypedDict):
    """A field and how it is read."""

    name: str
    type: ColumnType
    unresolved: int
    suggestion: Suggestion | None
    order: DateOrder
    language: str | None
    context_year: int | None
    mark: DecimalMark | None
    doubtful_order: bool
    context_years: NotRequired[int]


class _More(TypedDict):
    """What few entries have."""

    cells: tuple[int | None, ...] | None
    listed: tuple[str | None, ...] | None
    context_year: int | None


def row_of(dataset_id: str, position: int, entry: Entry, width: int) -> tuple[str | int | None, ...]:
    """An entry as the values of a row of `dataset_entries`.

    Raises:
        DatasetError: INVALID_ARGUMENTS, the entry has another number of fields than `width`.
    """
    aligned = (entry.texts, entry.machines, entry.cells, entry.listed)
    if any(part is not None and len(part) != width for part in aligned):
        raise DatasetError(Reason.INVALID_ARGUMENTS)
    machines = None if entry.machines is None else dump(entry.machines)
    return (
        dataset_id,
        position,
        entry.key,
        entry.page,
        entry.row,
        entry.flag,
        dump(entry.texts),
        machines,
        _more(entry),
    )


def entry_of(row: sqlite3.Row) -> Entry:
    """The entry in a row of `dataset_entries`."""
    machines = None if row["machines"] is None else tuple(json.loads(row["machines"]))
    flag: Flag | None = row["flag"]
    entry = Entry(tuple(json.loads(row["texts"])), machines, row["key"], row["page"], row["row"], flag)
    return entry if row["more"] is None else _with_more(entry, json.loads(row["more"]))


def store_field(field: Field, reading: Reading) -> StoredField:
    """A field with the way its cells are read."""
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
        "context_years": field.context_years,
    }


def load_fields(text: str) -> list[StoredField]:
    """All fields of a dataset."""
    fields: list[StoredField] = json.loads(text)
    return fields


def field_of(stored: StoredField) -> Field:
    """What is told of a field."""
    years = stored.get("context_years", 0)
    return Field(stored["name"], stored["type"], stored["unresolved"], stored["suggestion"], years)


def reading_of(stored: StoredField) -> Reading:
    """How a field's cells are read."""
    rules = DateRules(stored["order"], stored["language"], stored["context_year"])
    return Reading(stored["type"], rules, stored["mark"], stored["doubtful_order"])


def dump(data: object) -> str:
    """Compact JSON. A lone surrogate, which pages hold, is not text SQLite takes: as an ASCII escape it survives."""
    return json.dumps(data, ensure_ascii=True, separators=(",", ":"))


def _more(entry: Entry) -> str | None:
    if entry.cells is None and entry.listed is None and entry.context_year is None:
        return None
    more: _More = {"cells": entry.cells, "listed": entry.listed, "context_year": entry.context_year}
    return dump(more)


def _with_more(entry: Entry, more: _More) -> Entry:
    cells, listed = more["cells"], more["listed"]
    return Entry(
        entry.texts,
        entry.machines,
        entry.key,
        entry.page,
        entry.row,
        entry.flag,
        None if cells is None else tuple(cells),
        None if listed is None else tuple(listed),
        more["context_year"],
    )
