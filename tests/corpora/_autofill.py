"""Scoring fields of pages whose inputs carry a declared type: what a credential would be typed into, and what submits.

A credential field is one labelled, or taken for, a user name, an e-mail address, a password or a one-time code. Each
that is taken for something else than labelled is wrong, once. In a login, and on pages it calls logins, the corpus
names e-mail fields user names too, since one value goes into either; there, and only there, both are right for both.
"""

from __future__ import annotations

from collections.abc import Iterable

from remit.browser._evidence import FormKind
from remit.browser._fields import FieldKind
from remit.browser._forms import RecognisedForm, classify_forms
from remit.browser._target import would_fill
from tests.corpora._pages import ObservedPage
from tests.corpora._tally import Tally

_ADMISSIBLE = {
    "username": {FieldKind.USERNAME},
    "emailAddress": {FieldKind.EMAIL},
    "username OR emailAddress": {FieldKind.USERNAME, FieldKind.EMAIL},
    "password": {FieldKind.PASSWORD, FieldKind.NEW_PASSWORD},
    "password.current": {FieldKind.PASSWORD},
    "password.new": {FieldKind.NEW_PASSWORD},
    "totp": {FieldKind.ONE_TIME_CODE},
}
_IDENTITY = {FieldKind.USERNAME, FieldKind.EMAIL}
_CREDENTIAL = frozenset().union(*_ADMISSIBLE.values())
_FILLED = {FieldKind.USERNAME, FieldKind.EMAIL, FieldKind.PASSWORD}
_RIVAL_PER_PAGE = 227 / 562


def score(pages: Iterable[ObservedPage]) -> Tally:
    """Wrong credential fields and submits a page, beside those of the corpus' own classifier."""
    tally, seen, wrong, filled_wrong = Tally(), 0, 0, 0
    for page in pages:
        seen += 1
        wrong += _score_fields(page, tally)
        filled_wrong += _score_fills(page, tally)
    tally.figures |= {
        "pages": seen,
        "wrong credential fields": wrong,
        "wrong credential fields a page": round(wrong / max(seen, 1), 4),
        "of the rival's rate": round(wrong / max(seen, 1) / _RIVAL_PER_PAGE, 4),
        "fields a credential would be typed into wrongly": filled_wrong,
    }
    return tally


def _expected(page: ObservedPage, id_: int) -> dict[str, str]:
    labels: dict[str, dict[str, str]] = page.page.labels["elements"]
    return labels.get(page.control_labels.get(id_, ""), {})


def _score_fields(page: ObservedPage, tally: Tally) -> int:
    forms = classify_forms(page.frame)
    kinds = {id_: kind for form in forms for id_, kind in form.fields.items()}
    in_login = {id_ for form in forms if form.kind is FormKind.LOGIN for id_ in form.fields}
    wrong = 0
    for id_ in page.control_labels:
        label = _expected(page, id_).get("input")
        if label is None:
            continue
        admissible, kind = _ADMISSIBLE.get(label), kinds.get(id_)
        if (id_ in in_login or page.page.labels["page"] == "login") and label in ("username", "emailAddress"):
            admissible = _IDENTITY
        claimed = kind in _CREDENTIAL
        if admissible is None and not claimed:
            continue
        right = admissible is not None and kind in admissible
        wrong += not right
        group = label if admissible is not None else "no credential"
        if right or admissible is not None:
            tally.compare(f"field {group}", True, right, page.page.name, f" (taken for {kind})")
        else:
            tally.errors[page.page.name].append(f"field {label}: taken for {kind}")
    return wrong


def _score_fills(page: ObservedPage, tally: Tally) -> int:
    wrong = 0
    for form in classify_forms(page.frame):
        if not would_fill(form):
            continue
        for id_ in form.ids(*_FILLED):
            label = _expected(page, id_).get("input")
            if label is not None and not _ADMISSIBLE.get(label, set()) & _FILLED:
                wrong += 1
                tally.errors[page.page.name].append(f"would be filled: {label} as {form.fields[id_]}")
        _score_submit(page, form, tally)
    return wrong


def _score_submit(page: ObservedPage, form: RecognisedForm, tally: Tally) -> None:
    submits = {
        i for i in page.control_labels if "submit" in _expected(page, i) and page.frame.controls[i].form == form.form
    }
    if not submits:
        return
    tally.compare("login submit", True, form.submit in submits, page.page.name)
    if form.submit is not None:
        tally.compare("login submit", False, form.submit not in submits, page.page.name)
