"""Each kind of client reaches its person: by URL, by form, by neither, and within a short time, in both eras."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio.to_thread
import pytest
from mcp import Client, types
from mcp.client.session import ElicitationFnT
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from tests.sites.pages import Answer, Page, Request, Site, serve
from tests.sites.signin_app import Accounts

from .conversations import ERAS, Era, server
from .person import answer, invited
from .test_http import serving
from .test_surviving import PASSWORD, USERNAME, call, store

Json = dict[str, Any]
CODE = "012345"
DRAFT = "<h1>Draft</h1><form method=post action=/save><input name=a value=b><button>Save draft</button></form>"


@dataclass
class Person:
    """What a client showed, and how its person replies."""

    verdict: dict[str, str]
    shown: list[types.ElicitRequestParams] = field(default_factory=list)
    action: str = "accept"
    press: tuple[int, int] | None = None

    async def reply(self, context: Any, params: Any) -> types.ElicitResult:
        del context
        self.shown.append(params)
        if isinstance(params, types.ElicitRequestURLParams) and self.action == "accept":
            status = await anyio.to_thread.run_sync(lambda: answer(params.url, press=self.press, **self.verdict))
            assert status == 303
            return types.ElicitResult(action="accept")
        if self.action != "accept":
            return types.ElicitResult(action="decline")
        return types.ElicitResult(action="accept", content=dict(self.verdict))


@asynccontextmanager
async def connected(folder: Path, era: Era, callback: ElicitationFnT | None, **more: str) -> AsyncIterator[Client]:
    parameters = stdio_client(server(folder, **more))
    async with Client(parameters, mode=era, elicitation_callback=callback) as client:
        yield client


async def waiting_login(client: Client, site: Site) -> Json:
    opened = await call(client, "open_sites", urls=[site.url])
    return await call(client, "login_sites", session_ids=[opened["sessions"][0]["session_id"]])


def accounts() -> Accounts:
    return Accounts(USERNAME, PASSWORD, sms=CODE, totp="-")


@pytest.mark.parametrize("era", ERAS)
async def test_a_client_that_opens_urls_leads_to_the_panel_and_never_sees_the_code(tmp_path: Path, era: Era) -> None:
    person = Person({"verdict": "code", "code": CODE})
    with serve(accounts().pages()) as site:
        store(tmp_path, site)
        async with connected(tmp_path, era, person.reply) as client:
            told = await waiting_login(client, site)
        assert told["status"] == "done"
        (shown,) = person.shown
        assert isinstance(shown, types.ElicitRequestURLParams)
        assert site.url in shown.message
        assert CODE not in str(told) + str(shown)
        assert len(site.posts("/login")) == len(site.posts("/code")) == 1


@pytest.mark.parametrize("era", ERAS)
async def test_a_client_without_a_way_to_ask_gets_a_link_that_lets_nobody_in(tmp_path: Path, era: Era) -> None:
    with serve(accounts().pages()) as site:
        store(tmp_path, site)
        async with connected(tmp_path, era, None) as client:
            told = await waiting_login(client, site)
            assert (told["status"], told["reason"], told["next"]) == ("needs_user", "one_time_code", "continue_run")
            assert "#" not in told["link"]
            address = await anyio.to_thread.run_sync(invited, tmp_path, told["link"])
            assert await anyio.to_thread.run_sync(lambda: answer(address, verdict="code", code=CODE)) == 303
            after = await call(client, "continue_run", run_id=told["run_id"])
        assert after["status"] == "done"
        assert CODE not in str(after)
        assert len(site.posts("/code")) == 1


@pytest.mark.parametrize("era", ERAS)
async def test_a_declined_question_is_no_answer_and_stays_open_in_the_panel(tmp_path: Path, era: Era) -> None:
    """Hosts decline by themselves, too."""
    person = Person({}, action="decline")
    with serve(accounts().pages()) as site:
        store(tmp_path, site)
        async with connected(tmp_path, era, person.reply) as client:
            told = await waiting_login(client, site)
            assert (told["status"], told["reason"]) == ("needs_user", "one_time_code")
            address = await anyio.to_thread.run_sync(invited, tmp_path, told["link"])
            assert await anyio.to_thread.run_sync(lambda: answer(address, verdict="refused")) == 303
            after = await call(client, "continue_run", run_id=told["run_id"])
        assert (after["status"], after["reason"]) == ("failed", "refused")
        assert not site.posts("/code")


async def test_a_client_that_waits_only_so_long_gets_the_rest_later(tmp_path: Path) -> None:
    """The person takes longer than the call may: the question stays, and nothing is sent twice."""
    slow = anyio.Event()

    async def ponder(context: Any, params: Any) -> types.ElicitResult:
        await slow.wait()
        return types.ElicitResult(action="cancel")

    with serve(accounts().pages()) as site:
        store(tmp_path, site)
        async with connected(tmp_path, "legacy", ponder, REMIT_HANDOVER_S="3") as client:
            told = await waiting_login(client, site)
            slow.set()
            assert (told["status"], told["reason"]) == ("needs_user", "one_time_code")
            address = await anyio.to_thread.run_sync(invited, tmp_path, told["link"])
            assert await anyio.to_thread.run_sync(lambda: answer(address, verdict="code", code=CODE)) == 303
            after = await call(client, "continue_run", run_id=told["run_id"])
        assert after["status"] == "done"
        assert len(site.posts("/login")) == len(site.posts("/code")) == 1


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(("decision", "posts"), [("once", 1), ("no", 0)])
async def test_consent_by_a_form_is_in_our_words_and_counts_once(
    tmp_path: Path, era: Era, decision: str, posts: int
) -> None:
    person = Person({"decision": decision})
    with serve({"/": DRAFT, "/save": "<h1>Saved</h1>"}) as site:
        async with connected(tmp_path, era, person.reply) as client:
            opened = await call(client, "open_sites", urls=[site.url])
            sessions = [opened["sessions"][0]["session_id"]]
            told = await call(
                client, "act_sites", session_ids=sessions, goal="save draft", until="shown", words="saved"
            )
        assert told["status"] == ("done" if posts else "failed")
        assert len(site.posts("/save")) == posts
        (shown,) = person.shown
        assert isinstance(shown, types.ElicitRequestFormParams)
        assert "Save draft" not in str(shown)
        assert site.url in shown.message


@pytest.mark.parametrize("era", ERAS)
async def test_it_is_the_same_over_http(tmp_path: Path, era: Era) -> None:
    person = Person({"verdict": "code", "code": CODE})
    with serve(accounts().pages()) as site, serving(tmp_path) as url:
        store(tmp_path, site)
        transport = streamable_http_client(url)
        async with Client(transport, mode=era, elicitation_callback=person.reply) as client:
            told = await waiting_login(client, site)
        assert told["status"] == "done"
        assert isinstance(person.shown[0], types.ElicitRequestURLParams)
        assert len(site.posts("/login")) == len(site.posts("/code")) == 1


@pytest.mark.parametrize("era", ERAS)
async def test_over_http_without_a_way_to_ask_the_link_leads_on(tmp_path: Path, era: Era) -> None:
    with serve(accounts().pages()) as site, serving(tmp_path) as url:
        store(tmp_path, site)
        async with Client(streamable_http_client(url), mode=era) as client:
            told = await waiting_login(client, site)
            assert (told["status"], told["reason"]) == ("needs_user", "one_time_code")
            address = await anyio.to_thread.run_sync(invited, tmp_path, told["link"])
            assert await anyio.to_thread.run_sync(lambda: answer(address, verdict="code", code=CODE)) == 303
        async with Client(streamable_http_client(url), mode=era) as client:  # another connection, the same principal
            assert (await call(client, "continue_run", run_id=told["run_id"]))["status"] == "done"


HUMAN = """<title>Check</title><h1>Are you human?</h1><div class=h-captcha>…</div>
<style>button{position:fixed;left:600px;top:500px;width:200px;height:80px}</style>
<form action=/solved><button>Yes</button></form>"""


class Challenging:
    """A site that puts a challenge between the password and the inside; whoever presses its button is let in."""

    def __init__(self) -> None:
        self.accounts = Accounts(USERNAME, PASSWORD, totp="-", code_page=HUMAN.replace("{", "{{").replace("}", "}}"))

    def pages(self) -> dict[str, Page]:
        return self.accounts.pages({"/solved": self.solved})

    def solved(self, request: Request) -> Answer:
        self.accounts.inside.add(request.cookies.get("sid", ""))
        return Answer.redirect("/")


@pytest.mark.parametrize("era", ERAS)
async def test_a_challenge_is_solved_in_the_panel_and_nothing_is_sent_again(tmp_path: Path, era: Era) -> None:
    person = Person({"verdict": "resumed"}, press=(700, 540))
    with serve(Challenging().pages()) as site:
        store(tmp_path, site)
        async with connected(tmp_path, era, person.reply) as client:
            told = await waiting_login(client, site)
        assert told["status"] == "done", told
        assert len(site.posts("/login")) == site.asked("/solved") == 1


async def test_a_challenge_by_a_link_where_the_client_cannot_ask(tmp_path: Path) -> None:
    with serve(Challenging().pages()) as site:
        store(tmp_path, site)
        async with connected(tmp_path, "legacy", None) as client:
            told = await waiting_login(client, site)
            assert (told["status"], told["reason"]) == ("needs_user", "challenge")
            address = await anyio.to_thread.run_sync(invited, tmp_path, told["link"])
            status = await anyio.to_thread.run_sync(lambda: answer(address, press=(700, 540), verdict="resumed"))
            assert status == 303
            after = await call(client, "continue_run", run_id=told["run_id"])
        assert after["status"] == "done", after
        assert len(site.posts("/login")) == site.asked("/solved") == 1


POLICY = """
[[rule]]
executor = "login_sites"
capability = "vault.use"
target = "*"
decision = "{decision}"
"""


@pytest.mark.parametrize("era", ERAS)
async def test_the_owner_may_want_to_be_asked_before_each_sign_in(tmp_path: Path, era: Era) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text(POLICY.format(decision="ask"))
    policy.chmod(0o600)
    with serve(Accounts(USERNAME, PASSWORD).pages()) as site:
        store(tmp_path, site)
        for decision, posts in (("no", 0), ("once", 1)):
            person = Person({"decision": decision})
            async with connected(tmp_path, era, person.reply, REMIT_POLICY_FILE=str(policy)) as client:
                told = await waiting_login(client, site)
            assert told["status"] == ("done" if posts else "failed")
            assert len(person.shown) == 1
            assert len(site.posts("/login")) == posts


async def test_the_owner_may_forbid_signing_in(tmp_path: Path) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text(POLICY.format(decision="deny"))
    policy.chmod(0o600)
    with serve(Accounts(USERNAME, PASSWORD).pages()) as site:
        store(tmp_path, site)
        async with connected(tmp_path, "legacy", None, REMIT_POLICY_FILE=str(policy)) as client:
            told = await waiting_login(client, site)
        assert (told["status"], told["reason"]) == ("failed", "refused")
        assert not site.posts("/login")
