"""What came out: a table for people, a dictionary for machines, and whether it is good enough."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tests.canary import Hit

from .compare import Comparison
from .planner import LoginOutcome

_LEAKS_SHOWN = 12


@dataclass(slots=True)
class QuestionReport:
    """One question's answer. Seconds are those of collecting, without writing the file."""

    id: str
    wanted: int
    status: str = ""
    reason: str = ""
    comparison: Comparison | None = None
    tokens: float = 0
    model_calls: int = 0
    seconds: float = 0

    @property
    def complete(self) -> bool:
        """Whether the file holds the truth."""
        return self.comparison is not None and self.comparison.complete


@dataclass(frozen=True, slots=True)
class ReferenceTimes:
    """The seconds of the hand-written script, and whether it found the truth itself."""

    login_s: float
    collect_s: float
    right: bool


@dataclass(slots=True)
class AppReport:
    """One application."""

    name: str
    expected: str
    login: LoginOutcome = field(default_factory=lambda: LoginOutcome(False, ""))
    expected_at_login_url: str | None = None
    login_at_login_url: LoginOutcome | None = None
    questions: list[QuestionReport] = field(default_factory=list)
    tokens: float = 0
    model_calls: int = 0
    login_s: float = 0
    reference: ReferenceTimes | None = None
    reference_failed: bool = False
    hits: list[Hit] = field(default_factory=list)
    left_running: int = 0
    errors: list[str] = field(default_factory=list)

    @property
    def signed_in(self) -> bool:
        """Whether it was signed in, at the latest with the stored sign-in page."""
        return self.login.signed_in or bool(self.login_at_login_url and self.login_at_login_url.signed_in)

    @property
    def can_sign_in(self) -> bool:
        """Whether `app.toml` expects to be signed in somehow, so that there is something to collect."""
        return "signed_in" in (self.expected, self.expected_at_login_url)

    @property
    def login_expected(self) -> bool:
        """Whether signing in ended as `app.toml` says; to find the stored sign-in page unaided is right as well."""
        if self.login_at_login_url is None:
            unaided = self.login.signed_in and self.can_sign_in
            return unaided or _meets(self.login, self.expected)
        return _meets(self.login, self.expected) and _meets(self.login_at_login_url, self.expected_at_login_url)

    @property
    def complete(self) -> bool:
        """Whether every question was answered with the truth."""
        return self.signed_in and all(question.complete for question in self.questions)

    @property
    def collect_s(self) -> float:
        """Seconds of all collections."""
        return sum(question.seconds for question in self.questions)

    @property
    def ratio(self) -> float | None:
        """Remit's time over the reference's, signing in and collecting together, where both did the whole work."""
        theirs = self.reference
        if theirs is None or not self.complete or not theirs.right:
            return None
        return (self.login_s + self.collect_s) / (theirs.login_s + theirs.collect_s)

    @property
    def sound(self) -> bool:
        """Sign-in as expected, nothing leaked, nothing left running, no error."""
        return self.login_expected and not (self.hits or self.left_running or self.errors)

    def plain(self) -> dict[str, Any]:
        """Everything, for JSON."""
        told = {
            name: getattr(self, name)
            for name in ("signed_in", "login_expected", "complete", "collect_s", "ratio", "sound")
        }
        return {**asdict(self), **told}


def _meets(outcome: LoginOutcome, expected: str | None) -> bool:
    if expected == "signed_in" or outcome.signed_in:
        return outcome.signed_in and expected == "signed_in"
    return expected in (outcome.reason, outcome.status)


def exit_code(reports: list[AppReport], *, report_only: bool) -> int:
    """0 when all is sound, and complete unless only a report was asked for."""
    good = all(report.sound and (report_only or report.complete or not report.can_sign_in) for report in reports)
    return 0 if good and reports else 1


def show(reports: list[AppReport], console: Console) -> None:
    """Print the table and, below it, what is wrong."""
    table = Table(title="Remit against real applications", header_style="bold")
    for name in ("app", "signed in", "question"):
        table.add_column(name, overflow="fold")
    for name in ("found", "twice", "wrong", "missing", "tokens", "model", "s", "reference s", "ratio"):
        table.add_column(name, justify="right")
    table.add_column("end", overflow="fold")
    for report in reports:
        _add(table, report)
    console.print(table)
    for report in reports:
        for line in _troubles(report):
            console.print(Text(f"{report.name}: {line}", style="red"))
    signed, done = sum(report.signed_in for report in reports), sum(report.complete for report in reports)
    console.print(f"Signed in on {signed} of {len(reports)}, collected completely on {done}.")


def _add(table: Table, report: AppReport) -> None:
    reference, ratio = report.reference, report.ratio
    total = report.login_s + report.collect_s
    table.add_row(
        Text(report.name, style="bold"),
        _login_text(report),
        "",
        *([""] * 4),
        f"{report.tokens:.0f}",
        str(report.model_calls),
        f"{report.login_s:.1f} + {report.collect_s:.1f} = {total:.1f}",
        f"{reference.login_s:.1f} + {reference.collect_s:.1f}" if reference else "failed" * report.reference_failed,
        f"{ratio:.2f}" if ratio else "",
        "",
        end_section=not report.questions,
    )
    for number, question in enumerate(report.questions, 1):
        _add_question(table, question, last=number == len(report.questions))


def _add_question(table: Table, question: QuestionReport, *, last: bool) -> None:
    found = question.comparison
    counts = [str(n) if n else "" for n in (found.duplicates, found.wrong, found.missing)] if found else [""] * 3
    table.add_row(
        "",
        "",
        question.id,
        Text(f"{found.right if found else 0}/{question.wanted}", style="green" if question.complete else "yellow"),
        *counts,
        f"{question.tokens:.0f}",
        str(question.model_calls),
        f"{question.seconds:.1f}",
        "",
        "",
        " ".join(filter(None, (question.status, question.reason))),
        end_section=last,
    )


def _login_text(report: AppReport) -> Text:
    first = "yes" if report.login.signed_in else f"no: {report.login.reason}"
    second = report.login_at_login_url
    told = (
        "" if second is None else "; from the sign-in page " + ("yes" if second.signed_in else f"no: {second.reason}")
    )
    return Text(first + told, style="green" if report.login_expected else "red")


def _troubles(report: AppReport) -> list[str]:
    absent = [
        f"{question.id} lacks the columns {', '.join(question.comparison.fields_missing)}"
        for question in report.questions
        if question.comparison and question.comparison.fields_missing
    ]
    leaks = [f"LEAK of {hit.canary} ({hit.encoding}) in {hit.where}" for hit in report.hits[:_LEAKS_SHOWN]]
    leaks += [f"and {len(report.hits) - _LEAKS_SHOWN} leaks more"] if len(report.hits) > _LEAKS_SHOWN else []
    left = [f"{report.left_running} processes outlived the server"] if report.left_running else []
    login = [] if report.login_expected else [f"signing in should end with {report.expected}"]
    reference = ["the hand-written script did not find the truth"] if report.reference_failed else []
    return [*report.errors, *reference, *login, *leaks, *left, *absent]
