"""The manifest: what an executor is for, takes, returns and may touch, in a file a person can read and sign."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

MAX_BYTES = 64 * 1024


class Intelligence(StrEnum):
    """Whether a model may be asked inside. Declared, never inferred."""

    DIRECT = "direct"
    AGENTIC = "agentic"


class Transport(StrEnum):
    """Where the executor runs. Independent of its intelligence."""

    LOCAL = "local"
    REMOTE = "remote"


class Effect(StrEnum):
    """The strongest effect a call may have; it sets the MCP annotations."""

    READ_ONLY = "read_only"
    CREATE_ONLY = "create_only"
    REVERSIBLE = "reversible"
    MUTATING = "mutating"
    INTERACTIVE = "interactive"


class Capability(StrEnum):
    """What an executor may touch."""

    BROWSER_NAVIGATE = "browser.navigate"
    BROWSER_ACT = "browser.act"
    VAULT_LIST = "vault.list"
    VAULT_USE = "vault.use"
    VAULT_WRITE = "vault.write"
    RECORDS_WRITE = "records.write"
    RECORDS_READ = "records.read"
    FILES_WRITE = "files.write"
    FILES_READ = "files.read"
    MODEL_LOCAL = "model.local"
    MODEL_FRONTIER = "model.frontier"
    USER_ASK = "user.ask"
    NETWORK = "network"


class Consent(StrEnum):
    """When a person is asked before the effect."""

    NONE = "none"
    ONCE_PER_TARGET = "once_per_target"
    EACH_TIME = "each_time"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Limits(_Strict):
    """Upper bounds of one call. Seconds are active time: waiting for a person does not count."""

    attempts: int = Field(default=1, ge=1, le=1000)
    actions: int = Field(default=1, ge=0, le=1000)
    depth: int = Field(default=1, ge=0, le=16)
    elapsed_s: float = Field(default=60, gt=0, le=3600)
    operation_s: float = Field(default=20, gt=0, le=120)
    decision_s: float = Field(default=20, gt=0, le=120)
    observation_chars: int = Field(default=12000, ge=0, le=200_000)
    history_items: int = Field(default=24, ge=0, le=1000)


JsonType = Literal["string", "integer", "number", "boolean", "array", "object"]


class Value(_Strict):
    """One argument or result field: a small part of JSON Schema that every client understands."""

    type: JsonType
    description: str | None = Field(default=None, max_length=200)
    required: bool = False
    items: JsonType | Value | None = None
    properties: dict[str, Value] | None = None
    additional: JsonType | Value | None = None
    enum: tuple[str, ...] | None = None
    format: str | None = None
    pattern: str | None = None
    default: str | int | float | bool | None = None
    min_items: int | None = None
    max_items: int | None = None
    min_length: int | None = None
    max_length: int | None = None
    minimum: float | None = None
    maximum: float | None = None


class Example(_Strict):
    """One call and, optionally, what its result must contain. Both are run as tests."""

    arguments: dict[str, Any] = Field(default_factory=dict)
    result: dict[str, Any] = Field(default_factory=dict)


ToolName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9]*(_[a-z0-9]+)+$", max_length=48)]


class Manifest(_Strict):
    """A whole manifest file."""

    manifest: Literal[1]
    name: ToolName
    version: Annotated[str, StringConstraints(pattern=r"^\d+\.\d+\.\d+$")]
    title: Annotated[str, StringConstraints(min_length=3, max_length=60)]
    purpose: Annotated[str, StringConstraints(min_length=10, max_length=300)]
    not_for: Annotated[str, StringConstraints(min_length=3, max_length=200)]
    intelligence: Intelligence
    transport: Transport
    entry: Annotated[str, StringConstraints(pattern=r"^[a-zA-Z_][\w.]*:[a-zA-Z_]\w*$")]
    effect: Effect
    capabilities: tuple[Capability, ...]
    consent: Consent
    limits: Limits = Limits()
    arguments: dict[str, Value] = Field(default_factory=dict)
    result: dict[str, Value] = Field(default_factory=dict)
    examples: tuple[Example, ...] = ()


class ManifestError(ValueError):
    """A manifest cannot be published; the message names file, field and problem, and holds no page or secret."""


def read_manifest(path: Path) -> Manifest:
    """Read one manifest file.

    Raises:
        ManifestError: not readable, not TOML, an unknown key, a missing or wrong field.
    """
    try:
        if not path.is_file():
            raise ManifestError(f"{path.name}: cannot be read (not a regular file)")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise ManifestError(f"{path.name}: larger than {MAX_BYTES} bytes")
        raw = tomllib.loads(data.decode("utf-8"))
    except OSError as error:
        raise ManifestError(f"{path.name}: cannot be read ({error.strerror})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ManifestError(f"{path.name}: not TOML ({error})") from None
    except RecursionError:
        raise ManifestError(f"{path.name}: nested too deeply") from None
    return parse_manifest(raw, path.name)


def parse_manifest(raw: Mapping[str, Any], source: str) -> Manifest:
    """Validate a parsed manifest; `source` is named in errors."""
    try:
        manifest = Manifest.model_validate(raw)
    except ValidationError as error:
        raise ManifestError(f"{source}: {describe(error)}") from None
    if source.endswith(".toml") and source != f"{manifest.name}.toml":
        raise ManifestError(f"{source}: name is {manifest.name!r}, so the file must be {manifest.name}.toml")
    return manifest


def describe(error: ValidationError) -> str:
    """The fields a model refused and why, without any value.

    `input` and custom messages are left out: they could carry what was given.
    """
    problems: list[str] = []
    for item in error.errors(include_url=False, include_context=False, include_input=False):
        where = ".".join(str(part) for part in item["loc"]) or "arguments"
        problems.append(f"{where}: {_PROBLEMS.get(item['type'], item['type'].replace('_', ' '))}")
    return "; ".join(dict.fromkeys(problems))


def describe_call(error: ValidationError, known: Collection[str]) -> str:
    """As `describe`, for what a client sent: only declared arguments are named, and few problems are told."""
    problems: list[str] = []
    for item in error.errors(include_url=False, include_context=False, include_input=False):
        first = str(item["loc"][0]) if item["loc"] else ""
        problem = _PROBLEMS.get(item["type"], item["type"].replace("_", " "))
        problems.append(f"{first}: {problem}" if first in known else "an unknown argument")
    told = list(dict.fromkeys(problems))
    return "; ".join(told[:MOST_PROBLEMS])


MOST_PROBLEMS = 5
_PROBLEMS = {
    "extra_forbidden": "unknown key",
    "missing": "is missing",
    "enum": "is not one of the allowed values",
    "literal_error": "is not one of the allowed values",
    "string_type": "must be a string",
    "list_type": "must be a list",
    "tuple_type": "must be a list",
    "int_type": "must be an integer",
    "dict_type": "must be a table",
    "model_type": "must be an object",
}
