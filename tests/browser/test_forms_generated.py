"""Generated forms: whatever stands around the fields of a login, a secret goes into the one made for it or nowhere."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hypothesis import given, settings
from hypothesis import strategies as st

from remit.browser import LoginTarget, code_target, login_target
from remit.browser.observation import Form
from tests.browser.forms_builder import ORIGIN, Draft, button, checkbox, field, form, link, page, secret, submit
from tests.browser.forms_words import WORDS, Words

Parts = tuple[Form, tuple[Draft, ...]]
NAME, PASSWORD = "made-for-the-name", "made-for-the-password"
words = st.sampled_from(list(WORDS.values()))
identifier = st.text("abcdefghijkmnpqrtvwxyz0123456789", min_size=3, max_size=8).map("z".__add__)


@dataclass(frozen=True)
class Said:
    """How a field is named: by its label, its placeholder, or the text before it."""

    by: str

    def on(self, control: Draft, text: str) -> Draft:
        if self.by == "before":
            return replace(control, before=text)
        if self.by == "placeholder":
            return replace(control, name=text, placeholder=text)
        return replace(control, name=text, label=text)


said = st.sampled_from(["label", "placeholder", "before"]).map(Said)


def trap(name: str) -> st.SearchStrategy[Draft]:
    """A field that no person sees or reaches."""
    ways = [{"visible": False}, {"aria_hidden": True, "untabbable": True}, {"visible": False, "untabbable": True}]
    return st.sampled_from(ways).map(lambda way: field(name, html_name=name, **way))


traps = st.lists(st.sampled_from(["email", "website", "username", "url"]).flatmap(trap), max_size=2)


@st.composite
def logins(draw: st.DrawFn) -> Parts:
    """A login in one language; its two fields are known by their titles, which nothing reads if there is a name."""
    text, how = draw(words), draw(said)
    user = replace(how.on(field(html_name=draw(identifier)), text.name), html_class=NAME)
    password = replace(how.on(secret("", html_name=draw(identifier)), text.password), html_class=PASSWORD)
    around = draw(st.permutations([link(text.forgotten), button("Continue with Google"), checkbox(text.remember)]))
    parts = [*draw(traps), user, *draw(traps), password, *around, submit(text.enter)]
    return form(
        *parts, heading=draw(st.sampled_from(["", text.enter])), action="https://shop.example/a", has_action=True
    )


@st.composite
def others(draw: st.DrawFn) -> Parts:
    """A form that is no login: to join, to recover, to subscribe, to search, to change, or to write."""
    text: Words = draw(words)
    email = field("", type="email", html_name=draw(identifier))
    first, again = secret(text.chosen, html_name=draw(identifier)), secret(text.repeated, html_name=draw(identifier))
    return draw(
        st.sampled_from(
            [
                form(email, first, again, submit(text.create)),
                form(email, first, submit(text.create), heading=text.create),
                form(email, submit(text.reset), heading=text.forgotten),
                form(replace(email, placeholder=text.letter), submit(text.subscribe)),
                form(field("Search", type="search", role="searchbox"), submit("Search"), method="get"),
                form(secret("Current password"), first, again, submit("Save")),
                form(field("Name"), email, field("Message", tag="textarea"), submit("Send")),
                form(field("Card number"), secret("CVV", maxlength=4), submit("Pay")),
                form(*[secret(f"Character {n}", maxlength=1) for n in (2, 5, 7)], submit(text.enter)),
            ]
        )
    )


@given(login=logins(), around=st.lists(others(), max_size=3), place=st.integers(0, 3))
@settings(max_examples=150, deadline=None)
def test_a_secret_goes_into_the_field_made_for_it_among_any_others(
    login: Parts, around: list[Parts], place: int
) -> None:
    forms = [*around[:place], login, *around[place:]]
    observation = page(*forms)
    found = login_target(observation, {ORIGIN})
    assert isinstance(found, LoginTarget)
    controls = observation.main.controls
    assert found.password is not None
    assert found.username is not None
    assert controls[found.password].html_class == PASSWORD
    assert controls[found.username].html_class == NAME
    assert found.submit is not None
    assert controls[found.submit].form == found.form
    assert controls[found.submit].name != "Continue with Google"


@given(around=st.lists(others(), max_size=4))
@settings(max_examples=150, deadline=None)
def test_without_a_login_no_secret_goes_anywhere(around: list[Parts]) -> None:
    observation = page(*around)
    assert not isinstance(login_target(observation, {ORIGIN}), LoginTarget)
    assert code_target(observation, {ORIGIN}) is None
