"""From a question to the text a model is asked: templates are files, everything from outside enters them as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from string import Template

from ._question import GOAL_CHARS, Answer, Candidate, Choose, Extract, Field, MapFields, Order, Question, shown, whole

PROMPTS = Path(__file__).with_name("prompts")


def prompt(question: Question[Answer]) -> str:
    """The whole text of one question. Values of candidates are quoted as JSON, so none can end its quotation."""
    text = _template(question.kind).substitute(
        instruction=instruction(question),
        hints=_hints(question),
        items=_items(question),
        fields=_fields(question.fields) if isinstance(question, MapFields | Extract) else "",
        text=_quoted(question.text) if isinstance(question, Extract) else "",
    )
    return whole(text)


def instruction(question: Question[Answer]) -> str:
    """What the question's intent wants, in Remit's words."""
    return _text(f"intents/{question.intent.value}")


def _hints(question: Question[Answer]) -> str:
    hints = []
    if question.goal:
        hints.append(f"The goal, in the user's words: {_quoted(shown(question.goal, GOAL_CHARS))}")
    if question.language:
        hints.append(f"The page's language: {_quoted(shown(question.language, 20))}")
    return "\n".join([*hints, ""])


def _items(question: Question[Answer]) -> str:
    match question:
        case Choose() | Order():
            return _listed(question.candidates)
        case MapFields():
            return _listed(question.columns)
        case _:
            return ""


def _listed(items: Sequence[Candidate]) -> str:
    return "\n".join(_quoted(_visible(item)) for item in items)


def _visible(item: Candidate) -> dict[str, str]:
    parts = {"id": item.id, "role": shown(item.role, 30), "name": shown(item.name), "section": shown(item.section, 60)}
    return {key: value for key, value in parts.items() if value}


def _fields(fields: Sequence[Field]) -> str:
    return "\n".join(_quoted({"id": item.id, "name": shown(item.name)}) for item in fields)


def _quoted(value: str | dict[str, str]) -> str:
    return json.dumps(value, ensure_ascii=False)


@cache
def _text(name: str) -> str:
    return (PROMPTS / f"{name}.txt").read_text("utf-8").strip()


@cache
def _template(name: str) -> Template:
    return Template(_text(name))
