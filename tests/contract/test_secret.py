from __future__ import annotations

import copy
import json
import pickle

import pytest
from pydantic import BaseModel, ConfigDict, ValidationError

from remit.contract import Secret


class Holder(BaseModel):
    model_config = ConfigDict(hide_input_in_errors=True)
    secret: Secret


def test_a_secret_prints_nothing() -> None:
    secret = Secret("hunter2")
    for shown in (repr(secret), str(secret), f"{secret}", f"{secret:>20}", "%s" % secret, repr([secret])):  # noqa: UP031
        assert "hunter2" not in shown
        assert "7" not in shown
    assert secret.reveal() == "hunter2"
    assert repr(Secret("")) == repr(secret)


def test_a_secret_cannot_be_serialised_copied_or_measured() -> None:
    secret = Secret("hunter2")
    with pytest.raises(TypeError):
        pickle.dumps(secret)
    with pytest.raises(TypeError):
        copy.deepcopy(secret)
    with pytest.raises(TypeError):
        json.dumps(secret)
    with pytest.raises(TypeError):
        len(secret)  # type: ignore[arg-type]
    with pytest.raises(Exception, match="cannot be serialised"):
        Holder(secret=secret).model_dump_json()


def test_a_model_takes_no_plain_string_for_a_secret() -> None:
    with pytest.raises(ValidationError) as error:
        Holder(secret="hunter2")
    assert "hunter2" not in str(error.value)
