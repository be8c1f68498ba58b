"""Every model, and every bad one, on every kind of site: it may be slow or of no use, never wrong."""

from __future__ import annotations

import asyncio
import itertools
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import pytest

from remit.contract import Reason
from remit.executors import _exploring, _route
from remit.models import Answer, Candidate, Choose, EmbeddedBackend, Models, Question, ScriptedBackend
from remit.settings import Settings
from remit.vault import Vault
from tests.executors._models_sites import ENTRY, SITES, Ground, grounds
from tests.executors.conftest import Json, Remit
from tests.models.ollama_stub import MODEL, Body, Chat, Stub, end, part, saying, serving

DECISION_S = 1.0
NAMED = {name for name, site in SITES.items() if site[2] and not site[3]}
"""Sites whose way in the signals name: no model is needed, and none is asked."""
HIDDEN = {name for name, site in SITES.items() if site[2] and site[3]}
ASKING = {name for name, site in SITES.items() if site[3]}
_WORST = re.compile(r"delete|create|sign up|buy now|log out|google|partner|answer is", re.IGNORECASE)

Pick = Callable[[tuple[Candidate, ...]], str]


@dataclass
class Told:
    """How each site ended, and how often the model was asked on the way."""

    grounds: list[Ground]
    items: dict[str, Json] = field(default_factory=dict)
    questions: dict[str, int] = field(default_factory=dict)

    @property
    def wrongs(self) -> list[str]:
        """Everything that must not have happened."""
        return [wrong for ground in self.grounds for wrong in ground.wrongs(self.items[ground.name])]

    @property
    def done(self) -> set[str]:
        """Sites where success was claimed."""
        return {name for name, item in self.items.items() if item["status"] == "done"}

    @property
    def asked(self) -> set[str]:
        """Sites where the model was asked."""
        return {name for name, count in self.questions.items() if count}


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing here comes late."""
    monkeypatch.setattr(_route, "LATE_S", 0.7)
    monkeypatch.setattr(_exploring, "LATE_S", 0.7)


async def visit(remit: Remit, models: Models, monkeypatch: pytest.MonkeyPatch) -> Told:
    """Sign in to every site at once, with these models."""
    monkeypatch.setattr(remit.rooms, "_models", models)
    with grounds() as sites:
        told = Told(sites)
        try:
            await asyncio.gather(*(_sign_in(remit, ground, told) for ground in sites))
        finally:
            await models.aclose()
        return told


async def _sign_in(remit: Remit, ground: Ground, told: Told) -> None:
    credential = remit.store(ground.home)
    session = await remit.open(ground.home)
    payload = await remit.call("login_sites", session_ids=[session], credential_id=credential)
    told.items[ground.name] = payload["sessions"][0]
    told.questions[ground.name] = payload.get("spent", {}).get("model_calls", 0)
    await remit.call("close_sites", session_ids=[session])
    Vault.open(remit.settings).remove(credential)  # another test's site may get the same port


def answering(pick: Pick) -> Callable[[Question[Answer]], str]:
    """A script that answers a choice with one of its ids, or with anything."""

    def say(question: Question[Answer]) -> str:
        assert isinstance(question, Choose)
        return json.dumps({"answer": pick(question.candidates)})

    return say


def rightly(candidates: Iterable[Candidate]) -> str:
    return next((each.id for each in candidates if each.name == ENTRY), "none")


def worst(candidates: tuple[Candidate, ...]) -> str:
    return next((each.id for each in reversed(candidates) if _WORST.search(each.name)), candidates[-1].id)


class Stranger:
    """Answers what is no answer: another thing each time, ids of the question before among them."""

    def __init__(self) -> None:
        self._before = "c4711"
        self._turn = itertools.count()

    def __call__(self, question: Question[Answer]) -> str | Reason:
        assert isinstance(question, Choose)
        before, self._before = self._before, question.candidates[-1].id
        mine = question.candidates[0].id
        said = (
            "c99999",
            json.dumps({"answer": before if before not in {c.id for c in question.candidates} else "c-1"}),
            json.dumps({"answer": mine}) + json.dumps({"answer": before}),
            json.dumps({"answer": mine, "status": "done", "signed_in": True}),
            "Signed in successfully. status: done",
            '{"status": "done", "reason": null}',
            json.dumps({"answer": [mine]}),
            "<think>" + json.dumps({"answer": mine}),
            "\n \t" * 20_000 + json.dumps({"answer": mine}),
            json.dumps({"answer": f"{mine}; document.forms[0].submit()"}),
            Reason.MODEL_TIMEOUT,
        )
        return said[next(self._turn) % len(said)]


def scripted(say: Callable[[Question[Answer]], str | Reason], delay_s: float = 0.0) -> Models:
    return Models(ScriptedBackend(say, delay_s=delay_s), decision_s=DECISION_S)


def by_settings(**facts: object) -> Models:
    return Models.from_settings(Settings.model_validate(facts), decision_s=20.0)


def ollama(stub: Stub, *, decision_s: float = 20.0) -> Models:
    settings = Settings(model="ollama", ollama_host=stub.address, ollama_model=MODEL)
    return Models.from_settings(settings, decision_s=decision_s)


def honest(body: Body) -> Iterable[Body | bytes]:
    """A good model behind the protocol: it reads the list it was sent."""
    listed = re.findall(r'\{"id": "(c\d+)"[^}]*"name": "([^"]*)"', body["messages"][0]["content"])
    found = next((id_ for id_, name in listed if name == ENTRY), "none")
    yield from saying(json.dumps({"answer": found}))(body)


class Useless:
    """By turns white space without end, as models fall into under a schema, and a verdict nobody asked for."""

    def __init__(self) -> None:
        self._turn = itertools.count()

    def __call__(self, body: Body) -> Iterable[Body | bytes]:
        if next(self._turn) % 2:
            yield from saying('{"status": "done"}', "\n\nSigned in. Success!")(body)
            return
        for _ in range(5_000):
            yield part(" \n\t ")
        yield end(body)


def last_of_schema(body: Body) -> Iterable[Body | bytes]:
    """Always the last id that the schema admits."""
    ids = body["format"]["properties"]["answer"]["enum"]
    yield from saying(json.dumps({"answer": ids[-2]}))(body)


async def test_without_a_model_named_ways_are_found_and_the_rest_is_said_to_be_unknown(
    remit: Remit, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = await visit(remit, by_settings(model="none"), monkeypatch)
    assert told.wrongs == []
    assert (told.done, told.asked) == (NAMED, set())
    assert {told.items[name]["reason"] for name in HIDDEN} == {"no_login_form"}


@pytest.mark.skipif(not EmbeddedBackend.installed(), reason="the `embedded` extra is not installed")
async def test_the_embedded_model_finds_what_no_word_of_ours_names(
    remit: Remit, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = await visit(remit, by_settings(model="embedded"), monkeypatch)
    assert told.wrongs == []
    assert told.done == NAMED | HIDDEN
    assert told.asked == ASKING


async def test_a_good_model_over_the_ollama_protocol_finds_it_in_groups(
    remit: Remit, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(Stub(chat=honest)) as stub:
        told = await visit(remit, ollama(stub), monkeypatch)
    assert told.wrongs == []
    assert told.done == NAMED | HIDDEN
    assert told.asked == ASKING
    assert told.questions["crowded"] > 3
    assert len(stub.sent("/api/chat")) == sum(told.questions.values())


async def test_a_long_page_hides_no_control_from_the_model(remit: Remit, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: set[str] = set()

    def read(candidates: tuple[Candidate, ...]) -> str:
        seen.update(each.name for each in candidates)
        return rightly(candidates)

    told = await visit(remit, scripted(answering(read)), monkeypatch)
    assert told.wrongs == []
    assert told.done == NAMED | HIDDEN
    assert sum(", series " in name for name in seen) == 64


BAD: dict[str, Callable[[], Models]] = {
    "first": lambda: scripted(answering(lambda candidates: candidates[0].id)),
    "last": lambda: scripted(answering(lambda candidates: candidates[-1].id)),
    "worst": lambda: scripted(answering(worst)),
    "stranger": lambda: scripted(Stranger()),
    "slow and worst": lambda: scripted(answering(worst), delay_s=0.8 * DECISION_S),
}


@pytest.mark.parametrize("kind", BAD)
async def test_a_hostile_model_is_never_wrong(remit: Remit, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    told = await visit(remit, BAD[kind](), monkeypatch)
    assert told.wrongs == []
    assert told.done >= NAMED
    assert told.asked == ASKING


BAD_SERVERS: dict[str, Chat] = {
    "useless": Useless(),
    "last": last_of_schema,
}


@pytest.mark.parametrize("kind", BAD_SERVERS)
async def test_a_hostile_ollama_is_never_wrong(remit: Remit, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    with serving(Stub(chat=BAD_SERVERS[kind])) as stub:
        told = await visit(remit, ollama(stub, decision_s=2.0), monkeypatch)
        assert stub.sent("/api/chat")
    assert told.wrongs == []
    assert told.done >= NAMED
