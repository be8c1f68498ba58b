"""The examples in the manifests are run as they stand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from remit.contract import Registry, builtin_folder
from remit.runs import Rooms, Runs
from remit.settings import Settings

PUBLISHED = Registry([builtin_folder()]).published


def _examples() -> Iterator[Any]:
    for name, item in PUBLISHED.items():
        for number, example in enumerate(item.manifest.examples):
            yield pytest.param(name, example, id=f"{name}-{number}")


def test_every_executor_has_an_example() -> None:
    assert {name for name, item in PUBLISHED.items() if not item.manifest.examples} == set()


@pytest.mark.parametrize(("name", "example"), list(_examples()))
async def test_an_example_gives_the_result_it_shows(tmp_path: Path, name: str, example: Any) -> None:
    item = PUBLISHED[name]
    Draft202012Validator(item.input_schema).validate(example.arguments)
    arguments = item.executor.arguments_model.model_validate(example.arguments)
    settings = Settings(
        data_dir=tmp_path / "data", vault_dir=tmp_path / "vault", files_dir=tmp_path, vault_key="file", model="none"
    )
    async with Rooms(settings) as rooms, Runs(rooms) as runs:
        payload = (await runs.call(item, arguments, "test")).payload()
    Draft202012Validator(item.output_schema).validate(payload)
    assert {key: payload.get(key) for key in example.result} == example.result
