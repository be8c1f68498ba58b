from __future__ import annotations

import re

import pytest

from remit.browser._evidence import FormKind
from remit.browser._fields import FieldKind
from remit.browser._forms import Certainty, Step, classify_forms
from remit.browser._target import Ambiguous, LoginTarget, login_target
from remit.browser.observation import Node, Observation
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


def target(observation: Observation) -> LoginTarget:
    found = login_target(observation, {ORIGIN})
    assert isinstance(found, LoginTarget)
    return found


def kind_of(*controls: object, **facts: object) -> FormKind:
    return classify_forms(frame(form(*controls, **facts)))[0].kind  # type: ignore[arg-type]


def test_a_plain_login_is_filled_in_its_two_fields_and_sent_by_its_button() -> None:
    found = target(page(form(field("Username"), secret(), checkbox("Remember me"), submit("Log in"))))
    assert (found.username, found.password, found.remember_me, found.submit) == (0, 1, 2, 3)
    assert (found.step, found.certainty) == (Step.WHOLE, Certainty.CERTAIN)


def test_a_first_step_is_known_by_its_own_heading_and_never_sent_by_forgot() -> None:
    first = form(field("Email", type="email"), button("Forgot email?"), button("Next"), heading="Sign in")
    found = target(page(first))
    assert (found.step, found.username, found.password, found.submit) == (Step.IDENTIFIER_FIRST, 0, None, 2)


def test_text_outside_a_form_never_makes_it_a_login() -> None:
    lone = form(field("Email", type="email"), submit("Next"), outer_heading="Sign in")
    assert login_target(page(lone), {ORIGIN}) is None


IN_A_PANEL = ("main", "  div", "    h1 Sign in", "    form", "      input #0", "      button #1", "      button #2")


def after_link(*lines: str) -> tuple[str, ...]:
    """The same tree with the controls counted from 1, since a link stands before the form."""
    return tuple(re.sub(r"#(\d)", lambda m: f"#{int(m[1]) + 1}", line) for line in lines)


def panelled(*lines: str, **facts: object) -> Observation:
    asked = form(field("Email", type="email"), button("Forgot email?"), button("Next"), **facts)
    return page(link("Home"), asked, nodes=nested(*after_link(*lines)))


def test_the_only_heading_of_the_box_that_holds_this_form_alone_is_its_own() -> None:
    found = target(panelled(*IN_A_PANEL))
    assert (found.step, found.username, found.password, found.submit) == (Step.IDENTIFIER_FIRST, 1, None, 3)


def test_the_second_step_under_the_same_heading_is_still_a_login() -> None:
    swapped = form(secret(), button("Next"))
    found = target(page(swapped, nodes=nested("main", "  h1 Sign in", "  form", "    input #0", "    button #1")))
    assert (found.username, found.password, found.submit) == (None, 0, 1)


def test_a_second_step_without_a_heading_is_known_by_the_way_back_to_the_password() -> None:
    assert target(page(form(secret(), link("Forgot password?"), submit("Continue")))).password == 0


@pytest.mark.parametrize(
    "lines",
    [
        ("main", "  h1 Sign in", "  h2 Or read on", "  form", "    input #0", "    button #2"),
        ("main", "  h1 News", "  div", "    form", "      input #0", "      button #2"),
        ("main", "  h1 Sign in", "  section", "    h2 Stay informed", "    form", "      input #0", "      button #2"),
        ("main", "  p Sign in", "  form", "    input #0", "    button #2"),
    ],
)
def test_a_heading_that_may_announce_something_else_is_not(lines: tuple[str, ...]) -> None:
    assert login_target(panelled(*lines), {ORIGIN}) is None


def test_a_heading_over_two_forms_is_of_neither() -> None:
    nodes = nested("main", "  h1 Sign in", "  form", "    input #0", "    button #1", "  form", "    input #2")
    observation = page(form(field("Email", type="email"), submit("Next")), form(field("Name")), nodes=nodes)
    assert login_target(observation, {ORIGIN}) is None


@pytest.mark.parametrize("words", ["newsletter", "Forgot your password?"])
def test_a_panel_makes_no_login_of_a_form_that_says_what_it_is_for(words: str) -> None:
    assert login_target(panelled(*IN_A_PANEL, text=words, html_class=words), {ORIGIN}) is None


@pytest.mark.parametrize("words", ["Send me a code", "Email me a login link", "Code anfordern", "获取验证码"])
def test_a_name_to_which_only_a_code_is_sent_is_no_first_step(words: str) -> None:
    asked = form(field("Email", type="email"), submit(words), heading="Sign in")
    assert login_target(page(asked), {ORIGIN}) is None


def test_a_code_offered_beside_the_way_on_changes_nothing() -> None:
    asked = form(field("Email", type="email"), submit("Next"), button("Send me a code instead"), heading="Sign in")
    assert target(page(asked)).submit == 1


def test_an_accessible_name_is_a_forms_own() -> None:
    found = target(page(form(field("Email", type="email"), button("Next"), name="Sign in")))
    assert found.step is Step.IDENTIFIER_FIRST


def test_a_lone_email_field_takes_no_password() -> None:
    found = target(page(form(field("Email", type="email", html_name="ap_user"), submit("Continue"), heading="Sign in")))
    assert found.password is None


def test_a_second_step_shows_whose_password_it_wants() -> None:
    found = target(page(form(secret(), submit("Sign in"), text="Welcome ada@example.org Not you? Password Sign in")))
    assert (found.step, found.identity_text, found.username) == (Step.PASSWORD_SECOND, "ada@example.org", None)


def test_an_identity_beside_the_form_counts_as_shown() -> None:
    nodes = (
        Node(parent=-1, tag="section"), Node(parent=0, tag="p", text="ada@example.org"), Node(parent=0, tag="form"),
        Node(parent=2, tag="input", control=0),
    )  # fmt: skip
    found = target(page(form(secret(), submit("Sign in")), nodes=nodes))
    assert (found.step, found.identity_text) == (Step.PASSWORD_SECOND, "ada@example.org")


def test_a_site_with_a_password_only_is_one_whole_step() -> None:
    found = target(page(form(secret("Password"), submit("Log in"))))
    assert (found.step, found.username, found.password) == (Step.WHOLE, None, 0)


def test_login_beside_create_account_with_equal_fields_takes_the_login() -> None:
    login = form(
        field("Username", html_name="acct"), secret(html_name="pw"), submit("login"), action="/login", has_action=True
    )
    create = form(
        field("Username", html_name="acct"), secret(html_name="pw"), submit("create account"),
        action="/login", has_action=True, hidden_names=("creating",),
    )  # fmt: skip
    assert target(page(login, create)).form == 0
    assert target(page(create, login)).form == 1


@pytest.mark.parametrize("name", ["creating", "register", "isSignUp", "createAccount"])
def test_equal_forms_with_equal_buttons_are_told_by_what_is_sent_along(name: str) -> None:
    fields = (field("Username", html_name="acct"), secret(html_name="pw"), submit("Submit"))
    create = form(*fields, hidden_names=(name,))
    assert target(page(create, form(*fields))).form == 1


@pytest.mark.parametrize("words", [("Your email", "Subscribe"), ("La tua email", "Iscriviti")])
def test_a_newsletter_is_never_a_login(words: tuple[str, str]) -> None:
    letter = form(field("", type="email", placeholder=words[0]), submit(words[1]))
    assert login_target(page(link("Accedi"), letter), {ORIGIN}) is None


@pytest.mark.parametrize(
    ("user", "password", "go"),
    [
        ("Usuario", "Contraseña", "Iniciar sesión"), ("Benutzerkennung", "Kennwort", "Anmelden"),
        ("Användarnamn", "Lösenord", "Logga in"), ("아이디", "비밀번호", "로그인"), ("Codice utente", "PIN", "Accedi"),
        ("Nom d'utilisateur", "Mot de passe", "Se connecter"), ("ユーザー名", "パスワード", "ログイン"),
        ("用户名", "密码", "登录"), ("اسم المستخدم", "كلمة المرور", "تسجيل الدخول"), ("Логин", "Пароль", "Войти"),
        ("Όνομα χρήστη", "Κωδικός", "Σύνδεση"), ("Kullanıcı adı", "Şifre", "Giriş yap"),
        ("Nazwa użytkownika", "Hasło", "Zaloguj się"), ("Gebruikersnaam", "Wachtwoord", "Inloggen"),
        ("Usuário", "Senha", "Entrar"),
    ],
)  # fmt: skip
def test_labels_in_other_languages_are_read_where_ids_say_nothing(user: str, password: str, go: str) -> None:
    found = target(page(form(field(user, html_id="f1"), secret(password, html_id="f2"), submit(go))))
    assert (found.username, found.password, found.submit) == (0, 1, 2)


def test_a_text_field_masked_by_style_is_a_secret() -> None:
    found = target(page(form(field("Username"), field("Password", masked=True), submit("Log in"))))
    assert found.password == 1


def test_a_text_field_that_shows_what_is_typed_is_never_one() -> None:
    assert login_target(page(form(field("Username"), field("Password"), submit("Log in"))), {ORIGIN}) is None


def test_the_sites_own_button_sends_the_form_not_another_partys() -> None:
    login = form(submit("Continue with Google"), field("Email"), secret(), submit("Forgot password?"), submit("Log in"))
    assert target(page(login)).submit == 4


def test_without_an_own_button_nothing_sends_the_form() -> None:
    login = form(submit("Continue with Google"), field("Email"), secret(), submit("Forgot password?"))
    assert target(page(login)).submit is None


def test_traps_and_unreachable_fields_stay_empty() -> None:
    login = form(
        field("website", visible=False, untabbable=True),
        field("Email", html_name="email", aria_hidden=True),
        field("Username"),
        secret(),
        submit("Log in"),
    )
    found = target(page(login))
    assert (found.username, found.password) == (2, 3)


@pytest.mark.parametrize(
    "secrets",
    [
        (secret("Current password"), secret("New password"), secret("Confirm password")),
        (secret("New password"), secret("Repeat password")),
    ],
)
def test_a_change_of_password_is_not_filled(secrets: tuple[object, ...]) -> None:
    change = form(*secrets, submit("Change password"), heading="Your password has expired")  # type: ignore[arg-type]
    observation = page(change)
    assert not isinstance(login_target(observation, {ORIGIN}), LoginTarget)
    assert classify_forms(observation.main)[0].kind is FormKind.CHANGE_PASSWORD


def test_a_registration_is_not_filled_and_its_passwords_are_new() -> None:
    sign_up = form(
        field("First name"), field("Last name"), field("Email"), secret("Choose a password"), submit("Create account")
    )
    observation = page(sign_up)
    assert login_target(observation, {ORIGIN}) is None
    recognised = classify_forms(observation.main)[0]
    assert (recognised.kind, recognised.ids(FieldKind.PASSWORD)) == (FormKind.REGISTRATION, ())


def test_single_characters_of_a_password_are_not_guessed() -> None:
    boxes = [secret(f"Character {n}", maxlength=1) for n in (2, 5, 7)]
    assert login_target(page(form(field("Username"), *boxes, submit("Log in"))), {ORIGIN}) is None


def test_a_card_security_code_takes_no_password() -> None:
    pay = form(field("Card number"), secret("CVV", maxlength=4, html_name="cvv"), submit("Continue"))
    assert login_target(page(link("Sign out"), pay), {ORIGIN}) is None


def test_a_one_time_code_takes_no_password() -> None:
    assert (
        kind_of(secret("Verification code", autocomplete="one-time-code"), submit("Verify")) is FormKind.ONE_TIME_CODE
    )


def test_six_boxes_of_a_digit_are_a_one_time_code() -> None:
    boxes = [field(str(n), html_name=f"otp{n}", maxlength=1) for n in range(6)]
    assert kind_of(*boxes, submit("Verify"), heading="Enter the code we sent") is FormKind.ONE_TIME_CODE


def test_server_and_database_of_a_database_login_stay_empty() -> None:
    login = form(field("Server"), field("Username"), secret(), field("Database"), submit("Login"))
    found = target(page(login))
    assert (found.username, found.password) == (1, 2)


def test_a_challenge_inside_a_form_does_not_hide_it() -> None:
    login = form(field("Username"), secret(), submit("Log in"), hidden_names=("cf-turnstile-response",))
    assert target(page(login)).password == 1


def test_loose_fields_are_a_login_too() -> None:
    assert target(page(form(field("User"), secret(), button("Sign in"), kind="group", method=""))).submit == 2


def test_a_frame_of_another_origin_is_never_filled() -> None:
    login = form(field("Username"), secret(), submit("Log in"))
    hostile = frame(login, index=1, origin="https://evil.example:443")
    own = frame(login)
    assert target(Observation((own, hostile))).frame == 0
    assert login_target(Observation((frame(), hostile)), {ORIGIN}) is None
    assert target(Observation((frame(), frame(login, index=1)))).frame == 1


def test_two_different_logins_are_ambiguous() -> None:
    one = form(field("Username"), secret(), submit("Log in"), action="https://a/staff", has_action=True)
    two = form(field("Email"), secret(), submit("Log in"), action="https://a/guests", has_action=True)
    assert isinstance(login_target(page(one, two), {ORIGIN}), Ambiguous)


def test_the_same_login_offered_twice_is_not_ambiguous() -> None:
    login = form(
        field("User", html_name="u"), secret(html_name="p"), submit("Log in"), action="https://a/in", has_action=True
    )
    assert target(page(login, login)).form == 0


def test_a_password_declared_new_to_keep_browsers_out_is_still_the_logins() -> None:
    login = form(field("Email"), secret(autocomplete="new-password"), link("Forgot password?"), submit("Log in"))
    assert target(page(login)).password == 1


def test_a_login_button_that_waits_for_input_is_found_though_disabled() -> None:
    assert target(page(form(field("Email"), secret(), submit("Log in", disabled=True)))).submit == 2


def test_a_password_before_continue_on_a_page_that_signs_nobody_in_is_not_enough_for_two_fields() -> None:
    delete = form(secret("New password"), secret("Repeat password"), submit("Continue"))
    assert not isinstance(login_target(page(delete), {ORIGIN}), LoginTarget)


def test_recovery_and_search_are_never_filled() -> None:
    recovery = form(field("Email"), submit("Reset password"), heading="Forgot your password?")
    search = form(field("Search", type="search", role="searchbox"), submit("Search"), method="get")
    assert login_target(page(recovery, search), {ORIGIN}) is None
    kinds = [recognised.kind for recognised in classify_forms(page(recovery, search).main)]
    assert kinds == [FormKind.RECOVERY, FormKind.SEARCH]


def test_a_password_that_unlocks_a_document_is_not_filled() -> None:
    assert login_target(page(form(secret("Password"), submit("Enter"))), {ORIGIN}) is None


def test_two_password_fields_leave_a_login_unfilled() -> None:
    login = form(field("User"), secret(""), secret("Password"), submit("Log in"))
    assert not isinstance(login_target(page(login), {ORIGIN}), LoginTarget)


def test_decoys_before_the_form_are_traps() -> None:
    login = form(
        field("", html_name="fakeusernameremembered"), secret("", html_id="autofillpassword"), field("Username"),
        secret(), submit("Log in"),
    )  # fmt: skip
    found = target(page(login))
    assert (found.username, found.password) == (2, 3)


@pytest.mark.parametrize(
    "hint",
    [
        "Majuscules et minuscules comptent", "半角英数字で入力してください", "Let op hoofdletters",
        "Distingue mayúsculas y minúsculas", "Büyük küçük harf duyarlıdır", "대소문자를 구분합니다",
    ],
)  # fmt: skip
def test_a_hint_at_capitals_chooses_no_password(hint: str) -> None:
    assert target(page(form(field("Username"), secret(), submit("OK"), text=f"Username Password {hint} OK"))).password


@pytest.mark.parametrize("rules", ["At least 8 characters", "Großbuchstaben und Sonderzeichen", "至少8个字符"])
def test_rules_for_a_password_are_told_where_one_is_chosen(rules: str) -> None:
    declared = secret(autocomplete="current-password")
    joined = form(
        field("Email", type="email", autocomplete="username"), declared, submit(""), link("Sign in"),
        text=f"Email Password {rules} Already have an account? Sign in",
    )  # fmt: skip
    assert login_target(page(joined), {ORIGIN}) is None


def test_rules_make_no_registration_of_what_says_sign_in() -> None:
    login = form(
        field("Username"), secret(), submit("Log in"), heading="Log in", text="Username Password At least 8 characters"
    )
    assert target(page(login)).password == 1


def test_a_name_put_into_the_words_for_a_new_password_changes_nothing() -> None:
    joined = form(field("Mobile number"), secret("Create Acme password"), submit("Proceed"))
    assert login_target(page(joined), {ORIGIN}) is None


@pytest.mark.parametrize("chosen", [0, 1])
def test_a_choice_to_create_the_account_makes_a_registration(chosen: int) -> None:
    ways = [
        field(words, role="radio", type="radio", checked=n == chosen)
        for n, words in enumerate(("I don't have an account", "I have an account"))
    ]
    both = form(field("Email"), secret(), *ways, submit("Log in"))
    found = login_target(page(both), {ORIGIN})
    assert isinstance(found, LoginTarget) == (chosen == 1)


def test_a_form_that_announces_both_and_offers_the_choice_is_not_filled() -> None:
    ways = [field(words, role="radio", type="radio") for words in ("I don't have an account", "I have an account")]
    both = form(field("Email"), secret(), *ways, submit("Log in"), outer_heading="Log in or register")
    assert login_target(page(both), {ORIGIN}) is None


def test_a_workspace_before_the_only_password_is_the_name() -> None:
    found = target(page(form(field("Domain"), secret(), submit("Log in"))))
    assert (found.username, found.password) == (0, 1)


def test_a_membership_number_behind_the_passwords_of_a_registration_is_no_name() -> None:
    joined = form(
        field("Email"), secret("Choose a password"), secret("Repeat password"), field("Membership number"),
        submit("Create account"),
    )  # fmt: skip
    assert classify_forms(page(joined).main)[0].fields[3] is FieldKind.TEXT


@pytest.mark.parametrize("field_", [field("Email title"), field("", html_name="email[subject]")])
def test_a_part_of_a_message_is_no_address(field_: Draft) -> None:
    written = form(field_, submit("Save"))
    assert classify_forms(page(written).main)[0].fields[0] is FieldKind.TEXT


def test_a_password_that_takes_no_typing_is_not_left_out_of_a_login() -> None:
    login = form(field("Username"), secret(readonly=True), submit("Log in"))
    assert login_target(page(login), {ORIGIN}) is None


def test_a_password_that_waits_hidden_makes_a_first_step() -> None:
    first = form(field("Email", type="email"), button("Next"), secret(visible=False), button("Log in", visible=False))
    found = target(page(first))
    assert (found.step, found.password) == (Step.IDENTIFIER_FIRST, None)
