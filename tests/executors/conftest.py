"""One browser for the room's tests; each test has a server of its own over small local pages."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from pydantic import BaseModel

from remit.browser import Session
from remit.contract import Origin, Registry, Secret, builtin_folder
from remit.handoff import Answer, Pending, Verdict
from remit.runs import Rooms, Runs
from remit.settings import Settings
from remit.vault import NewCredential, Vault
from tests.sites.pages import Page, Site, serve

USERNAME, PASSWORD = "ada@example.test", "canary-Pass-91"
PRINCIPAL = "test"
Json = dict[str, Any]


class Remit:
    """Calls executors as the server does, without a protocol in between."""

    def __init__(self, runs: Runs, settings: Settings, rooms: Rooms) -> None:
        self._runs = runs
        self.settings = settings
        self.rooms = rooms
        self._registry = Registry((builtin_folder(),))

    async def call(self, tool: str, **arguments: object) -> Json:
        """The envelope's payload, once the run has ended."""
        published = self._registry.published[tool]
        model: BaseModel = published.executor.arguments_model.model_validate(arguments)
        payload: Json = (await self._runs.call(published, model, PRINCIPAL)).payload()
        while payload["status"] == "running":
            payload = await self.call("continue_run", run_id=payload["run_id"])
        return payload

    async def open(self, site: Site, path: str = "/") -> str:
        """A session on a page of the site."""
        opened = await self.call("open_sites", urls=[site.url + path])
        return str(opened["sessions"][0]["session_id"])

    async def session(self, session_id: str) -> Session:
        """The open session itself, to play the person in front of it."""
        return (await self.rooms.broker()).session(session_id, PRINCIPAL)

    def store(self, site: Site, **facts: Any) -> str:
        """Store a credential for the site; `facts` as of NewCredential, `login_path` for `login_url`. Its id."""
        path = facts.pop("login_path", None)
        known: dict[str, Any] = {
            "label": "x",
            "origins": (Origin.of(site.url),),
            "username": Secret(facts.pop("username", USERNAME)),
            "password": Secret(PASSWORD),
            "login_url": None if path is None else site.url + path,
            **facts,
        }
        return Vault.open(self.settings).add(NewCredential(**known)).id

    async def login(self, site: Site, **facts: Any) -> Json:
        """Store a credential for the site and sign in; the session's item."""
        self.store(site, **facts)
        return await self.login_again(await self.open(site))

    async def login_again(self, session_id: str, **arguments: object) -> Json:
        """Sign in to a session with what is stored; its item."""
        told = await self.call("login_sites", session_ids=[session_id], **arguments)
        item: Json = told["sessions"][0]
        return item

    def question(self) -> Pending:
        """The one question that is open."""
        (pending,) = self.rooms.desk.open_questions()
        return pending

    async def answer(self, verdict: Verdict = Verdict.RESUMED, **given: Any) -> Json:
        """Answer the open question as its person in the panel does; what the run then tells."""
        pending = self.question()
        self.rooms.desk.answer(pending.id, Answer(verdict, **given))
        return await self.call("continue_run", run_id=pending.run_id)

    async def collect(self, site: Site, *fields: str, **more: object) -> Json:
        """Collect from a fresh session; its receipt."""
        session = await self.open(site)
        asked: dict[str, object] = {"items": "invoices", "fields": list(fields), **more}
        item: Json = (await self.call("collect_sites", session_ids=[session], **asked))["collections"][0]
        return item

    def texts(self, receipt: Json) -> list[tuple[str, ...]]:
        """The collected rows."""
        rows = self.rooms.datasets.rows(receipt["dataset_id"])
        return [tuple(cell.text for cell in row.cells) for row in rows]


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def process(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Remit]:
    """One process's worth of Remit for the whole run."""
    root: Path = tmp_path_factory.mktemp("remit")
    settings = Settings(
        data_dir=root / "data", vault_dir=root / "vault", files_dir=root / "files", vault_key="file", max_sessions=64
    )
    ready: asyncio.Future[Remit] = asyncio.get_running_loop().create_future()
    over = asyncio.Event()

    async def live() -> None:
        async with Rooms(settings) as rooms, Runs(rooms) as runs:
            ready.set_result(Remit(runs, settings, rooms))
            await over.wait()

    task = asyncio.create_task(live())  # what opens the rooms must close them: a fixture's two halves are two tasks
    yield await ready
    over.set()
    await task


@pytest_asyncio.fixture(loop_scope="session")
async def remit(process: Remit) -> AsyncIterator[Remit]:
    """It, with no session left open to the next test, and no credential that another site's port could meet."""
    yield process
    for pending in process.rooms.desk.open_questions():
        await process.call("continue_run", run_id=pending.run_id, cancel=True)
    vault = Vault.open(process.settings)
    for known in vault.list():
        vault.remove(known.id)
    broker = await process.rooms.broker()
    for session in broker.sessions(PRINCIPAL):
        await broker.close(session.id, PRINCIPAL)


Serve = Callable[[Mapping[str, Page]], Site]


@pytest.fixture
def served() -> Any:
    """Serve pages by path until the test ends."""
    with ExitStack() as stack:
        yield lambda pages: stack.enter_context(serve(pages))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Coroutine tests that use the shared browser run in its loop."""
    for item in items:
        if isinstance(item, pytest.Function) and "remit" in item.fixturenames:
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)
