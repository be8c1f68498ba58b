from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from remit.authority import AuditKind, Decision, Facts, Scope, open_audit
from remit.cli._audit import audit_app
from remit.contract import Capability, Origin, Reason
from remit.settings import Settings

from .test_commands import remit

RUN, OTHER_RUN = "r_aaaaaaaaaaaa", "r_bbbbbbbbbbbb"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REMIT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("REMIT_VAULT_DIR", str(tmp_path / "vault"))
    monkeypatch.setenv("COLUMNS", "160")
    return tmp_path


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(audit_app, list(arguments))


def _write() -> None:
    settings = Settings()
    with closing(open_audit(settings.data_dir, settings.vault_dir)) as audit:
        site = Origin.of("https://portal.example")
        audit.append(AuditKind.RUN_STARTED, RUN, Facts(executor="login_sites"))
        asked = Facts(capability=Capability.VAULT_USE, target=site, decision=Decision.ASK, scope=Scope.PER_TARGET)
        audit.append(AuditKind.POLICY, RUN, asked)
        audit.append(AuditKind.APPROVED, OTHER_RUN, Facts(fingerprint="ab" * 32))


def _tamper(statement: str) -> None:
    with closing(sqlite3.connect(Settings().data_dir / "audit.sqlite3", isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER IF EXISTS audit_holds")
        connection.execute("DROP TRIGGER IF EXISTS audit_stays")
        connection.execute(statement)


def test_verify_says_in_one_line_that_a_log_is_intact() -> None:
    assert _run("verify").stdout == "intact  0 rows, each as it was written\n"
    _write()
    ran = _run("verify")
    assert (ran.exit_code, ran.stdout, ran.stderr) == (0, "intact  3 rows, each as it was written\n", "")
    assert json.loads(_run("verify", "--json").stdout) == {
        "intact": True,
        "rows": 3,
        "broken": None,
        "reason": None,
        "since": 0,
    }


@pytest.mark.parametrize(
    ("statement", "line", "reason"),
    [
        (
            "UPDATE audit SET facts = '{}' WHERE sequence = 2",
            "broken  row 2: it is not the row that was written here; 1 row sound\n",
            "changed",
        ),
        (
            "DELETE FROM audit WHERE sequence = 1",
            "broken  row 1: it is missing, though later rows are there; 0 rows sound\n",
            "removed",
        ),
        (
            "DELETE FROM audit WHERE sequence = 3",
            "broken  row 3: it and what followed were cut off; 2 rows sound\n",
            "cut_short",
        ),
    ],
)
def test_verify_names_the_first_broken_row(statement: str, line: str, reason: str) -> None:
    _write()
    _tamper(statement)
    ran = _run("verify")
    assert (ran.exit_code, ran.stdout) == (1, line)
    plain = _run("verify", "--json")
    assert plain.exit_code == 1
    assert json.loads(plain.stdout)["reason"] == reason


def test_verify_says_what_is_missing_beside_the_log(folder: Path) -> None:
    _write()
    for head in (folder / "vault").glob("audit-*.head"):
        head.unlink()
    assert "head record is missing" in _run("verify").stdout
    _write()
    later = _run("verify")
    assert later.exit_code == 0
    assert "begins at row 4" in later.stdout
    (folder / "data" / "audit.key").unlink()
    ran = _run("verify")
    assert (ran.exit_code, ran.stdout.count("\n")) == (1, 1)
    assert "key is missing" in ran.stdout


def test_show_is_a_table_of_rows_or_json() -> None:
    assert _run("show").stdout == "No rows.\n"
    _write()
    shown = _run("show").stdout
    assert [line.split()[0] for line in shown.splitlines()] == ["Row", "1", "2", "3"]
    assert "capability=vault.use  decision=ask  scope=per_target  target=https://portal.example" in shown
    assert "fingerprint=abababababab…" in shown
    rows = json.loads(_run("show", "--json").stdout)
    assert [(row["sequence"], row["kind"], row["run_id"]) for row in rows] == [
        (1, "run_started", RUN),
        (2, "policy", RUN),
        (3, "approved", OTHER_RUN),
    ]
    assert rows[2]["facts"] == {"fingerprint": "ab" * 32}


def test_show_can_be_of_one_run_and_of_the_last_rows() -> None:
    _write()
    assert [row["sequence"] for row in json.loads(_run("show", "--run", RUN, "--json").stdout)] == [1, 2]
    assert [row["sequence"] for row in json.loads(_run("show", "--most", "1", "--json").stdout)] == [3]
    assert _run("show", "--run", "r_cccccccccccc").stdout == "No rows of this run.\n"


def test_show_prints_nothing_that_was_put_into_a_row_to_fool_a_terminal() -> None:
    _write()
    _tamper("UPDATE audit SET kind = char(27) || '[2J', run_id = '[red]x', facts = '{\"executor\": \"\\u001b[2J\"}'")
    shown = _run("show")
    assert shown.exit_code == 0
    assert "\x1b" not in shown.stdout
    assert "[red]" not in shown.stdout
    assert shown.stdout.count("not ours") == 3


def test_a_folder_that_cannot_be_used_is_one_line(folder: Path) -> None:
    (folder / "data").write_text("a file")
    for command in ("verify", "show"):
        ran = _run(command)
        assert (ran.exit_code, ran.stdout, ran.stderr) == (1, "", f"{Reason.DATA_UNAVAILABLE.sentence}\n")


def test_it_is_a_command_of_remit(tmp_path: Path) -> None:
    ran = remit(tmp_path, "audit", "verify")
    assert (ran.returncode, ran.stdout) == (0, "intact  0 rows, each as it was written\n")
