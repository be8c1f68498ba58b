"""`remit doctor`: what is there, what is missing, and the exact command that mends it."""

from __future__ import annotations

import json
import platform
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Literal

import anyio
from rich.console import Console
from rich.markup import escape
from rich.table import Table

import remit
from remit.authority import PolicyError, read_policy
from remit.contract import Reason, Registry, builtin_folder
from remit.settings import Settings
from remit.state import Database

State = Literal["ok", "optional", "missing"]
_MARK = {"ok": "[green]ok[/green]", "optional": "[yellow]without[/yellow]", "missing": "[red]missing[/red]"}
LANGUAGES = ("eng", "ita")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. `mend` is a command to type, empty where nothing is wrong."""

    subject: str
    state: State
    found: str
    mend: str = ""


def examine(*, as_json: bool) -> int:
    """Print all findings; 1 when something necessary is missing."""
    settings = Settings()
    findings = [look(settings) for look in LOOKS]
    if as_json:
        print(json.dumps([asdict(finding) for finding in findings], indent=2))
    else:
        _print(findings)
    return 1 if any(finding.state == "missing" for finding in findings) else 0


def _print(findings: list[Finding]) -> None:
    console = Console()
    table = Table(box=None, show_header=False, pad_edge=False)
    for finding in findings:
        table.add_row(finding.subject, _MARK[finding.state], escape(finding.found))
    console.print(table)
    for finding in findings:
        if finding.mend:
            console.print(f"\n{finding.subject}: [bold]{escape(finding.mend)}[/bold]", highlight=False, soft_wrap=True)


def _python(settings: Settings) -> Finding:
    del settings
    return Finding("remit", "ok", f"{remit.__version__} on Python {platform.python_version()}")


def _browser(settings: Settings) -> Finding:
    from remit.browser import browser_status

    status = browser_status(settings)
    if status.version is not None:
        return Finding("browser", "ok", f"{status.version} ({status.path})")
    if settings.browser_path is not None:
        return Finding("browser", "missing", f"{settings.browser_path} does not run", "unset REMIT_BROWSER_PATH")
    return Finding("browser", "missing", "no Chromium", f"{sys.executable} -m playwright install chromium")


def _tesseract(settings: Settings) -> Finding:
    del settings
    program = shutil.which("tesseract")
    mend = "brew install tesseract tesseract-lang" if sys.platform == "darwin" else _apt("tesseract-ocr", *LANGUAGES)
    if program is None:
        return Finding("tesseract", "optional", "needed to read scanned documents", mend)
    listed = subprocess.run([program, "--list-langs"], capture_output=True, text=True, check=False, timeout=20).stdout
    lacking = [language for language in LANGUAGES if language not in listed.split()]
    if lacking:
        return Finding("tesseract", "optional", f"without {', '.join(lacking)}", mend)
    return Finding("tesseract", "ok", f"with {', '.join(LANGUAGES)}")


def _apt(package: str, *languages: str) -> str:
    return " ".join(["sudo apt-get install", package, *(f"{package}-{language}" for language in languages)])


def _vault(settings: Settings) -> Finding:
    from remit.vault import status

    vault = status(settings)
    if vault.problem is not None:
        mend = {
            Reason.VAULT_UNSAFE: f"chmod -R go-rwx {settings.vault_dir}",
            Reason.VAULT_LOCKED: "export REMIT_VAULT_PASSPHRASE=...",
        }.get(vault.problem, "remit vault list")
        return Finding("vault", "missing", vault.problem.sentence, mend)
    kind = f"key kept by {vault.kind.value}" if vault.kind is not None else "no key"
    count = f"{vault.count} credentials, {kind}" if vault.present else f"empty, {kind}"
    return Finding("vault", "ok", count, "" if vault.count else "remit vault add --url https://portal.example")


def _model(settings: Settings) -> Finding:
    if settings.model == "none":
        return Finding("local model", "optional", "none decides, as configured: only what is unambiguous is done")
    decides, reason, refused = anyio.run(_decider, settings)
    others = "".join(f"; {line}" for line in refused)
    if reason is None and decides != "none":
        return Finding("local model", "ok", f"{decides} decides{others}")
    found = f"none decides: only what is unambiguous is done{others}"
    return Finding("local model", "optional", found, f"{sys.executable} -m pip install 'remit[embedded]'")


async def _decider(settings: Settings) -> tuple[str, Reason | None, list[str]]:
    from remit.contract import RemitError
    from remit.models import Models

    models = Models.from_settings(settings)
    try:
        status = await models.status()
    except RemitError as error:
        return "none", error.reason, []
    finally:
        await models.aclose()
    refused = [f"{item.name.value}: {item.reason.sentence[:-1].lower()}" for item in status.refused]
    name = status.decides.name.value
    return (f"{name} ({status.decides.model})" if status.decides.model else name), status.reason, refused


def _manifests(settings: Settings) -> Finding:
    registry = Registry((builtin_folder(), *settings.manifest_dirs))
    if registry.dropped:
        names = ", ".join(item.name for item in registry.dropped)
        return Finding("manifests", "missing", f"not published: {names}", "remit check")
    return Finding("manifests", "ok", f"{len(registry.published)} tools published")


def _folders(settings: Settings) -> Finding:
    places = f"data {settings.data_dir}, vault {settings.vault_dir}, files {settings.files_dir}"
    try:
        Database.in_folder(settings.data_dir).close()
    except OSError:
        return Finding("folders", "missing", f"{settings.data_dir} cannot be written", f"ls -ld {settings.data_dir}")
    except sqlite3.Error:
        damaged = settings.data_dir / "remit.sqlite3"
        return Finding("folders", "missing", f"{damaged} is damaged", f"mv {damaged} {damaged}.damaged")
    return Finding("folders", "ok", places)


def _policy(settings: Settings) -> Finding:
    try:
        policy = read_policy(settings.policy_file)
    except PolicyError as error:
        return Finding("policy", "missing", str(error), f"edit or remove {settings.policy_file}")
    unknown = policy.for_unknown(Registry((builtin_folder(), *settings.manifest_dirs)).published)
    if unknown:
        return Finding("policy", "optional", f"rules that name no published executor: {', '.join(map(str, unknown))}")
    rules = len(policy.rule)
    return Finding("policy", "ok", f"{rules} rule{'s' * (rules != 1)}" if rules else "no rules: the manifests' consent")


LOOKS: tuple[Callable[[Settings], Finding], ...] = (
    _python,
    _browser,
    _tesseract,
    _vault,
    _model,
    _manifests,
    _policy,
    _folders,
)
