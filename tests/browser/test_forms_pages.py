"""The recognisers on what a browser really shows: one page a case that sign-ins meet in the field."""

from __future__ import annotations

import pytest

from remit.browser import (
    CodeTarget,
    Control,
    LoginTarget,
    Observation,
    Step,
    asks_partial_password,
    code_target,
    login_target,
    sign_in_entries,
)
from remit.browser._evidence import FormKind
from remit.browser._forms import classify_forms
from tests.browser.conftest import Open


async def seen_on(opened: Open, body: str) -> Observation:
    session, _ = await opened(f"<!doctype html><meta charset=utf-8><title>Page</title><body>{body}")
    return await session.observe(content=True)


def login(seen: Observation) -> LoginTarget | None:
    found = login_target(seen, {seen.main.origin})
    assert found is None or isinstance(found, LoginTarget)
    return found


def code(seen: Observation) -> CodeTarget | None:
    found = code_target(seen, {seen.main.origin})
    assert found is None or isinstance(found, CodeTarget)
    return found


def control(seen: Observation, id_: int | None) -> Control:
    assert id_ is not None
    return seen.main.controls[id_]


async def test_a_first_step_under_the_heading_of_its_panel(opened: Open) -> None:
    seen = await seen_on(
        opened,
        "<header><a href=/>Home</a></header><main><div class=card><h1>Sign in</h1><form>"
        "<input type=email name=ap_user aria-label=E-mail><button type=button>Forgot email?</button>"
        "<button type=button>Next</button></form></div></main><footer><a href=/help>Help</a></footer>",
    )
    found = login(seen)
    assert found is not None
    assert (found.step, found.password) == (Step.IDENTIFIER_FIRST, None)
    assert (control(seen, found.username).html_name, control(seen, found.submit).name) == ("ap_user", "Next")


async def test_a_first_step_without_a_form_under_the_heading_of_its_panel(opened: Open) -> None:
    seen = await seen_on(
        opened,
        "<main><div><h2>Sign in</h2><div class=row><input type=email name=user placeholder=E-mail>"
        "<button>Next</button></div></div></main>",
    )
    found = login(seen)
    assert found is not None
    assert (found.step, control(seen, found.submit).name) == (Step.IDENTIFIER_FIRST, "Next")


async def test_a_form_named_by_a_heading_elsewhere(opened: Open) -> None:
    seen = await seen_on(
        opened,
        "<h1 id=t>Sign in</h1><form role=search><input type=search aria-label=Search></form>"
        "<form aria-labelledby=t><input type=email name=user aria-label=E-mail><button>Next</button></form>",
    )
    found = login(seen)
    assert found is not None
    assert control(seen, found.username).html_name == "user"


@pytest.mark.parametrize(
    "around",
    [
        "<h1>Sign in</h1><h2>Or stay informed</h2>{}",
        "<h1>Sign in</h1><form><input name=q aria-label=Search></form>{}",
        "<header><h1>Sign in</h1></header><main><h2>Stay informed</h2>{}</main>",
        "<p>Sign in</p>{}",
    ],
)
async def test_a_heading_of_more_than_the_form_makes_no_login(opened: Open, around: str) -> None:
    lone = "<form><input type=email aria-label=E-mail><button>Next</button></form>"
    assert login(await seen_on(opened, around.format(lone))) is None


LOGIN_AND_JOIN = (
    "<b>Login</b><form method=post action=/go><input type=text name=acct aria-label=username>"
    "<input type=password name=pw aria-label=password><input type=submit value=login></form>"
    "<b>Create account</b><form method=post action=/go><input type=hidden name=creating value=t>"
    "<input type=text name=acct aria-label=username><input type=password name=pw aria-label=password>"
    "<input type=submit value='create account'></form>"
)


async def test_equal_fields_for_signing_in_and_for_joining_are_told_apart(opened: Open) -> None:
    seen = await seen_on(opened, LOGIN_AND_JOIN)
    found = login(seen)
    assert found is not None
    assert control(seen, found.submit).name == "login"
    assert "creating" not in seen.main.forms[found.form].hidden_names


async def test_user_and_password_in_different_shadow_roots_with_the_button_outside(opened: Open) -> None:
    seen = await seen_on(
        opened,
        """<x-login></x-login><script>
        const grow = (host, html) => { host.attachShadow({mode: 'open'}).innerHTML = html; return host.shadowRoot; };
        const root = grow(document.querySelector('x-login'),
          '<h2>Sign in</h2><x-user></x-user><x-pass></x-pass><button>Sign in</button>');
        grow(root.querySelector('x-user'), '<label>User name <input name=u></label>');
        grow(root.querySelector('x-pass'), '<label>Password <input type=password name=p></label>');
        </script>""",
    )
    found = login(seen)
    assert found is not None
    names = [control(seen, id_).html_name for id_ in (found.username, found.password)]
    assert (names, control(seen, found.submit).name) == (["u", "p"], "Sign in")


async def test_a_text_field_masked_by_style_is_the_password(opened: Open) -> None:
    seen = await seen_on(
        opened,
        "<style>#p { -webkit-text-security: disc }</style><form><label>User <input name=u></label>"
        "<label>Password <input type=text id=p name=p></label><button>Log in</button></form>",
    )
    found = login(seen)
    assert found is not None
    assert control(seen, found.password).html_name == "p"


async def test_traps_for_robots_stay_empty(opened: Open) -> None:
    seen = await seen_on(
        opened,
        "<form><input name=website style='position:absolute;left:-9999px' tabindex=-1>"
        "<input name=nick style='opacity:0' tabindex=-1><div aria-hidden=true><input name=email type=email></div>"
        "<div style='height:0;overflow:hidden'><input name=login></div>"
        "<label>User name <input name=u></label><label>Password <input type=password name=p></label>"
        "<button>Log in</button></form>",
    )
    found = login(seen)
    assert found is not None
    assert [control(seen, id_).html_name for id_ in (found.username, found.password)] == ["u", "p"]


async def test_a_forced_change_of_the_password_is_no_login(opened: Open) -> None:
    seen = await seen_on(
        opened,
        "<h1>Your password has expired</h1><form><label>Current password <input type=password></label>"
        "<label>New password <input type=password></label><label>Confirm <input type=password></label>"
        "<button>Save</button></form>",
    )
    assert login(seen) is None
    assert classify_forms(seen.main)[0].kind is FormKind.CHANGE_PASSWORD


@pytest.mark.parametrize(
    ("heading", "row"),
    [
        ("Enter characters 2, 5 and 7 of your password", "<input type=password maxlength=1 size=1>" * 3),
        ("Enter characters 2, 5 and 7 of your password", "<input type=text maxlength=1 size=1>" * 3),
        ("Security", "".join(f"<label>{n} <input type=password maxlength=1></label>" for n in ("2nd", "5th", "7th"))),
    ],
)
async def test_single_characters_of_a_password_are_left_to_a_person(opened: Open, heading: str, row: str) -> None:
    seen = await seen_on(
        opened,
        f"<h1>{heading}</h1><form><label>User <input name=u></label><p>{heading}</p>{row}"
        "<button>Log in</button></form>",
    )
    assert asks_partial_password(seen)
    assert login(seen) is None
    assert code(seen) is None


@pytest.mark.parametrize("field", ["<input type=password name=pin readonly>", "<output></output>"])
async def test_keys_of_the_screen_are_left_to_a_person(opened: Open, field: str) -> None:
    keys = "".join(f"<button type=button>{digit}</button>" for digit in "7403918526")
    seen = await seen_on(
        opened,
        f"<h1>Sign in</h1><form><label>Customer number <input name=u></label><p>Your PIN</p>{field}<div>{keys}</div>"
        "<button>Log in</button></form>",
    )
    assert asks_partial_password(seen)
    assert login(seen) is None


async def test_a_card_security_code_takes_no_password(opened: Open) -> None:
    seen = await seen_on(
        opened,
        "<a href=/logout>Log out</a><h1>Payment</h1><form><label>Card number <input name=card></label>"
        "<label>CVV <input type=password name=cvv maxlength=4></label><button>Continue</button></form>",
    )
    assert login(seen) is None


async def test_an_empty_frame_of_a_challenge_in_the_form_does_not_hide_it(opened: Open) -> None:
    seen = await seen_on(
        opened,
        "<form><label>User <input name=u></label><label>Password <input type=password name=p></label>"
        "<iframe src='http://localhost:9/' width=300 height=65></iframe>"
        "<input type=hidden name=cf-turnstile-response><button>Log in</button></form>",
    )
    found = login(seen)
    assert found is not None
    assert (control(seen, found.password).html_name, control(seen, found.submit).name) == ("p", "Log in")


ROW = "".join(f"<input name=d{n} maxlength=1 inputmode=numeric size=1>" for n in range(1, 6))


@pytest.mark.parametrize("first", ["maxlength=1", "", "maxlength=6"])
async def test_six_boxes_take_one_character_each(opened: Open, first: str) -> None:
    seen = await seen_on(
        opened,
        f"<h1>Enter the code we sent you</h1><form><input name=d0 {first} size=1 inputmode=numeric>{ROW}"
        "<label><input type=checkbox name=trust> Trust this device</label><button>Verify</button></form>",
    )
    found = code(seen)
    assert found is not None
    assert [control(seen, id_).html_name for id_ in found.boxes] == [f"d{n}" for n in range(6)]
    assert control(seen, found.submit).name == "Verify"


async def test_six_boxes_without_a_form_take_one_character_each(opened: Open) -> None:
    seen = await seen_on(
        opened,
        f"<main><h1>Two-step verification</h1><div><input name=d0 maxlength=1 size=1>{ROW}</div>"
        "<button>Continue</button></main>",
    )
    found = code(seen)
    assert found is not None
    assert len(found.boxes) == 6


async def test_a_code_of_letters_and_digits_has_one_field(opened: Open) -> None:
    seen = await seen_on(
        opened, "<form><label>Authenticator code <input name=code maxlength=5></label><button>Continue</button></form>"
    )
    found = code(seen)
    assert found is not None
    assert [control(seen, id_).html_name for id_ in found.boxes] == ["code"]
    assert login(seen) is None


TABS = (
    "<div role=tablist><button role=tab aria-selected=true>{sms}</button><button role=tab>{password}</button></div>"
    "<div><input type=tel placeholder='{phone}'><input placeholder='{code}'><button type=button>{send}</button>"
    "<button>{enter}</button></div>"
)


@pytest.mark.parametrize(
    "words",
    [
        {
            "sms": "短信登录", "password": "密码登录", "phone": "手机号", "code": "短信验证码", "send": "获取验证码",
            "enter": "登录",
        },
        {
            "sms": "SMS", "password": "Password", "phone": "Phone", "code": "Code from the SMS", "send": "Send code",
            "enter": "Log in",
        },
    ],
)  # fmt: skip
async def test_a_sign_in_by_telephone_shows_the_way_to_the_password(opened: Open, words: dict[str, str]) -> None:
    seen = await seen_on(opened, TABS.format(**words))
    assert login(seen) is None
    assert code(seen) is None
    entries = sign_in_entries(seen.main)
    assert entries.decisive is not None
    assert control(seen, entries.decisive).name == words["password"]


@pytest.mark.parametrize(
    ("language", "user", "password", "enter"),
    [
        ("es", "Usuario", "Contraseña", "Iniciar sesión"), ("de", "Benutzerkennung", "Kennwort", "Anmelden"),
        ("sv", "Användarnamn", "Lösenord", "Logga in"), ("ko", "아이디", "비밀번호", "로그인"),
        ("it", "Codice utente", "PIN", "Accedi"), ("ar", "اسم المستخدم", "كلمة المرور", "دخول"),
    ],
)  # fmt: skip
async def test_labels_are_read_where_identifiers_say_nothing(
    opened: Open, language: str, user: str, password: str, enter: str
) -> None:
    seen = await seen_on(
        opened,
        f"<form lang={language}><label for=f1>{user}</label><input id=f1><label for=f2>{password}</label>"
        f"<input id=f2 type=password><button>{enter}</button></form>",
    )
    found = login(seen)
    assert found is not None
    assert [control(seen, id_).html_id for id_ in (found.username, found.password)] == ["f1", "f2"]
