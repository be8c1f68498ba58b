"""Nothing of a secret, and nothing that a page says, is in an answer, a log, or a file."""

from __future__ import annotations

import json
import logging
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from remit.executors import _signing_in
from tests.canary import Canaries, Hit
from tests.executors.conftest import PASSWORD, USERNAME, Json, Remit, Serve
from tests.sites.pages import Page, Site
from tests.sites.signin import echoes, forms
from tests.sites.signin.desk import FORM, INSIDE, carried, desk, document, door, sent

SECRETS = Canaries({"password": PASSWORD, "user name": USERNAME})
WORDS = Canaries({"page": echoes.INJECTED, "start": echoes.INJECTED[:30]})
Leaks = Callable[[Canaries, Json], list[Hit]]


@pytest.fixture
def leaks(
    remit: Remit,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Leaks]:
    """Where canaries are found: the answer, all logs down to the finest, both outputs, all folders of ours."""
    caplog.set_level(logging.DEBUG)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(_signing_in, "PATIENCE_S", 1.0)

    def found(canaries: Canaries, answer: Json) -> list[Hit]:
        out, err = capfd.readouterr()
        texts = {"answer": json.dumps(answer, ensure_ascii=False), "log": caplog.text, "out": out, "err": err}
        hits = [hit for where, text in texts.items() for hit in canaries.in_text(text, where)]
        hits += [hit for record in caplog.records for hit in canaries.in_text(repr(record.__dict__), "record")]
        settings = remit.settings
        for folder in (settings.data_dir, settings.vault_dir, settings.files_dir, tmp_path):
            hits += canaries.in_folder(folder)
        return hits

    yield found
    assert list(tmp_path.iterdir()) == []


async def run(remit: Remit, site: Site) -> Json:
    """Open, sign in and close; all answers."""
    remit.store(site)
    opened = await remit.call("open_sites", urls=[site.url])
    session = opened["sessions"][0]["session_id"]
    told = await remit.call("login_sites", session_ids=[session])
    listed = await remit.call("list_credentials")
    return {
        "opened": opened,
        "told": told,
        "listed": listed,
        "closed": await remit.call("close_sites", session_ids=[session]),
    }


@pytest.mark.parametrize(
    ("pages", "status"),
    [
        (echoes.echoing(FORM), "done"),
        (echoes.echoing(FORM.replace("method=post", "method=post autocomplete=off")), "done"),
        (echoes.refused_with(FORM), "failed"),
    ],
    ids=["five places", "again", "refusal"],
)
async def test_a_secret_that_the_page_gives_back_stays_on_the_page(
    remit: Remit, served: Serve, leaks: Leaks, pages: Mapping[str, Page], status: str
) -> None:
    site = served(pages)
    answers = await run(remit, site)
    assert answers["told"]["sessions"][0]["status"] == status
    assert len(site.posts()) == 1
    assert leaks(SECRETS, answers) == []


async def test_a_form_that_sends_by_address_is_not_given_the_secret_twice(
    remit: Remit, served: Serve, leaks: Leaks
) -> None:
    site = served({"/": FORM.replace("method=post", "method=get"), "/login": INSIDE})
    answers = await run(remit, site)
    assert len([path for path in carried(site, PASSWORD) if path == "/login"]) <= 1
    assert leaks(SECRETS, answers) == []


@pytest.mark.parametrize("masked", [True, False])
async def test_a_value_that_stood_in_a_secret_field_is_never_read(
    remit: Remit, served: Serve, leaks: Leaks, masked: bool
) -> None:
    canary = "prefilled-canary-77"
    plain = FORM.replace("type=password", f"type=password value={canary}")
    page = forms.masked(canary) if masked else plain
    answers = await run(remit, served(desk(page)))
    assert answers["told"]["status"] == "done"
    assert leaks(Canaries({"value": canary}), answers) == []


async def test_nothing_that_a_hostile_page_says_leaves_it(remit: Remit, served: Serve, leaks: Leaks) -> None:
    inside = document(INSIDE + f"<h2>{echoes.INJECTED}</h2>", echoes.INJECTED)
    site = served({"/": echoes.HOSTILE, "/login": door(echoes.HOSTILE), "/inside": inside})
    answers = await run(remit, site)
    assert answers["told"]["status"] == "done"
    assert [path for path, _ in sent(site)] == ["/login"]
    assert leaks(WORDS, answers) == []
    assert leaks(SECRETS, answers) == []


async def test_nor_when_it_leads_nowhere(remit: Remit, served: Serve, leaks: Leaks) -> None:
    nowhere = document(f"<h1>{echoes.INJECTED}</h1><a href=/more>Sign in, {echoes.INJECTED}</a>", echoes.INJECTED)
    site = served({"/": nowhere, "/more": nowhere})
    answers = await run(remit, site)
    assert answers["told"]["status"] == "failed"
    assert sent(site) == []
    assert leaks(WORDS, answers) == []


async def test_what_is_kept_is_private(remit: Remit, served: Serve) -> None:
    await run(remit, served(desk(FORM)))
    for folder in (remit.settings.data_dir, remit.settings.vault_dir):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        for root, folders, files in os.walk(folder):
            assert {stat.S_IMODE((Path(root) / each).stat().st_mode) for each in folders} <= {0o700}
            assert {stat.S_IMODE((Path(root) / each).stat().st_mode) for each in files} <= {0o600}


async def test_the_list_of_credentials_names_origins_and_handles_alone(remit: Remit, served: Serve) -> None:
    site = served(desk(FORM))
    known = remit.store(site)
    listed = (await remit.call("list_credentials"))["credentials"]
    own = next(item for item in listed if item["credential_id"] == known)
    assert own == {"credential_id": known, "origins": [site.url], "totp": False}
