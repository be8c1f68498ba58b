"""Questions that several tests ask."""

from __future__ import annotations

from remit.models import Candidate, Choose, Field, Intent, MapFields


def links(*names: str) -> tuple[Candidate, ...]:
    return tuple(Candidate(f"c{at}", "link", name, "header") for at, name in enumerate(names))


def sign_in(*names: str) -> Choose:
    return Choose(Intent.SIGN_IN, links(*(names or ("Home", "Accedi", "Prezzi"))), language="it")


def headers(fields: tuple[str, ...], *names: str) -> MapFields:
    columns = tuple(Candidate(f"k{at}", "columnheader", name) for at, name in enumerate(names))
    return MapFields(tuple(Field(name, name) for name in fields), columns)
