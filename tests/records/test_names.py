"""Fields asked for by name."""

from __future__ import annotations

from collections import Counter

import pytest

from remit.records import Ambiguous, match_name, type_of_name
from remit.records._names import concepts_of, kinds_and_types, languages, plain_name


@pytest.mark.parametrize(
    ("wanted", "offered", "index"),
    [
        ("Number", ["number", "Number"], 1),
        ("title", ["Title", "Other"], 0),
        ("Data fattura", ["DATA  FATTURA"], 0),
        ("Nº", ["No."], 0),
        ("N°", ["No."], 0),
        ("Importo", ["Importo (€)"], 0),
        ("invoice number", ["Invoice-Number", "Date"], 0),
        ("number", ["Invoice no.", "Date", "Total"], 0),
        ("date of issue", ["Issued", "Due"], 0),
        ("issued", ["Data fattura", "Scadenza"], 0),
        ("date", ["Invoice date", "Due date"], 0),
        ("customer since", ["Since", "Name"], 0),
        ("since", ["Name", "Customer since"], 1),
        ("total", ["Stato", "Importo totale"], 1),
        ("amount", ["IVA", "Importo totale"], 1),
        ("amount", ["Net", "Total"], 1),
        ("due date", ["Fällig am", "Rechnungsdatum"], 0),
        ("status", ["Stato"], 0),
        ("supplier", ["Fournisseur", "Client"], 0),
        ("quantity", ["Aantal"], 0),
        ("description", ["Opis"], 0),
        ("version", ["Versão"], 0),
    ],
)
def test_a_field_is_found_by_the_first_step_that_fits(wanted: str, offered: list[str], index: int) -> None:
    assert match_name(wanted, offered) == index


@pytest.mark.parametrize(
    ("wanted", "offered", "indexes"),
    [
        ("Data", ["Data", "Data"], (0, 1)),
        ("title", ["TITLE", "Title "], (0, 1)),
        ("N°", ["No.", "Nº"], (0, 1)),
        ("amount", ["Betrag", "Importo"], (0, 1)),
        ("name", ["Customer", "Supplier"], (0, 1)),
    ],
)
def test_never_the_first_of_several(wanted: str, offered: list[str], indexes: tuple[int, ...]) -> None:
    found = match_name(wanted, offered)
    assert isinstance(found, Ambiguous)
    assert found.indexes == indexes


@pytest.mark.parametrize(
    ("wanted", "offered"),
    [
        ("date", ["Due date"]),
        ("due date", ["Date"]),
        ("issue date", ["Due date"]),
        ("published", ["Updated"]),
        ("author", ["Owner"]),
        ("total", ["Net"]),
        ("colour", ["Number", "Date"]),
        ("", ["", "—"][1:]),
        ("€", ["$"]),
        ("number", []),
    ],
)
def test_another_field_is_never_taken(wanted: str, offered: list[str]) -> None:
    assert match_name(wanted, offered) is None


def test_names_tell_types_where_they_do() -> None:
    names = ("Invoice no.", "Date", "Scadenza", "Importo totale", "version", "colour", "Quantity")
    assert [type_of_name(name) for name in names] == ["text", "date", "date", "amount", "text", None, None]


def test_every_language_names_the_same_fields() -> None:
    fields = {language: set(names) for language, names in languages()}
    assert set(fields) >= {"en", "it", "de", "es", "fr", "pt", "nl", "pl"}
    assert all(of_language == fields["en"] for of_language in fields.values())


def test_no_language_has_an_empty_or_repeated_name() -> None:
    for language, fields in languages():
        for field, names in fields.items():
            counts = Counter(plain_name(name) if plain_name(name) else name for name in names)
            assert names, (language, field)
            assert all(plain_name(name) for name in names), (language, field)
            assert len(set(names)) == len(names), (language, field, counts)


def test_within_a_language_a_name_means_one_field() -> None:
    for language, fields in languages():
        owners: dict[str, set[str]] = {}
        for field, names in fields.items():
            for name in names:
                owners.setdefault(plain_name(name), set()).add(field)
        shared = {name: found for name, found in owners.items() if len(found) > 1}
        assert not shared, (language, shared)


def test_issue_and_due_dates_never_share_a_name() -> None:
    for _, fields in languages():
        for name in fields["due_date"]:
            assert not concepts_of(name) & {"issue_date", "date", "created"}, name


def test_kinds_and_types_speak_of_fields_that_exist() -> None:
    fields = set(dict(languages())["en"])
    kinds, types = kinds_and_types()
    assert set(kinds) | {special for specials in kinds.values() for special in specials} <= fields
    typed = [field for of_type in types.values() for field in of_type]
    assert set(typed) <= fields
    assert len(set(typed)) == len(typed)
