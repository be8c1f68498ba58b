from __future__ import annotations

import pytest

from remit.browser._outcome import PRECEDENCE, LoginFact, account_came, login_outcome, signed_in_signs
from remit.browser.observation import Node, Observation
from tests.browser.forms_builder import button, field, form, frame, link, message, page, secret, submit

LOGIN = form(field("Username"), secret(), submit("Log in"))
BEFORE = page(LOGIN)


def fact(after: Observation) -> LoginFact:
    return login_outcome(BEFORE, after).fact


@pytest.mark.parametrize(
    "text", ["Incorrect password.", "Password errata", "Benutzername oder Kennwort falsch", "パスワードが違います"]
)
def test_a_new_message_of_refusal_beside_the_form_is_a_rejection(text: str) -> None:
    assert fact(page(LOGIN, nodes=message(text))) is LoginFact.REJECTED


def test_words_that_stood_there_before_say_nothing() -> None:
    shown = page(LOGIN, nodes=message("Incorrect password"))
    assert login_outcome(shown, shown).fact is LoginFact.NONE


def test_a_refusal_elsewhere_on_a_page_without_login_is_none() -> None:
    assert fact(page(link("Home"), nodes=message("Incorrect password"))) is LoginFact.NONE


def test_an_article_about_passwords_is_no_message() -> None:
    nodes = (Node(parent=-1, tag="body"), Node(parent=0, tag="p", text="What to do about an incorrect password"))
    assert fact(page(LOGIN, nodes=nodes)) is LoginFact.NONE


def test_a_change_forced_after_sign_in_is_told() -> None:
    change = form(
        secret("Current password"), secret("New password"), secret("Confirm password"), submit("Change password")
    )
    assert fact(page(change, title="Your password has expired")) is LoginFact.CHANGE_PASSWORD


def test_a_code_is_asked() -> None:
    assert (
        fact(page(form(field("Verification code", autocomplete="one-time-code"), submit("Verify"))))
        is LoginFact.ONE_TIME_CODE
    )


@pytest.mark.parametrize(
    "url",
    [
        "https://challenges.cloudflare.com/turnstile/x",
        "https://newassets.hcaptcha.com/c",
        "https://www.google.com/recaptcha/api2/bframe?k=1",
    ],
)
def test_a_challenge_in_its_frame_is_told(url: str) -> None:
    own, other = frame(LOGIN), frame(index=1, origin="https://other:443", url=url)
    assert login_outcome(BEFORE, Observation((own, other))).fact is LoginFact.CHALLENGE


def test_an_image_to_be_read_is_a_challenge() -> None:
    assert (
        fact(page(form(field("Username"), secret(), field("Characters in the image"), submit("Log in"))))
        is LoginFact.CHALLENGE
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Your account is locked", LoginFact.ACCOUNT_LOCKED),
        ("Too many attempts, try again later", LoginFact.TOO_MANY_ATTEMPTS),
        ("We have updated our terms: accept the terms", LoginFact.ACCEPT_TERMS),
        ("Down for maintenance", LoginFact.MAINTENANCE),
    ],
)
def test_what_a_message_says_is_one_fact(text: str, expected: LoginFact) -> None:
    assert fact(page(link("Home"), nodes=message(text))) is expected


def test_a_locked_account_counts_before_the_wrong_password_told_with_it() -> None:
    outcome = login_outcome(BEFORE, page(LOGIN, nodes=message("Incorrect password. Your account is locked.")))
    assert outcome.fact is LoginFact.ACCOUNT_LOCKED
    assert LoginFact.REJECTED in outcome.facts


def test_every_fact_has_one_place_in_the_precedence() -> None:
    assert sorted(fact for fact, _ in PRECEDENCE) == sorted(set(LoginFact) - {LoginFact.NONE})


def test_a_sign_out_in_a_closed_menu_is_a_sign_of_a_session() -> None:
    signs = signed_in_signs(frame(link("My account"), link("Log out", "https://shop.example/logout", visible=False)))
    assert signs.sign_out
    assert signs.strong


def test_an_account_link_alone_proves_nothing() -> None:
    assert not signed_in_signs(frame(link("My account"))).strong


def test_a_page_that_still_asks_for_a_sign_in_has_no_session() -> None:
    assert not signed_in_signs(frame(link("Log out"), LOGIN)).strong


def test_a_word_of_success_is_no_evidence() -> None:
    assert fact(page(link("Home"), nodes=message("Success!", "status"))) is LoginFact.NONE


def test_records_about_signing_in_are_no_way_to_sign_in_beside_a_sign_out() -> None:
    out = link("Log out", "https://shop.example/logout")
    assert signed_in_signs(frame(out, link("Sign-in page needs a manual"))).strong
    assert not signed_in_signs(frame(out, link("Sign in"))).strong


def test_an_account_icon_counts_only_if_it_came_with_the_submit() -> None:
    icon = button("", html_id="header-account")
    assert account_came(frame(LOGIN), frame(icon))
    assert not account_came(frame(LOGIN, icon), frame(icon))
