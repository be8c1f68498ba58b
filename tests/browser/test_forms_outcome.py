from __future__ import annotations

from dataclasses import replace

import pytest

from remit.browser._outcome import PRECEDENCE, LoginFact, account_came, login_outcome, signed_in_signs
from remit.browser.observation import Node, Observation
from tests.browser.forms_builder import button, field, form, frame, link, message, nested, page, secret, submit

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


CODE = form(field("Verification code", autocomplete="one-time-code"), submit("Verify"))
CHARACTERS = form(*[secret(f"Character {n}", maxlength=1) for n in (2, 5, 7)], submit("Continue"))
CHANGE = form(secret("Current password"), secret("New password"), secret("Confirm password"), submit("Change password"))
SESSION = (link("Log out", "https://shop.example/logout"), link("My account"))
GREETED = (button("My account"),)
CAPTCHA = form(field("Username"), secret(), field("Characters in the image"), submit("Log in"))
IMAGE = form(field("Characters in the image"), submit("Send"))


def alerts(*texts: str) -> tuple[Node, ...]:
    return nested("body", *[f"  p!alert {text}" for text in texts])


def headings(*texts: str) -> tuple[Node, ...]:
    return nested("body", *[f"  h1 {text}" for text in texts])


PAIRS = {
    LoginFact.TOO_MANY_ATTEMPTS: page(LOGIN, nodes=alerts("Your account is locked", "Too many attempts")),
    LoginFact.REJECTED: page(LOGIN, nodes=alerts("Incorrect password", "Too many attempts")),
    LoginFact.CHALLENGE: page(CAPTCHA, nodes=alerts("Incorrect password")),
    LoginFact.ONE_TIME_CODE: page(IMAGE, CODE),
    LoginFact.PARTIAL_PASSWORD: page(CODE, CHARACTERS),
    LoginFact.CHANGE_PASSWORD: page(CHARACTERS, CHANGE),
    LoginFact.ACCEPT_TERMS: page(CHANGE, nodes=alerts("We have updated our terms")),
    LoginFact.MAINTENANCE: page(link("Home"), nodes=alerts("Accept the terms", "Down for maintenance")),
    LoginFact.SIGNED_IN: page(*GREETED, nodes=headings("Down for maintenance", "Hello Ada")),
}
"""The lower fact of each neighbouring pair, and a page on which both hold."""


@pytest.mark.parametrize(("place", "lower"), list(enumerate([fact for fact, _ in PRECEDENCE][1:])))
def test_each_fact_counts_before_the_next(place: int, lower: LoginFact) -> None:
    higher = PRECEDENCE[place][0]
    outcome = login_outcome(BEFORE, PAIRS[lower])
    assert {higher, lower} <= outcome.facts
    assert outcome.fact is higher


@pytest.mark.parametrize("lower", [fact for fact, _ in PRECEDENCE][3:])
def test_a_locked_account_counts_before_all(lower: LoginFact) -> None:
    shown = PAIRS[lower].main
    nodes = (*shown.nodes, *[replace(n, parent=-1) for n in headings("Account locked")[1:]])
    outcome = login_outcome(BEFORE, Observation((replace(shown, nodes=nodes),)))
    assert outcome.fact is LoginFact.ACCOUNT_LOCKED
    assert lower in outcome.facts


def test_an_open_session_alone_is_signed_in() -> None:
    assert fact(page(*SESSION)) is LoginFact.SIGNED_IN


STANDING = [
    "Too many attempts, try again in 59 seconds", "Your account is locked", "Down for maintenance",
    "We have updated our terms",
]  # fmt: skip


@pytest.mark.parametrize("text", STANDING)
@pytest.mark.parametrize("tag", ["p!alert", "div.error", "h1", "p"])
def test_what_stood_there_before_the_submit_is_no_fact_of_it(text: str, tag: str) -> None:
    shown = page(LOGIN, nodes=nested("body", f"  {tag} {text}"))
    later = page(LOGIN, nodes=nested("body", f"  {tag} {text.replace('59', '58')}"))
    assert login_outcome(shown, later).fact is LoginFact.NONE


@pytest.mark.parametrize("text", STANDING)
def test_what_stood_there_as_text_is_none_as_an_alert(text: str) -> None:
    shown = page(LOGIN, nodes=nested("body", "  section", f"    p {text}"))
    assert login_outcome(shown, page(LOGIN, nodes=alerts(text))).fact is LoginFact.NONE


@pytest.mark.parametrize(
    "lines",
    [
        ("body", "  aside", "    h3 Account locked"),
        ("body", "  article", "    h2 Too many attempts"),
        ("body", "  ul", "    li", "      h3 Account locked"),
        ("body", "  h2", "    a Account locked: what to do"),
        ("body", "  h2 Account locked? Read here"),
        ("body", "  nav", "    div.notice Too many attempts"),
        ("body", "  p Your account is locked"),
        ("body", "  footer", "    div.message Down for maintenance"),
    ],
)
@pytest.mark.parametrize("kept", [True, False])
def test_what_a_page_tells_beside_its_subject_is_no_fact(lines: tuple[str, ...], kept: bool) -> None:
    shown = page(LOGIN, nodes=nested(*lines)) if kept else page(link("Home"), nodes=nested(*lines))
    assert fact(shown) is LoginFact.NONE


@pytest.mark.parametrize("text", ["Too many attempts", "Account locked", "Scheduled maintenance", "Updated terms"])
def test_news_on_a_page_with_an_open_session_is_no_fact(text: str) -> None:
    assert fact(page(*SESSION, nodes=alerts(text))) is LoginFact.SIGNED_IN


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Account locked", LoginFact.ACCOUNT_LOCKED), ("We have updated our terms", LoginFact.ACCEPT_TERMS)],
)
def test_the_subject_of_a_page_counts_though_one_may_sign_out(text: str, expected: LoginFact) -> None:
    assert fact(page(*SESSION, nodes=headings(text))) is expected


def test_a_refusal_without_any_mark_counts_beside_the_form_alone() -> None:
    beside = ("main", "  p Wrong password", "  form", "    input #0", "    input #1", "    button #2")
    elsewhere = ("body", "  section", "    p Wrong password", "  main", "    form", "      input #0", "      input #1")
    assert fact(page(LOGIN, nodes=nested(*beside))) is LoginFact.REJECTED
    assert fact(page(LOGIN, nodes=nested(*elsewhere))) is LoginFact.NONE


def test_a_refusal_in_the_frame_of_the_form_counts() -> None:
    inner = frame(LOGIN, index=1, origin="https://id.example:443", nodes=alerts("Incorrect password"))
    assert login_outcome(Observation((frame(), frame(LOGIN, index=1))), Observation((frame(), inner))).fact is (
        LoginFact.REJECTED
    )


def test_a_code_beside_a_login_that_stays_is_asked_only_if_it_came() -> None:
    both = page(LOGIN, CODE)
    assert login_outcome(both, both).fact is LoginFact.NONE
    assert fact(both) is LoginFact.ONE_TIME_CODE


def test_a_sign_in_by_telephone_asks_for_no_code_of_this_one() -> None:
    sms = form(field("Phone", type="tel"), field("SMS code"), button("Send code"), submit("Log in"))
    assert fact(page(sms)) is LoginFact.NONE


def test_single_characters_are_asked() -> None:
    assert fact(page(CHARACTERS)) is LoginFact.PARTIAL_PASSWORD


def test_a_profile_with_a_form_to_change_the_password_is_a_session() -> None:
    nodes = nested("main", "  h1 Profile", "  h2 Change password")
    assert fact(page(*SESSION, CHANGE, nodes=nodes)) is LoginFact.SIGNED_IN


@pytest.mark.parametrize("line", ["  h1 Your password has expired", "  p!alert You must change your password"])
def test_a_change_that_is_demanded_counts_though_one_may_sign_out(line: str) -> None:
    assert fact(page(*SESSION, CHANGE, nodes=nested("main", line))) is LoginFact.CHANGE_PASSWORD


def test_the_guard_of_a_newsletter_is_no_challenge() -> None:
    letter = form(field("Your email", type="email"), field("Characters in the image"), submit("Subscribe"))
    nodes = nested("body", "  form", "    input #0", "    div.g-recaptcha", "    button #2")
    assert fact(page(letter, nodes=nodes)) is LoginFact.NONE


def test_a_widget_outside_any_form_is_a_challenge() -> None:
    assert fact(page(link("Home"), nodes=nested("body", "  div.cf-turnstile"))) is LoginFact.CHALLENGE
