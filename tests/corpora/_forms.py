"""Scoring the recogniser of forms on pages whose forms and fields are labelled."""

from __future__ import annotations

from collections.abc import Iterable

from remit.browser._evidence import FormKind
from remit.browser._fields import FieldKind, is_secret
from remit.browser._forms import RecognisedForm, classify_forms
from remit.browser._target import would_fill
from tests.corpora._pages import ObservedPage
from tests.corpora._tally import Tally

_KINDS = {
    "login": FormKind.LOGIN,
    "registration": FormKind.REGISTRATION,
    "join mailing list": FormKind.NEWSLETTER,
    "password/login recovery": FormKind.RECOVERY,
    "search": FormKind.SEARCH,
    "contact/comment": FormKind.CONTACT,
}
_IDENTITIES = ("username", "email", "username or email")
_SUBMIT = "submit button"


def score(pages: Iterable[ObservedPage]) -> Tally:
    """Kinds of forms, and the fields and the submit control of logins."""
    tally = Tally()
    for page in pages:
        _score_page(page, tally)
    return tally


def _score_page(page: ObservedPage, tally: Tally) -> None:
    for recognised in classify_forms(page.frame):
        label = page.form_labels.get(recognised.form, "")
        if "form" in page.page.labels.get(label, {}):
            _score_form(page, recognised, label, tally)
        elif would_fill(recognised):
            tally.figures["unlabelled forms taken for a login"] = (
                tally.figures.get("unlabelled forms taken for a login", 0) + 1
            )


def _score_form(page: ObservedPage, form: RecognisedForm, label: str, tally: Tally) -> None:
    truth = _KINDS.get(page.page.labels[label]["form"], FormKind.OTHER)
    name = page.page.name
    meanings = {
        id_: page.page.labels.get(own, {}).get("field", "")
        for id_, own in page.control_labels.items()
        if own.startswith(f"{label}:")
    }
    claimed = FormKind.LOGIN if would_fill(form) else FormKind.OTHER if form.kind is FormKind.LOGIN else form.kind
    remark = f" (truth {truth}, taken for {form.kind}, {form.certainty})"
    for kind in FormKind:
        if kind in (truth, claimed):
            tally.compare(f"form {kind}", kind is truth, kind is claimed, name, remark)
    if truth is FormKind.LOGIN and _in_reach(page, form):
        tally.compare("form login, with a password or a first step", True, claimed is FormKind.LOGIN, name)
    if meanings:
        _score_fields(form, meanings, truth, claimed, tally, name)


def _in_reach(page: ObservedPage, form: RecognisedForm) -> bool:
    """It holds a password field, or is a first step: one typed field alone. Bare links to providers are neither."""
    typed = [
        c
        for c in page.frame.fields_of(page.frame.forms[form.form])
        if c.is_text_field and c.tag == "input" and c.type != "hidden"
    ]
    return any(is_secret(c) for c in typed) or len(typed) == 1


def _score_fields(
    form: RecognisedForm, meanings: dict[int, str], truth: FormKind, claimed: FormKind, tally: Tally, name: str
) -> None:
    is_login, filled = truth is FormKind.LOGIN, claimed is FormKind.LOGIN
    passwords = set(form.ids(FieldKind.PASSWORD)) if filled else set()
    identities = set(form.ids(FieldKind.USERNAME, FieldKind.EMAIL)) if filled else set()
    for id_, meaning in meanings.items():
        tally.compare("login current password", is_login and meaning == "password", id_ in passwords, name)
        tally.compare("login user name or e-mail", is_login and meaning in _IDENTITIES, id_ in identities, name)
    submits = [id_ for id_, meaning in meanings.items() if meaning == _SUBMIT]
    if is_login and filled and submits:
        tally.compare("login submit", True, form.submit in submits, name)
        tally.compare("login submit", False, form.submit is not None and form.submit not in submits, name)
    if is_login and filled and not submits:
        tally.figures["logins recognised without submit"] = tally.figures.get("logins recognised without submit", 0) + (
            form.submit is None
        )
    _score_kind(form, meanings, "remember me checkbox", FieldKind.REMEMBER_ME, tally, name)
    _score_kind(form, meanings, "honeypot", FieldKind.HONEYPOT, tally, name)
    _score_kind(form, meanings, "captcha", FieldKind.CAPTCHA, tally, name)
    _score_kind(form, meanings, "search query", FieldKind.SEARCH, tally, name)


def _score_kind(
    form: RecognisedForm, meanings: dict[int, str], label: str, kind: FieldKind, tally: Tally, name: str
) -> None:
    for id_, meaning in meanings.items():
        tally.compare(f"field {kind}", meaning == label, form.fields.get(id_) is kind, name)
