from __future__ import annotations

import pytest

from remit.models import (
    Candidate,
    Choose,
    Extract,
    Extracted,
    Field,
    Intent,
    MapFields,
    Mapped,
    Order,
    Ordered,
    Transcribe,
    Transcribed,
)
from tests.models.questions import headers, links, sign_in


def test_a_choice_lists_its_ids_and_none_as_the_only_values_of_one_field() -> None:
    schema = sign_in("A", "B").schema()
    assert schema["properties"] == {"answer": {"type": "string", "enum": ["c0", "c1", "none"]}}
    assert schema["required"] == ["answer"]
    assert schema["additionalProperties"] is False


def test_an_order_is_a_permutation_and_nothing_else() -> None:
    order = Order(Intent.OPEN_RECORDS, links("A", "B"))
    assert order.admit({"answer": ["c1", "c0"]}) == Ordered(("c1", "c0"))
    for wrong in (["c1"], ["c1", "c1"], ["c0", "c1", "c2"], ["c0", 1], "c0"):
        assert order.admit({"answer": wrong}) is None  # type: ignore[dict-item]


def test_a_map_names_every_field_once_and_gives_no_column_twice() -> None:
    question = headers(("number", "amount"), "No.", "Total")
    assert question.admit({"number": "k0", "amount": "none"}) == Mapped({"number": "k0", "amount": None})
    assert question.admit({"number": "k0"}) is None
    assert question.admit({"number": "k0", "amount": "k0"}) is None
    assert question.admit({"number": "k0", "amount": "k9"}) is None
    assert question.admit({"number": "k0", "amount": None}) is None


def test_an_extracted_value_must_occur_in_the_text() -> None:
    question = Extract((Field("no", "number"), Field("vat", "VAT")), "Invoice  INV-7\nof 3 May")
    assert question.admit({"no": "INV-7 of", "vat": None}) == Extracted({"no": "INV-7 of", "vat": None})
    assert question.admit({"no": "INV-8", "vat": None}) is None
    assert question.admit({"no": "INV-7", "vat": 3}) is None


def test_a_transcription_has_no_control_characters_and_a_bounded_length() -> None:
    question = Transcribe(b"png", max_chars=10)
    assert question.admit({"text": "a\nb"}) == Transcribed("a\nb")
    assert question.admit({"text": "a\x1b[2J"}) is None
    assert question.admit({"text": "a" * 11}) is None


@pytest.mark.parametrize("bad", ["", "none", "a b", "a\n", "x" * 65, "ä"])
def test_an_id_that_could_be_read_as_something_else_is_refused(bad: str) -> None:
    with pytest.raises(ValueError, match="an id is"):
        Candidate(bad, "link", "Home")


def test_ids_differ_and_what_cannot_be_grouped_is_bounded() -> None:
    with pytest.raises(ValueError, match="differ"):
        Choose(Intent.SIGN_IN, (Candidate("a", "link", "A"), Candidate("a", "link", "B")))
    with pytest.raises(ValueError, match="too many"):
        MapFields((), links(*map(str, range(65))))
    with pytest.raises(ValueError, match="longer"):
        Extract((), "x" * 12_001)
