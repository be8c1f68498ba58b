"""The word lists beside this module, read once."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Literal

WordList = Literal["small_words", "date_labels", "currency_marks", "widely_written"]


@cache
def words(name: WordList) -> frozenset[str]:
    """One list of words from `values.toml`."""
    found: Mapping[str, list[str]] = tomllib.loads(read("values.toml"))
    return frozenset(found[name])


@cache
def calendar() -> Mapping[str, Mapping[str, int | Mapping[str, list[str]]]]:
    """`calendar.json`, as `_calendar_build` writes it."""
    found: Mapping[str, Mapping[str, int | Mapping[str, list[str]]]] = json.loads(read("calendar.json"))
    return found


def read(name: str) -> str:
    """The text of one file of the lexicon."""
    return files(__package__).joinpath("lexicon", name).read_text("utf-8")
