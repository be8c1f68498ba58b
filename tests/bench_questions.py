"""Score the embedded model on labelled questions: `python -m tests.bench_questions [PATH_TO_questions.json]`.

Prints, for the choices of a control and the maps of headers, what a plain lexicon (exact match with the exemplar
phrases) and the embedded model get right, pick wrongly, and abstain from; also for the questions whose right answer is
no exemplar. Nothing here sets a threshold.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import psutil
from pydantic import BaseModel, ConfigDict
from rich.console import Console
from rich.table import Table

from remit.models import Candidate, Choose, EmbeddedBackend, Field, Intent, MapFields
from remit.models._build_exemplars import phrases
from remit.models._ranker import TARGETS, plain

DEFAULT = Path(__file__).parents[1] / ".." / "shared" / "questions.json"
WANTED = {
    "signin": (Intent.SIGN_IN, ""),
    "next": (Intent.NEXT_PAGE, ""),
    "invoices": (Intent.OPEN_RECORDS, "invoices"),
    "archive": (Intent.OPEN_ARCHIVE, ""),
}
Score = Literal["right", "wrong pick", "missed", "abstained"]
SCORES: tuple[Score, ...] = ("right", "wrong pick", "missed", "abstained")


class Choice(BaseModel):
    """A page's controls and the indexes that are right; none are right when it is empty."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    intent: str
    language: str
    candidates: list[tuple[str, str, str]]
    right: list[int]


class Header(BaseModel):
    """The columns of a table and the field of each."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    fields: list[str]
    map: list[tuple[str, str | None]]


class Questions(BaseModel):
    """The file."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    choices: list[Choice]
    headers: list[Header]


@dataclass(frozen=True)
class Picked:
    """An index or None, or an abstention."""

    index: int | None
    abstained: bool = False


class Lexicon:
    """Exact match with the exemplars: what they are worth without any model."""

    def __init__(self) -> None:
        self.controls: dict[str, set[str]] = {}
        self.fields: dict[str, set[str]] = {}
        for known, kind in ((self.controls, "controls"), (self.fields, "fields")):
            for name, phrase in phrases(kind):
                known.setdefault(phrase, set()).add(name)

    def choose(self, choice: Choice) -> Picked:
        intent, _ = WANTED[choice.intent]
        for target in TARGETS.get(intent, ("records_invoices",)):
            hits = [at for at, (_, name, _) in enumerate(choice.candidates) if self.is_a(name, target)]
            if hits:
                return Picked(hits[0])
        return Picked(None)

    def is_a(self, name: str, target: str) -> bool:
        return self.controls.get(plain(name), set()) == {target}


def score_choice(choice: Choice, picked: Picked) -> Score:
    if picked.abstained:
        return "abstained"
    if picked.index is None:
        return "missed" if choice.right else "right"
    return "right" if picked.index in choice.right else "wrong pick"


async def ask_choice(backend: EmbeddedBackend, choice: Choice) -> Picked:
    intent, goal = WANTED[choice.intent]
    items = tuple(Candidate(f"c{at}", *item) for at, item in enumerate(choice.candidates))
    decision = await backend.ask(Choose(intent, items, goal, choice.language), 60)
    if decision.answer is None:
        return Picked(None, abstained=True)
    return Picked(None if decision.answer.id is None else int(decision.answer.id[1:]))


async def ask_header(backend: EmbeddedBackend, header: Header) -> dict[str, str]:
    columns = tuple(Candidate(f"c{at}", "columnheader", name) for at, (name, _) in enumerate(header.map))
    decision = await backend.ask(MapFields(tuple(Field(name, name) for name in header.fields), columns), 60)
    found = decision.answer.columns if decision.answer else {}
    return {header.map[int(column[1:])][0]: field for field, column in found.items() if column}


def score_header(header: Header, found: dict[str, str]) -> list[Score]:
    def one(name: str, field: str | None) -> Score:
        said = found.get(name)
        return "right" if said == field else "abstained" if said is None else "wrong pick"

    return [one(name, field) for name, field in header.map]


def lexicon_header(lexicon: Lexicon, header: Header) -> dict[str, str]:
    same = {"invoice_number": "record_number", "invoice_date": "issue_date"}
    found = {}
    for name, _ in header.map:
        hits = [field for field in header.fields if {same.get(field, field)} == lexicon.fields.get(plain(name))]
        if hits:
            found[name] = hits[0]
    return found


def row(table: Table, name: str, scores: Iterable[Score]) -> None:
    counted = Counter(scores)
    table.add_row(name, str(counted.total()), *(str(counted[score]) for score in SCORES))


async def run(questions: Questions, console: Console) -> None:
    lexicon, backend = Lexicon(), EmbeddedBackend()
    try:
        reason = await backend.warm()
        table = Table("", "of", *SCORES, title="right answers and the other ends")
        choices = questions.choices
        row(table, "choices, lexicon (exact exemplars)", [score_choice(item, lexicon.choose(item)) for item in choices])
        columns = [score for item in questions.headers for score in score_header(item, lexicon_header(lexicon, item))]
        row(table, "columns, lexicon (exact exemplars)", columns)
        if reason is None:
            await embedded(questions, lexicon, backend, table, console)
        else:
            console.print(f"embedded: not scored: {reason.sentence}")
        console.print(table)
    finally:
        await backend.aclose()


async def embedded(
    questions: Questions, lexicon: Lexicon, backend: EmbeddedBackend, table: Table, console: Console
) -> None:
    process = psutil.Process(backend.pid)
    loaded, began = cpu(process), time.perf_counter()
    picked = [(item, await ask_choice(backend, item)) for item in questions.choices]
    spent, wall = cpu(process) - loaded, time.perf_counter() - began
    row(table, "choices, embedded alone", [score_choice(item, pick) for item, pick in picked])
    firsts = [(item, lexicon.choose(item), pick) for item, pick in picked]
    both = [score_choice(item, pick if first.index is None else first) for item, first, pick in firsts]
    row(table, "choices, lexicon, then embedded", both)
    for intent in WANTED:
        row(table, f"  {intent}", [score_choice(item, pick) for item, pick in picked if item.intent == intent])
    row(table, "  where nothing fits", [score_choice(item, pick) for item, pick in picked if not item.right])
    unseen = [
        score_choice(item, pick)
        for item, pick in picked
        if not any(plain(item.candidates[at][1]) in lexicon.controls for at in item.right) and item.right
    ]
    row(table, "  right answer not an exemplar", unseen)
    began_maps = cpu(process)
    scored = [score for item in questions.headers for score in score_header(item, await ask_header(backend, item))]
    row(table, "columns, embedded alone", scored)
    count = len(questions.choices)
    console.print(
        f"embedded: load {loaded:.2f} CPU s; a choice {spent / count:.3f} CPU s, {wall / count:.3f} s wall; "
        f"a map {(cpu(process) - began_maps) / len(questions.headers):.3f} CPU s; "
        f"memory {process.memory_info().rss / 1e6:.0f} MB; {backend.describe().isolation}"
    )


def cpu(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def main() -> None:
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT
    console = Console()
    if not path.exists():
        console.print(f"no questions at {path}: nothing scored")
        return
    asyncio.run(run(Questions.model_validate(json.loads(path.read_text("utf-8"))), console))


if __name__ == "__main__":
    main()
