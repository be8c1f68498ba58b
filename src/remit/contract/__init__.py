"""What an executor promises: manifests, results, reasons, and the types that carry secrets and origins."""

from ._arguments import ArgumentsModel
from ._manifest import (
    Capability,
    Consent,
    Effect,
    Intelligence,
    Limits,
    Manifest,
    ManifestError,
    Transport,
    Value,
    describe,
    describe_call,
    parse_manifest,
    read_manifest,
)
from ._origin import AddressError, Origin
from ._reasons import Branch, Reason, RemitError
from ._registry import Dropped, Published, Registry, admit, builtin_folder, compare, declared, load_executor
from ._result import Envelope, Outcome, ResultModel, Spent, Status, compact, done, failed
from ._schema import input_schema, output_schema
from ._secret import Secret

__all__ = [
    "AddressError",
    "ArgumentsModel",
    "Branch",
    "Capability",
    "Consent",
    "Dropped",
    "Effect",
    "Envelope",
    "Intelligence",
    "Limits",
    "Manifest",
    "ManifestError",
    "Origin",
    "Outcome",
    "Published",
    "Reason",
    "Registry",
    "RemitError",
    "ResultModel",
    "Secret",
    "Spent",
    "Status",
    "Transport",
    "Value",
    "admit",
    "builtin_folder",
    "compact",
    "compare",
    "declared",
    "describe",
    "describe_call",
    "done",
    "failed",
    "input_schema",
    "load_executor",
    "output_schema",
    "parse_manifest",
    "read_manifest",
]
