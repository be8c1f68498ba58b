from __future__ import annotations

from pathlib import Path

import pytest

from remit.contract import Reason, RemitError
from remit.runs import Rooms, Runs
from remit.settings import Settings
from tests.executors.conftest import Remit, Serve


async def test_what_is_open_is_listed_where_no_more_may_be(tmp_path: Path, served: Serve) -> None:
    site = served({"/": "<h1>Hi</h1>"})
    settings = Settings(
        data_dir=tmp_path / "d", vault_dir=tmp_path / "v", files_dir=tmp_path / "f", vault_key="file", max_sessions=2
    )
    async with Rooms(settings) as rooms, Runs(rooms) as runs:
        remit = Remit(runs, settings, rooms)
        told = await remit.call("open_sites", urls=[site.url + "/?secret=1"] * 3)
        assert [item.get("reason") for item in told["sessions"]] == [None, None, "too_many_sessions"]
        ids = [item["session_id"] for item in told["sessions"][:2]]
        assert told["open"] == [{"session_id": each, "site": site.url} for each in ids]
        await remit.call("close_sites", session_ids=ids[:1])
        assert (await remit.call("open_sites", urls=[site.url]))["status"] == "done"


async def test_a_session_is_known_only_to_who_opened_it(remit: Remit, served: Serve) -> None:
    session = await remit.open(served({"/": "<h1>Hi</h1>"}))
    broker = await remit.rooms.broker()
    with pytest.raises(RemitError) as caught:
        broker.session(session, "somebody else")
    assert caught.value.reason is Reason.UNKNOWN_SESSION
    with pytest.raises(RemitError):
        await broker.close(session, "somebody else")
    assert session not in [each.id for each in broker.sessions("somebody else")]
    assert (await remit.call("close_sites", session_ids=[session]))["closed"] == 1
