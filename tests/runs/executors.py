"""Small executors that do nothing outside, to test what surrounds every executor."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio

from remit.contract import (
    ArgumentsModel,
    Capability,
    Consent,
    Effect,
    Intelligence,
    Limits,
    Manifest,
    Outcome,
    Published,
    Reason,
    ResultModel,
    Transport,
    done,
    input_schema,
    output_schema,
)
from remit.contract import Manifest as ManifestType
from remit.handoff import Asked, Question
from remit.runs import Call, EffectKind, Settled


class Arguments(ArgumentsModel):
    word: str = ""


class Result(ResultModel):
    word: str


@dataclass
class Stage:
    """What the executors of a test share with it."""

    begun: int = 0
    ended: list[str] = field(default_factory=list)
    started: anyio.Event = field(default_factory=anyio.Event)
    go: anyio.Event = field(default_factory=anyio.Event)
    over: anyio.Event = field(default_factory=anyio.Event)


STAGE: dict[str, Stage] = {}


class Waits:
    """Begins, keeps a word, sends one effect, waits for the test, and ends."""

    arguments_model = Arguments
    result_model = Result

    async def run(self, call: Call, arguments: Arguments) -> Outcome[Result]:
        stage = STAGE["now"]
        stage.begun += 1
        effect = call.intend(EffectKind.SUBMIT, "form")
        call.checkpoint(Result(word="kept"))
        call.progress(1, 3, "half way")
        stage.started.set()
        try:
            await stage.go.wait()
        except anyio.get_cancelled_exc_class():
            stage.ended.append("cancelled")
            stage.over.set()
            raise
        effect.settle(Settled.OBSERVED)
        stage.ended.append("done")
        return done(Result(word=arguments.word))


class Raises:
    """Fails with the words of a page in its exception."""

    arguments_model = Arguments
    result_model = Result

    async def run(self, call: Call, arguments: Arguments) -> Outcome[Result]:
        raise ValueError("secret words of a page")


class Asks:
    """Needs a person."""

    arguments_model = Arguments
    result_model = Result

    async def run(self, call: Call, arguments: Arguments) -> Outcome[Result]:
        await call.ask(Question(Asked.ONE_TIME_CODE, Reason.ONE_TIME_CODE))
        return done(Result(word="never"))


class Oversteps:
    """Uses the vault without having been granted it."""

    arguments_model = Arguments
    result_model = Result

    async def run(self, call: Call, arguments: Arguments) -> Outcome[Result]:
        call.vault.list()
        return done(Result(word="never"))


class PanicError(BaseException):
    """What native code raises when it gives up."""


class Exits(Raises):
    """Ends the process, it thinks."""

    async def run(self, call: Call, arguments: Arguments) -> Outcome[Result]:
        raise SystemExit("secret words")


class Panics(Raises):
    """Raises what is no Exception."""

    async def run(self, call: Call, arguments: Arguments) -> Outcome[Result]:
        raise PanicError("secret words")


class Mutters(Raises):
    """Cancels itself without having been cancelled."""

    async def run(self, call: Call, arguments: Arguments) -> Outcome[Result]:
        raise asyncio.CancelledError("secret words")


class Lies(Raises):
    """Returns another result than it declares."""

    async def run(self, call: Call, arguments: Arguments) -> Outcome[Any]:
        class Other(ResultModel):
            page: str

        return done(Other(page="secret words"))


def published(
    executor: type[Any], effect: Effect = Effect.INTERACTIVE, capabilities: tuple[Capability, ...] = ()
) -> Published:
    manifest: ManifestType = Manifest(
        manifest=1,
        name=f"{executor.__name__.lower()}_test",
        version="1.0.0",
        title="For tests",
        purpose="Serve a test of what surrounds executors.",
        not_for="anything else.",
        intelligence=Intelligence.DIRECT,
        transport=Transport.LOCAL,
        entry="tests.runs.executors:Waits",
        effect=effect,
        capabilities=capabilities,
        consent=Consent.NONE,
        limits=Limits(),
    )
    return Published(manifest, executor, Path("test.toml"), input_schema(manifest), output_schema(manifest))
