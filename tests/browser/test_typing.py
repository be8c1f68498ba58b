from __future__ import annotations

from contextlib import suppress

import pytest

from remit.browser import BrowserError, Control, Filled, Observation, Session, ValueKind
from remit.contract import Origin, Reason, Secret
from tests.browser.conftest import Open
from tests.sites.pages import serve

SECRET = Secret("pässwörd+7d1e&f0 93/ab€")
FORM = (
    "<form method=post action=/login><label>User <input name=u></label>"
    "<label>Password <input type=password name=p></label><button>Sign in</button></form>"
)


def field(seen: Observation, name: str, frame: int = 0) -> Control:
    found = next(each for each in seen.frames if each.index == frame)
    return next(control for control in found.controls if control.html_name == name)


async def refused(
    session: Session,
    seen: Observation,
    name: str,
    kind: ValueKind = "password",
    frame: int = 0,
    origins: frozenset[Origin] | None = None,
) -> Reason:
    with pytest.raises(BrowserError) as error:
        await session.fill(
            seen,
            frame,
            field(seen, name, frame).id,
            SECRET,
            kind=kind,
            origins=session.allowed if origins is None else origins,
        )
    return error.value.reason


async def put(session: Session, seen: Observation, name: str, value: Secret | str, kind: ValueKind) -> Filled:
    return await session.fill(seen, 0, field(seen, name).id, value, kind=kind, origins=session.allowed)


async def test_a_form_is_filled_by_keys_and_sent_once(opened: Open) -> None:
    session, site = await opened({"/": FORM, "/login": "In"})
    seen = await session.observe()
    filled = [
        await put(session, seen, "u", "anna@example.test", "username"),
        await put(session, seen, "p", SECRET, "password"),
    ]
    await session.click(seen, 0, 2, holding=filled, origins=session.allowed)
    assert [post.form for post in site.posts()] == [{"u": "anna@example.test", "p": SECRET.reveal()}]
    assert SECRET.reveal() not in repr(filled)


async def test_enter_sends_a_form_without_a_button(opened: Open) -> None:
    form = "<form method=post action=/login><label>Password <input type=password name=p></label></form>"
    session, site = await opened({"/": form, "/login": "In"})
    seen = await session.observe()
    filled = [await put(session, seen, "p", SECRET, "password")]
    told: list[int] = []
    effect = await session.press_enter(
        seen, 0, 0, origins=session.allowed, holding=filled, on_dispatch=lambda: told.append(len(site.posts()))
    )
    assert (effect.kind, told) == ("navigated", [0])
    assert [post.form for post in site.posts()] == [{"p": SECRET.reveal()}]


async def test_a_password_goes_only_where_characters_are_hidden(opened: Open) -> None:
    session, _ = await opened(
        "<input type=email name=mail><input name=plain><input name=masked style='-webkit-text-security:disc'>"
    )
    seen = await session.observe()
    assert await refused(session, seen, "mail") is Reason.FILL_MISMATCH
    assert await refused(session, seen, "plain") is Reason.FILL_MISMATCH
    await put(session, seen, "masked", SECRET, "password")


async def test_a_user_name_never_goes_into_a_hidden_field(opened: Open) -> None:
    session, _ = await opened(FORM)
    seen = await session.observe()
    assert await refused(session, seen, "p", kind="username") is Reason.FILL_MISMATCH


async def test_a_field_that_turned_plain_gets_no_password(opened: Open) -> None:
    session, _ = await opened(FORM)
    seen = await session.observe()
    await session._tab.page.evaluate("document.querySelector('[name=p]').type = 'text'")
    assert await refused(session, seen, "p") in (Reason.TARGET_CHANGED, Reason.FILL_MISMATCH)


@pytest.mark.parametrize("attribute", ["disabled", "readonly", "style='display:none'"])
async def test_only_usable_fields_are_filled(opened: Open, attribute: str) -> None:
    session, _ = await opened(f"<input type=password name=p {attribute}>")
    seen = await session.observe()
    assert await refused(session, seen, "p") in (Reason.CONTROL_DISABLED, Reason.FILL_MISMATCH, Reason.CONTROL_GONE)


async def test_keys_that_act_are_not_typed(opened: Open) -> None:
    session, site = await opened({"/": FORM, "/login": "In"})
    seen = await session.observe()
    for text in ("a\nb", "a\tb", "a\x7f"):
        with pytest.raises(BrowserError):
            await put(session, seen, "u", text, "username")
    assert not site.posts()


async def test_a_controlled_field_keeps_its_state(opened: Open) -> None:
    session, site = await opened(
        {
            "/": FORM.replace("<button>", "<button disabled>")
            + """<script>
      const state = {}; for (const i of document.querySelectorAll('input')) {
        i.addEventListener('input', () => { state[i.name] = i.value;
          document.querySelector('button').disabled = !(state.u && state.p) });
        i.addEventListener('blur', () => { i.value = state[i.name] || '' }) }</script>""",
            "/login": "In",
        }
    )
    seen = await session.observe()
    filled = [await put(session, seen, "u", "anna", "username"), await put(session, seen, "p", SECRET, "password")]
    await session.click(seen, 0, 2, holding=filled)
    assert site.posts()[0].form == {"u": "anna", "p": SECRET.reveal()}


async def test_a_prefilled_field_is_cleared_first(opened: Open) -> None:
    session, site = await opened({"/": FORM.replace("name=u", "name=u value=old@example.test"), "/login": "In"})
    seen = await session.observe()
    filled = await put(session, seen, "u", "new@example.test", "username")
    await session.click(seen, 0, 2, holding=[filled])
    assert site.posts()[0].form["u"] == "new@example.test"


async def test_a_field_that_takes_its_old_value_back_blocks_the_submit(opened: Open) -> None:
    session, site = await opened(
        {
            "/": FORM.replace("name=u", "name=u value=old")
            + """<script>
      const u = document.querySelector('[name=u]');
      let left = 0;
      u.addEventListener('input', () => {
        left++; document.title = '';
        setTimeout(() => { u.value = 'old'; if (!--left) document.title = 'back' }, 1000);
      })
      </script>""",
            "/login": "In",
        }
    )
    seen = await session.observe()
    filled = await put(session, seen, "u", "new", "username")
    while (await session._tab.page.title()) != "back":
        await session.changed(0.3)
    assert not await session.holds(filled)
    with pytest.raises(BrowserError) as caught:
        await session.click(seen, 0, 2, holding=[filled])
    assert caught.value.reason is Reason.FILL_MISMATCH
    assert not site.posts()


async def test_a_field_that_drops_characters_is_refilled_once_and_then_given_up(opened: Open) -> None:
    session, _ = await opened("<input name=u maxlength=3>")
    seen = await session.observe()
    with pytest.raises(BrowserError) as error:
        await put(session, seen, "u", "longer", "username")
    assert error.value.reason is Reason.FILL_MISMATCH


async def test_a_node_that_the_page_replaced_is_found_again(opened: Open) -> None:
    session, site = await opened({"/": FORM, "/login": "In"})
    seen = await session.observe()
    await session._tab.page.evaluate(
        "(() => { const old = document.querySelector('[name=p]'); old.replaceWith(old.cloneNode()) })()"
    )
    filled = await put(session, seen, "p", SECRET, "password")
    await session.click(seen, 0, 2, holding=[filled])
    assert site.posts()[0].form["p"] == SECRET.reveal()


async def test_typing_stops_when_the_page_goes_to_another_origin(opened: Open) -> None:
    with serve({"/login": FORM.replace("<input type=password", "<input autofocus type=password")}) as other:
        session, _ = await opened(
            FORM + f"<script>document.querySelector('[name=p]').onfocus = () => location = '{other.url}/login'</script>"
        )
        seen = await session.observe()
        assert await refused(session, seen, "p") is Reason.ORIGIN_NOT_ALLOWED
        await session.settle()
        assert session.origin == other.origin
        value: str = await session._tab.page.evaluate("document.querySelector('[name=p]').value")
        assert not value


async def test_an_observation_from_before_a_move_to_another_origin_types_nothing(opened: Open) -> None:
    with serve({"/login": FORM}) as other:
        session, _ = await opened(FORM)
        seen = await session.observe()
        await session._tab.page.goto(f"{other.url}/login")
        assert await refused(session, seen, "p") is Reason.LEFT_SITE
        session.allow(frozenset({other.origin}))
        assert (
            await refused(session, seen, "p", origins=frozenset({Origin("http", "127.0.0.1", 1)}))
            is Reason.ORIGIN_NOT_ALLOWED
        )
        assert not other.posts()


async def test_a_frame_is_filled_only_on_a_listed_origin(opened: Open) -> None:
    with serve({"/": FORM, "/login": "In"}) as bank:
        session, site = await opened(f"<iframe src='{bank.url}/' width=600 height=300></iframe>")
        seen = await session.observe()
        assert await refused(session, seen, "p", frame=1, origins=frozenset({site.origin})) is Reason.ORIGIN_NOT_ALLOWED
        await session.fill(seen, 1, field(seen, "p", 1).id, SECRET, kind="password", origins=frozenset({bank.origin}))
        await session.click(seen, 1, 2, origins=frozenset({bank.origin}))
        assert bank.posts()[0].form["p"] == SECRET.reveal()


async def test_one_digit_boxes_get_one_digit_each(opened: Open) -> None:
    session, _ = await opened(
        "".join(
            f"<input name=c{i} maxlength=1 oninput='this.nextElementSibling && this.nextElementSibling.focus()'>"
            for i in range(6)
        )
    )
    seen = await session.observe()
    filled = [await put(session, seen, f"c{i}", Secret(str(i)), "code") for i in range(6)]
    assert all([await session.holds(each) for each in filled])


async def test_an_embedded_page_that_takes_the_focus_ends_the_typing_within_a_key(opened: Open) -> None:
    thief = "<input id=i autofocus><script>setInterval(() => { window.focus(); i.focus(); }, 1)</script>"
    with serve({"/": thief}) as other:
        session, _ = await opened(FORM + f"<iframe src='{other.url}/' width=300 height=80></iframe>")
        seen = await session.observe()
        page = session._tab.page
        assert await refused(session, seen, "p") is Reason.FILL_MISMATCH
        assert len(await page.frames[1].evaluate("i.value")) <= 1


async def test_a_page_that_moves_on_while_keys_are_under_way_gets_none_elsewhere(opened: Open) -> None:
    with serve({"/login": FORM.replace("<input type=password", "<input autofocus type=password")}) as other:
        session, _ = await opened(
            FORM
            + "<script>let n = 0; document.querySelector('[name=p]').onkeydown = () => "
            + f"{{ if (++n == 3) location = '{other.url}/login' }}</script>"
        )
        seen = await session.observe()
        assert await refused(session, seen, "p") is Reason.ORIGIN_NOT_ALLOWED
        await session.settle()
        assert session.origin == other.origin
        assert not await session._tab.page.evaluate("document.querySelector('[name=p]').value")


async def test_keys_reach_no_other_field_of_the_page(opened: Open) -> None:
    session, _ = await opened(
        FORM
        + "<script>document.querySelector('[name=p]').oninput = "
        + "() => document.querySelector('[name=u]').focus()</script>"
    )
    seen = await session.observe()
    assert await refused(session, seen, "p") is Reason.FILL_MISMATCH
    assert not await session._tab.page.evaluate("document.querySelector('[name=u]').value")
    await session._tab.page.evaluate("document.querySelector('[name=p]').oninput = null")
    filled = await put(session, seen, "u", "anna", "username")
    assert await session.holds(filled)


async def test_a_page_around_a_frame_that_takes_the_focus_gets_no_key(opened: Open) -> None:
    with serve({"/": FORM}) as bank:
        session, site = await opened(
            f"<input id=i><iframe src='{bank.url}/' width=600 height=300></iframe>"
            "<script>setInterval(() => { window.focus(); i.focus(); }, 1)</script>"
        )
        seen = await session.observe()
        origins = frozenset({bank.origin})
        with suppress(BrowserError):  # who has the focus when is a matter of luck
            await session.fill(seen, 1, field(seen, "p", 1).id, SECRET, kind="password", origins=origins)
        assert not await session._tab.page.evaluate("i.value")
        assert not site.posts()
