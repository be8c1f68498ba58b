"""The signals by which a form is recognised: one table, each line a fact that holds or not, and what it weighs."""

# ruff: noqa: E501  A table is read by its rows.

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from remit.browser._buttons import ButtonKind, button_kind, kind_of_words, leads_away, words_of
from remit.browser._evidence import EMAIL_SHAPE, Evidence, FormKind
from remit.browser._fields import FieldKind, attribute_words, says
from remit.browser.observation import Control


@dataclass(frozen=True, slots=True)
class Signal:
    """If `holds`, the score of `kind` changes by `weight`."""

    kind: FormKind
    weight: int
    name: str
    holds: Callable[[Evidence], bool]


def _acts(*kinds: ButtonKind) -> Callable[[Evidence], bool]:
    return lambda e: bool(e.acting & set(kinds))


def _titled(*kinds: ButtonKind) -> Callable[[Evidence], bool]:
    return lambda e: e.title_kind in kinds


def _attributes(concept: str) -> Callable[[Evidence], bool]:
    return lambda e: e.attributes_say(concept)


def _text(concept: str) -> Callable[[Evidence], bool]:
    return lambda e: e.text_says(concept)


def _count(e: Evidence, *kinds: FieldKind) -> int:
    return len(e.fields(*kinds))


def _one_login_secret(e: Evidence) -> bool:
    return len(e.secrets) == 1 and e.kinds[e.secrets[0].id] is FieldKind.PASSWORD


def _chosen_secret(e: Evidence) -> bool:
    return _count(e, FieldKind.NEW_PASSWORD) > 0


def _sends_to_sign_in(e: Evidence) -> bool:
    leading = any(kind is ButtonKind.SIGN_IN and leads_away(c) for c, kind in e.buttons)
    return leading and ButtonKind.SIGN_IN not in e.acting


def _announced(e: Evidence) -> bool:
    """Its own heading says sign in, or that of its panel; or it has none, and its button does."""
    return _headed(e) or (not e.title and ButtonKind.SIGN_IN in e.acting)


def _headed(e: Evidence) -> bool:
    panel = kind_of_words(e.panel) if e.panel else ButtonKind.UNNAMED
    return ButtonKind.SIGN_IN in (e.title_kind, panel)


def _lone_unexplained_secret(e: Evidence) -> bool:
    """Such forms unlock a document or confirm a deletion as often as they sign in."""
    words = ButtonKind.SIGN_IN in e.acting or _headed(e) or e.attributes_say("login_attribute")
    step = ButtonKind.NEXT in e.acting and ButtonKind.FORGOT in e.acting | e.linked
    return len(e.typed) == 1 and bool(e.secrets) and not (words or step or EMAIL_SHAPE.search(e.form.text))


def _sends_to_join(e: Evidence) -> bool:
    """By its button, unless another sends it under a heading that says sign in."""
    sent = {kind for c, kind in e.buttons if c.type == "submit"}
    steps = _headed(e) and ButtonKind.NEXT in sent and ButtonKind.SIGN_UP not in sent
    return ButtonKind.SIGN_UP in e.acting and ButtonKind.SIGN_IN not in e.acting and not steps


def _rules_for_a_choice(e: Evidence) -> bool:
    """How long a password must be, and of what: told where one is chosen."""
    return bool(e.secrets) and e.text_says("password_rules")


def _code_of_a_sign_up(e: Evidence) -> bool:
    """A code that proves an address before an account exists."""
    codes = e.fields(FieldKind.ONE_TIME_CODE) or e.code_boxes
    announced = e.title_kind is ButtonKind.SIGN_UP or e.attributes_say("registration_attribute")
    return bool(codes) and not e.secrets and announced


def _carries_a_sign_up(e: Evidence) -> bool:
    """A hidden field, sent along, is called by joining and not by signing in; nor does a button or heading say that."""
    names = [attribute_words(name) for name in e.form.hidden_names]
    carried = any(says("registration_attribute", name) and not says("login_attribute", name) for name in names)
    return carried and bool(e.secrets) and ButtonKind.SIGN_IN not in e.acting and not _headed(e)


def _on_a_page_to_join(e: Evidence) -> bool:
    """The page's title or address speaks of joining and not of signing in, and so does nothing in the form."""
    signs_in = ButtonKind.SIGN_IN in e.acting or _headed(e)
    joins = e.page_says("sign_up", "registration_attribute") and not e.page_says("sign_in", "login_attribute")
    return bool(e.secrets) and joins and not signs_in


def _to_create(control: Control) -> bool:
    """A choice that makes the form create the account."""
    said = (control.name, control.label, control.after)
    return control.role == "radio" and (says("no_account", *said) or says("sign_up", *said))


def _is_to_create(e: Evidence) -> bool:
    return any(c.checked and _to_create(c) for c in e.counted)


def _does_both(e: Evidence) -> bool:
    """The heading above announces a registration, and one of its choices makes one of it: by the same button."""
    return kind_of_words(e.form.outer_heading) is ButtonKind.SIGN_UP and any(_to_create(c) for c in e.counted)


def _recovers(e: Evidence) -> bool:
    return ButtonKind.FORGOT in e.acting and not _headed(e) and not e.secrets


def _free_text(e: Evidence) -> bool:
    return any(c.tag == "textarea" and e.kinds.get(c.id) is not FieldKind.CAPTCHA for c in e.typed)


def _identifier_signs_in(e: Evidence) -> bool:
    vague = (ButtonKind.NEXT, ButtonKind.GO, ButtonKind.OTHER)
    return any(k in vague and says("sign_in", attribute_words(c.html_id, c.html_name)) for c, k in e.buttons)


def _waiting_secret(e: Evidence) -> bool:
    """The password of a first step stands hidden in the same form, with the button that will sign in."""
    hidden = [c for c in e.controls if not c.visible and e.kinds.get(c.id) is FieldKind.PASSWORD]
    later = any(button_kind(c) is ButtonKind.SIGN_IN for c in e.controls if c.role == "button")
    return _only_identity(e) and len(hidden) == 1 and later


def _sends_a_code(e: Evidence) -> bool:
    """All that its buttons do with the name is to send a code or a link: there is no password behind it."""
    said = [(kind, words_of(c)) for c, kind in e.buttons if c.role == "button"]
    sends = [says("send_code", words) or says("other_way", words) for _, words in said]
    steps = (ButtonKind.NEXT, ButtonKind.SIGN_IN, ButtonKind.GO)
    onward = any(kind in steps and not sent for (kind, _), sent in zip(said, sends, strict=True))
    return not e.secrets and any(sends) and not onward


def _only_identity(e: Evidence) -> bool:
    return not e.secrets and len(e.typed) == 1 and len(e.identities) == 1


_F, _B, _K = FieldKind, ButtonKind, FormKind
SIGNALS: tuple[Signal, ...] = (
    Signal(_K.LOGIN, 4, "one password that exists", _one_login_secret),
    Signal(_K.LOGIN, 2, "identity and one password, little else", lambda e: _one_login_secret(e) and len(e.typed) <= 3),
    Signal(_K.LOGIN, 4, "button says sign in", _acts(_B.SIGN_IN)),
    Signal(_K.LOGIN, 2, "button's identifier says sign in", _identifier_signs_in),
    Signal(_K.LOGIN, 3, "own heading says sign in", _headed),
    Signal(_K.LOGIN, 2, "identifiers say login", _attributes("login_attribute")),
    Signal(_K.LOGIN, 3, "offers to remember", lambda e: _count(e, _F.REMEMBER_ME) > 0),
    Signal(_K.LOGIN, 2, "offers recovery", lambda e: bool(e.secrets) and bool(_B.FORGOT in e.linked or e.text_says("forgot"))),
    Signal(_K.LOGIN, 3, "declared existing password", lambda e: any("current-password" in c.autocomplete for c in e.secrets)),
    Signal(_K.LOGIN, 4, "lone identity under words of sign in", lambda e: _only_identity(e) and _announced(e)),
    Signal(_K.LOGIN, 6, "a password waits for its turn", _waiting_secret),
    Signal(_K.LOGIN, 2, "declared user name", lambda e: any("username" in c.autocomplete for c in e.identities)),
    Signal(_K.LOGIN, -6, "several passwords", lambda e: len(e.secrets) > 1),
    Signal(_K.LOGIN, -6, "a password to choose", _chosen_secret),
    Signal(_K.LOGIN, -3, "declared new, said plainly", lambda e: e.weakly_new),
    Signal(_K.LOGIN, -4, "offers sign in elsewhere, not by its button", _sends_to_sign_in),
    Signal(_K.LOGIN, -3, "heading above says sign up", lambda e: kind_of_words(e.form.outer_heading) is _B.SIGN_UP and _B.SIGN_IN not in e.acting),
    Signal(_K.LOGIN, -12, "set to create the account, or does both", lambda e: _is_to_create(e) or _does_both(e)),
    Signal(_K.LOGIN, -4, "rules for a password to choose", _rules_for_a_choice),
    Signal(_K.LOGIN, -6, "a code and no password", lambda e: not e.secrets and bool(e.fields(_F.ONE_TIME_CODE) or e.code_boxes)),
    Signal(_K.LOGIN, -4, "a hidden field says registration", _carries_a_sign_up),
    Signal(_K.LOGIN, -3, "page says sign up alone", _on_a_page_to_join),
    Signal(_K.LOGIN, -4, "a code beside the password", lambda e: bool(e.secrets) and _count(e, _F.ONE_TIME_CODE) > 0),
    Signal(_K.LOGIN, -6, "sends a code or a link", _sends_a_code),
    Signal(_K.LOGIN, -4, "a lone password and no word of sign in", _lone_unexplained_secret),
    Signal(_K.LOGIN, -4, "personal questions", lambda e: _count(e, _F.PERSONAL) >= 2),
    Signal(_K.LOGIN, -7, "button says sign up and none sign in", _sends_to_join),
    Signal(_K.LOGIN, -4, "own heading says sign up", _titled(_B.SIGN_UP)),
    Signal(_K.LOGIN, -3, "terms to accept", lambda e: _count(e, _F.TERMS) > 0),
    Signal(_K.LOGIN, -5, "no password and no lone identity", lambda e: not e.secrets and not _only_identity(e)),
    Signal(_K.LOGIN, -4, "free text", _free_text),
    Signal(_K.LOGIN, -4, "newsletter words without password", lambda e: not e.secrets and (e.text_says("newsletter") or e.attributes_say("newsletter_attribute"))),
    Signal(_K.LOGIN, -5, "recovery words without password", lambda e: not e.secrets and (e.attributes_say("recovery_attribute") or e.title_kind is _B.FORGOT or _recovers(e))),
    Signal(_K.REGISTRATION, 4, "several passwords, none that exists", lambda e: len(e.secrets) > 1 and not _declared_current(e)),
    Signal(_K.REGISTRATION, 4, "button says sign up", _acts(_B.SIGN_UP)),
    Signal(_K.REGISTRATION, 3, "own heading says sign up", _titled(_B.SIGN_UP)),
    Signal(_K.REGISTRATION, 3, "identifiers say registration", _attributes("registration_attribute")),
    Signal(_K.REGISTRATION, 3, "a password to choose", _chosen_secret),
    Signal(_K.REGISTRATION, 2, "declared new, said plainly", lambda e: e.weakly_new),
    Signal(_K.REGISTRATION, 3, "offers sign in elsewhere, not by its button", lambda e: bool(e.secrets) and _sends_to_sign_in(e)),
    Signal(_K.REGISTRATION, 2, "heading above says sign up", lambda e: kind_of_words(e.form.outer_heading) is _B.SIGN_UP),
    Signal(_K.REGISTRATION, 3, "personal questions and password", lambda e: bool(e.secrets) and _count(e, _F.PERSONAL) >= 1),
    Signal(_K.REGISTRATION, 3, "rules for a password to choose", _rules_for_a_choice),
    Signal(_K.REGISTRATION, 5, "set to create the account, or does both", lambda e: _is_to_create(e) or _does_both(e)),
    Signal(_K.REGISTRATION, 4, "a hidden field says registration", _carries_a_sign_up),
    Signal(_K.REGISTRATION, 2, "page says sign up alone", _on_a_page_to_join),
    Signal(_K.REGISTRATION, 6, "a code of a sign-up", _code_of_a_sign_up),
    Signal(_K.REGISTRATION, 2, "terms to accept", lambda e: _count(e, _F.TERMS) > 0),
    Signal(_K.REGISTRATION, 1, "many personal questions", lambda e: _count(e, _F.PERSONAL) >= 3),
    Signal(_K.REGISTRATION, -4, "one field", lambda e: len(e.typed) <= 1),
    Signal(_K.CHANGE_PASSWORD, 8, "existing and new password", lambda e: _declared_current(e) and _chosen_secret(e)),
    Signal(_K.CHANGE_PASSWORD, 3, "identifiers say change password", _attributes("change_password_attribute")),
    Signal(_K.CHANGE_PASSWORD, 3, "own heading says change password", lambda e: says("change_password", e.title)),
    Signal(_K.CHANGE_PASSWORD, 4, "passwords alone, several", lambda e: len(e.secrets) >= 2 and len(e.typed) == len(e.secrets)),
    Signal(_K.CHANGE_PASSWORD, 3, "button says change password", lambda e: says("change_password", *(words_of(c) for c, _ in e.buttons if c.role == "button"))),
    Signal(_K.CHANGE_PASSWORD, -4, "button says sign up", _acts(_B.SIGN_UP)),
    Signal(_K.RECOVERY, 5, "button says recover", _recovers),
    Signal(_K.RECOVERY, 3, "page says recover", lambda e: bool(e.identities) and (kind_of_words(e.form.outer_heading) is _B.FORGOT or e.page_says("forgot", "recovery_attribute"))),
    Signal(_K.RECOVERY, 4, "own heading says recover", _titled(_B.FORGOT)),
    Signal(_K.RECOVERY, 4, "identifiers say recovery", _attributes("recovery_attribute")),
    Signal(_K.RECOVERY, 2, "text says recover", _text("forgot")),
    Signal(_K.RECOVERY, 1, "an identity", lambda e: bool(e.identities) and len(e.typed) <= 3),
    Signal(_K.RECOVERY, -6, "a password", lambda e: bool(e.secrets)),
    Signal(_K.NEWSLETTER, 3, "an e-mail field, no password", lambda e: not e.secrets and _count(e, _F.EMAIL) == 1 and len(e.typed) <= 4),
    Signal(_K.NEWSLETTER, 4, "button says subscribe", _acts(_B.NEWSLETTER)),
    Signal(_K.NEWSLETTER, 2, "button says sign up for one field", lambda e: _B.SIGN_UP in e.acting and len(e.typed) <= 3),
    Signal(_K.NEWSLETTER, 3, "identifiers say newsletter", _attributes("newsletter_attribute")),
    Signal(_K.NEWSLETTER, 2, "text says newsletter", lambda e: e.text_says("newsletter") or any(says("newsletter", c.name, c.placeholder) for c in e.typed)),
    Signal(_K.NEWSLETTER, -6, "a password", lambda e: bool(e.secrets)),
    Signal(_K.NEWSLETTER, -4, "no e-mail field", lambda e: _count(e, _F.EMAIL) == 0),
    Signal(_K.NEWSLETTER, -4, "free text", _free_text),
    Signal(_K.SEARCH, 5, "a search field", lambda e: _count(e, _F.SEARCH) > 0),
    Signal(_K.SEARCH, 4, "button says search", _acts(_B.SEARCH)),
    Signal(_K.SEARCH, 3, "identifiers say search", _attributes("search_attribute")),
    Signal(_K.SEARCH, 1, "sent by GET", lambda e: e.form.kind == "form" and e.form.method == "get"),
    Signal(_K.SEARCH, 1, "own heading says search", _titled(_B.SEARCH)),
    Signal(_K.SEARCH, -6, "a password", lambda e: bool(e.secrets)),
    Signal(_K.SEARCH, -3, "an e-mail field", lambda e: _count(e, _F.EMAIL) > 0),
    Signal(_K.SEARCH, -4, "free text", _free_text),
    Signal(_K.ONE_TIME_CODE, 6, "a code field", lambda e: _count(e, _F.ONE_TIME_CODE) > 0),
    Signal(_K.ONE_TIME_CODE, 6, "boxes of one character", lambda e: bool(e.code_boxes)),
    Signal(_K.ONE_TIME_CODE, -6, "a code of a sign-up", _code_of_a_sign_up),
    Signal(_K.PARTIAL_PASSWORD, 40, "single characters of a secret", lambda e: e.asks_single_characters),
    Signal(_K.ONE_TIME_CODE, 2, "text speaks of a code", _text("one_time_code")),
    Signal(_K.ONE_TIME_CODE, -4, "a password", lambda e: bool(e.secrets)),
    Signal(_K.CONTACT, 5, "free text", _free_text),
    Signal(_K.CONTACT, 3, "button says contact", _acts(_B.CONTACT)),
    Signal(_K.CONTACT, 2, "identifiers say contact", _attributes("contact_attribute")),
    Signal(_K.CONTACT, -5, "a password", lambda e: bool(e.secrets)),
)  # fmt: skip


def _declared_current(e: Evidence) -> bool:
    """A password that says it exists, beside others."""
    return any(
        "current-password" in c.autocomplete or says("current_password", c.name, c.label, c.placeholder, c.before[-60:])
        or says("current_password_attribute", attribute_words(c.html_name, c.html_id))
        for c in e.secrets
    )  # fmt: skip


def scores(evidence: Evidence) -> dict[FormKind, int]:
    """The weight of the signals that hold, a kind."""
    totals = dict.fromkeys(FormKind, 0)
    for signal in SIGNALS:
        if signal.holds(evidence):
            totals[signal.kind] += signal.weight
    return totals


def signals_that_hold(evidence: Evidence) -> tuple[str, ...]:
    """For a person who asks why: kind, weight and name of each signal that holds."""
    return tuple(f"{s.kind} {s.weight:+d} {s.name}" for s in SIGNALS if s.holds(evidence))
