from __future__ import annotations

import pytest

from remit.browser._entries import sign_in_entries
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
