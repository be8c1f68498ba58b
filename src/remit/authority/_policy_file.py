"""Reading the policy file: only one that nobody but its owner may have written."""

from __future__ import annotations

import os
import re
import stat
import tomllib
from enum import StrEnum
from pathlib import Path

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from remit.contract import Reason, RemitError

from ._policy import Policy

MAX_BYTES = 256 * 1024


class PolicyProblem(StrEnum):
    """What is wrong with a policy file."""

    UNREADABLE = "cannot be read"
    NO_FILE = "is no regular file"
    TOO_LARGE = "is too large"
    UNSAFE = "may be written by others (it and the folders above it must be writable by their owner alone)"
    NO_TOML = "is not TOML"
    UNKNOWN_KEY = "unknown key"
    MISSING = "is missing"
    NOT_ALLOWED = "is not one of the allowed values"
    BAD_NAME = 'is neither the name of an executor nor "*"'
    BAD_ORIGIN = 'is neither "*" nor an exact origin such as https://example.org or https://*.example.org'
    SCOPE_UNASKED = "scope is only for a rule that asks"
    TOO_MANY = "has too many rules"
    WRONG_TYPE = "is not of its type"


class PolicyError(RemitError):
    """The policy cannot be used, so nothing is allowed. It names the rule and the field, and never a value.

    Attributes:
        problem: what is wrong.
        rule: the number of the rule in the file, counted from 1; None where it is the file itself.
        field: the key, where it is one that may be repeated.
        line: the line, where the file is not TOML.
    """

    def __init__(
        self, problem: PolicyProblem, rule: int | None = None, field: str | None = None, line: int | None = None
    ) -> None:
        super().__init__(Reason.BAD_POLICY)
        self.problem, self.rule, self.field, self.line = problem, rule, field, line

    def __str__(self) -> str:
        where = (
            f"rule {self.rule}" if self.rule is not None else None,
            f"line {self.line}" if self.line is not None else None,
            self.field,
        )
        return ": ".join(("the policy file", *(part for part in where if part), self.problem.value))


def read_policy(path: Path) -> Policy:
    """Read the policy; a missing file is a policy without rules.

    The file may be a link, as configurations often are; then what it leads to must be as safe.

    Raises:
        PolicyError: unreadable, writable by others, no TOML, or a rule that is not understood.
    """
    data = _read(path)
    if data is None:
        return Policy()
    try:
        raw = tomllib.loads(data.decode("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise PolicyError(PolicyProblem.NO_TOML, line=_line(str(error))) from None
    except (UnicodeDecodeError, RecursionError):
        raise PolicyError(PolicyProblem.NO_TOML) from None
    try:
        return Policy.model_validate(raw)
    except ValidationError as error:
        raise _told(error.errors(include_url=False, include_context=False, include_input=False)[0]) from None


def _read(path: Path) -> bytes | None:
    try:
        if not path.is_symlink() and not path.exists():
            return None
        real = path.resolve(strict=True)
        for folder in {*path.absolute().parents, *real.parents}:
            _check(folder.stat())
        data = _content(real)
    except (OSError, RuntimeError):
        raise PolicyError(PolicyProblem.UNREADABLE) from None
    if len(data) > MAX_BYTES:
        raise PolicyError(PolicyProblem.TOO_LARGE)
    return data


def _content(real: Path) -> bytes:
    """The open file itself is judged, so that it cannot be exchanged in between."""
    # Without O_NONBLOCK, opening a pipe in the file's place would wait for ever.
    descriptor = os.open(real, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise PolicyError(PolicyProblem.NO_FILE)
        _check(status)
        with open(descriptor, "rb", closefd=False) as file:
            return file.read(MAX_BYTES + 1)
    finally:
        os.close(descriptor)


def _check(status: os.stat_result) -> None:
    """Nobody else may write it. In a sticky folder such as /tmp, others cannot exchange what is not theirs."""
    foreign = status.st_uid not in (0, os.geteuid())
    shared = bool(status.st_mode & 0o022)
    sticky = stat.S_ISDIR(status.st_mode) and bool(status.st_mode & stat.S_ISVTX)
    if foreign or (shared and not sticky):
        raise PolicyError(PolicyProblem.UNSAFE)


def _line(message: str) -> int | None:
    """The parser's message quotes the file; only its line is taken."""
    found = re.search(r"\(at line (\d+), column \d+\)$", message)
    return int(found[1]) if found else None


_PROBLEMS = {
    "extra_forbidden": PolicyProblem.UNKNOWN_KEY,
    "missing": PolicyProblem.MISSING,
    "enum": PolicyProblem.NOT_ALLOWED,
    "literal_error": PolicyProblem.NOT_ALLOWED,
    "string_pattern_mismatch": PolicyProblem.BAD_NAME,
    "string_too_long": PolicyProblem.BAD_NAME,
    "bad_origin": PolicyProblem.BAD_ORIGIN,
    "scope_unasked": PolicyProblem.SCOPE_UNASKED,
    "too_long": PolicyProblem.TOO_MANY,
}
_KEY = re.compile(r"[a-z][a-z_-]{0,31}")


def _told(error: ErrorDetails) -> PolicyError:
    """The first problem. The place is `("rule", index, key, ...)`, or `(key,)` for a key beside the rules."""
    where = error["loc"]
    index = next((part for part in where[1:2] if isinstance(part, int)), None)
    keys = where[:1] if index is None else where[2:3]
    field = next((key for key in keys if isinstance(key, str) and _KEY.fullmatch(key)), None)
    problem = _PROBLEMS.get(error["type"], PolicyProblem.WRONG_TYPE)
    return PolicyError(problem, None if index is None else index + 1, field)
