"""Which field a heading takes."""

from __future__ import annotations

import pytest

from remit.contract import Reason
from remit.records import plain_name
from remit.sheets import Binding, SheetError, bind, check_fields


def bound(headings: list[str], fields: list[str], chosen: dict[str, str] | None = None) -> Binding:
    return bind(headings, fields, chosen or {}, plain_name)


@pytest.mark.parametrize(
    ("heading", "field"),
    [
        ("Data fattura", "Data fattura"),
        ("Data fattura", " DATA FATTURA "),
        ("Data fattura", "DATA  FATTURA"),
        ("Nº", "No."),
        ("N°", "Nº"),
        ("Importo (€)", "importo"),
        ("Società", "SOCIETA'"),
        ("Straße", "STRASSE"),
    ],
)
def test_a_unique_field_is_taken_whatever_its_case_accents_and_punctuation(heading: str, field: str) -> None:
    assert bound([heading], [field]).places == (0,)


def test_an_exact_name_wins_over_a_looser_one() -> None:
    assert bound(["Date", "DATE"], ["DATE", "Date"]).places == (1, 0)
    assert bound(["Date", "date."], ["Date"]).places == (0, None)


def test_of_several_that_fit_alike_none_is_taken() -> None:
    found = bound(["Data", "Data"], ["Data"])
    assert (found.places, found.ambiguous, found.unplaced) == ((None, None), (0,), ())
    found = bound(["date"], ["Date", "DATE"])
    assert (found.places, found.ambiguous) == ((None,), (0, 1))


def test_a_looser_step_does_not_decide_between_several() -> None:
    assert bound(["data ", "DATA", "data."], ["Data"]).places == (None, None, None)


def test_a_late_collision_is_still_a_collision() -> None:
    fields = [f"Field {number}" for number in range(500)] + ["FIELD 3"]
    assert bound(["field 3"], fields).ambiguous == (3, 500)


def test_issue_date_and_due_date_are_different_fields() -> None:
    found = bound(["Date", "Due date"], ["Issue date", "due date"])
    assert (found.places, found.unplaced) == ((None, 1), (0,))


def test_what_the_caller_chose_wins() -> None:
    found = bound(["Date", "Issued", "Copy"], ["Date", "Other"], {"Date": "Other", "issued": "Date", "Copy": "Date"})
    assert (found.places, found.unplaced, found.missing) == ((1, 0, 0), (), ())


def test_a_chosen_heading_that_is_not_there_once_is_told() -> None:
    assert bound(["A", "B", "B"], ["x", "y"], {"C": "x"}).missing == ("C",)
    assert bound(["A", "B", "B"], ["x", "y"], {"B": "x"}).missing == ("B",)


def test_an_empty_heading_takes_nothing() -> None:
    assert bound(["", "  ", "€"], ["", "$"]).places == (None, None, None)


def test_a_chosen_field_must_exist() -> None:
    with pytest.raises(SheetError) as caught:
        check_fields(["x"], {"A": "y"})
    assert caught.value.reason is Reason.UNKNOWN_FIELD
