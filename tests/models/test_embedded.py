from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import sys
import tomllib
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest

from remit.contract import Reason
from remit.models import Answer as AnyAnswer
from remit.models import Chosen, EmbeddedBackend, Extract, Field, Intent, Order, Question
from tests.models.questions import headers, links, sign_in

needs_model = pytest.mark.skipif(not EmbeddedBackend.installed(), reason="the `embedded` extra is not installed")


@pytest.fixture
async def backend() -> AsyncIterator[EmbeddedBackend]:
    embedded = EmbeddedBackend()
    yield embedded
    await embedded.aclose()


async def chosen(backend: EmbeddedBackend, *names: str) -> object:
    decision = await backend.ask(sign_in(*names), 30)
    return decision.answer if decision.answer is not None else decision.reason


@needs_model
async def test_the_real_model_chooses_maps_orders_and_abstains(backend: EmbeddedBackend) -> None:
    assert await chosen(backend, "Home", "Member log-in", "Register", "Help") == Chosen("c1")
    assert await chosen(backend, "Startseite", "Produkte", "Impressum", "Datenschutz") == Chosen(None)
    found = await backend.ask(headers(("due_date", "amount", "email"), "Fälligkeitsdatum", "Totale fattura", "PLZ"), 30)
    assert found.answer is not None
    assert dict(found.answer.columns) == {"due_date": "k0", "amount": "k1", "email": None}
    order = await backend.ask(Order(Intent.OPEN_RECORDS, links("Help", "My bills"), goal="invoices"), 30)
    assert order.answer is not None
    assert order.answer.ids == ("c1", "c0")
    unknown: tuple[Question[AnyAnswer], ...] = (
        Order(Intent.OTHER, links("A", "B"), goal="fly to the moon"),
        Extract((Field("no", "number"),), "Invoice 7"),
    )
    for question in unknown:
        decision = await backend.ask(question, 30)
        assert (decision.answer, decision.reason, decision.abstained) == (None, Reason.MODEL_NO_ANSWER, True)


@needs_model
async def test_no_name_of_a_page_crashes_the_worker(backend: EmbeddedBackend) -> None:
    hostile = ("", "\0", "\ud800 sign", "𝕏" * 5_000, "\u202etext", '"}\n{"n": 2}', "9" * 100_000, "()", "(1)")
    assert await chosen(backend, *hostile, "Accedi") == Chosen(f"c{len(hostile)}")
    before = backend.pid
    assert (await backend.ask(headers(("amount",), *hostile), 30)).answer is not None
    assert backend.pid == before


@needs_model
async def test_the_worker_sees_no_secret_no_remit_and_where_the_kernel_allows_no_network_and_no_file(
    backend: EmbeddedBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REMIT_VAULT_PASSPHRASE", "canary")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "canary")
    seen = await backend.probe()
    environment = seen["environment"]
    assert isinstance(environment, list)
    assert set(map(str, environment)) <= {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "LC_ALL", "LC_CTYPE"}
    assert seen["modules"] == []
    held = backend.describe().isolation
    if "network" in held:
        assert seen["has_route"] is False
        assert backend.pid is not None
        assert os.readlink(f"/proc/{backend.pid}/ns/net") != os.readlink("/proc/self/ns/net")
    if "files" in held:
        assert seen["reads_files"] is False


@needs_model
async def test_a_crashed_worker_is_started_again_once(backend: EmbeddedBackend) -> None:
    assert await backend.warm() is None
    for again in (True, False):
        assert backend.pid is not None
        crashed = psutil.Process(backend.pid)
        crashed.send_signal(signal.SIGKILL)
        await asyncio.to_thread(psutil.wait_procs, [crashed], 5)
        expected = Chosen("c1") if again else Reason.MODEL_UNAVAILABLE
        assert await chosen(backend, "Home", "Accedi") == expected


@needs_model
def test_the_worker_dies_with_its_parent(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(
        "import asyncio, os\n"
        "from remit.models import EmbeddedBackend\n"
        "async def main():\n"
        "    backend = EmbeddedBackend()\n"
        "    await backend.warm()\n"
        "    print(backend.pid, flush=True)\n"
        "    os.kill(os.getpid(), 9)\n"
        "asyncio.run(main())\n"
    )
    with psutil.Popen([sys.executable, str(script)], stdout=-1) as parent:
        pid = int(parent.stdout.readline())
        parent.wait(10)
    with contextlib.suppress(psutil.NoSuchProcess):
        psutil.Process(pid).wait(10)


async def test_a_worker_that_cannot_start_or_talks_nonsense_is_unavailable() -> None:
    for code in ("raise SystemExit(1)", "print('hello')", "print('[]')"):
        backend = EmbeddedBackend((sys.executable, "-I", "-c", code))
        assert await chosen(backend) is Reason.MODEL_UNAVAILABLE
        await backend.aclose()


async def test_an_index_out_of_range_is_no_answer_and_a_late_one_is_dropped() -> None:
    code = (
        "import json, sys\n"
        "print('{\"ready\": true}', flush=True)\n"
        "asked = [json.loads(sys.stdin.readline()) for _ in range(2)]\n"
        "print(json.dumps({'n': asked[0]['n'], 'index': 0}), flush=True)\n"
        "print(json.dumps({'n': asked[1]['n'], 'index': 7}), flush=True)\n"
        "sys.stdin.readline()\n"
    )
    backend = EmbeddedBackend((sys.executable, "-I", "-c", code))
    await backend.warm()
    assert (await backend.ask(sign_in(), 0.1)).reason is Reason.MODEL_TIMEOUT
    assert (await backend.ask(sign_in(), 10)).reason is Reason.MODEL_NO_ANSWER
    await backend.aclose()


@needs_model
def test_the_stored_embeddings_are_those_of_the_exemplars() -> None:
    numpy = pytest.importorskip("numpy")
    from remit.models._build_exemplars import STORED, digest

    with numpy.load(STORED) as stored:
        assert str(stored["digest"]) == digest(), "run python -m remit.models._build_exemplars"


def test_every_exemplar_file_lists_phrases_by_language_without_repetition() -> None:
    folder = Path(sys.modules[EmbeddedBackend.__module__].__file__ or "").with_name("exemplars")
    files = sorted(folder.glob("*/*.toml"))
    assert len(files) > 60
    for path in files:
        for language, phrases in tomllib.loads(path.read_text("utf-8")).items():
            assert re.fullmatch("[a-z]{2}", language), path
            assert len(phrases) == len(set(phrases)), (path, language)
