"""`remit audit`: whether the log of decisions and effects is whole, and what it says."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from remit.authority import Audit, AuditReport, Broken, Entry, open_audit
from remit.contract import RemitError
from remit.settings import Settings

audit_app = typer.Typer(
    help="Check and show the log of decisions and effects.", no_args_is_help=True, pretty_exceptions_enable=False
)

_DIGEST = re.compile(r"[0-9a-f]{32,}")
_SENTENCES = {
    Broken.CHANGED: "it is not the row that was written here",
    Broken.REMOVED: "it is missing, though later rows are there",
    Broken.MOVED: "it does not follow the row before it; rows were put in or written anew",
    Broken.CUT_SHORT: "it and what followed were cut off",
    Broken.REWRITTEN: "it is not the row that was written; from somewhere before it the log is another",
    Broken.VANISHED: "an earlier log stood in this place and is gone",
    Broken.NO_HEAD: "its head record is missing, so rows may have been cut off at the end",
    Broken.BAD_HEAD: "its head record is damaged, so rows may have been cut off at the end",
    Broken.NO_KEY: "its key is missing, damaged or readable by others",
    Broken.UNREADABLE: "its database cannot be read",
}


@audit_app.command()
def verify(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Say whether every row is as it was written. Exit code 0 if so, 1 if not."""
    with _open() as audit:
        report = audit.verify()
    if as_json:
        typer.echo(json.dumps(_plain_report(report)))
    else:
        told = Text.assemble(("intact  " if report.is_intact else "broken  ", _style(report)), _told(report))
        Console(soft_wrap=True).print(told)
    raise typer.Exit(0 if report.is_intact else 1)


@audit_app.command()
def show(
    run: Annotated[str | None, typer.Option(metavar="ID", help="Only the rows of this run.")] = None,
    most: Annotated[int, typer.Option(min=1, max=100_000, help="How many rows, counted from the last.")] = 200,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show the last rows, oldest first."""
    with _open() as audit:
        entries = audit.entries(run, most=most)
    if as_json:
        typer.echo(json.dumps([_plain(entry) for entry in entries], indent=2))
    elif entries:
        Console().print(_table(entries))
    else:
        typer.echo("No rows." if run is None else "No rows of this run.")


@contextmanager
def _open() -> Iterator[Audit]:
    """The log of this data directory; what cannot be used ends the command with one line and exit code 1."""
    settings = Settings()
    try:
        audit = open_audit(settings.data_dir, settings.vault_dir)
        try:
            yield audit
        finally:
            audit.close()
    except RemitError as error:
        typer.echo(error.reason.sentence, err=True)
        raise typer.Exit(1) from None


def _style(report: AuditReport) -> str:
    return "bold green" if report.is_intact else "bold red"


def _told(report: AuditReport) -> str:
    rows = f"{report.rows} {'row' if report.rows == 1 else 'rows'}"
    if report.reason is None:
        later = f"; its head record begins at row {report.since}: rows cut off before that are not noticed"
        return f"{rows}, each as it was written{later if report.since else ''}"
    sentence = _SENTENCES[report.reason]
    return f"row {report.broken}: {sentence}; {rows} sound" if report.broken else f"{sentence}; {rows} sound"


def _plain_report(report: AuditReport) -> dict[str, bool | int | str | None]:
    return {
        "intact": report.is_intact,
        "rows": report.rows,
        "broken": report.broken,
        "reason": report.reason.value if report.reason else None,
        "since": report.since,
    }


def _plain(entry: Entry) -> dict[str, object]:
    return {
        "sequence": entry.sequence,
        "at": entry.at.isoformat(timespec="milliseconds") if entry.at else None,
        "kind": entry.kind.value if entry.kind else None,
        "run_id": entry.run_id,
        "facts": entry.facts,
    }


def _table(entries: list[Entry]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("Row", justify="right", no_wrap=True)
    table.add_column("Time", no_wrap=True)
    table.add_column("What", no_wrap=True)
    table.add_column("Run", no_wrap=True)
    table.add_column("Facts", overflow="fold")
    for entry in entries:
        table.add_row(
            str(entry.sequence),
            f"{entry.at.astimezone():%m-%d %H:%M:%S}" if entry.at else "?",
            entry.kind.value.replace("_", " ") if entry.kind else Text("not ours", style="red"),
            entry.run_id or "",
            _facts(entry),
        )
    return table


def _facts(entry: Entry) -> Text:
    told = Text()
    for name, fact in entry.facts.items():
        told.append("  " if told else "").append(f"{name}=", style="dim").append(_short(str(fact)))
    return told


def _short(fact: str) -> str:
    """A digest by its beginning; `--json` has all of it."""
    return f"{fact[:12]}…" if _DIGEST.fullmatch(fact) else fact
