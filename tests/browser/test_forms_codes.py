from __future__ import annotations

from dataclasses import replace

import pytest

from remit.browser import Ambiguous, CodeTarget, asks_partial_password, code_target, login_target
from remit.browser._evidence import FormKind
from remit.browser._fields import FieldKind
from remit.browser._forms import classify_forms
from remit.browser.observation import Observation
from tests.browser.forms_builder import (
    ORIGIN,
    Draft,
    button,
    checkbox,
    field,
    form,
    frame,
    link,
    nested,
    page,
    secret,
    submit,
)

LOGIN = form(field("Username"), secret(), submit("Log in"), action="https://shop.example/in", has_action=True)
CODE = form(field("Verification code", autocomplete="one-time-code"), submit("Verify"))


def code(observation: Observation, before: Observation | None = None) -> CodeTarget:
    found = code_target(observation, {ORIGIN}, before=before)
    assert isinstance(found, CodeTarget)
    return found


def boxes(count: int, **facts: object) -> list[Draft]:
    return [field("", html_name=f"digit{n}", maxlength=1, **facts) for n in range(count)]


def test_one_field_takes_the_whole_code() -> None:
    found = code(page(CODE))
    assert (found.frame, found.form, found.boxes, found.submit, found.covered) == (0, 0, (0,), 1, False)


@pytest.mark.parametrize("count", [4, 5, 6, 8, 10])
def test_a_row_of_boxes_takes_a_character_each_in_their_order(count: int) -> None:
    found = code(page(form(*boxes(count), submit("Verify"), heading="Enter the code we sent")))
    assert found.boxes == tuple(range(count))


@pytest.mark.parametrize("length", [None, 6])
def test_the_first_box_may_take_the_whole_code_when_it_is_pasted(length: int | None) -> None:
    first = field("", html_name="digit9", maxlength=length)
    found = code(page(form(first, *boxes(5), submit("Verify"), heading="Verification code")))
    assert found.boxes == tuple(range(6))


@pytest.mark.parametrize("said", [{"name": "Verification code"}, {"before": "Enter the code we sent you"}])
def test_keys_for_digits_take_a_code_too(said: dict[str, str]) -> None:
    asked = replace(field("", type="tel", html_name="c"), name=said.get("name", ""), before=said.get("before", ""))
    assert code(page(form(asked, submit("Verify")))).boxes == (0,)


@pytest.mark.parametrize(
    ("label", "heading"),
    [
        ("Code", "Two-factor authentication"), ("Codice", "Verifica in due passaggi"), ("Token", "Authenticator app"),
        ("Kod", "Tvåstegsverifiering"), ("Код", "Двухфакторная аутентификация"), ("コード", "2段階認証"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("where", ["heading", "outer_heading", "text"])
def test_a_lone_field_called_code_takes_it_where_a_code_for_once_is_spoken_of(
    label: str, heading: str, where: str
) -> None:
    assert code(page(form(field(label), submit("OK"), **{where: heading}))).boxes == (0,)


def test_a_lone_code_for_a_discount_is_none() -> None:
    assert code_target(page(form(field("Promo code"), submit("Apply"), outer_heading="Your cart")), {ORIGIN}) is None


def test_a_field_of_another_make_before_the_boxes_is_none_of_them() -> None:
    note = field("", html_name="note")
    found = code(page(form(note, *boxes(6), submit("Verify"), heading="Verification code")))
    assert found.boxes == (1, 2, 3, 4, 5, 6)


def test_masked_boxes_under_words_of_a_code_take_it() -> None:
    row = boxes(6, type="password")
    assert len(code(page(form(*row, submit("Verify"), heading="Enter your one-time code"))).boxes) == 6


def test_masked_boxes_without_words_of_a_code_take_none() -> None:
    row = boxes(4, type="password")
    assert code_target(page(form(*row, submit("OK"), heading="Profile PIN")), {ORIGIN}) is None


def test_boxes_without_a_length_are_known_by_what_they_are_called() -> None:
    row = [field(f"otp {n}") for n in range(6)]
    assert len(code(page(form(*row, submit("Verify")))).boxes) == 6


def test_a_trusted_device_is_left_alone() -> None:
    found = code(page(form(field("Authentication code"), checkbox("Trust this device"), submit("Verify"))))
    assert (found.boxes, found.submit) == ((0,), 2)


def test_a_shown_code_after_the_password_is_no_password() -> None:
    second = form(
        field("Authenticator code", html_name="code"), submit("Log in"), action="https://shop.example/in",
        has_action=True,
    )  # fmt: skip
    observation = page(second)
    assert code(observation).boxes == (0,)
    assert login_target(observation, {ORIGIN}) is None
    assert classify_forms(observation.main)[0].ids(FieldKind.PASSWORD) == ()


def test_a_code_beside_an_open_login_is_of_that_sign_in_only_if_it_is_new() -> None:
    both = page(LOGIN, CODE)
    assert code_target(both, {ORIGIN}) is None
    assert code_target(both, {ORIGIN}, before=both) is None
    assert code(both, before=page(LOGIN)).form == 1


def test_a_code_over_a_covered_login_is_its_own() -> None:
    below = form(field("Username", topmost=False), secret(topmost=False), submit("Log in"))
    assert code(page(below, CODE)).form == 1


@pytest.mark.parametrize("identity", [field("Phone number", type="tel"), field("Email", type="email")])
def test_a_code_that_is_sent_to_a_number_typed_with_it_is_another_way_in(identity: Draft) -> None:
    sms = form(identity, field("SMS code"), button("Send code"), submit("Log in"))
    observation = page(sms)
    assert code_target(observation, {ORIGIN}) is None
    assert login_target(observation, {ORIGIN}) is None


def test_a_code_that_proves_an_address_before_an_account_exists_is_none() -> None:
    first = form(field("Verification code"), submit("Continue"), heading="Create your Acme account")
    assert code_target(page(first), {ORIGIN}) is None


def test_a_code_form_of_another_origin_is_none() -> None:
    hostile = frame(CODE, index=1, origin="https://evil.example:443")
    assert code_target(Observation((frame(LOGIN), hostile)), {ORIGIN}) is None


def test_two_code_forms_are_ambiguous() -> None:
    other = form(field("Backup code"), submit("Verify"))
    assert code_target(page(CODE, other), {ORIGIN}) == Ambiguous(((0, 0), (0, 1)))


def test_a_covered_code_says_so() -> None:
    assert code(page(form(field("One-time code", topmost=False), submit("Verify")))).covered


@pytest.mark.parametrize("masked", [True, False])
@pytest.mark.parametrize(
    ("labels", "heading"),
    [
        (("Character 2", "Character 5", "Character 7"), "Security"),
        (("2nd", "5th", "7th"), "Your memorable word"),
        (("", "", ""), "Enter characters 2, 5 and 7 of your password"),
        (("", "", ""), "Bitte die Stellen 2, 4 und 6 Ihrer PIN eingeben"),
        (("", "", ""), "Inserisci i caratteri 1°, 3° e 8° della password"),
        (("", "", "", ""), "Enter the 1st, 3rd, 5th and 8th characters of your password"),
    ],
)
def test_single_characters_of_a_password_are_asked(labels: tuple[str, ...], heading: str, masked: bool) -> None:
    row = [field(label, type="password" if masked else "text", maxlength=1) for label in labels]
    observation = page(form(field("Username"), *row, submit("Log in"), heading=heading, text=heading))
    assert asks_partial_password(observation)
    assert login_target(observation, {ORIGIN}) is None
    assert code_target(observation, {ORIGIN}) is None


def test_boxes_of_which_some_are_closed_ask_for_single_characters() -> None:
    row = [secret("", maxlength=1, disabled=n not in (1, 4)) for n in range(8)]
    assert asks_partial_password(page(form(*row, submit("Log in"))))


def test_characters_may_be_chosen_from_lists() -> None:
    letters = tuple("abcdefghijklmnopqrstuvwxyz")
    chosen = [field(f"Character {n}", tag="select", role="combobox", type="", options=letters) for n in (1, 4, 6)]
    observation = page(form(*chosen, submit("Log in"), heading="Choose 3 characters from your password"))
    assert asks_partial_password(observation)


@pytest.mark.parametrize(
    "observation",
    [
        page(LOGIN),
        page(CODE),
        page(form(*boxes(6), submit("Verify"), heading="Enter the 6 digit code")),
        page(form(*[field(f"Digit {n} of 6", maxlength=1) for n in range(1, 7)], submit("Verify"), heading="2FA")),
        page(form(field("First name"), field("Middle initial", maxlength=1), secret(), submit("Create account"))),
    ],
)
def test_other_forms_do_not_ask_for_single_characters(observation: Observation) -> None:
    assert not asks_partial_password(observation)


KEYS = [button(digit) for digit in "7403918526"]


def test_digits_on_the_screen_for_a_pin_are_pressed_by_a_person() -> None:
    observation = page(form(field("Customer number"), secret("PIN", readonly=True), *KEYS, submit("Log in")))
    assert asks_partial_password(observation)
    assert login_target(observation, {ORIGIN}) is None


def test_keys_beside_the_form_count_as_well() -> None:
    nodes = nested("main", "  p Enter your PIN", "  div", *[f"    button #{n}" for n in range(10)])
    assert asks_partial_password(page(*KEYS, nodes=nodes))


def test_keys_of_a_calculator_ask_for_nothing() -> None:
    nodes = nested("main", "  p Calculator", "  div", *[f"    button #{n}" for n in range(10)])
    assert not asks_partial_password(page(*KEYS, nodes=nodes))


def test_keys_that_only_help_with_a_field_that_can_be_typed_into_do_not_matter() -> None:
    observation = page(form(field("Username"), secret(), *KEYS, submit("Log in")))
    assert not asks_partial_password(observation)
    assert login_target(observation, {ORIGIN}) is not None


def test_a_page_number_is_no_key() -> None:
    pages = [link(str(n)) for n in range(10)]
    assert not asks_partial_password(page(form(field("PIN"), *pages, submit("Go"))))


def test_a_form_that_asks_for_characters_has_its_own_kind() -> None:
    row = [secret(f"Character {n}", maxlength=1) for n in (2, 5, 7)]
    assert classify_forms(frame(form(*row, submit("Log in"))))[0].kind is FormKind.PARTIAL_PASSWORD


@pytest.mark.parametrize(("label", "send"), [("验证码", "获取验证码"), ("", "인증번호 전송"), ("", "Send code")])
def test_the_field_beside_a_button_that_sends_a_code_takes_it(label: str, send: str) -> None:
    sms = form(field("手机号", type="tel"), field(label, maxlength=6), button(send), submit("登录"))
    assert classify_forms(page(sms).main)[0].fields[1] is FieldKind.ONE_TIME_CODE


def test_what_is_drawn_to_be_read_is_no_code() -> None:
    drawn = form(
        field("手机号", type="tel"), field("验证码", html_name="captcha"), button("获取验证码"), submit("登录")
    )
    assert classify_forms(page(drawn).main)[0].fields[1] is FieldKind.CAPTCHA
