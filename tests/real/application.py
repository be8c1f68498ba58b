"""A real application in its folder: what `app.toml` says of it, installing, seeding, starting, and ending it."""

from __future__ import annotations

import csv
import os
import signal
import socket
import subprocess
import time
import tomllib
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

import psutil
from pydantic import BaseModel, ConfigDict, Field

ValueKind = Literal["date", "datetime", "amount", "integer"]
TruthRow = dict[str, str]

_READY_S = 180.0
_END_S = 15.0


class AppError(Exception):
    """The application could not be installed, seeded or started; the text names the step and the log."""


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)


class Period(_Table):
    """ISO days, both included."""

    field: str
    first: str = Field(alias="from")
    last: str = Field(alias="to")


class Question(_Table):
    """One `[[collect]]` block: what to ask for, and where its truth is."""

    id: str
    goal: str
    items: str
    fields: tuple[str, ...]
    key: str
    start: str | None = None
    where: dict[str, str] = Field(default_factory=dict)
    period: Period | None = None
    details: tuple[str, ...] = ()
    typed: dict[str, ValueKind] = Field(default_factory=dict)
    truth: str
    count: int


class _Account(_Table):
    username: str = ""
    password: str


class _Reference(_Table):
    script: str


class AppFile(_Table):
    """The whole `app.toml`."""

    name: str
    title: str
    url: str
    login_url: str | None = None
    port: int
    ready_path: str = "/"
    expect_login: str
    expect_login_at_login_url: str | None = None
    credential: _Account
    collect: tuple[Question, ...] = ()
    reference: _Reference | None = None


class Application:
    """One folder of scripts, and the place where it is installed."""

    def __init__(self, folder: Path, home: Path | None = None) -> None:
        self.folder = folder.resolve()
        self.file = AppFile.model_validate(tomllib.loads((folder / "app.toml").read_text(encoding="utf-8")))
        self.home = home or _installed_below() / self.file.name
        self.port = self.file.port

    @property
    def url(self) -> str:
        """The home page."""
        return self.file.url.format(port=self.port)

    @property
    def login_url(self) -> str | None:
        """The sign-in page, where a person has to tell it."""
        return self.file.login_url and self.file.login_url.format(port=self.port)

    def truth(self, question: Question) -> list[TruthRow]:
        """The right answer to a question.

        Raises:
            AppError: the seed did not make as many rows as `app.toml` promises.
        """
        with (self.home / question.truth).open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        if len(rows) != question.count:
            raise AppError(f"{question.truth} has {len(rows)} rows, not {question.count}")
        return rows

    def prepare(self, *, seed_again: bool = False) -> None:
        """Install, and seed if there is no truth yet or it is asked for.

        Raises:
            AppError: a script failed.
        """
        (self.home / "log").mkdir(parents=True, exist_ok=True)
        self._script("install.sh")
        if seed_again or not all((self.home / question.truth).exists() for question in self.file.collect):
            self._script("seed.sh")

    @contextmanager
    def running(self) -> Iterator[None]:
        """Serve on a free port until the block ends, however it ends.

        Raises:
            AppError: it did not answer in time.
        """
        self.port = _free_port()
        with (self.home / "log" / "start.log").open("ab") as log:
            process = subprocess.Popen(
                ["bash", str(self.folder / "start.sh")],
                env=self.environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        try:
            self._wait_until_ready(process)
            yield
        finally:
            end_group(process)

    def environment(self) -> dict[str, str]:
        """What the scripts are told."""
        told = {"APP_HOME": str(self.home), "PORT": str(self.port), "PYTHONDONTWRITEBYTECODE": "1"}
        return {**os.environ, **told}

    def _script(self, name: str) -> None:
        log = self.home / "log" / f"{name}.log"
        with log.open("wb") as out:
            process = subprocess.Popen(
                ["bash", str(self.folder / name)],
                env=self.environment(),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )
            try:
                code = process.wait()
            finally:
                end_group(process)
        if code:
            raise AppError(f"{name} failed, see {log}: {_last_line(log)}")

    def _wait_until_ready(self, process: subprocess.Popen[bytes]) -> None:
        address = f"http://127.0.0.1:{self.port}{self.file.ready_path}"
        deadline = time.monotonic() + _READY_S
        while time.monotonic() < deadline and process.poll() is None:
            if _answers(address):
                return
            time.sleep(0.1)
        raise AppError(f"not ready, see {self.home / 'log'}")


def _installed_below() -> Path:
    """The folder of all applications; the same default as that of their scripts."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(os.environ.get("APP_HOME_ROOT") or cache / "remit-apps")


def _last_line(log: Path) -> str:
    lines = log.read_text(errors="replace").splitlines()
    return lines[-1] if lines else "it said nothing"


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=20):
            return True
    except urllib.error.HTTPError as error:
        error.close()
        return error.code < 500
    except OSError:
        return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def end_group(process: subprocess.Popen[bytes]) -> None:
    """End a process that leads its own group, and all of the group: politely, then for good."""
    for kind, patience in ((signal.SIGTERM, _END_S), (signal.SIGKILL, _END_S)):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, kind)
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            process.poll()  # reaps it
            if not _group_lives(process.pid):
                process.wait(_END_S)
                return
            time.sleep(0.05)


def _group_lives(group: int) -> bool:
    for other in psutil.process_iter(["status"]):
        with suppress(psutil.Error, ProcessLookupError):
            if os.getpgid(other.pid) == group and other.info["status"] != psutil.STATUS_ZOMBIE:
                return True
    return False
