"""One browser for all tests of this room; each test has sessions of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack

import pytest
import pytest_asyncio

from remit.browser import Broker, Session
from remit.contract import Origin
from remit.settings import Settings
from tests.sites.pages import Page, Site, serve

Open = Callable[..., Awaitable[tuple[Session, Site]]]


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def broker() -> AsyncIterator[Broker]:
    """A broker whose browser lives as long as the test run. Tests that use it run in the session's event loop."""
    async with Broker(Settings(max_sessions=16)) as broker:
        yield broker


@pytest_asyncio.fixture(loop_scope="session")
async def opened(broker: Broker) -> AsyncIterator[Open]:
    """Open pages by serving them: one as text, or several by path, of which `/` is opened."""
    sessions: list[Session] = []
    with ExitStack() as stack:

        async def open_(
            pages: str | dict[str, Page], *, allowed: frozenset[Origin] = frozenset()
        ) -> tuple[Session, Site]:
            site = stack.enter_context(serve({"/": pages} if isinstance(pages, str) else pages))
            session = await broker.open(f"{site.url}/", allowed=allowed)
            sessions.append(session)
            return session, site

        yield open_
        known = {session.id for session in broker.sessions()}
        for session in sessions:
            if session.id in known:
                await broker.close(session.id)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Coroutine tests that use the shared browser run in its loop."""
    for item in items:
        if isinstance(item, pytest.Function) and {"broker", "opened"} & set(item.fixturenames):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)
