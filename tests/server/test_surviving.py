"""A server that is killed while a run waits for its person: what the next one makes of it."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client.stdio import stdio_client

from remit.contract import Origin, Secret
from remit.settings import Settings
from remit.vault import NewCredential, Vault
from tests.sites.pages import Site, serve
from tests.sites.signin_app import Accounts

from .conversations import server

USERNAME, PASSWORD = "ada@example.test", "canary-Pass-91"
Json = dict[str, Any]
_NOTING_ITS_PID = """
import os, pathlib, runpy, sys
pathlib.Path(sys.argv[1]).write_text(str(os.getpid()))
sys.argv = ["remit", "serve"]
runpy.run_module("remit", run_name="__main__")
"""


def store(folder: Path, site: Site, **facts: Any) -> None:
    settings = Settings(data_dir=folder / "data", vault_dir=folder / "vault", vault_key="file")
    credential = NewCredential(
        label="x",
        origins=(Origin.of(site.url),),
        username=Secret(USERNAME),
        password=Secret(PASSWORD),
        **facts,
    )
    Vault.open(settings).add(credential)


async def call(client: Client, tool: str, **arguments: object) -> Json:
    content: Json | None = (await client.call_tool(tool, arguments)).structured_content
    assert content is not None
    return content


async def killed_while_it_waits(folder: Path, site: Site) -> Json:
    """What a server told of a sign-in that waits for a code, before it was killed with its browser."""
    pid_file = folder / "pid"
    parameters = server(folder)
    parameters.args = ["-c", _NOTING_ITS_PID, str(pid_file)]
    waiting: Json = {}
    with suppress(Exception):  # the client notices its server's end in one way or another
        async with Client(stdio_client(parameters)) as client:
            opened = await call(client, "open_sites", urls=[site.url])
            waiting = await call(client, "login_sites", session_ids=[opened["sessions"][0]["session_id"]])
            os.kill(int(pid_file.read_text()), signal.SIGKILL)
            await call(client, "list_credentials")
    return waiting


async def test_a_run_that_waited_is_taken_up_under_a_new_id_and_sends_nothing_again(tmp_path: Path) -> None:
    desk = Accounts(USERNAME, PASSWORD, sms="012345", totp="-")
    with serve(desk.pages()) as site:
        store(tmp_path, site)
        waiting = await killed_while_it_waits(tmp_path, site)
        assert (waiting["status"], waiting["reason"]) == ("needs_user", "one_time_code")
        async with Client(stdio_client(server(tmp_path))) as client:
            told = await call(client, "continue_run", run_id=waiting["run_id"])
            again = await call(client, "continue_run", run_id=waiting["run_id"])
        assert told["run_id"] != waiting["run_id"]
        assert (told["status"], told["reason"]) == ("failed", "session_lost")
        assert again == told
        assert len(site.posts("/login")) == 1
        assert not site.posts("/code")


async def test_a_session_that_may_be_kept_is_there_again_after_a_restart(tmp_path: Path) -> None:
    with serve(Accounts(USERNAME, PASSWORD).pages()) as site:
        store(tmp_path, site, keep_session=True)
        async with Client(stdio_client(server(tmp_path))) as client:
            opened = await call(client, "open_sites", urls=[site.url])
            session = opened["sessions"][0]["session_id"]
            assert (await call(client, "login_sites", session_ids=[session]))["status"] == "done"
        async with Client(stdio_client(server(tmp_path))) as client:
            told = await call(client, "login_sites", session_ids=[session])
        assert (told["status"], told["sessions"][0].get("already")) == ("done", True)
        assert len(site.posts("/login")) == 1


async def test_a_session_that_may_not_be_kept_is_lost_and_said_to_be(tmp_path: Path) -> None:
    with serve(Accounts(USERNAME, PASSWORD).pages()) as site:
        store(tmp_path, site)
        async with Client(stdio_client(server(tmp_path))) as client:
            session = (await call(client, "open_sites", urls=[site.url]))["sessions"][0]["session_id"]
            assert (await call(client, "login_sites", session_ids=[session]))["status"] == "done"
        async with Client(stdio_client(server(tmp_path))) as client:
            for tool, more in (("login_sites", {}), ("act_sites", {"goal": "x", "until": "download"})):
                told = await call(client, tool, session_ids=[session], **more)
                assert (told["status"], told["reason"]) == ("failed", "session_lost")
        assert len(site.posts("/login")) == 1


@pytest.mark.parametrize("owner", ["of nobody", "of another"])
async def test_a_session_that_this_principal_never_had_is_unknown(tmp_path: Path, owner: str) -> None:
    session = "s_none"
    if owner == "of another":
        from remit.runs import Journal
        from remit.state import Database

        session = "s_other"
        database = Database.in_folder(tmp_path / "data")
        Journal(database).session_opened(session, "http:someone")
        database.close()
    async with Client(stdio_client(server(tmp_path))) as client:
        told = await call(client, "login_sites", session_ids=[session])
    assert told["reason"] == "unknown_session"
