from __future__ import annotations

import json

import pytest

from tests.canary import Canaries
from tests.real.application import Question
from tests.real.leaks import canaries_in, known_to, page_sentences, record_texts, sentences_in, shapes_in
from tests.real.transcript import Message

URL = "http://127.0.0.1:8206/"


def _said(text: str) -> Message:
    return Message(1.0, "server", {"id": 1, "result": {"content": [{"type": "text", "text": text}]}})


def _asked(**arguments: object) -> Message:
    return Message(0.0, "client", {"id": 1, "method": "tools/call", "params": {"arguments": arguments}})


def _kinds(text: str) -> set[str]:
    return {hit.canary for hit in shapes_in([_said(text)], known_to([_asked(urls=[URL])], [URL]))}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("went to http://127.0.0.1:8206/accounts/login/", "address"),
        ("went to https://example.org", "address"),
        ("javascript:__doPostBack('x')", "address"),
        ("index.php?title=Special:UserLogin", "href"),
        ("followed /dashboard.html", "href"),
        ("then ?page=3", "href"),
        ("clicked #login-button", "selector"),
        ("button#go", "selector"),
        ("input[name=password]", "selector"),
        ("a.next > span", "selector"),
        ("li:nth-child(3)", "selector"),
        ('page.locator("text=Next") >> nth=1', "selector"),
        ("//a[@id='x']", "selector"),
    ],
)
def test_addresses_ways_and_selectors_are_noticed(text: str, kind: str) -> None:
    assert kind in _kinds(text)
    assert kind in _kinds(json.dumps({"message": text}))


@pytest.mark.parametrize(
    "text",
    [
        "Signed in. 3 pages, 62 rows, 0 duplicates.",
        f"Opened {URL}",
        "Opened http://127.0.0.1:8206",
        "Saved as /tmp/remit-real-x/files/oscar-orders.xlsx (173 rows; 12 cells protected)",
        "No. 5: invoice # 7, e.g. [number, date]",
        "next: write_spreadsheet(dataset_id=ds_1)",
        "run_3f2a9c",
    ],
)
def test_our_own_words_are_no_leak(text: str) -> None:
    assert _kinds(text) == set()


def test_the_catalogue_may_hold_examples() -> None:
    listed = Message(0.0, "server", {"result": {"tools": [{"description": "Open https://example.org"}]}})
    assert shapes_in([listed], known_to([], [])) == []


def test_progress_and_errors_are_searched_too() -> None:
    progress = Message(0.0, "server", {"method": "notifications/progress", "params": {"message": "clicked #go"}})
    error = Message(0.0, "server", {"id": 2, "error": {"code": -1, "message": "no element .a > b at http://x/"}})
    assert {hit.canary for hit in shapes_in([progress, error], known_to([], []))} == {"selector", "address"}


def test_a_canary_is_found_in_both_directions() -> None:
    canaries = Canaries({"password": "remit-Canary+1 2"})
    messages = [_asked(password="remit-Canary+1 2"), _said("remit-Canary%2B1+2")]
    assert [hit.where for hit in canaries_in(messages, canaries)] == ["message 1, client", "message 2, server"]


def test_sentences_are_found_unless_the_planner_said_them() -> None:
    page = (
        "<style>p{a:b}</style><p>Welcome to the\n harbour office of Ancona</p><p>Short one</p>"
        "<b>All my orders of this year</b>"
    )
    sentences = page_sentences(page)
    assert sentences == ["Welcome to the harbour office of Ancona", "All my orders of this year"]
    messages = [_asked(goal="All my orders of this year"), _said(" ".join(sentences))]
    assert len(sentences_in(messages, sentences, "page sentence", known_to(messages, []))) == 1


def test_records_that_chance_could_make_are_not_looked_for() -> None:
    question = Question(id="q", goal="", items="", fields=("a", "b"), key="a", truth="", count=0)
    truth = [
        {"a": "INV-2026-0041", "b": "2026-01-01"},
        {"a": "Cancelled", "b": "12,00"},
        {"a": "Blue Moon Ltd", "b": "7"},
    ]
    assert record_texts(question, truth) == ["INV-2026-0041", "Blue Moon Ltd"]
