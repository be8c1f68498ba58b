from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict

from remit.contract import ArgumentsModel, ManifestError, Registry, ResultModel, admit, builtin_folder

MANIFEST = """
manifest = 1
name = "try_things"
version = "1.0.0"
title = "Try things"
purpose = "Try things that are harmless."
not_for = "anything else."
intelligence = "direct"
transport = "local"
entry = "tests.contract.test_registry:TryThings"
effect = "read_only"
capabilities = []
consent = "none"

[arguments.names]
type = "array"
required = true
items = "string"

[arguments.limit]
type = "integer"

[result.count]
type = "integer"
"""


class Arguments(ArgumentsModel):
    names: tuple[str, ...]
    limit: int | None = None


class Result(ResultModel):
    count: int


class TryThings:
    arguments_model = Arguments
    result_model = Result

    async def run(self, call: object, arguments: Arguments) -> None:
        """Nothing."""


class Open(BaseModel):
    model_config = ConfigDict(frozen=True)
    names: tuple[str, ...]
    limit: int | None = None


class AcceptsMore(TryThings):
    arguments_model = Open  # type: ignore[assignment]


class Plain(TryThings):
    def run(self, call: object, arguments: Arguments) -> None:  # type: ignore[override]
        """Not a coroutine."""


class Number(TryThings):
    arguments_model = 3  # type: ignore[assignment]


class Overrides(ResultModel):
    count: int
    status: str


class Replaces(TryThings):
    result_model = Overrides  # type: ignore[assignment]


def write(folder: Path, text: str = MANIFEST, name: str = "try_things") -> Path:
    path = folder / f"{name}.toml"
    path.write_text(text)
    return path


def test_a_manifest_that_says_what_its_code_says_is_published(tmp_path: Path) -> None:
    write(tmp_path)
    registry = Registry([tmp_path])
    assert list(registry.published) == ["try_things"]
    assert registry.dropped == ()
    assert registry.published["try_things"].input_schema == {
        "type": "object",
        "properties": {"names": {"type": "array", "items": {"type": "string"}}, "limit": {"type": "integer"}},
        "required": ["names"],
        "additionalProperties": False,
    }


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('[arguments.limit]\ntype = "integer"', "", "arguments.limit is in the code and not in the manifest"),
        ('[result.count]\ntype = "integer"', '[result.other]\ntype = "integer"', "result.other is in the manifest"),
        ('items = "string"', 'items = "integer"', "arguments.names.items is 'integer' in the manifest and 'string'"),
        ("required = true", "required = false", "arguments.names.required is False in the manifest and True"),
        ('effect = "read_only"', 'effect = "harmless"', "effect: is not one of the allowed values"),
        ("manifest = 1", "manifest = 1\ncolour = 'red'", "colour: unknown key"),
        ('title = "Try things"', "", "title: is missing"),
        ("TryThings", "Missing", "cannot be loaded"),
        ("TryThings", "write", "cannot be loaded"),
        ("TryThings", "Result", "needs arguments_model, result_model and run()"),
        ("TryThings", "AcceptsMore", "accepts unknown arguments"),
        ("TryThings", "Plain", "needs arguments_model, result_model and run()"),
        ("TryThings", "Number", "needs arguments_model, result_model and run()"),
        ("TryThings", "Replaces", "result.status is a name of the envelope's"),
        ("tests.contract.test_registry:TryThings", "tests.contract.failing_module:X", "cannot be loaded (ValueError)"),
        ("tests.contract.test_registry:TryThings", "tests.contract.exiting_module:X", "cannot be loaded (SystemExit)"),
        ("manifest = 1", "manifest = ", "not TOML"),
        ('transport = "local"', 'transport = "remote"', "not available"),
    ],
)
def test_any_difference_drops_the_manifest_and_names_the_field(tmp_path: Path, old: str, new: str, said: str) -> None:
    write(tmp_path, MANIFEST.replace(old, new))
    registry = Registry([tmp_path])
    assert not registry.published
    assert said in registry.dropped[0].problem
    assert registry.dropped[0].name == "try_things"


def test_what_is_no_file_or_nested_without_end_is_reported(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a_fifo.toml")
    (tmp_path / "too_deep.toml").write_text("a = " + "[" * 20_000)
    problems = {item.name: item.problem for item in Registry([tmp_path]).dropped}
    assert "not a regular file" in problems["a_fifo"]
    assert "nested too deeply" in problems["too_deep"] or "not TOML" in problems["too_deep"]


def test_a_file_is_named_after_its_tool(tmp_path: Path) -> None:
    with pytest.raises(ManifestError, match=r"must be try_things\.toml"):
        admit(write(tmp_path, name="other_name"))


def test_a_second_manifest_of_the_same_name_is_dropped_and_the_first_stays(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        write(tmp_path / folder)
    registry = Registry([tmp_path / "a", tmp_path / "b"])
    assert registry.published["try_things"].source.parent.name == "a"
    assert "another manifest has the name" in registry.dropped[0].problem


def test_a_file_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    (tmp_path / "try_things.toml").mkdir()
    assert "cannot be read" in Registry([tmp_path]).dropped[0].problem
    (tmp_path / "big_one.toml").write_bytes(b"#" * 70_000)
    assert any("larger than" in item.problem for item in Registry([tmp_path]).dropped)


def test_reload_says_whether_what_is_published_changed(tmp_path: Path) -> None:
    registry = Registry([tmp_path])
    path = write(tmp_path)
    assert registry.reload()
    assert not registry.reload()
    path.write_text(MANIFEST.replace("harmless", "quite harmless"))
    assert registry.reload()


def test_all_built_in_manifests_are_published() -> None:
    registry = Registry([builtin_folder()])
    assert registry.dropped == ()
    assert len(registry.published) >= 7


def test_models_with_shapes_that_manifests_lack_are_refused(tmp_path: Path) -> None:
    class Either(ArgumentsModel):
        names: tuple[str, ...]
        limit: int | str

    class Executor(TryThings):
        arguments_model = Either  # type: ignore[assignment]

    def load(entry: str) -> type[Any]:
        return Executor

    write(tmp_path)
    assert "may be of several types" in Registry([tmp_path], load).dropped[0].problem
