from __future__ import annotations

import pytest

from remit.executors import _signing_in
from tests.executors.conftest import PASSWORD, USERNAME, Remit, Serve
from tests.sites.signin import forms, two_steps
from tests.sites.signin.desk import FORM, INSIDE, carried, desk, document, door, sent, typed

GIVEN = {"email": USERNAME, "password": PASSWORD}


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_signing_in, "PATIENCE_S", 1.0)


@pytest.mark.parametrize("delay_ms", [300, 1500])
async def test_a_password_that_next_swaps_in_is_waited_for(remit: Remit, served: Serve, delay_ms: int) -> None:
    site = served(desk(two_steps.email_first(delay_ms)))
    assert (await remit.login(site))["status"] == "done"
    assert sent(site) == [("/login", GIVEN)]
    assert not site.asked("/forgot")


async def test_a_password_whose_node_is_put_anew_is_filled_again(remit: Remit, served: Serve) -> None:
    site = served(desk(two_steps.email_first(100, two_steps.NODE_REPLACED)))
    assert (await remit.login(site))["status"] == "done"
    assert sent(site) == [("/login", GIVEN)]


@pytest.mark.usefixtures("impatient")
async def test_where_only_a_name_is_asked_the_password_goes_nowhere(remit: Remit, served: Serve) -> None:
    site = served(desk(two_steps.EMAIL_ALONE, login=lambda _: two_steps.LINK_SENT))
    item = await remit.login(site)
    assert (item["status"], item["reason"]) == ("failed", "not_verified")
    assert sent(site) == [("/login", {"ap_user": USERNAME})]
    assert carried(site, PASSWORD) == []


async def test_another_identity_on_step_two_stops_the_sign_in(remit: Remit, served: Serve) -> None:
    second = two_steps.names_someone("somebody.else@example.test")
    site = served(desk(two_steps.FIRST_PAGE, who=lambda _: second))
    item = await remit.login(site)
    assert (item["status"], item["reason"]) == ("failed", "identity_mismatch")
    assert sent(site) == [("/who", {"email": USERNAME})]
    assert typed(site) == {"email"}


async def test_the_same_identity_on_step_two_goes_on(remit: Remit, served: Serve) -> None:
    site = served(desk(two_steps.FIRST_PAGE, who=lambda _: two_steps.names_someone(USERNAME.upper())))
    assert (await remit.login(site))["status"] == "done"
    assert sent(site) == [("/who", {"email": USERNAME}), ("/login", {"password": PASSWORD})]


async def test_of_two_forms_of_a_kind_the_one_that_signs_in_is_sent(remit: Remit, served: Serve) -> None:
    site = served(desk(forms.TWO_OF_A_KIND))
    assert (await remit.login(site, username="ada"))["status"] == "done"
    assert sent(site) == [("/login", {"acct": "ada", "pw": PASSWORD})]


async def test_a_newsletter_is_passed_over_for_the_link_to_the_form(remit: Remit, served: Serve) -> None:
    site = served(desk(forms.NEWSLETTER_AND_LINK, accedi=forms.ACCESSO))
    assert (await remit.login(site))["status"] == "done"
    assert sent(site) == [("/login", GIVEN)]
    assert typed(site) == {"email", "password"}


async def test_a_newsletter_alone_is_no_form(remit: Remit, served: Serve) -> None:
    site = served(desk(forms.NEWSLETTER_ALONE))
    item = await remit.login(site)
    assert (item["status"], item["reason"]) == ("failed", "no_login_form")
    assert typed(site) == set()
    assert sent(site) == []


async def test_fields_in_shadow_roots_of_their_own_are_one_form(remit: Remit, served: Serve) -> None:
    site = served(desk(forms.SHADOWS))
    assert (await remit.login(site))["status"] == "done"
    assert sent(site) == [("/login", GIVEN)]


@pytest.mark.parametrize(
    "words",
    [
        ("Usuario", "Contraseña", "Entrar"),
        ("Benutzerkennung", "Kennwort", "Anmelden"),
        ("Användarnamn", "Lösenord", "Logga in"),
        ("아이디", "비밀번호", "로그인"),
        ("Codice utente", "PIN", "Accedi"),
    ],
)
async def test_fields_are_known_by_their_labels(remit: Remit, served: Serve, words: tuple[str, str, str]) -> None:
    site = served(desk(forms.in_language(*words)))
    assert (await remit.login(site))["status"] == "done"
    assert sent(site) == [("/login", {"f1": USERNAME, "f2": PASSWORD})]


async def test_a_text_field_that_hides_its_characters_takes_the_password(remit: Remit, served: Serve) -> None:
    site = served(desk(forms.masked("something old")))
    assert (await remit.login(site))["status"] == "done"
    assert sent(site) == [("/login", GIVEN)]


async def test_a_page_that_keeps_its_own_state_hears_each_key(remit: Remit, served: Serve) -> None:
    site = served(desk(forms.CONTROLLED))
    assert (await remit.login(site))["status"] == "done"
    assert sent(site) == [("/login", GIVEN)]


async def test_what_stood_in_a_field_is_cleared_first(remit: Remit, served: Serve) -> None:
    site = served(desk(forms.PREFILLED))
    assert (await remit.login(site))["status"] == "done"
    assert sent(site) == [("/login", GIVEN)]


async def test_a_name_that_is_put_back_blocks_the_submit(remit: Remit, served: Serve) -> None:
    site = served(desk(forms.RESTORED))
    item = await remit.login(site)
    assert (item["status"], item["reason"]) == ("failed", "fill_mismatch")
    assert sent(site) == []


async def test_of_several_submit_buttons_the_forms_own_is_pressed(remit: Remit, served: Serve) -> None:
    site = served(desk(forms.SEVERAL_BUTTONS))
    assert (await remit.login(site))["status"] == "done"
    assert sent(site) == [("/login", GIVEN)]


async def test_a_form_without_a_button_is_sent_by_enter(remit: Remit, served: Serve) -> None:
    site = served(desk(forms.NO_BUTTON))
    assert (await remit.login(site))["status"] == "done"
    assert sent(site) == [("/login", GIVEN)]


async def test_enter_is_not_pressed_where_it_would_press_a_providers_button(remit: Remit, served: Serve) -> None:
    site = served(desk(forms.PROVIDER_ALONE))
    item = await remit.login(site)
    assert (item["status"], item["reason"]) == ("failed", "submit_unavailable")
    assert sent(site) == []


async def test_fields_that_nobody_can_reach_stay_empty(remit: Remit, served: Serve) -> None:
    site = served(desk(forms.TRAPS))
    assert (await remit.login(site))["status"] == "done"
    empty = {"website": "", "url": "", "email": ""}
    assert sent(site) == [("/login", {**empty, "login": USERNAME, "password": PASSWORD})]


async def test_a_field_for_a_code_beside_the_password_stays_empty(remit: Remit, served: Serve) -> None:
    site = served(desk(forms.OPTIONAL_CODE))
    assert (await remit.login(site))["status"] == "done"
    assert sent(site) == [("/login", {**GIVEN, "code": ""})]


async def test_a_field_for_something_else_keeps_its_value(remit: Remit, served: Serve) -> None:
    site = served(desk(forms.TENANT))
    assert (await remit.login(site))["status"] == "done"
    assert sent(site) == [("/login", {"workspace": "acme", **GIVEN})]


@pytest.mark.parametrize(
    ("page", "status", "reason"),
    [
        (forms.CHANGE, "needs_user", "change_password"),
        (forms.SIGN_UP, "failed", "no_login_form"),
        (document(forms.CARD, "Shop"), "failed", "no_login_form"),
    ],
    ids=["change", "sign up", "card"],
)
async def test_nothing_is_typed_into_what_is_no_sign_in(
    remit: Remit, served: Serve, page: str, status: str, reason: str
) -> None:
    site = served(desk(page))
    item = await remit.login(site)
    assert (item["status"], item["reason"]) == (status, reason)
    assert typed(site) == set()
    assert sent(site) == []


async def test_inside_already_nothing_is_typed_not_even_beside_a_hidden_field(remit: Remit, served: Serve) -> None:
    site = served(desk(document(INSIDE + forms.CARD, "Shop")))
    item = await remit.login(site)
    assert (item["status"], item["already"]) == ("done", True)
    assert typed(site) == set()
    assert sent(site) == []


@pytest.mark.parametrize("page", [forms.LATE, forms.TABS], ids=["late", "tabs"])
async def test_a_form_that_is_not_there_at_first_is_found(remit: Remit, served: Serve, page: str) -> None:
    site = served(desk(page))
    assert (await remit.login(site))["status"] == "done"
    assert sent(site) == [("/login", GIVEN)]


@pytest.mark.parametrize(("kind", "kept"), [("", {}), ("checked", {"remember": "on"})], ids=["empty", "ticked"])
async def test_the_box_to_be_remembered_by_is_left_as_it_is(
    remit: Remit, served: Serve, kind: str, kept: dict[str, str]
) -> None:
    site = served(desk(forms.remembering(kind)))
    assert (await remit.login(site))["status"] == "done"
    assert sent(site) == [("/login", {**GIVEN, **kept})]


async def test_a_password_that_expired_is_for_a_person_to_change(remit: Remit, served: Serve) -> None:
    site = served(desk(FORM, login=door(FORM, "/expired"), expired=forms.EXPIRED))
    item = await remit.login(site)
    assert (item["status"], item["reason"]) == ("needs_user", "change_password")
    assert sent(site) == [("/login", GIVEN)]
    assert typed(site) == {"email", "password"}
