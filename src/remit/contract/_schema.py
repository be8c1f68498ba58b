"""Between pydantic models, manifest sections and the compact JSON Schema that clients get."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from ._manifest import Manifest, Value
from ._result import ENVELOPE_PROPERTIES

Schema = dict[str, Any]

_KEYS = {
    "minItems": "min_items",
    "maxItems": "max_items",
    "minLength": "min_length",
    "maxLength": "max_length",
    "minimum": "minimum",
    "maximum": "maximum",
    "description": "description",
    "format": "format",
    "pattern": "pattern",
    "default": "default",
}


# Bounds that only stop abuse stay in the manifest and are enforced here; a model need not read them on every turn.
_UNSPOKEN = frozenset({"minLength", "maxLength", "minItems", "maxItems", "default"})


class SchemaError(TypeError):
    """A model uses a shape that manifests do not offer (a union of two types, a recursive model, ...)."""


def model_values(model: type[BaseModel], *, output: bool = False) -> dict[str, Value]:
    """The fields of a model as the values a manifest declares."""
    schema = model.model_json_schema(mode="serialization" if output else "validation")
    definitions = schema.get("$defs", {})
    if "$ref" in schema:
        raise SchemaError("a model refers to itself")
    required = set() if output else set(schema.get("required", ()))
    properties: Mapping[str, Schema] = schema.get("properties", {})
    return {name: _value(sub, definitions, name in required) for name, sub in properties.items()}


def _value(schema: Schema, definitions: Mapping[str, Schema], required: bool) -> Value:
    schema = _resolve(schema, definitions)
    fields: dict[str, Any] = {new: schema[old] for old, new in _KEYS.items() if schema.get(old) is not None}
    fields["type"] = _type_of(schema)
    fields["required"] = required
    if "enum" in schema:
        fields["enum"] = tuple(str(item) for item in schema["enum"])
    elif "const" in schema:
        fields["enum"] = (str(schema["const"]),)
    if isinstance(schema.get("items"), dict):
        fields["items"] = _short(_value(schema["items"], definitions, required=False))
    if isinstance(schema.get("additionalProperties"), dict):
        fields["additional"] = _short(_value(schema["additionalProperties"], definitions, required=False))
    if "properties" in schema:
        inner = set(schema.get("required", ()))
        fields["properties"] = {
            name: _value(sub, definitions, name in inner) for name, sub in schema["properties"].items()
        }
    return Value(**fields)


def _short(value: Value) -> Any:
    return value.type if value.model_dump(exclude_none=True, exclude={"required"}) == {"type": value.type} else value


def _type_of(schema: Schema) -> str:
    if "type" in schema:
        return str(schema["type"])
    if "enum" in schema or "const" in schema:
        return "string"
    raise SchemaError("a field has no single JSON type")


def _resolve(schema: Schema, definitions: Mapping[str, Schema]) -> Schema:
    """Follow `$ref`, and read `X | None` as an optional X."""
    if "$ref" in schema:
        target = definitions[schema["$ref"].rsplit("/", 1)[1]]
        return _resolve({**target, **{k: v for k, v in schema.items() if k != "$ref"}}, definitions)
    if "anyOf" in schema:
        options = [option for option in schema["anyOf"] if option.get("type") != "null"]
        if len(options) != 1:
            raise SchemaError("a field may be of several types")
        return _resolve({**options[0], **{k: v for k, v in schema.items() if k != "anyOf"}}, definitions)
    return schema


def _json(value: Value | str, *, closed: bool = True) -> Schema:
    if isinstance(value, str):
        return {"type": value}
    found: Schema = {"type": value.type}
    spoken = {old: new for old, new in _KEYS.items() if old not in _UNSPOKEN}
    found.update({old: getattr(value, new) for old, new in spoken.items() if getattr(value, new) is not None})
    if value.enum is not None:
        found["enum"] = list(value.enum)
        del found["type"]
    if value.items is not None:
        found["items"] = _json(value.items, closed=closed)
    if value.additional is not None:
        found["additionalProperties"] = _json(value.additional, closed=closed)
    if value.properties is not None:
        found.update(_object(value.properties, closed=closed))
    return found


def _object(values: Mapping[str, Value], *, closed: bool) -> Schema:
    found: Schema = {
        "type": "object",
        "properties": {name: _json(value, closed=closed) for name, value in values.items()},
    }
    required = [name for name, value in values.items() if value.required]
    if required:
        found["required"] = required
    if closed:
        found["additionalProperties"] = False
    return found


def input_schema(manifest: Manifest) -> Schema:
    """What a client may send: closed, so an unknown argument is refused by clients too."""
    return _object(manifest.arguments, closed=True)


def output_schema(manifest: Manifest) -> Schema:
    """What a client gets, success and error alike: only `status` is certain."""
    properties = {
        **ENVELOPE_PROPERTIES,
        **{name: _json(value, closed=False) for name, value in manifest.result.items()},
    }
    return {"type": "object", "properties": properties, "required": ["status"]}
