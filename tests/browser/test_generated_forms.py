"""Generated sign-in pages in a real browser: a secret goes into the field made for it or nowhere."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, event, given, settings

from remit.browser import Ambiguous, Broker, LoginTarget, Observation, Session, login_target
from remit.contract import Secret
from remit.settings import Settings
from tests.browser.form_generator import Made, Purpose, pages
from tests.sites.pages import Site, serve

T = TypeVar("T")
NAME, PASSWORD = "canary@example.test", "canary-Pass-17"
FOUND_AT_LEAST = 0.9
_MARKS = "(seen, ids) => ids.map(id => seen.elements[id]?.dataset?.n ?? '')"
_HELD = """canaries => {
  const found = [], look = root => { for (const el of root.querySelectorAll('*')) {
    for (const canary of canaries) if ((el.value ?? '').includes?.(canary)) found.push([el.dataset.n ?? '', canary]);
    if (el.shadowRoot) look(el.shadowRoot) } };
  look(document);
  return found }"""


def rendered(examples: int, **more: Any) -> settings:
    """Rendering takes what it takes. Hypothesis' own profile for CI draws the same pages each time."""
    return settings(max_examples=examples, deadline=None, suppress_health_check=[HealthCheck.too_slow], **more)


@dataclass(repr=False)
class Window:
    """One session in which page after page is shown, in a loop of its own: what hypothesis draws is not a coroutine."""

    loop: asyncio.AbstractEventLoop
    session: Session
    site: Site
    elsewhere: Site

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(coroutine)

    async def show(self, made: Made) -> tuple[Observation, LoginTarget | Ambiguous | None]:
        """Render the page, observe it as an executor does, and look for the login."""
        self.site.pages["/"] = made.html.replace("{elsewhere}", self.elsewhere.url)
        self.elsewhere.pages["/embedded"] = made.embedded
        await self.session.goto(f"{self.site.url}/")
        await self.session.settle()
        seen = await self.session.observe(content=True)
        return seen, login_target(seen, {str(self.site.origin)})

    async def purposes(self, seen: Observation, made: Made, target: LoginTarget) -> tuple[Purpose | None, ...]:
        """What the generator made the target's name field, password field and submit control for."""
        ids = (target.username, target.password, target.submit)
        handle = self.session._tab.frame(seen, target.frame).handle
        marks = await handle.evaluate(_MARKS, [-1 if each is None else each for each in ids])
        known = [made.purposes.get(mark, Purpose.OTHER) for mark in marks]
        return tuple(None if id_ is None else purpose for id_, purpose in zip(ids, known, strict=True))

    async def held(self) -> set[tuple[str, str]]:
        """The marks of all fields, of all frames, that hold a canary; and which."""
        found: set[tuple[str, str]] = set()
        for frame in self.session._tab.page.frames:
            found |= {(mark, canary) for mark, canary in await frame.evaluate(_HELD, [NAME, PASSWORD])}
        return found


@pytest.fixture(scope="module")
def window() -> Iterator[Window]:
    loop = asyncio.new_event_loop()
    broker = Broker(Settings())
    with ExitStack() as stack:
        stack.callback(loop.close)
        site, elsewhere = (stack.enter_context(serve({"/": "Hello"})) for _ in range(2))
        stack.callback(lambda: loop.run_until_complete(broker.aclose()))
        session = loop.run_until_complete(broker.open(f"{site.url}/"))
        yield Window(loop, session, site, elsewhere)


def allowed(purposes: tuple[Purpose | None, ...]) -> bool:
    """Each in the field made for it, or nowhere; sent by the login's own control, or by Enter."""
    name, password, submit = purposes
    right = name in (None, Purpose.NAME) and password in (None, Purpose.PASSWORD)
    return right and submit in (None, Purpose.SUBMIT)


def test_among_whatever_stands_around_a_login_only_its_own_fields_are_found_and_mostly_they_are(
    window: Window,
) -> None:
    tally: Counter[str] = Counter()

    @rendered(150, derandomize=True)  # a share is compared: it must not depend on luck
    @given(made=pages(login=True))
    def check(made: Made) -> None:
        seen, target = window.run(window.show(made))
        tally["shown"] += 1
        if not isinstance(target, LoginTarget):
            event("not found: " + " ".join(made.drawn))
            return
        purposes = window.run(window.purposes(seen, made, target))
        assert allowed(purposes), (purposes, made.drawn)
        whole = purposes[0] is Purpose.NAME and (made.first_step or purposes[1] is Purpose.PASSWORD)
        tally["found"] += whole

    check()
    print(f"logins found: {tally['found']} of {tally['shown']}")
    assert tally["shown"] >= 150
    assert tally["found"] >= FOUND_AT_LEAST * tally["shown"], tally


@rendered(50)
@given(made=pages(login=False))
def test_a_page_without_a_login_offers_nothing_to_fill(window: Window, made: Made) -> None:
    _, target = window.run(window.show(made))
    assert not isinstance(target, LoginTarget), made.drawn


@rendered(30)
@given(made=pages(login=True))
def test_what_was_really_typed_stands_in_the_fields_made_for_it_and_nowhere_else(window: Window, made: Made) -> None:
    window.site.requests.clear()

    async def fill() -> set[tuple[str, str]]:
        seen, target = await window.show(made)
        if not isinstance(target, LoginTarget):
            return set()
        origins = frozenset({window.site.origin})
        session = window.session
        if target.username is not None:
            await session.fill(seen, target.frame, target.username, NAME, kind="username", origins=origins)
        if target.password is not None:
            secret = Secret(PASSWORD)
            await session.fill(seen, target.frame, target.password, secret, kind="password", origins=origins)
        return await window.held()

    held = window.run(fill())
    made_for = {NAME: Purpose.NAME, PASSWORD: Purpose.PASSWORD}
    assert all(made.purposes.get(mark) is made_for[canary] for mark, canary in held), (held, made.drawn)
    assert not [r for r in (*window.site.requests, *window.elsewhere.requests) if r.method != "GET" or r.query]
