from __future__ import annotations

import pytest

from remit.browser._entries import may_lead_in, sign_in_entries
from remit.browser.observation import Frame
from tests.browser.forms_builder import button, field, form, frame, link, submit


@pytest.mark.parametrize("words", ["Log in", "Sign in", "Accedi", "Anmelden", "Se connecter", "ログイン", "Войти"])
def test_a_control_that_names_the_sign_in_is_decisive(words: str) -> None:
    found = sign_in_entries(frame(link("Home"), link(words, "https://shop.example/x"), link("About us")))
    assert found.decisive == 1


def test_sign_up_sign_out_help_and_other_parties_are_no_entries() -> None:
    others = [
        link("Sign up"),
        link("Log out"),
        link("Sign in help"),
        link("Continue with Google"),
        link("Why sign in?"),
        link("Forgot password?"),
    ]
    found = sign_in_entries(frame(*others))
    assert found.explicit == ()
    assert found.decisive is None


def test_an_icon_speaks_through_its_title() -> None:
    assert sign_in_entries(frame(link("", title="Sign in"))).decisive == 0


def test_an_account_menu_counts_only_where_no_entry_is_explicit() -> None:
    menu = button("Account", haspopup="menu")
    assert sign_in_entries(frame(menu)).decisive == 0
    assert sign_in_entries(frame(menu, link("Log in"))).decisive == 1


def test_header_and_footer_with_the_same_address_are_one_way() -> None:
    entry = "https://shop.example/login"
    assert (
        sign_in_entries(
            frame(link("Log in", entry, section="banner"), link("Log in", entry, section="contentinfo"))
        ).decisive
        == 0
    )


def test_two_different_doors_leave_it_undecided() -> None:
    found = sign_in_entries(
        frame(link("Customer login", "https://shop.example/a"), link("Member login", "https://shop.example/b"))
    )
    assert len(found.explicit) == 2
    assert found.decisive is None


def test_hidden_entries_and_buttons_of_a_newsletter_are_left_alone() -> None:
    letter = form(field("Your email", type="email"), submit("Sign in to subscribe"), html_class="newsletter")
    assert sign_in_entries(frame(link("Log in", visible=False), letter)).explicit == ()


def ways(password: str, *others: str, role: str = "tab") -> Frame:
    """A sign-in by telephone with tabs over it, of which the one for the password is not selected."""
    tabs = [button(words, role=role, section="tablist", selected=n == 0) for n, words in enumerate((*others, password))]
    sms = form(
        *tabs, field("手机号", type="tel"), field("短信验证码"), button("获取验证码"), submit("登录"), kind="group"
    )
    return frame(link("Home"), sms)


@pytest.mark.parametrize(
    ("password", "others"),
    [
        ("密码登录", ("扫码登录", "短信登录")), ("账号登录", ("扫码登录",)), ("Password", ("QR code", "SMS")),
        ("Log in with password", ("SMS",)), ("Passwort", ("Per SMS", "QR-Code")), ("Email", ("Phone",)),
        ("Пароль", ("По коду", "QR-код")), ("비밀번호 로그인", ("QR코드",)), ("パスワードでログイン", ("QRコード",)),
        ("Contraseña", ("Código QR",)), ("Mot de passe", ("Par SMS",)), ("Şifre ile giriş", ("Karekod",)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("role", ["tab", "button"])
def test_the_tab_for_the_password_is_the_way_where_another_is_shown(
    password: str, others: tuple[str, ...], role: str
) -> None:
    found = sign_in_entries(ways(password, *others, role=role))
    assert found.decisive == 1 + len(others)


def test_a_selected_tab_leads_nowhere() -> None:
    tabs = [button("SMS", role="tab"), button("Password", role="tab", selected=True)]
    assert sign_in_entries(frame(*tabs)).explicit == ()


def test_a_tab_named_password_among_settings_is_no_way_to_sign_in() -> None:
    tabs = [button(words, role="tab") for words in ("Profile", "Password", "Invoices")]
    assert sign_in_entries(frame(*tabs)).explicit == ()


@pytest.mark.parametrize("words", ["Use password instead", "密码登录", "Войти по паролю", "Mit Passwort anmelden"])
def test_words_for_a_password_need_no_tab(words: str) -> None:
    sms = form(field("Phone", type="tel"), field("SMS code"), button("Send code"), submit("Log in"), link(words))
    assert sign_in_entries(frame(sms)).decisive == 4


@pytest.mark.parametrize("words", ["扫码登录", "Sign in with QR code", "短信登录", "Log in with a code"])
def test_another_way_in_is_no_entry(words: str) -> None:
    assert sign_in_entries(frame(button(words))).explicit == ()


@pytest.mark.parametrize("words", ["Login or register", "Sign in / Create account", "Accedi o registrati"])
def test_a_link_to_sign_in_or_up_is_a_way_in_after_one_that_only_signs_in(words: str) -> None:
    alone = frame(link(words))
    assert [alone.controls[e.control].name for e in sign_in_entries(alone).explicit] == [words]
    both = frame(link(words), link("Log in", href="https://shop.example/login"))
    assert both.controls[sign_in_entries(both).explicit[0].control].name == "Log in"
    assert may_lead_in(alone, alone.controls[0], {"https://shop.example"})
    acting = frame(button(words))
    assert not sign_in_entries(acting).explicit
