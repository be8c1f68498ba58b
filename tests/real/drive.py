"""One application from signing in to the written files, compared with the truth and searched for leaks."""

from __future__ import annotations

import asyncio
import signal
import time
import urllib.request
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import anyio

from tests.canary import Canaries, Hit

from .application import Application, Question
from .compare import compare
from .conversation import REMIT, Conversation, Folders, conversation, end_leftovers, store_credential
from .leaks import canaries_in, known_to, page_sentences, record_texts, sentences_in, shapes_in
from .planner import LoginOutcome, NotOpened, Planner
from .report import AppReport, QuestionReport
from .transcript import Transcript


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line asked for."""

    transcript: Path | None = None
    csv: bool = False
    limit_s: float = 900.0
    remit: tuple[str, ...] = REMIT
    patience_s: float = 5.0


class Drive:
    """One server's life with one application."""

    def __init__(self, app: Application, options: Options, folders: Folders, report: AppReport) -> None:
        self.app = app
        self.options = options
        self.folders = folders
        self.report = report

    async def run(self) -> LoginOutcome:
        """Open, sign in, answer every question if signed in, and close."""
        transcript = Transcript()
        try:
            async with conversation(self.folders, transcript, self.options.remit) as talk:
                try:
                    return await self._talk(talk)
                except NotOpened as refused:
                    return LoginOutcome(False, str(refused))
                finally:
                    self._count(talk)
        finally:
            self._search(transcript)
            if self.options.transcript:
                transcript.write(self.options.transcript, append=True)

    async def _talk(self, talk: Conversation) -> LoginOutcome:
        planner = Planner(talk.call)
        start = time.monotonic()
        await talk.client.list_tools()
        session = await planner.open(self.app.url)
        outcome = await planner.login(session)
        self.report.login_s += time.monotonic() - start
        if outcome.signed_in:
            for question in self.app.file.collect:
                self.report.questions.append(await self._question(talk, planner, session, question))
        await planner.close(session)
        return outcome

    def _count(self, talk: Conversation) -> None:
        self.report.tokens += talk.tokens
        self.report.model_calls += talk.model_calls
        self.report.errors += talk.errors

    async def _question(self, talk: Conversation, planner: Planner, session: str, question: Question) -> QuestionReport:
        before, asked, start = talk.tokens, talk.model_calls, time.monotonic()
        answer = QuestionReport(question.id, question.count)
        with anyio.move_on_after(self.options.limit_s) as scope:
            outcome = await planner.collect(session, question)
            answer.status, answer.reason = outcome.status, outcome.reason
            answer.seconds = time.monotonic() - start
            if outcome.dataset_id:
                await self._write(planner, outcome.dataset_id, question, answer)
        if scope.cancelled_caught:
            answer.status, answer.reason = "failed", "harness_time_limit"
        answer.seconds = answer.seconds or time.monotonic() - start
        answer.tokens, answer.model_calls = talk.tokens - before, talk.model_calls - asked
        return answer

    async def _write(self, planner: Planner, dataset: str, question: Question, answer: QuestionReport) -> None:
        truth = self.app.truth(question)
        for suffix in ("xlsx", "csv") if self.options.csv else ("xlsx",):
            before = _files(self.folders.files, suffix)
            await planner.write(dataset, f"{self.app.file.name}-{question.id}.{suffix}")
            path = next(iter(_files(self.folders.files, suffix) - before), None)
            found = compare(path, question, truth) if path else None
            if answer.comparison is None or found is None or not found.complete:
                answer.comparison = found  # the worse of the two files is the result

    def _search(self, transcript: Transcript) -> None:
        account, messages = self.app.file.credential, transcript.messages
        truths = {question.id: self.app.truth(question) for question in self.app.file.collect}
        canaries = Canaries({"password": account.password, "user name": account.username})
        known = known_to(messages, [self.app.url, f"file://{self.folders.files}"])
        hits = [*canaries_in(messages, canaries), *shapes_in(messages, known)]
        hits += sentences_in(messages, self._page(), "page sentence", known)
        for question in self.app.file.collect:
            texts = record_texts(question, truths[question.id])
            hits += sentences_in(messages, texts, "record", known)
        hits += canaries.in_folder(self.folders.vault)
        hits += _unless_recorded(canaries.in_folder(self.folders.data), account.username, str(truths))
        if self.folders.stderr.exists():
            hits += canaries.in_file(self.folders.stderr)
        self.report.hits += sorted(set(hits))

    def _page(self) -> list[str]:
        with suppress(OSError), urllib.request.urlopen(self.app.url, timeout=20) as response:
            return page_sentences(response.read().decode(errors="replace"))
        return []


def _files(folder: Path, suffix: str) -> set[Path]:
    return set(folder.rglob(f"*.{suffix}"))


def _unless_recorded(hits: list[Hit], username: str, truths: str) -> list[Hit]:
    """A user name that the records themselves hold is in the dataset by right."""
    recorded = bool(username) and username in truths
    return [hit for hit in hits if not (recorded and hit.canary == "user name")]


def drive(app: Application, options: Options) -> AppReport:
    """Drive a running application; a second time with the stored sign-in page where `app.toml` expects that."""
    report = AppReport(app.file.name, app.file.expect_login)
    report.expected_at_login_url = app.file.expect_login_at_login_url
    report.login = _once(app, options, report, None)
    if app.login_url and report.expected_at_login_url and not report.login.signed_in:
        report.login_at_login_url = _once(app, options, report, app.login_url)
    return report


def _once(app: Application, options: Options, report: AppReport, login_url: str | None) -> LoginOutcome:
    account = app.file.credential
    with TemporaryDirectory(prefix="remit-real-") as root:
        folders = Folders(Path(root))
        folders.make()
        try:
            store_credential(options.remit, folders, app.url, account.username, account.password, login_url)
            return _to_the_end(Drive(app, options, folders, report).run)
        except Exception as error:  # noqa: BLE001 - whatever went wrong, the table must say so and the next follow
            report.errors.append(_said(error))
            return LoginOutcome(False, "harness_error")
        finally:
            report.left_running += end_leftovers(folders, options.patience_s)


def _said(error: BaseException) -> str:
    """The innermost error's kind and text."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"


def _to_the_end(run: Callable[[], Awaitable[LoginOutcome]]) -> LoginOutcome:
    """Run it in an event loop which SIGTERM ends as Ctrl-C does: by unwinding."""

    async def main() -> LoginOutcome:
        task = asyncio.current_task()
        assert task is not None
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        return await run()

    try:
        return asyncio.run(main())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
