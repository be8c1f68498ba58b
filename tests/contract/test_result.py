from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

from remit.contract import Branch, Envelope, Outcome, Reason, Registry, ResultModel, Spent, Status, builtin_folder

PUBLISHED = Registry([builtin_folder()]).published


class Result(ResultModel):
    count: int
    note: str | None = None


def test_an_envelope_says_only_what_there_is_to_say() -> None:
    envelope = Envelope.of(Outcome(Status.DONE, Result(count=2)))
    assert envelope.payload() == {"status": "done", "count": 2}
    assert json.loads(envelope.text()) == envelope.payload()
    assert " " not in envelope.text()


def test_cost_is_told_where_there_is_one() -> None:
    envelope = Envelope(Status.DONE, run_id="r_1", spent=Spent(seconds=1.26, actions=3))
    assert envelope.payload() == {"status": "done", "run_id": "r_1", "spent": {"seconds": 1.3, "actions": 3}}


def test_what_was_told_is_told_again_word_for_word() -> None:
    told = {"status": "partial", "reason": "interrupted", "rows": 7}
    assert Envelope.of(Outcome(Status.DONE, stored=told)).payload() is told


@pytest.mark.parametrize("name", PUBLISHED)
@pytest.mark.parametrize("reason", [Reason.INVALID_ARGUMENTS, Reason.INTERNAL])
def test_errors_fit_every_tools_output_schema(name: str, reason: Reason) -> None:
    validator = Draft202012Validator(PUBLISHED[name].output_schema)
    validator.validate(Envelope.error(reason, detail="urls: is missing").payload())
    with pytest.raises(Exception, match="'status' is a required property"):
        validator.validate({"reason": reason.value})


@pytest.mark.parametrize("name", PUBLISHED)
def test_schemas_are_valid_and_of_root_type_object(name: str) -> None:
    for schema in (PUBLISHED[name].input_schema, PUBLISHED[name].output_schema):
        Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"


def test_every_reason_has_a_place_in_the_tree_and_one_sentence() -> None:
    for reason in Reason:
        assert isinstance(reason.branch, Branch)
        assert reason.sentence.endswith(".")
        assert reason.value == reason.value.lower()
    assert len({reason.sentence for reason in Reason}) == len(Reason)
