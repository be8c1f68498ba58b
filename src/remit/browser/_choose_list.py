"""Which list of a page holds the records asked for, and which of its columns the fields."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from remit.browser._content import word_set
from remit.browser._lexicon import normalise
from remit.browser._record_list import Column, RecordList, SlotKind

Match = Callable[[str, Sequence[str]], int | None]
"""The position among the offered names that means the wanted one, or None. Synonyms are the caller's."""

_ROUNDING = 0.85
_KIND_WORDS: dict[SlotKind, frozenset[str]] = {
    "amount": word_set(
    "price amount total sum cost fee betrag preis importo prezzo precio importe prix montant prijs bedrag "
    "cena kwota valor"
),
    "date": word_set(
    "date day issued created placed submitted published due when datum data fecha tarih tanggal updated "
    "modified time"
),
    "version": word_set("version versions release versione versao wersja versie surum"),
    "license": word_set("license licence lizenz licenza licencia licenca licencja licentie lisans licens"),
    "prose": word_set(
    "description summary abstract excerpt beschreibung zusammenfassung descrizione riassunto descripcion resumen "
    "descriptif resume descricao resumo omschrijving beschrijving samenvatting opis beskrivning aciklama"
),
}  # fmt: skip
_TITLE_WORDS = word_set(
    "title name product item package article page subject titel titolo nome nombre titre nom naam naziv titulo"
)


@dataclass(frozen=True, slots=True)
class Chosen:
    """The list; for each field its column index or None; `unmatched` are the fields without a column.

    `offered` describes the columns that no field took, without values: what a model may be asked to map.
    """

    list: RecordList
    columns: dict[str, int | None]
    unmatched: tuple[str, ...]
    offered: tuple[Column, ...]


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several lists fit equally well, best first."""

    lists: tuple[RecordList, ...]


def choose_list(
    lists: Sequence[RecordList], fields_wanted: Sequence[str], items: str, match: Match
) -> Chosen | Ambiguous | None:
    """The list with most of the fields, then the one whose heading names the items, then the larger. None: nothing
    fits.

    Menus and footers are never chosen. Two lists that fit equally and are about equally large are ambiguous, unless one
    holds the other's rows.
    """
    candidates = [each for each in lists if _may_hold_records(each)]
    ranked = sorted(
        ((_fit(each, fields_wanted, items, match), each) for each in candidates), key=lambda pair: pair[0], reverse=True
    )
    if not ranked:
        return None
    (best, chosen), rivals = ranked[0], [each for fit, each in ranked[1:] if _as_good(fit, ranked[0][0])]
    if best[0] == 0 and best[1] == 0 and chosen.kind == "table" and len(chosen.rows) < 2:
        return None
    rivals = [each for each in rivals if not _same_rows(each, chosen)]
    if rivals:
        return Ambiguous((chosen, *rivals))
    columns = map_fields(chosen, fields_wanted, match)
    taken = {column for column in columns.values() if column is not None}
    return Chosen(
        chosen,
        columns,
        tuple(field for field in fields_wanted if columns[field] is None),
        tuple(column for column in chosen.columns if column.index not in taken),
    )


def map_fields(read: RecordList, fields: Sequence[str], match: Match) -> dict[str, int | None]:
    """For each field a column: by name, then (lists and cards) by the words of its place, then by kind where only one
    fits.
    """
    found: dict[str, int | None] = dict.fromkeys(fields)
    for describe in (_by_name, _by_slot):
        for field in fields:
            free = [column for column in read.columns if column.index not in found.values()]
            if found[field] is None:
                found[field] = describe(field, free, match)
    if read.kind != "table":
        for field in fields:
            free = [column for column in read.columns if column.index not in found.values()]
            if found[field] is None:
                found[field] = _by_kind(field, free, len(read.columns))
    return found


def _by_name(field: str, free: Sequence[Column], match: Match) -> int | None:
    named = [column for column in free if column.name and column.part_of is None]
    at = match(field, [column.name for column in named])
    return named[at].index if at is not None else None


def _by_slot(field: str, free: Sequence[Column], _: Match) -> int | None:
    wanted = set(normalise(field).split())
    fitting = [column for column in free if wanted & set(column.slot.split())]
    fitting = [column for column in fitting if not column.name or column.part_of is not None]
    return fitting[0].index if len(fitting) == 1 else None


def _by_kind(field: str, free: Sequence[Column], columns: int) -> int | None:
    words = set(normalise(field).split())
    for kind, known in _KIND_WORDS.items():
        if words & known:
            fitting = [column for column in free if column.kind == kind]
            return fitting[0].index if len(fitting) == 1 else None
    if words & _TITLE_WORDS or columns == 1:
        for kind in ("heading", "link"):
            fitting = [column for column in free if column.kind == kind]
            if fitting and (kind == "heading" or len(fitting) == 1):
                return fitting[0].index
    return None


def _may_hold_records(read: RecordList) -> bool:
    return bool(read.rows) and (
        read.section in ("", "main") or (read.kind == "table" and len(read.columns) > 1 and read.section != "menu")
    )


def _fit(read: RecordList, fields: Sequence[str], items: str, match: Match) -> tuple[int, int, float]:
    mapped = map_fields(read, fields, match)
    named = sum(1 for column in mapped.values() if column is not None)
    words = set(normalise(items).split())
    heading = set(normalise(f"{read.heading} {read.section}").split())
    return named, int(bool(words & heading)), read.score


def _as_good(fit: tuple[int, int, float], best: tuple[int, int, float]) -> bool:
    return fit[:2] == best[:2] and fit[2] >= best[2] * _ROUNDING


def _same_rows(first: RecordList, second: RecordList) -> bool:
    """One is a part of the other or its box: the higher score decides."""
    mine, yours = {row.node for row in first.rows}, {row.node for row in second.rows}
    return bool(mine & yours) or (any(abs(a - b) <= 1 for a in mine for b in yours) and len(mine) == len(yours))
