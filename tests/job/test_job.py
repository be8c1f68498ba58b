"""The whole way: from a planner's call to a verified spreadsheet, and nothing leaks on it."""

from __future__ import annotations

import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from openpyxl import load_workbook

from tests.canary import Canaries
from tests.real.conversation import Folders, end_leftovers
from tests.real.leaks import canaries_in, known_to, page_sentences, sentences_in, shapes_in
from tests.real.transcript import Transcript
from tests.sites.portal import invoices, posts
from tests.sites.running_portal import PASSWORD, USERNAME, RunningPortal, running_portal

from .steps import folders_for, job, truth, written

CANARIES = Canaries({"password": PASSWORD, "user name": USERNAME})
BUDGET_TOKENS = 1500


@contextmanager
def prepared(tmp_path: Path) -> Iterator[tuple[RunningPortal, Folders]]:
    with running_portal(tmp_path) as portal:
        yield portal, folders_for(tmp_path, portal)


async def test_the_job_ends_in_a_file_that_equals_the_portals_database(tmp_path: Path) -> None:
    transcript = Transcript()
    with prepared(tmp_path) as (portal, folders):
        async with job(folders, portal, transcript) as done:
            await done.run()
        assert {tool: told["status"] for tool, told in done.told.items()} == dict.fromkeys(done.told, "done")
        receipt = done.told["collect_sites"]["collections"][0]
        assert (receipt["pages"], receipt["seen"], receipt["announced"], receipt["stop"]) == (8, 200, 200, "exhausted")
        path = Path(done.told["write_spreadsheet"]["path"])
        assert written(path) == truth(portal)
        assert [post.form for post in posts(portal.db)] == ["identifier", "password"]
        assert done.talk.tokens <= BUDGET_TOKENS
        assert all(call.tokens <= 300 for call in done.talk.calls)
        _nothing_leaked(transcript, portal, folders)
        assert end_leftovers(folders, 5) == 0


def _nothing_leaked(transcript: Transcript, portal: RunningPortal, folders: Folders) -> None:
    messages = transcript.messages
    known = known_to(messages, [portal.url])
    pages = "".join(urllib.request.urlopen(portal.url + path).read().decode() for path in ("", "signin", "products"))
    records = [text for each in invoices(portal.db) for text in (each.customer, each.description, each.number)]
    hits = [
        *canaries_in(messages, CANARIES),
        *shapes_in(messages, known),
        *sentences_in(messages, page_sentences(pages), "page", known),
        *sentences_in(messages, records, "record", known),
        *CANARIES.in_folder(folders.root),
    ]
    assert hits == []


async def test_progress_tells_of_pages_up_to_the_last(tmp_path: Path) -> None:
    transcript = Transcript()
    with prepared(tmp_path) as (portal, folders):
        async with job(folders, portal, transcript) as done:
            await done.run()
    said = [
        message.body["params"]
        for message in transcript.messages
        if message.body.get("method") == "notifications/progress" and isinstance(message.body["params"], dict)
    ]
    pages = [str(each["message"]).split(",")[0] for each in said if str(each["message"]).startswith("page")]
    assert len(pages) > 2
    assert pages[-1] == "page 8"


async def test_a_wrong_password_is_rejected_once_and_then_rests(tmp_path: Path) -> None:
    transcript = Transcript()
    with running_portal(tmp_path, password="another-" + PASSWORD) as portal:
        folders = folders_for(tmp_path, portal)
        async with job(folders, portal, transcript) as done:
            opened = await done.call("open_sites", urls=[portal.url])
            ids = [session["session_id"] for session in opened["sessions"]]
            for reason in ("rejected", "cool_down"):
                told = await done.call("login_sites", session_ids=ids)
                assert (told["status"], told["reason"]) == ("failed", reason)
        assert [post.form for post in posts(portal.db)] == ["identifier", "password"]
        _nothing_leaked(transcript, portal, folders)


async def test_without_signing_in_there_is_no_false_success(tmp_path: Path) -> None:
    with prepared(tmp_path) as (portal, folders):
        async with job(folders, portal, Transcript()) as done:
            opened = await done.call("open_sites", urls=[portal.url])
            ids = [session["session_id"] for session in opened["sessions"]]
            told = await done.call("collect_sites", session_ids=ids, items="invoices", fields=["number", "amount"])
            assert told["status"] == "failed"
            assert told["reason"] in ("no_records", "signed_out", "fields_not_found")


@pytest.mark.parametrize("name", ["invoices.csv", "invoices.xlsx"])
async def test_an_existing_file_is_never_changed(tmp_path: Path, name: str) -> None:
    with prepared(tmp_path) as (portal, folders):
        async with job(folders, portal, Transcript()) as done:
            done.name = name
            await done.run()
            path = Path(done.told["write_spreadsheet"]["path"])
            before = path.read_bytes()
            dataset_id = done.told["collect_sites"]["collections"][0]["dataset_id"]
            told = await done.call("write_spreadsheet", dataset_id=dataset_id, name=name)
            assert (told["status"], told["reason"]) == ("failed", "file_exists")
            assert path.read_bytes() == before
        if name.endswith(".xlsx"):
            lines = [row[0] for row in load_workbook(path)["Receipt"].iter_rows(values_only=True)]
            assert "announced by the site: 200" in lines
