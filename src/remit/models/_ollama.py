"""Ollama as a backend, by its native API and without trust."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator
from typing import TypeVar

import httpx
from ollama import AsyncClient, ChatResponse, Image, Message, ResponseError

from remit.contract import Reason

from ._decision import BackendName, Decision, Description, ModelError
from ._ollama_http import LocalTransport, ModelCard, local_address, model_card, reason_of
from ._prompts import prompt
from ._question import Answer, Kind, Question, Transcribe
from ._reading import parse
from ._simple import ALL_KINDS

A = TypeVar("A", bound=Answer)

NUM_CTX = 8_192
"""Context length asked for, in tokens. One value for all calls: Ollama reloads a model when it changes."""

NUM_PREDICT: dict[Kind, int] = {"choose": 48, "order": 768, "map": 1_536, "extract": 1_536, "transcribe": 2_048}
"""Most tokens of an answer. An id in its JSON takes about 15; the others grow with their lists."""

KEEP_ALIVE = "30m"
KEPT_S = 1_700.0
"""Unused for so long, in seconds, a model is taken to be unloaded: a little less than KEEP_ALIVE."""

CARD_S = 60.0
"""How long what the server says of a model is believed: a name can be pointed at another model."""
PROBE_S = 2.0
LOAD_S = 600.0
"""Longest load; cold loads of 104 s are reported. It runs beside the decisions and none of them waits so long."""

SPACES = 24
"""A run of white space that no compact or indented JSON of ours has: some models write it until their limit."""
FEW_SPACES, SPACES_S = 8, 1.0
"""A shorter run is cut when it has lasted this long: on a slow machine a token takes a tenth of a second."""

_FAULTS = (httpx.HTTPError, ConnectionError, ResponseError, ValueError, TypeError, AttributeError)
"""What the client raises for a server that misbehaves: lines that are no JSON, or JSON that is no message."""


class OllamaBackend:
    """A model in an Ollama server on loopback, or on a host the administrator listed.

    Raises ModelError (MODEL_NOT_LOCAL) on construction for any other host.
    """

    group_size = 16

    def __init__(self, host: str, model: str, allowed_hosts: tuple[str, ...] = ()) -> None:
        self._address = local_address(host, allowed_hosts)
        self._model = model
        self._client = AsyncClient(
            host=self._address, transport=LocalTransport(self._address), follow_redirects=False, trust_env=False
        )
        self._card: tuple[float, ModelCard] | None = None
        self._loading: asyncio.Task[Reason | None] | None = None
        self._used: float | None = None

    async def card(self) -> ModelCard:
        """What the server says of the model; raises ModelError if it is missing, not local, or nobody answers."""
        if self._card is None or time.monotonic() - self._card[0] > CARD_S:
            self._card = (time.monotonic(), await model_card(self._address, self._model, PROBE_S))
        return self._card[1]

    async def warm(self) -> Reason | None:
        """Load the model, or wait for the load under way. Cancelling the wait does not cancel the load.

        Ollama gives up a load whose client hangs up, so the load is a task of the backend's own.
        """
        loading = self._loading
        if loading is None or (loading.done() and (loading.result() is not None or self._unloaded())):
            loading = self._loading = asyncio.create_task(self._load())
        return await asyncio.shield(loading)

    async def ask(self, question: Question[A], timeout_s: float) -> Decision[A]:
        """Ask once. Waiting for a load under way counts; the load itself goes on after a timeout."""
        began = time.monotonic()
        answer: A | None = None
        try:
            async with asyncio.timeout(timeout_s):
                reason = await self.warm() or await self._unreadable(question)
                if reason is None:
                    answer = parse(question, await self._written(question))
                    reason = Reason.MODEL_NO_ANSWER if answer is None else None
        except TimeoutError:
            reason = Reason.MODEL_TIMEOUT
            self._used = None  # perhaps it had been unloaded, and hanging up ended its load: load it apart next time
        except ModelError as error:
            reason = error.reason
        except ResponseError as error:
            reason = reason_of(error.status_code, error.error)
        except (httpx.TransportError, ConnectionError):
            reason = Reason.MODEL_UNAVAILABLE
        except _FAULTS:
            reason = Reason.MODEL_NO_ANSWER
        return Decision(answer, reason, BackendName.OLLAMA, time.monotonic() - began)

    def describe(self) -> Description:
        """The model's name in Ollama; it answers everything."""
        return Description(BackendName.OLLAMA, self._model, ALL_KINDS, "a server of the user's own")

    async def aclose(self) -> None:
        """Stop loading and close connections."""
        if self._loading is not None and not self._loading.done():
            self._loading.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._loading
        await self._client.close()  # type: ignore[no-untyped-call]

    def _unloaded(self) -> bool:
        return self._used is None or time.monotonic() - self._used > KEPT_S

    async def _load(self) -> Reason | None:
        """An empty prompt makes Ollama load a model and keep it."""
        try:
            await self.card()
            async with asyncio.timeout(LOAD_S):
                await self._client.generate(
                    self._model, prompt="", keep_alive=KEEP_ALIVE, options={"num_ctx": NUM_CTX, "num_predict": 1}
                )
        except ModelError as error:
            return error.reason
        except ResponseError:
            self._used = time.monotonic()
            return None  # the model is there: what keeps it from answering, the question itself will show
        except TimeoutError:
            return Reason.MODEL_TIMEOUT
        except _FAULTS:
            return Reason.MODEL_UNAVAILABLE
        self._used = time.monotonic()
        return None

    async def _unreadable(self, question: Question[Answer]) -> Reason | None:
        """Why the model cannot take this question at all, known before it is asked."""
        card = await self.card()
        if isinstance(question, Transcribe):
            return None if card.sees else Reason.MODEL_NO_ANSWER
        room = NUM_CTX - NUM_PREDICT[question.kind]
        return Reason.MODEL_TRUNCATED if most_tokens(prompt(question)) > room else None

    async def _written(self, question: Question[Answer]) -> str:
        """What the model wrote, or as much as it took to see that it would not end.

        Raises ModelError (MODEL_TRUNCATED) when the server read less than it was sent.
        """
        text = prompt(question)
        images = [Image(value=question.image)] if isinstance(question, Transcribe) else None
        parts: object = await self._client.chat(
            self._model,
            messages=[Message(role="user", content=text, images=images)],
            stream=True,
            think=False,
            format=question.schema(),
            keep_alive=KEEP_ALIVE,
            options={"num_ctx": NUM_CTX, "num_predict": NUM_PREDICT[question.kind], "temperature": 0, "seed": 1},
        )
        assert isinstance(parts, AsyncGenerator)
        written, last = await _collect(parts, NUM_PREDICT[question.kind])
        self._used = time.monotonic()
        if last is not None and images is None and truncated(text, last.prompt_eval_count):
            raise ModelError(Reason.MODEL_TRUNCATED)
        return written


def most_tokens(text: str) -> int:
    """More tokens than `text` has: 2.5 characters a token in ASCII, one and a half tokens a character beyond it."""
    plain = sum(char.isascii() for char in text)
    return int(plain / 2.5 + (len(text) - plain) * 1.5) + 64


def truncated(text: str, read: int | None) -> bool:
    """Whether a server that evaluated `read` tokens cannot have read all of `text`, or filled its context to the brim.

    Ollama drops the front of a long prompt, that is the instructions, and answers 200. English prose has about 4.5
    characters a token and everything else fewer, so less than one token in 5.5 ASCII characters is too few. None: the
    server does not say.
    """
    if read is None:
        return False
    fewest = sum(char.isascii() for char in text) / 5.5
    return read < fewest or read >= NUM_CTX - 1


async def _collect(parts: AsyncGenerator[ChatResponse, None], limit: int) -> tuple[str, ChatResponse | None]:
    """The message, and the part that ended it; no end if it was cut for white space, length or number of parts.

    A part is a token or more, so a server that sends more parts than tokens were asked for ignores the limit.
    """
    written, count, spaced = "", 0, time.monotonic()
    async with contextlib.aclosing(parts):
        async for part in parts:
            count += 1
            piece = part.message.content or ""
            written += piece
            if part.done:
                return ("" if part.done_reason == "load" else written), part
            if piece.strip():
                spaced = time.monotonic()
            if _idle(written, time.monotonic() - spaced) or count > limit + 8 or len(written) > limit * 16:
                break
    return written, None


def _idle(written: str, lasted: float) -> bool:
    run = len(written) - len(written.rstrip())
    return run >= SPACES or (run >= FEW_SPACES and lasted > SPACES_S)
