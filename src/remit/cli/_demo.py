"""`remit demo`: the main job on a supplier portal of our own, checked against the portal's own database."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from openpyxl import load_workbook
from rich.console import Console
from rich.table import Table

from remit.contract import Origin, Secret
from remit.settings import Settings
from remit.vault import NewCredential, Vault

YEAR = 2026
ROOT = Path(__file__).resolve().parents[3]
PACKAGE = Path(__file__).resolve().parents[1]
Row = tuple[str, date, Decimal]
console = Console(highlight=False)


@dataclass(frozen=True, slots=True)
class Portal:
    """A running portal and the database it answers from."""

    url: str
    database: Path


def run_demo(*, keep: bool) -> int:
    """Run everything; 0 only if the file holds exactly the portal's invoices of the year."""
    folder = Path(tempfile.mkdtemp(prefix="remit-demo-"))
    try:
        with _portal(folder) as portal:
            settings = _settings(folder)
            console.rule("[bold]Remit demo")
            console.print(
                f"A supplier portal runs at {portal.url}; its password is in a vault the planner cannot read.\n"
            )
            summary = _plan(portal, settings, folder)
            return _judge(portal, summary)
    finally:
        if not keep:
            _forget(folder)


def _settings(folder: Path) -> Settings:
    files = Settings().files_dir
    return Settings(data_dir=folder / "data", vault_dir=folder / "vault", vault_key="file", files_dir=files)


@contextmanager
def _portal(folder: Path) -> Iterator[Portal]:
    """Start the portal with an account nobody knows, and put that account into the vault."""
    username, password = f"demo-{secrets.token_hex(4)}@example.test", secrets.token_urlsafe(18)
    shipped = (PACKAGE / "_portal").is_dir()
    module = "remit._portal" if shipped else "tests.sites.portal"
    database = folder / "portal.sqlite3"
    command = [sys.executable, "-m", module, "--db", str(database), "--with-parent"]
    environment = {**os.environ, "PORTAL_USERNAME": username, "PORTAL_PASSWORD": password}
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, env=environment, cwd=None if shipped else ROOT, **pipes) as process:
        try:
            assert process.stdout is not None
            url = str(json.loads(process.stdout.readline())["url"])
            vault = Vault.open(_settings(folder))
            credential = NewCredential(
                label="demo", origins=(Origin.of(url),), username=Secret(username), password=Secret(password)
            )
            vault.add(credential)
            yield Portal(url, database)
        finally:
            process.terminate()


def _plan(portal: Portal, settings: Settings, folder: Path) -> dict[str, Any]:
    """Let the example planner do the job in a process of its own, which starts the server as its child."""
    shipped = PACKAGE / "_client_examples" / "plain_client.py"
    script = shipped if shipped.is_file() else ROOT / "client_examples" / "plain_client.py"
    summary = folder / "summary.json"
    name = f"invoices-{YEAR}-{datetime.now():%Y%m%d-%H%M%S}.xlsx"
    command = [sys.executable, str(script), portal.url, "--year", str(YEAR), "--name", name, "--summary", str(summary)]
    environment = {
        **os.environ,
        "REMIT_DATA_DIR": str(settings.data_dir),
        "REMIT_VAULT_DIR": str(settings.vault_dir),
        "REMIT_VAULT_KEY": "file",
        "REMIT_FILES_DIR": str(settings.files_dir),
    }
    subprocess.run(command, env=environment, check=False)
    return json.loads(summary.read_text("utf-8")) if summary.exists() else {}


def _judge(portal: Portal, summary: dict[str, Any]) -> int:
    if not summary:
        console.print("\n[red]The job did not end.[/red]")
        return 1
    path = Path(summary["written"]["path"])
    found, wanted = Counter(_written(path)), Counter(_expected(portal.database))
    table = Table(title="Receipt", title_justify="left", show_header=False)
    for name, value in summary["collected"].items():
        if name not in ("session_id", "dataset_id"):
            table.add_row(name.replace("_", " "), str(value))
    table.add_row("planner tokens", str(summary["planner_tokens"]))
    table.add_row("file", str(path))
    console.print()
    console.print(table)
    missing, wrong = (wanted - found).total(), (found - wanted).total()
    if missing or wrong:
        console.print(f"[red]The file differs from the portal's database: {missing} missing, {wrong} wrong.[/red]")
        return 1
    console.print(
        f"[green]The file holds exactly the {wanted.total()} invoices of {YEAR} in the portal's database.[/green]"
    )
    return 0


def _written(path: Path) -> list[Row]:
    book = load_workbook(path, read_only=True)
    try:
        return [_row(*values[:3]) for values in book.worksheets[0].iter_rows(min_row=2, values_only=True)]
    finally:
        book.close()


def _row(number: Any, day: Any, amount: Any) -> Row:
    return str(number), day.date() if isinstance(day, datetime) else day, Decimal(str(amount)).quantize(Decimal("0.01"))


def _expected(database: Path) -> list[Row]:
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    try:
        query = "SELECT number, issued, cents FROM invoice WHERE issued LIKE ?"
        found = connection.execute(query, (f"{YEAR}-%",)).fetchall()
    finally:
        connection.close()
    return [(number, date.fromisoformat(issued), Decimal(cents) / 100) for number, issued, cents in found]


def _forget(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
