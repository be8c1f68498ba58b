from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remit.models import Chosen, parse
from tests.models.questions import sign_in

RIGHT = '{"answer": "c1"}'


@pytest.mark.parametrize(
    "written",
    [
        RIGHT,
        f"```json\n{RIGHT}\n```",
        f"Sure, here it is:\n```\n{RIGHT}\n```\nAnything else?",
        f"The sign-in link is this one: {RIGHT}",
        f'<think>{{"answer": "c0"}} or maybe not</think>\n{RIGHT}',
        f"so the link…</think>{RIGHT}",
        '{{"answer": "c1"}}',
        "c1",
        '"c1"',
        f"{RIGHT}      ",
    ],
)
def test_wrappers_are_taken_off_an_admissible_answer(written: str) -> None:
    assert parse(sign_in(), written) == Chosen("c1")


@pytest.mark.parametrize(
    "written",
    [
        "",
        '{"answer": "c9"}',
        '{"answer": "C1"}',
        '{"answer": 1}',
        '{"answer": null}',
        '{"answer": ["c1"]}',
        '{"answer": "c1", "why": "it says so"}',
        '{"action": "click", "selector": "#login"}',
        '[{"click_element": {"index": 1}}]',
        '{"answer": "c0"} {"answer": "c1"}',
        '{"answer": "c0", "answer": "c1"}',
        '{"answer": "c1"',
        '{"outer": {"answer": "c1"}}',
        '<think>{"answer": "c1"}',
        "I would click c1",
        "{" * 5_000,
        RIGHT + " " * 50_000,
    ],
)
def test_anything_else_is_no_answer(written: str) -> None:
    assert parse(sign_in(), written) is None


def test_none_is_always_admissible() -> None:
    assert parse(sign_in(), '{"answer": "none"}') == Chosen(None)


@given(st.text())
def test_reading_never_raises_and_never_invents_an_id(written: str) -> None:
    answer = parse(sign_in(), written)
    assert answer is None or answer.id in {None, "c0", "c1", "c2"}
