"""Loads manifests, holds each against its code, and publishes only where both say the same."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from ._manifest import Manifest, ManifestError, Transport, Value, read_manifest
from ._result import ENVELOPE_PROPERTIES, ResultModel
from ._schema import Schema, SchemaError, input_schema, model_values, output_schema


@dataclass(frozen=True)
class Published:
    """An executor whose code and manifest agree."""

    manifest: Manifest
    executor: type[Any]
    source: Path
    input_schema: Schema = field(repr=False)
    output_schema: Schema = field(repr=False)


@dataclass(frozen=True, slots=True)
class Dropped:
    """A manifest that is not published, and why."""

    name: str
    source: Path
    problem: str


def builtin_folder() -> Path:
    """Where the manifests that come with Remit are: inside the wheel, or beside `src` in a checkout."""
    package = Path(__file__).resolve().parents[1]
    shipped = package / "_manifests"
    return shipped if shipped.is_dir() else package.parents[1] / "manifests"


def import_entry(entry: str) -> type[Any]:
    """The class an entry `module:Class` names."""
    module, _, name = entry.partition(":")
    found = getattr(importlib.import_module(module), name)
    if not isinstance(found, type):
        raise TypeError(f"{entry} is not a class")
    return found


class Registry:
    """The published executors, in name order, and the dropped ones."""

    def __init__(self, folders: Sequence[Path], load: Callable[[str], type[Any]] = import_entry) -> None:
        self._folders = tuple(folders)
        self._load = load
        self.published: Mapping[str, Published] = {}
        self.dropped: tuple[Dropped, ...] = ()
        self.reload()

    def reload(self) -> bool:
        """Read all manifests again; whether what is published changed."""
        published: dict[str, Published] = {}
        dropped: list[Dropped] = []
        for path in self._files():
            try:
                item = admit(path, self._load)
                if item.manifest.name in published:
                    raise ManifestError(f"{path.name}: another manifest has the name {item.manifest.name!r}")
                published[item.manifest.name] = item
            except ManifestError as error:
                dropped.append(Dropped(path.stem, path, str(error)))
        before = {name: item.manifest for name, item in self.published.items()}
        self.published = dict(sorted(published.items()))
        self.dropped = tuple(dropped)
        return before != {name: item.manifest for name, item in self.published.items()}

    def _files(self) -> Iterable[Path]:
        for folder in self._folders:
            yield from sorted(folder.glob("*.toml"))


def admit(path: Path, load: Callable[[str], type[Any]] = import_entry) -> Published:
    """One manifest with its code.

    Raises:
        ManifestError: the manifest is wrong, its code cannot be loaded, or the two differ.
    """
    manifest = read_manifest(path)
    if manifest.transport is Transport.REMOTE:
        raise ManifestError(f"{path.name}: transport 'remote' is not available in this version")
    executor = load_executor(manifest, path.name, load)
    if differences := compare(manifest, executor):
        raise ManifestError(f"{path.name}: {'; '.join(differences)}; `remit check --write` updates the manifest")
    return Published(manifest, executor, path, input_schema(manifest), output_schema(manifest))


def load_executor(manifest: Manifest, source: str, load: Callable[[str], type[Any]] = import_entry) -> type[Any]:
    """The class a manifest's entry names.

    Raises:
        ManifestError: it cannot be imported, or lacks its models.
    """
    try:
        executor = load(manifest.entry)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - another's module may fail in any way while it is imported
        raise ManifestError(f"{source}: entry {manifest.entry!r} cannot be loaded ({type(error).__name__})") from None
    models = (getattr(executor, name, None) for name in ("arguments_model", "result_model"))
    bases = (BaseModel, ResultModel)
    typed = all(isinstance(model, type) and issubclass(model, base) for model, base in zip(models, bases, strict=True))
    if not typed or not inspect.iscoroutinefunction(getattr(executor, "run", None)):
        raise ManifestError(f"{source}: {manifest.entry} needs arguments_model, result_model and run()")
    return executor


def declared(executor: type[Any]) -> dict[str, dict[str, Value]]:
    """The manifest sections that the code implies."""
    try:
        return {
            "arguments": model_values(executor.arguments_model),
            "result": model_values(executor.result_model, output=True),
        }
    except SchemaError as error:
        raise ManifestError(f"{executor.__name__}: {error}") from None
    except Exception as error:  # noqa: BLE001 - a model of another's may be such that no schema can be made of it
        raise ManifestError(f"{executor.__name__}: no schema can be made of it ({type(error).__name__})") from None


def compare(manifest: Manifest, executor: type[Any]) -> list[str]:
    """Every difference between manifest and code, naming the field."""
    found: list[str] = []
    for section, values in declared(executor).items():
        written: Mapping[str, Value] = getattr(manifest, section)
        found.extend(_differences(section, written, values))
    own = model_values(executor.result_model, output=True)
    found.extend(f"result.{name} is a name of the envelope's" for name in ENVELOPE_PROPERTIES if name in own)
    if executor.arguments_model.model_config.get("extra") != "forbid":
        found.append("arguments: the code accepts unknown arguments")
    return found


def _differences(where: str, written: Mapping[str, Value], coded: Mapping[str, Value]) -> list[str]:
    found = [f"{where}.{name} is in the manifest and not in the code" for name in written if name not in coded]
    for name, value in coded.items():
        if name not in written:
            found.append(f"{where}.{name} is in the code and not in the manifest")
        elif written[name] != value:
            found.extend(_fields(f"{where}.{name}", written[name], value))
    return found


def _fields(where: str, written: Value, coded: Value) -> list[str]:
    left, right = written.model_dump(exclude_none=True), coded.model_dump(exclude_none=True)
    keys = [key for key in {**left, **right} if left.get(key) != right.get(key)]
    return [f"{where}.{key} is {left.get(key)!r} in the manifest and {right.get(key)!r} in the code" for key in keys]
