"""Run Remit against real applications: `python -m tests.real NAME... --apps DIR`; no name means all of the folder.

Exits with 1 when a sign-in does not end as `app.toml` says, something leaked, something was left running, or a
collection is not the truth (the last not with --report); with 130 after Ctrl-C.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

from rich.console import Console

from .application import AppError, Application
from .drive import Options, drive
from .reference import run_reference, unwind_on_sigterm
from .report import AppReport, exit_code, show


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tests.real", allow_abbrev=False, description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="folders below --apps, or paths of folders")
    apps = os.environ.get("APPS")
    parser.add_argument(
        "--apps", type=Path, default=Path(apps) if apps else None, help="folder of applications ($APPS)"
    )
    parser.add_argument("--json", type=Path, help="write all figures to this file")
    parser.add_argument("--keep-transcript", type=Path, help="write every message to this file, as JSON lines")
    parser.add_argument("--no-reference", action="store_true", help="do not run the hand-written scripts")
    parser.add_argument("--csv", action="store_true", help="also write and compare CSV")
    parser.add_argument("--seed", action="store_true", help="seed again first")
    parser.add_argument("--report", action="store_true", help="an incomplete collection is no failure")
    parser.add_argument("--limit", type=float, default=900.0, help="seconds for one question")
    return parser.parse_args()


def _folders(given: argparse.Namespace) -> list[Path]:
    if given.names:
        return [_folder(name, given.apps) for name in given.names]
    if given.apps is None:
        raise SystemExit("Name an application's folder, or say where they are: --apps DIR or APPS=DIR")
    return sorted(path.parent for path in given.apps.glob("*/app.toml"))


def _folder(name: str, apps: Path | None) -> Path:
    places = [*([apps / name] if apps else []), Path(name)]
    for place in places:
        if (place / "app.toml").is_file():
            return place
    raise SystemExit(f"There is no application in {' or '.join(map(str, places))}")


def _home(given: argparse.Namespace) -> Path | None:
    """APP_HOME is the place of one application, so it means nothing for several."""
    told = os.environ.get("APP_HOME")
    return Path(told) if told and len(given.names) == 1 else None


def _one(folder: Path, given: argparse.Namespace, console: Console) -> AppReport:
    app = Application(folder, _home(given))
    try:
        console.print(f"[bold]{app.file.name}[/]: {app.file.title}")
        app.prepare(seed_again=given.seed)
        for question in app.file.collect:
            app.truth(question)
        with app.running():
            report = drive(app, Options(given.keep_transcript, given.csv, given.limit))
            if app.file.reference and not given.no_reference:
                report.reference = run_reference(app)
                report.reference_failed = report.reference is None or not report.reference.right
            return report
    except (AppError, OSError) as error:
        return AppReport(app.file.name, app.file.expect_login, errors=[str(error)])


def main() -> int:
    """Run what the command line names."""
    given = _arguments()
    console = Console(stderr=True)
    unwind_on_sigterm()
    reports: list[AppReport] = []
    interrupted = False
    if given.keep_transcript:
        given.keep_transcript.unlink(missing_ok=True)
    try:
        for folder in _folders(given):
            reports.append(_one(folder, given, console))  # noqa: PERF401 - those before Ctrl-C are kept
    except KeyboardInterrupt:
        interrupted = True
    show(reports, Console(width=None if sys.stdout.isatty() else 180))
    if given.json:
        given.json.write_text(json.dumps([report.plain() for report in reports], indent=2), encoding="utf-8")
    return 130 if interrupted else exit_code(reports, report_only=given.report)


if __name__ == "__main__":
    sys.exit(main())
