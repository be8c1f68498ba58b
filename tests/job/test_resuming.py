"""A collection whose server is killed with SIGKILL, and taken up by the next: no row lost, none twice, no click again.

A handful of points spread over the collection run with the tests. `REMIT_KILL_ALL=1` runs every point.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from remit.contract import Origin, Secret
from remit.records import Datasets
from remit.settings import Settings
from remit.state import Database
from remit.vault import NewCredential, Vault
from tests.server.conversations import environment, server
from tests.sites.pages import Answer, Page, Request, Site, serve
from tests.sites.signin_app import Accounts

USERNAME, PASSWORD = "ada@example.test", "canary-Pass-91"
PAGES, SIZE = 6, 5
NEVER = 10**9
POINTS = 6
KILLER = Path(__file__).parent / "killing_server.py"
TRUTH = [f"INV-{number:03}" for number in range(1, PAGES * SIZE + 1)]
Json = dict[str, Any]


class Portal:
    """Numbered pages behind a sign-in; `linked` rows lead to a page of their own, and `way` is how a page leads on."""

    def __init__(self, way: str) -> None:
        self.accounts = Accounts(USERNAME, PASSWORD)
        self.way = way

    def pages(self) -> dict[str, Page]:
        return self.accounts.pages({"/": self.list})

    def list(self, request: Request) -> str | Answer:
        if request.cookies.get("sid") not in self.accounts.inside:
            return Answer.redirect("/login")
        number = int(dict(part.split("=") for part in request.query.split("&") if part).get("page", 1))
        rows = "".join(
            f"<tr><td>{name}</td><td>{at % 28 + 1:02}/01/2026</td><td>{at},00</td></tr>"
            for at, name in enumerate(TRUTH)
            if at // SIZE == number - 1
        )
        onward = "" if number == PAGES else self.way.format(next=number + 1)
        return (
            "<title>Desk</title><a href=/logout>Log out</a><h1>Invoices</h1><table><tr><th>Number<th>Date<th>Total</tr>"
            f"{rows}</table><p>{len(TRUTH)} invoices</p><nav aria-label=Pages>{onward}</nav>"
        )


LINK = "<a href='/?page={next}' rel=next>Next</a>"
FORM = "<form><input type=hidden name=page value={next}><button>Next</button></form>"


def store(folder: Path, site: Site) -> None:
    settings = Settings(data_dir=folder / "data", vault_dir=folder / "vault", vault_key="file")
    Vault.open(settings).add(
        NewCredential(
            label="x",
            origins=(Origin.of(site.url),),
            username=Secret(USERNAME),
            password=Secret(PASSWORD),
            keep_session=True,
        )
    )


async def call(client: Client, tool: str, **arguments: object) -> Json:
    content: Json | None = (await client.call_tool(tool, arguments)).structured_content
    assert content is not None
    return content


async def killed_at(folder: Path, site: Site, point: int) -> tuple[int, int]:
    """Collect on a server that dies at the point: points passed before the collection, and in all."""
    count, before = folder / "points", 0
    extra = {"REMIT_KILL_AT": str(point), "REMIT_KILL_COUNT": str(count)}
    killer = StdioServerParameters(
        command=sys.executable, args=[str(KILLER), "serve"], env=environment(folder, **extra)
    )
    with suppress(Exception):  # the client notices its server's end in one way or another
        async with Client(stdio_client(killer)) as client:
            opened = await call(client, "open_sites", urls=[site.url])
            session = opened["sessions"][0]["session_id"]
            assert (await call(client, "login_sites", session_ids=[session]))["status"] == "done"
            before = int(count.read_text())
            await call(client, "collect_sites", session_ids=[session], items="invoices", fields=["Number", "Date"])
    return before, int(count.read_text())


def left(folder: Path) -> tuple[str | None, int, int]:
    """The unfinished collection, how many rows it had told of, and how many there are."""
    database = Database.in_folder(folder / "data")
    Datasets(database)
    run = database.one("SELECT id, checkpoint FROM runs WHERE tool = 'collect_sites' AND ended IS NULL")
    rows = database.one("SELECT count(*) AS n FROM dataset_entries")
    told = 0
    if run is not None and run["checkpoint"]:
        import json

        told = sum(item.get("exported", 0) for item in json.loads(run["checkpoint"])["collections"])
    database.close()
    return (run["id"] if run else None), told, rows["n"] if rows else 0


def numbers(folder: Path, dataset_id: str) -> list[str]:
    database = Database.in_folder(folder / "data")
    found = [row.cells[0].text for row in Datasets(database).rows(dataset_id)]
    database.close()
    return found


async def check(folder: Path, point: int, way: str) -> None:
    with serve(Portal(way).pages()) as site:
        store(folder, site)
        _, passed = await killed_at(folder, site, point)
        assert passed == point
        run_id, told, rows = left(folder)
        assert rows >= told
        if run_id is None:
            return
        asked = Counter(request.query for request in site.requests if request.path == "/")
        async with Client(stdio_client(server(folder))) as client:
            taken_up = await call(client, "continue_run", run_id=run_id)
            again = await call(client, "continue_run", run_id=run_id)
        assert again == taken_up
        assert taken_up["run_id"] != run_id
        item = taken_up["collections"][0]
        anew = Counter(request.query for request in site.requests if request.path == "/") - asked
        if way == LINK:
            assert (item["status"], item["exported"]) == ("done", len(TRUTH))
            assert numbers(folder, item["dataset_id"]) == TRUTH
            assert all(times == 1 for query, times in anew.items() if query)
            assert sum((anew & asked).values()) <= 2  # the session's home, and the page that was on its way
        else:
            assert item["status"] in ("done", "partial", "failed")
            if rows:
                assert numbers(folder, item["dataset_id"]) == TRUTH[: item["exported"]]
                assert item["exported"] >= told
            assert not [query for query in anew if query in asked and query]
        assert len(site.posts("/login")) == 1


async def _range(folder: Path, way: str) -> tuple[int, int]:
    with serve(Portal(way).pages()) as site:
        store(folder, site)
        return await killed_at(folder, site, NEVER)


@pytest.mark.parametrize("way", [LINK, FORM], ids=["by a link", "by a form"])
async def test_a_killed_collection_is_taken_up(tmp_path: Path, way: str) -> None:
    first, last = await _range(tmp_path / "whole", way)
    every = range(first + 1, last + 1)
    points = every if os.environ.get("REMIT_KILL_ALL") else every[2 :: max(1, len(every) // POINTS)]
    for point in points:
        await check(tmp_path / str(point), point, way)
