"""One login, registration, recovery and newsletter form a language, in words that a site of it would use."""

from __future__ import annotations

from dataclasses import replace

import pytest

from remit.browser._evidence import FormKind
from remit.browser._fields import FieldKind
from remit.browser._forms import RecognisedForm, classify_forms
from remit.browser._target import LoginTarget, login_target
from tests.browser.forms_builder import ORIGIN, Draft, checkbox, field, form, link, page, secret, submit
from tests.browser.forms_words import WORDS, Words

EACH = pytest.mark.parametrize("words", WORDS.values(), ids=list(WORDS))


def recognised(*controls: Draft, heading: str = "") -> RecognisedForm:
    numbered = [_numbered(control, index) for index, control in enumerate(controls)]
    observation = page(form(*numbered, heading=heading))
    return classify_forms(observation.main)[0]


def _numbered(control: Draft, index: int) -> Draft:
    return replace(control, html_id=f"f{index}", html_name=f"x{index}")


@EACH
def test_a_login_is_filled_in_its_fields_and_sent_by_its_button(words: Words) -> None:
    parts = (
        field(words.name), secret(words.password), checkbox(words.remember), submit(words.enter),
        link(words.forgotten),
    )  # fmt: skip
    numbered = [_numbered(control, index) for index, control in enumerate(parts)]
    found = login_target(page(form(*numbered)), {ORIGIN})
    assert isinstance(found, LoginTarget)
    assert (found.username, found.password, found.remember_me, found.submit) == (0, 1, 2, 3)


@EACH
def test_a_registration_is_never_filled(words: Words) -> None:
    form_ = recognised(field("", type="email"), secret(words.chosen), secret(words.repeated), submit(words.create))
    assert form_.kind is FormKind.REGISTRATION
    assert form_.ids(FieldKind.PASSWORD) == ()


@EACH
def test_a_registration_with_one_password_is_told_by_its_button_and_what_the_field_says(words: Words) -> None:
    form_ = recognised(field("", type="email"), secret(words.chosen), submit(words.create), link(words.enter))
    assert form_.kind is FormKind.REGISTRATION


@EACH
def test_a_recovery_is_told_by_its_button(words: Words) -> None:
    form_ = recognised(field("", type="email"), submit(words.reset), heading=words.forgotten)
    assert form_.kind is FormKind.RECOVERY


@EACH
def test_a_newsletter_is_told_by_what_it_offers(words: Words) -> None:
    form_ = recognised(field("", type="email", placeholder=words.letter), submit(words.subscribe))
    assert form_.kind is FormKind.NEWSLETTER


ODD_LABELS = {
    "it": ("Codice utente", "PIN", "Accedi ai servizi"),
    "de": ("Zugangsnummer", "Geheimzahl", "Zum Login"),
    "es": ("DNI", "Clave de acceso", "Ingresar"),
    "sv": ("Personnummer", "Personlig kod", "Logga in nu"),
    "fr": ("Numéro client", "Code confidentiel", "Je me connecte"),
    "pt": ("CPF", "Palavra-passe", "Acessar conta"),
    "pl": ("Numer klienta", "Kod dostępu", "Wejdź"),
    "nl": ("Klantnummer", "Pincode", "Aanmelden"),
    "tr": ("T.C. Kimlik No", "İnternet şifresi", "Oturum aç"),
    "ru": ("Лицевой счет", "ПИН-код", "Авторизоваться"),
    "el": ("ΑΦΜ", "Συνθηματικό", "Είσοδος"),
    "ja": ("お客様番号", "暗証番号", "サインイン"),
    "ko": ("사번", "암호", "로그인"),
    "zh": ("身份证号", "PIN码", "登 录"),
    "ar": ("رقم العميل", "الرقم السري", "دخول"),
    "en": ("Customer number", "Passcode", "Log in now"),
}


@pytest.mark.parametrize(("name", "password", "enter"), ODD_LABELS.values(), ids=list(ODD_LABELS))
@pytest.mark.parametrize("by", ["label", "placeholder", "before"])
def test_a_number_and_a_pin_are_a_name_and_a_password(name: str, password: str, enter: str, by: str) -> None:
    parts = (says(field(), by, name), says(secret(""), by, password), submit(enter))
    numbered = [_numbered(control, index) for index, control in enumerate(parts)]
    found = login_target(page(form(*numbered)), {ORIGIN})
    assert isinstance(found, LoginTarget)
    assert (found.username, found.password, found.submit) == (0, 1, 2)


def says(control: Draft, by: str, words: str) -> Draft:
    """A field that says this by its label, by its placeholder, or by the text before it."""
    if by == "before":
        return replace(control, before=words)
    if by == "placeholder":
        return replace(control, name=words, placeholder=words)
    return replace(control, name=words, label=words)
