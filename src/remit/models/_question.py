"""What a model may be asked. A question enumerates its admissible answers; nothing else is an answer.

Each kind of question is a frozen dataclass that knows two things: the JSON schema of its admissible answers, and how to
read parsed JSON as one of them (`admit`), which is pure and returns None for anything else.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, Literal, TypeVar

NONE = "none"
"""What a model says when nothing fits. No candidate may have this id."""

NAME_CHARS = 160
"""Longest accessible name or section title that a model is shown; the rest of a longer one is dropped."""

TEXT_CHARS = 12_000
"""Longest text that an extraction is shown: the manifests' usual `observation_chars`."""

GOAL_CHARS = 400
IMAGE_BYTES = 8_000_000
LIST_ITEMS = 64
"""Most ids in one ordering, and most fields or columns in one mapping: these kinds cannot be asked in groups."""

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
Kind = Literal["choose", "order", "map", "extract", "transcribe"]

_ID = re.compile(r"[A-Za-z0-9_.:-]{1,64}")
_SPACE = re.compile(r"\s+")


class Intent(StrEnum):
    """What a control or a list of records is wanted for."""

    SIGN_IN = "sign_in"
    SIGN_OUT = "sign_out"
    ACCOUNT_AREA = "account_area"
    REJECT_COOKIES = "reject_cookies"
    CLOSE_OVERLAY = "close_overlay"
    OPEN_RECORDS = "open_records"
    OPEN_ARCHIVE = "open_archive"
    NEXT_PAGE = "next_page"
    LOAD_MORE = "load_more"
    OPEN_DETAIL = "open_detail"
    DOWNLOAD = "download"
    READ_FIELDS = "read_fields"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A control, a list, or a column as a model sees it: never a selector, an address or a field's value."""

    id: str
    role: str
    name: str
    section: str = ""

    def __post_init__(self) -> None:
        _check_id(self.id)


@dataclass(frozen=True, slots=True)
class Field:
    """A field that somebody asked for: our id for it, and its name in the planner's words."""

    id: str
    name: str

    def __post_init__(self) -> None:
        _check_id(self.id)


@dataclass(frozen=True, slots=True)
class Chosen:
    """One candidate's id, or None: the model says that no candidate fits."""

    id: str | None


@dataclass(frozen=True, slots=True)
class Ordered:
    """Every candidate's id once, best first."""

    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mapped:
    """For each field id the id of its column, or None. No column serves two fields."""

    columns: Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class Extracted:
    """For each field id a value that occurs in the text, as it stands there, or None."""

    values: Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class Transcribed:
    """The text of an image; a claim, which only the caller can check."""

    text: str


Answer = Chosen | Ordered | Mapped | Extracted | Transcribed
A_co = TypeVar("A_co", bound=Answer, covariant=True)


class Question(ABC, Generic[A_co]):
    """One of the closed kinds below. `intent` and `language` are hints; `goal` is in the planner's words or empty."""

    __slots__ = ()
    kind: Kind
    intent: Intent
    goal: str
    language: str

    @abstractmethod
    def schema(self) -> dict[str, Json]:
        """The JSON schema of the admissible answers."""

    @abstractmethod
    def admit(self, data: Json) -> A_co | None:
        """The answer that `data` is, or None if it is not one. Pure."""


@dataclass(frozen=True, slots=True)
class Choose(Question[Chosen]):
    """Choose one of the candidates, or none. Any number of candidates; `Models` asks in groups."""

    intent: Intent
    candidates: tuple[Candidate, ...]
    goal: str = ""
    language: str = ""
    kind: Kind = "choose"

    def __post_init__(self) -> None:
        _check_unique(item.id for item in self.candidates)

    def schema(self) -> dict[str, Json]:
        """One field, `answer`, with the ids and `none` as its only values."""
        return _object({"answer": _enum([*(item.id for item in self.candidates), NONE])})

    def admit(self, data: Json) -> Chosen | None:
        """`{"answer": id}` or the bare id."""
        said = data if isinstance(data, str) else _only(data, "answer")
        if said == NONE:
            return Chosen(None)
        return Chosen(said) if isinstance(said, str) and any(item.id == said for item in self.candidates) else None


@dataclass(frozen=True, slots=True)
class Order(Question[Ordered]):
    """Order all candidates, best first. At most 64."""

    intent: Intent
    candidates: tuple[Candidate, ...]
    goal: str = ""
    language: str = ""
    kind: Kind = "order"

    def __post_init__(self) -> None:
        _check_unique(item.id for item in self.candidates)
        _check_count(len(self.candidates))

    def schema(self) -> dict[str, Json]:
        """One field, `answer`: an array of all ids."""
        count = len(self.candidates)
        items = _enum([item.id for item in self.candidates])
        return _object({"answer": {"type": "array", "items": items, "minItems": count, "maxItems": count}})

    def admit(self, data: Json) -> Ordered | None:
        """A permutation of the ids, nothing less or more."""
        said = _only(data, "answer")
        if not isinstance(said, list):
            return None
        ids = tuple(item for item in said if isinstance(item, str))
        whole = len(ids) == len(said) and sorted(ids) == sorted(item.id for item in self.candidates)
        return Ordered(ids) if whole else None


@dataclass(frozen=True, slots=True)
class MapFields(Question[Mapped]):
    """Say for each field which column holds it, or none. At most 64 of each."""

    fields: tuple[Field, ...]
    columns: tuple[Candidate, ...]
    goal: str = ""
    language: str = ""
    intent: Intent = Intent.READ_FIELDS
    kind: Kind = "map"

    def __post_init__(self) -> None:
        _check_unique(item.id for item in self.columns)
        _check_unique(item.id for item in self.fields)
        _check_count(len(self.columns))
        _check_count(len(self.fields))

    def schema(self) -> dict[str, Json]:
        """One property a field, each with the column ids and `none` as its only values."""
        ids = [*(item.id for item in self.columns), NONE]
        return _object({item.id: _enum(ids) for item in self.fields})

    def admit(self, data: Json) -> Mapped | None:
        """An object with exactly the fields, no column twice."""
        if not isinstance(data, dict) or set(data) != {item.id for item in self.fields}:
            return None
        ids = {item.id for item in self.columns}
        said = [value for value in data.values() if value != NONE]
        known = all(isinstance(value, str) and value in ids for value in said)
        if not known or len({str(value) for value in said}) < len(said):
            return None
        return Mapped({field.id: None if data[field.id] == NONE else str(data[field.id]) for field in self.fields})


@dataclass(frozen=True, slots=True)
class Extract(Question[Extracted]):
    """Copy each field's value out of a text of at most 12,000 characters; what the text lacks is None."""

    fields: tuple[Field, ...]
    text: str
    goal: str = ""
    language: str = ""
    intent: Intent = Intent.READ_FIELDS
    kind: Kind = "extract"

    def __post_init__(self) -> None:
        _check_unique(item.id for item in self.fields)
        _check_count(len(self.fields))
        if len(self.text) > TEXT_CHARS:
            raise ValueError("the text is longer than a model may be shown")

    def schema(self) -> dict[str, Json]:
        """One property a field: a short string, or null."""
        value: dict[str, Json] = {"type": ["string", "null"]}
        return _object({item.id: value for item in self.fields})

    def admit(self, data: Json) -> Extracted | None:
        """An object with exactly the fields, each null or a string that occurs in the text, white space apart."""
        if not isinstance(data, dict) or set(data) != {item.id for item in self.fields}:
            return None
        text = flat(self.text)
        values = {key: flat(value) if isinstance(value, str) else value for key, value in data.items()}
        if any(value and (not isinstance(value, str) or value not in text) for value in values.values()):
            return None
        if any(value is not None and not isinstance(value, str) for value in values.values()):
            return None
        return Extracted({item.id: str(values[item.id]) if values[item.id] else None for item in self.fields})


@dataclass(frozen=True, slots=True)
class Transcribe(Question[Transcribed]):
    """Read the text in an image (PNG, JPEG or WebP bytes, at most 8 MB)."""

    image: bytes
    goal: str = ""
    language: str = ""
    max_chars: int = 4_000
    intent: Intent = Intent.READ_FIELDS
    kind: Kind = "transcribe"

    def __post_init__(self) -> None:
        if len(self.image) > IMAGE_BYTES:
            raise ValueError("the image is larger than a model may be shown")

    def schema(self) -> dict[str, Json]:
        """One field, `text`."""
        return _object({"text": {"type": "string"}})

    def admit(self, data: Json) -> Transcribed | None:
        """A text of bounded length without control characters other than tab and newline."""
        said = _only(data, "text")
        if not isinstance(said, str) or len(said) > self.max_chars:
            return None
        return Transcribed(said) if all(char.isprintable() or char in "\n\t" for char in said) else None


def flat(text: str) -> str:
    """`text` in one line, each run of white space as one space."""
    return _SPACE.sub(" ", text).strip()


def shown(text: str, limit: int = NAME_CHARS) -> str:
    """`text` as a model is shown it: one line, at most `limit` characters, half surrogate pairs as `?`."""
    line = flat(whole(text[: limit * 8]))
    return line if len(line) <= limit else line[: limit - 1] + "…"


def whole(text: str) -> str:
    """`text` as UTF-8 can carry it: a page can hold half a surrogate pair, which no encoder takes."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _only(data: Json, key: str) -> Json:
    return data[key] if isinstance(data, dict) and set(data) == {key} else None


def _object(properties: Mapping[str, Json]) -> dict[str, Json]:
    required: list[Json] = [*properties]
    return {
        "type": "object",
        "properties": dict(properties),
        "required": required,
        "additionalProperties": False,
    }


def _enum(values: list[str]) -> dict[str, Json]:
    return {"type": "string", "enum": [*values]}


def _check_id(text: str) -> None:
    if text == NONE or _ID.fullmatch(text) is None:
        raise ValueError("an id is 1 to 64 ASCII letters, digits, _ . : or -, and not `none`")


def _check_count(count: int) -> None:
    if count > LIST_ITEMS:
        raise ValueError("too many items for one question")


def _check_unique(ids: Iterable[str]) -> None:
    listed = list(ids)
    if len(set(listed)) < len(listed):
        raise ValueError("ids must differ")
