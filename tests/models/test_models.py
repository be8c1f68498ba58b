from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from remit.contract import Reason
from remit.models import Answer as AnyAnswer
from remit.models import (
    BackendName,
    Choose,
    Chosen,
    EmbeddedBackend,
    Intent,
    ModelError,
    Models,
    NoModel,
    OllamaBackend,
    Question,
    ScriptedBackend,
    choose_backend,
)
from remit.settings import Settings
from tests.models.ollama_stub import MODEL, Stub, serving
from tests.models.questions import links, sign_in


def settings(tmp_path: Path, **changes: object) -> Settings:
    return Settings(data_dir=tmp_path, vault_dir=tmp_path / "v", **changes)  # type: ignore[arg-type]


def ids(question: Question[AnyAnswer]) -> list[str]:
    assert isinstance(question, Choose)
    return [item.id for item in question.candidates]


def knowing(wanted: str) -> Callable[[Question[AnyAnswer]], str]:
    return lambda question: wanted if wanted in ids(question) else "none"


def many(count: int) -> Choose:
    return Choose(Intent.OTHER, links(*(f"Link {at}" for at in range(count))))


async def test_an_admissible_answer_is_a_decision_and_is_counted() -> None:
    models = Models(ScriptedBackend(['{"answer": "c1"}']))
    decision = await models.decide(sign_in())
    assert (decision.answer, decision.reason, decision.backend) == (Chosen("c1"), None, BackendName.SCRIPTED)
    assert models.calls == 1


@pytest.mark.parametrize("said", ['{"answer": "c99"}', "click c1", "", '{"url": "https://evil.example"}'])
async def test_a_hostile_model_has_no_answer(said: str) -> None:
    decision = await Models(ScriptedBackend([said])).decide(sign_in())
    assert decision.answer is None
    assert decision.reason is Reason.MODEL_NO_ANSWER


async def test_a_slow_model_ends_with_the_decision_s_time() -> None:
    began = time.monotonic()
    decision = await Models(ScriptedBackend(["c1"], delay_s=30), decision_s=0.05).decide(sign_in())
    assert decision.reason is Reason.MODEL_TIMEOUT
    assert time.monotonic() - began < 5


async def test_a_call_may_tighten_the_time_and_not_widen_it() -> None:
    models = Models(ScriptedBackend(delay_s=30), decision_s=0.05)
    assert (await models.decide(sign_in(), decision_s=60)).reason is Reason.MODEL_TIMEOUT


async def test_nobody_to_ask_is_a_reason_and_no_call() -> None:
    models = Models(NoModel())
    assert (await models.decide(sign_in())).reason is Reason.MODEL_UNAVAILABLE
    assert models.calls == 0


async def test_a_long_list_hides_no_candidate() -> None:
    for wanted in ("c0", "c12", "c99", "c199"):
        backend = ScriptedBackend(knowing(wanted))
        models = Models(backend)
        decision = await models.decide(many(200))
        assert decision.answer == Chosen(wanted)
        assert models.calls == decision.calls == 17
        assert {item for asked in backend.asked for item in ids(asked)} == {f"c{at}" for at in range(200)}


async def test_the_winners_of_groups_meet_in_a_final() -> None:
    backend = ScriptedBackend(lambda question: max(ids(question), key=lambda item: int(item[1:])))
    decision = await Models(backend).decide(many(400))
    assert decision.answer == Chosen("c399")
    assert all(len(ids(asked)) <= 12 for asked in backend.asked)


async def test_none_of_every_group_is_none() -> None:
    decision = await Models(ScriptedBackend(lambda question: "none")).decide(many(40))
    assert decision.answer == Chosen(None)
    assert decision.reason is None


async def test_none_in_the_final_is_none() -> None:
    backend = ScriptedBackend(lambda question: "none" if ids(question) == ["c0", "c10"] else ids(question)[0])
    assert (await Models(backend).decide(many(20))).answer == Chosen(None)


async def test_a_group_that_cannot_be_asked_hides_its_candidates_so_nothing_is_chosen() -> None:
    backend = ScriptedBackend(["c0", Reason.MODEL_TRUNCATED])
    decision = await Models(backend).decide(many(40))
    assert (decision.answer, decision.reason, decision.calls) == (None, Reason.MODEL_TRUNCATED, 2)


async def test_an_unsure_group_does_not_become_none() -> None:
    decision = await Models(ScriptedBackend(["none", "prose", "none", "none"])).decide(many(40))
    assert (decision.answer, decision.reason) == (None, Reason.MODEL_NO_ANSWER)


async def test_the_groups_share_one_decision_s_time() -> None:
    models = Models(ScriptedBackend(lambda question: "none", delay_s=0.04), decision_s=0.1)
    assert (await models.decide(many(200))).reason is Reason.MODEL_TIMEOUT


async def test_each_run_counts_its_own_calls() -> None:
    models = Models(ScriptedBackend(lambda question: "none"))
    first, second = models.for_run(), models.for_run()
    await first.decide(sign_in())
    await first.decide(sign_in())
    await second.decide(sign_in())
    assert (first.calls, second.calls) == (2, 1)
    await first.aclose()
    assert (await second.decide(sign_in())).answer == Chosen(None)


async def test_a_cancelled_decision_is_cancelled() -> None:
    deciding = asyncio.create_task(Models(ScriptedBackend(delay_s=30)).decide(sign_in()))
    await asyncio.sleep(0)
    deciding.cancel()
    with pytest.raises(asyncio.CancelledError):
        await deciding


async def test_ollama_decides_when_it_answers_and_has_the_model(tmp_path: Path) -> None:
    with serving(Stub()) as stub:
        backend, refused = await choose_backend(settings(tmp_path, ollama_host=stub.address, ollama_model=MODEL))
        assert isinstance(backend, OllamaBackend)
        assert refused == ()
        await backend.aclose()


async def test_without_the_model_in_ollama_the_next_decides_and_the_status_says_why(tmp_path: Path) -> None:
    with serving(Stub(listed=[])) as stub:
        models = Models.from_settings(settings(tmp_path, ollama_host=stub.address))
        status = await models.status()
        expected = BackendName.EMBEDDED if EmbeddedBackend.installed() else BackendName.NONE
        assert status.decides.name is expected
        assert (status.refused[0].name, status.refused[0].reason) == (BackendName.OLLAMA, Reason.MODEL_MISSING)
        await models.aclose()


async def test_with_nothing_installed_nobody_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EmbeddedBackend, "installed", staticmethod(lambda: False))
    with serving(Stub()) as gone:
        address = gone.address
    models = Models.from_settings(settings(tmp_path, ollama_host=address))
    status = await models.status()
    assert status.decides.name is BackendName.NONE
    assert [item.reason for item in status.refused] == [Reason.MODEL_UNAVAILABLE] * 2
    assert (await models.decide(sign_in())).reason is Reason.MODEL_UNAVAILABLE
    await models.aclose()


async def test_a_backend_that_is_set_and_cannot_be_had_is_an_error_and_no_other_is_used(tmp_path: Path) -> None:
    with serving(Stub(listed=[])) as stub:
        wanted = settings(tmp_path, model="ollama", ollama_host=stub.address)
        with pytest.raises(ModelError) as error:
            await choose_backend(wanted)
        assert error.value.reason is Reason.MODEL_MISSING
        models = Models.from_settings(wanted)
        assert (await models.decide(sign_in())).reason is Reason.MODEL_MISSING
        assert (await models.status()).reason is Reason.MODEL_MISSING
        await models.aclose()


async def test_a_host_that_is_not_local_is_not_asked(tmp_path: Path) -> None:
    models = Models.from_settings(settings(tmp_path, model="ollama", ollama_host="http://192.0.2.1:11434"))
    assert (await models.decide(sign_in())).reason is Reason.MODEL_NOT_LOCAL
    await models.aclose()


async def test_none_is_respected(tmp_path: Path) -> None:
    backend, _ = await choose_backend(settings(tmp_path, model="none"))
    assert isinstance(backend, NoModel)
