from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator

import pytest

from remit.contract import Reason
from remit.models import (
    Candidate,
    Choose,
    Chosen,
    Extract,
    Field,
    Intent,
    ModelError,
    Models,
    OllamaBackend,
    Transcribe,
)
from tests.models.ollama_stub import MODEL, Body, Stub, end, part, saying, serving
from tests.models.questions import sign_in

RIGHT = '{"answer": "c1"}'


@pytest.fixture
def stub() -> Iterator[Stub]:
    with serving(Stub(chat=saying(RIGHT))) as serving_stub:
        yield serving_stub


@pytest.fixture
async def backend(stub: Stub) -> AsyncIterator[OllamaBackend]:
    ollama = OllamaBackend(stub.address, MODEL)
    yield ollama
    await ollama.aclose()


async def reason(backend: OllamaBackend, timeout_s: float = 5.0) -> Reason | None:
    return (await backend.ask(sign_in(), timeout_s)).reason


async def test_a_choice_is_asked_with_the_schema_of_its_answers(stub: Stub, backend: OllamaBackend) -> None:
    decision = await backend.ask(sign_in(), 5)
    assert decision.answer == Chosen("c1")
    assert decision.reason is None
    (sent,) = stub.sent("/api/chat")
    assert sent["format"]["properties"] == {"answer": {"type": "string", "enum": ["c0", "c1", "c2", "none"]}}
    assert sent["think"] is False
    assert sent["options"]["num_ctx"] == 8192
    assert sent["options"]["num_predict"] < 100
    assert sent["options"]["temperature"] == 0


@pytest.mark.parametrize(
    "pieces",
    [
        ("```json\n", RIGHT, "\n```"),  # M01
        ("Of course. ", RIGHT),  # M01
        ("<think>", "c0? no", "</think>", RIGHT),  # M02
        ("{", RIGHT, "}"),  # M02
    ],
)
async def test_wrapped_answers_are_accepted_after_strict_extraction(
    stub: Stub, backend: OllamaBackend, pieces: tuple[str, ...]
) -> None:
    stub.chat = saying(*pieces)
    assert (await backend.ask(sign_in(), 5)).answer == Chosen("c1")


@pytest.mark.parametrize(
    "said",
    [
        '{"answer": "c7"}',
        '{"action": "click", "index": 1}',  # M10
        '{"answer": {"click_element": "c1"}}',  # M10
        "c1 is the one",
        '{"answer": "c1"',
        "",
    ],
)
async def test_an_answer_that_was_not_admissible_is_none(stub: Stub, backend: OllamaBackend, said: str) -> None:
    stub.chat = saying(said)
    assert await reason(backend) is Reason.MODEL_NO_ANSWER


async def test_endless_white_space_is_cut_within_two_seconds(stub: Stub, backend: OllamaBackend) -> None:  # M04
    def spaces(body: Body) -> Iterator[Body]:
        yield part('{"answer":')
        while not stub.stopped.wait(0.01):
            yield part("\n ")

    stub.chat = spaces
    began = time.monotonic()
    assert await reason(backend, 20) is Reason.MODEL_NO_ANSWER
    assert time.monotonic() - began < 2
    assert await asyncio.to_thread(stub.hung_up.wait, 5)


async def test_slow_white_space_is_cut_within_two_seconds_too(stub: Stub, backend: OllamaBackend) -> None:  # M04
    def spaces(body: Body) -> Iterator[Body]:
        while not stub.stopped.wait(0.1):
            yield part(" ")

    stub.chat = spaces
    began = time.monotonic()
    assert await reason(backend, 20) is Reason.MODEL_NO_ANSWER
    assert time.monotonic() - began < 2


async def test_white_space_after_a_whole_answer_costs_only_the_white_space(stub: Stub, backend: OllamaBackend) -> None:
    def spaces(body: Body) -> Iterator[Body]:
        yield part(RIGHT)
        while not stub.stopped.wait(0.001):
            yield part("        ")

    stub.chat = spaces
    assert (await backend.ask(sign_in(), 20)).answer == Chosen("c1")


@pytest.mark.parametrize("piece", ["", "x", "{"])
async def test_a_model_that_never_ends_is_cut(stub: Stub, backend: OllamaBackend, piece: str) -> None:
    def forever(body: Body) -> Iterator[Body]:
        while not stub.stopped.is_set():
            yield part(piece)

    stub.chat = forever
    assert await reason(backend, 10) is Reason.MODEL_NO_ANSWER


async def test_an_endless_line_is_not_read_to_its_end(stub: Stub, backend: OllamaBackend) -> None:
    def line(body: Body) -> Iterator[bytes]:
        while not stub.stopped.is_set():
            yield b"x" * 65_536

    stub.chat = line
    assert await reason(backend, 10) is Reason.MODEL_UNAVAILABLE


async def test_a_prompt_read_by_half_is_no_basis_for_an_answer(stub: Stub, backend: OllamaBackend) -> None:  # M05
    def half(body: Body) -> Iterator[Body]:
        yield part(RIGHT)
        yield end(body, read=len(body["messages"][0]["content"]) // 8)

    stub.chat = half
    assert await reason(backend) is Reason.MODEL_TRUNCATED


async def test_a_context_filled_to_the_brim_is_truncated(stub: Stub, backend: OllamaBackend) -> None:  # M05
    stub.chat = lambda body: [part(RIGHT), end(body, read=8192)]
    assert await reason(backend) is Reason.MODEL_TRUNCATED


async def test_a_server_that_refuses_a_long_prompt_is_a_truncation(stub: Stub, backend: OllamaBackend) -> None:  # M05
    stub.fails["/api/chat"] = (400, {"error": "the input length exceeds the context length"})
    assert await reason(backend) is Reason.MODEL_TRUNCATED


async def test_a_question_that_cannot_fit_is_not_sent(stub: Stub, backend: OllamaBackend) -> None:  # M05
    question = Extract((Field("no", "number"),), "数" * 12_000)
    assert (await backend.ask(question, 5)).reason is Reason.MODEL_TRUNCATED
    assert stub.sent("/api/chat") == []


async def test_a_model_that_is_not_installed_is_missing_at_once(stub: Stub, backend: OllamaBackend) -> None:  # M07
    stub.listed = [{"name": "other:1b", "model": "other:1b"}]
    assert await reason(backend) is Reason.MODEL_MISSING
    assert stub.sent("/api/chat") == []


async def test_a_model_removed_since_is_missing_and_not_asked_again(stub: Stub, backend: OllamaBackend) -> None:  # M07
    stub.fails["/api/chat"] = (404, {"error": f"model '{MODEL}' not found"})
    assert await reason(backend) is Reason.MODEL_MISSING
    assert len(stub.sent("/api/chat")) == 1


async def test_a_load_outlives_the_decision_that_waited_for_it(stub: Stub, backend: OllamaBackend) -> None:  # M08
    stub.loads.clear()
    assert await reason(backend, 0.2) is Reason.MODEL_TIMEOUT
    assert stub.loading.is_set()
    stub.loads.set()
    assert (await backend.ask(sign_in(), 5)).answer == Chosen("c1")
    assert len(stub.sent("/api/generate")) == 1
    assert stub.sent("/api/generate")[0]["keep_alive"] == "30m"


async def test_loading_is_outside_the_decision_s_time(stub: Stub, backend: OllamaBackend) -> None:  # M08
    models = Models(backend, decision_s=0.5)
    stub.loads.clear()
    deciding = asyncio.create_task(models.decide(sign_in()))
    await asyncio.to_thread(stub.loading.wait, 5)
    asyncio.get_running_loop().call_later(0.8, stub.loads.set)
    assert (await deciding).answer == Chosen("c1")


async def test_a_silent_model_times_out(stub: Stub, backend: OllamaBackend) -> None:
    def silent(body: Body) -> Iterator[Body]:
        stub.stopped.wait(10)
        yield end(body)

    stub.chat = silent
    assert await reason(backend, 0.3) is Reason.MODEL_TIMEOUT


@pytest.mark.parametrize("status", [500, 503, 429, 401])
async def test_a_server_in_trouble_is_unavailable(stub: Stub, backend: OllamaBackend, status: int) -> None:
    stub.fails["/api/chat"] = (status, {"error": "server busy"})
    assert await reason(backend) is Reason.MODEL_UNAVAILABLE


@pytest.mark.parametrize("line", [b"[]\n", b"nonsense\n", b'{"message": 3}\n', b'{"error": "out of memory"}\n', b"3\n"])
async def test_lines_that_are_no_messages_are_typed(stub: Stub, backend: OllamaBackend, line: bytes) -> None:
    stub.chat = lambda body: [line]
    assert await reason(backend) in {Reason.MODEL_NO_ANSWER, Reason.MODEL_UNAVAILABLE}


async def test_nobody_listening_is_unavailable() -> None:
    with serving(Stub()) as gone:
        address = gone.address
    backend = OllamaBackend(address, MODEL)
    assert await reason(backend) is Reason.MODEL_UNAVAILABLE
    await backend.aclose()


@pytest.mark.parametrize("name", ["gpt-oss:120b-cloud", "kimi-k2:CLOUD"])
async def test_a_model_named_as_a_cloud_model_is_never_contacted(stub: Stub, name: str) -> None:
    backend = OllamaBackend(stub.address, name)
    assert await reason(backend) is Reason.MODEL_NOT_LOCAL
    assert stub.requests == []
    await backend.aclose()


async def test_a_model_that_the_server_fetches_from_elsewhere_is_not_local(stub: Stub, backend: OllamaBackend) -> None:
    stub.shown["remote_host"] = "https://ollama.com:443"
    assert await reason(backend) is Reason.MODEL_NOT_LOCAL
    assert stub.sent("/api/chat") == []


async def test_a_listed_model_with_a_remote_model_is_not_local(stub: Stub, backend: OllamaBackend) -> None:
    stub.listed[0]["remote_model"] = "qwen3"
    assert await reason(backend) is Reason.MODEL_NOT_LOCAL


async def test_a_redirect_is_not_followed(stub: Stub, backend: OllamaBackend) -> None:
    with serving(Stub()) as elsewhere:
        stub.redirect = elsewhere.address
        assert await reason(backend) is Reason.MODEL_NOT_LOCAL
        assert elsewhere.requests == []


async def test_proxies_and_keys_of_the_environment_are_not_used(stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_API_KEY", "sk-canary")
    with serving(Stub()) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.address)
        monkeypatch.setenv("ALL_PROXY", proxy.address)
        backend = OllamaBackend(stub.address, MODEL)
        assert await reason(backend) is None
        await backend.aclose()
        assert proxy.requests == []
    assert all("authorization" not in headers for headers in stub.headers)


@pytest.mark.parametrize(
    "host",
    [
        "http://ollama.example:11434",
        "http://10.0.0.5:11434",
        "http://0.0.0.0:11434",
        "http://user:pw@127.0.0.1",
        "http://[::",
    ],
)
def test_a_host_that_is_neither_loopback_nor_listed_is_refused(host: str) -> None:
    with pytest.raises(ModelError) as refused:
        OllamaBackend(host, MODEL)
    assert refused.value.reason is Reason.MODEL_NOT_LOCAL


@pytest.mark.parametrize(
    "host", ["127.0.0.1:11434", "http://localhost:11434", "http://[::1]:11434", "http://box.lan:11434"]
)
async def test_loopback_and_listed_hosts_are_accepted(host: str) -> None:
    await OllamaBackend(host, MODEL, ("box.lan",)).aclose()


async def test_an_image_goes_only_to_a_model_that_sees(stub: Stub, backend: OllamaBackend) -> None:
    picture = Transcribe(b"\x89PNG\r\n\x1a\n")
    assert (await backend.ask(picture, 5)).reason is Reason.MODEL_NO_ANSWER
    assert stub.sent("/api/chat") == []
    stub.shown["capabilities"] = ["completion", "vision"]
    seeing = OllamaBackend(stub.address, MODEL)
    stub.chat = saying('{"text": "Total 12"}')
    decision = await seeing.ask(picture, 5)
    assert decision.answer is not None
    assert decision.answer.text == "Total 12"
    assert stub.sent("/api/chat")[0]["messages"][0]["images"]
    await seeing.aclose()


async def test_a_long_list_is_asked_in_groups_over_the_real_protocol(stub: Stub, backend: OllamaBackend) -> None:
    stub.chat = lambda body: [
        part('{"answer": "c47"}' if "c47" in body["format"]["properties"]["answer"]["enum"] else '{"answer": "none"}'),
        end(body),
    ]
    items = tuple(Candidate(f"c{at}", "link", f"Link {at}") for at in range(50))
    decision = await Models(backend).decide(Choose(Intent.SIGN_IN, items))
    assert decision.answer == Chosen("c47")
    assert decision.calls == 4
