"""The harness itself, with a stand-in for Remit and the smallest application there can be."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from tests.real.application import AppError, Application
from tests.real.drive import Options, drive
from tests.real.report import AppReport, exit_code

_APP_TOML = """
name = "tiny"
title = "The smallest application"
url = "http://127.0.0.1:{port}/"
port = 1
expect_login = "signed_in"
[credential]
username = "remit-canary-tiny"
password = "remit-Canary+tiny&1 2"
[[collect]]
id = "things"
goal = "All things"
items = "things"
fields = ["number", "day"]
key = "number"
typed = { day = "date" }
truth = "truth/things.csv"
count = 2
[reference]
script = "reference.py"
"""
_SEED = """
mkdir -p "$APP_HOME/truth"
cat >"$APP_HOME/truth/things.csv" <<'CSV'
number,day,day:value
Alpha Works 17,7 March 2026,2026-03-07
Beta Works 18,8 April 2026,2026-04-08
CSV
echo '<p>Welcome to the smallest application of the world</p>' >"$APP_HOME/index.html"
"""


_ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "app.toml").write_text(_APP_TOML)
    (folder / "install.sh").write_text("true\n")
    (folder / "seed.sh").write_text(_SEED)
    serve = f'cd "$APP_HOME"; {sys.executable} -m http.server --bind 127.0.0.1 "$PORT" & sleep 600 & wait'
    (folder / "start.sh").write_text(serve)
    return folder


@pytest.fixture
def app(folder: Path) -> Iterator[Application]:
    application = Application(folder, folder.parent / "home")
    application.prepare()
    with application.running():
        yield application


def _fake(faults: str) -> tuple[str, ...]:
    code = (
        f"import os, runpy, sys; sys.path.insert(0, {str(_ROOT)!r}); os.environ['FAKE_REMIT'] = {faults!r};"
        "runpy.run_module('tests.real.fake_remit', run_name='__main__')"
    )
    return (sys.executable, "-c", code)


def _drive(app: Application, faults: str = "") -> AppReport:
    return drive(app, Options(remit=_fake(faults), patience_s=0.3))


def test_a_clean_run_is_complete_and_counts_what_it_cost(app: Application) -> None:
    report = _drive(app)
    assert report.errors == []
    assert report.hits == []
    assert (report.sound, report.complete, exit_code([report], report_only=False)) == (True, True, 0)
    assert report.model_calls == 5
    assert report.tokens > 50


def test_every_kind_of_leak_is_found(app: Application) -> None:
    report = _drive(app, "result progress stderr data address selector href record sentence")
    found = {(hit.canary, re.sub(r"\d+", "N", hit.where)) for hit in report.hits}
    said = "message N, server"
    assert found >= {("password", said), ("password", "stderr.log"), ("password", "log")}
    assert found >= {(kind, said) for kind in ("address", "selector", "href", "record", "page sentence")}
    assert len({hit.where for hit in report.hits if hit.canary == "password"}) == 4  # a result, and progress
    assert exit_code([report], report_only=True) == 1


def test_a_lost_row_is_no_success_but_may_be_reported(app: Application) -> None:
    report = _drive(app, "lose")
    found = report.questions[0].comparison
    assert found is not None
    assert (found.right, found.missing) == (1, 1)
    assert (exit_code([report], report_only=False), exit_code([report], report_only=True)) == (1, 0)


def test_an_unexpected_refusal_to_sign_in_fails(app: Application) -> None:
    report = _drive(app, "refuse")
    assert report.login.reason == "no_login_form"
    assert exit_code([report], report_only=True) == 1


def test_a_process_that_outlives_the_server_is_found_and_ended(app: Application) -> None:
    report = _drive(app, "process")
    assert report.left_running == 1


def test_the_application_ends_with_everything_it_started(app: Application) -> None:
    with app.running():
        mine = [process for process in _below(app.home) if process.environ().get("PORT") == str(app.port)]
        assert len(mine) >= 3
    assert all(not process.is_running() or process.status() == psutil.STATUS_ZOMBIE for process in mine)


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_in_the_middle_of_a_call_ends_everything(folder: Path, tmp_path: Path, kind: signal.Signals) -> None:
    home = tmp_path / "home"
    code = (
        "import functools, sys; from tests.real import __main__ as main;"
        f"main.Options = functools.partial(main.Options, remit={_fake('hang')!r}); sys.exit(main.main())"
    )
    command = [sys.executable, "-c", code, str(folder)]
    environment = {**os.environ, "APP_HOME": str(home), "HOME": str(tmp_path), "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        command, cwd=_ROOT, env=environment, stdout=subprocess.DEVNULL, start_new_session=True
    ) as run:
        while not (tmp_path / "hanging").exists() and run.poll() is None:
            time.sleep(0.02)
        assert len(_below(tmp_path)) > 3
        run.send_signal(kind)
        assert run.wait(timeout=20) == 130
    assert _below(tmp_path) == []
    assert not list(tmp_path.glob("remit-real-*"))


def _below(home: Path) -> list[psutil.Process]:
    """The processes that know of the folder: the application's, Remit's, and the harness."""
    found: list[psutil.Process] = []
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            told = process.environ()
            if any(told.get(name, "").startswith(str(home)) for name in ("APP_HOME", "HOME", "REMIT_DATA_DIR")):
                found.append(process)
    return found


def test_a_truth_of_the_wrong_length_is_no_truth(app: Application) -> None:
    truth = app.home / "truth" / "things.csv"
    truth.write_text(truth.read_text().rsplit("\n", 2)[0] + "\n")
    with pytest.raises(AppError, match="1 rows"):
        app.truth(app.file.collect[0])
