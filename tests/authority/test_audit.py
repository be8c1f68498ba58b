from __future__ import annotations

import json
import shutil
import sqlite3
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from remit.authority import Audit, AuditError, AuditKind, AuditReport, Broken, Decision, Facts, _audit
from remit.contract import Capability, Origin, Reason
from remit.state import Database

from .logs import FACTS, OTHER_RUN, RUN, Sent, database_of, head_of, open_log, tampering, verify, write

ROWS = 12
COLUMNS = ("at", "kind", "run_id", "facts", "previous", "hash")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("log")
    write(folder, ROWS)
    assert verify(folder) == AuditReport(ROWS)
    return folder


@contextmanager
def copy_of(written: Path) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(shutil.copytree(written, Path(folder) / "log"))


def test_rows_are_told_as_they_were_written(tmp_path: Path) -> None:
    moments = iter((1_700_000_000.5, 1_700_000_001.0))
    database = Database(database_of(tmp_path))
    with closing(database), closing(Audit(database, tmp_path / "vault", lambda: next(moments))) as audit:
        assert audit.append(AuditKind.POLICY, RUN, FACTS[0]) == 1
        assert audit.append(AuditKind.ACCESS_REFUSED) == 2
        first, second = audit.entries()
    assert (first.sequence, first.kind, first.run_id) == (1, AuditKind.POLICY, RUN)
    assert first.at is not None
    assert first.at.isoformat() == "2023-11-14T22:13:20.500000+00:00"
    assert first.facts == {
        "capability": "vault.use",
        "executor": "login_sites",
        "target": "https://portal.example:8443",
    }
    assert (second.kind, second.run_id, second.facts) == (AuditKind.ACCESS_REFUSED, None, {})


def test_rows_of_one_run_and_the_last_ones_are_found(written: Path) -> None:
    with closing(open_log(written)) as audit:
        assert [entry.sequence for entry in audit.entries(RUN)] == [1, 4, 7, 10]
        assert [entry.sequence for entry in audit.entries(OTHER_RUN, most=2)] == [8, 11]
        assert [entry.sequence for entry in audit.entries(most=3)] == [10, 11, 12]
        assert audit.entries("r_cccccccccccc") == []


def test_a_log_goes_on_after_a_restart_and_key_and_head_are_private(tmp_path: Path) -> None:
    assert verify(tmp_path) == AuditReport(0)
    for rows in (3, 6):
        write(tmp_path, 3)
        assert verify(tmp_path) == AuditReport(rows)
    for path in (database_of(tmp_path).with_name("audit.key"), head_of(tmp_path), database_of(tmp_path)):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "vault").stat().st_mode) == 0o700


@pytest.mark.parametrize("page", [1, 4, ROWS - 1, ROWS, ROWS + 1])
def test_every_row_is_read_however_many_there_are(written: Path, monkeypatch: pytest.MonkeyPatch, page: int) -> None:
    monkeypatch.setattr(_audit, "_PAGE", page)
    assert verify(written) == AuditReport(ROWS)
    with copy_of(written) as folder:
        with tampering(folder) as table:
            table.execute("UPDATE audit SET at = at + 1 WHERE sequence = ?", (ROWS,))
        assert verify(folder) == AuditReport(ROWS - 1, ROWS, Broken.CHANGED)


def test_a_moved_data_folder_keeps_its_log(tmp_path: Path) -> None:
    write(tmp_path / "a", 2)
    (tmp_path / "a").rename(tmp_path / "b")
    assert verify(tmp_path / "b") == AuditReport(2)
    write(tmp_path / "b", 1)
    assert verify(tmp_path / "b") == AuditReport(3)


def test_remit_itself_cannot_change_or_remove_a_row(written: Path) -> None:
    with copy_of(written) as folder, closing(sqlite3.connect(database_of(folder))) as connection:
        for statement in ("UPDATE audit SET kind = 'policy'", "DELETE FROM audit WHERE sequence = 3"):
            with pytest.raises(sqlite3.IntegrityError, match="append only"):
                connection.execute(statement)


# What somebody with the file could do to it.

sequences = st.integers(1, ROWS)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), sequence=sequences, column=st.sampled_from(COLUMNS))
def test_any_changed_byte_is_found_in_its_row(written: Path, data: st.DataObject, sequence: int, column: str) -> None:
    with copy_of(written) as folder:
        with tampering(folder) as table:
            (old,) = table.execute(
                f"SELECT CAST({column} AS BLOB) FROM audit WHERE sequence = ?", (sequence,)
            ).fetchone()
            new = bytearray(old or b"x")
            position = data.draw(st.integers(0, len(new) - 1))
            new[position] ^= data.draw(st.integers(1, 255))
            value = bytes(new) if data.draw(st.booleans()) else bytes(new).decode("latin-1")
            table.execute(f"UPDATE audit SET {column} = ? WHERE sequence = ?", (value, sequence))
        report = verify(folder)
    assert report.broken == sequence
    assert report.rows == sequence - 1
    assert report.reason in {Broken.CHANGED, Broken.MOVED}


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(removed=st.sets(sequences, min_size=1))
def test_any_removed_rows_are_found(written: Path, removed: set[int]) -> None:
    with copy_of(written) as folder:
        with tampering(folder) as table:
            table.executemany("DELETE FROM audit WHERE sequence = ?", [(number,) for number in removed])
        report = verify(folder)
    at_the_end = set(range(min(removed), ROWS + 1)) == removed
    assert report == AuditReport(min(removed) - 1, min(removed), Broken.CUT_SHORT if at_the_end else Broken.REMOVED)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(order=st.permutations(range(1, ROWS + 1)).filter(lambda order: order != sorted(order)))
def test_any_other_order_is_found_where_it_begins(written: Path, order: list[int]) -> None:
    with copy_of(written) as folder:
        with tampering(folder) as table:
            rows = {row[0]: row[1:] for row in table.execute("SELECT * FROM audit")}
            table.execute("DELETE FROM audit")
            for number, taken in enumerate(order, 1):
                table.execute("INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?, ?)", (number, *rows[taken]))
        report = verify(folder)
    assert report.broken == next(number for number, taken in enumerate(order, 1) if number != taken)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(before=st.integers(-1, ROWS + 1), copied=sequences)
def test_a_row_put_in_is_found(written: Path, before: int, copied: int) -> None:
    """Before the first, between two with the later ones pushed on, and after the last."""
    with copy_of(written) as folder:
        with tampering(folder) as table:
            row = table.execute("SELECT * FROM audit WHERE sequence = ?", (copied,)).fetchone()[1:]
            for (number,) in table.execute("SELECT sequence FROM audit ORDER BY sequence DESC").fetchall():
                if 0 < before <= number:
                    table.execute("UPDATE audit SET sequence = ? WHERE sequence = ?", (number + 1, number))
            table.execute("INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?, ?)", (before, *row))
        report = verify(folder)
    # A row put in before itself is what it was; the one that was pushed on is not.
    assert report.broken == (before + 1 if before == copied else max(before, 1))


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("value", [None, "", b"", b"\xff\xfe", 0, -1, 2**62, 1.5, "\x00", "[" * 100_000])
def test_a_value_of_another_kind_is_found_and_can_still_be_shown(
    written: Path, column: str, value: str | bytes | float | None
) -> None:
    with copy_of(written) as folder:
        with tampering(folder) as table:
            table.execute("CREATE TABLE loose AS SELECT * FROM audit")
            table.execute("DROP TABLE audit")
            table.execute("ALTER TABLE loose RENAME TO audit")
            table.execute(f"UPDATE audit SET {column} = ? WHERE sequence = 5", (value,))
        assert verify(folder).broken == 5
        with closing(open_log(folder)) as audit:
            assert len(audit.entries()) == ROWS


def put(source: Path, folder: Path, sequence: int) -> None:
    """Replace a row by the one that another log has there."""
    with tampering(source) as other, tampering(folder) as table:
        row = other.execute("SELECT * FROM audit WHERE sequence = ?", (sequence,)).fetchone()
        table.execute("DELETE FROM audit WHERE sequence = ?", (sequence,))
        table.execute("INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?, ?)", row)


def test_a_row_of_another_log_is_found_also_where_both_have_the_same_key(written: Path, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    key = Path(shutil.copy(database_of(written).with_name("audit.key"), tmp_path / "data"))
    write(tmp_path, ROWS)
    assert key.read_bytes() == database_of(written).with_name("audit.key").read_bytes()
    for sequence in (1, 5, ROWS):
        with copy_of(written) as folder:
            put(tmp_path, folder, sequence)
            assert verify(folder) == AuditReport(sequence - 1, sequence, Broken.CHANGED)


def test_a_row_that_a_copy_of_the_log_wrote_in_its_place_is_found_by_the_next(written: Path) -> None:
    with copy_of(written) as folder, copy_of(written) as fork:
        write(folder, 2)
        write(fork, 1)
        put(fork, folder, ROWS + 1)
        assert verify(folder) == AuditReport(ROWS + 1, ROWS + 2, Broken.MOVED)


def test_what_moves_from_one_field_to_the_next_is_found(written: Path) -> None:
    with copy_of(written) as folder:
        with tampering(folder) as table:
            table.execute("UPDATE audit SET kind = (at % 10) || kind, at = at / 10 WHERE sequence = 5")
        assert verify(folder) == AuditReport(4, 5, Broken.CHANGED)


def test_a_history_written_anew_with_the_key_is_found_by_the_head_in_the_other_folder(written: Path) -> None:
    with copy_of(written) as folder:
        with tampering(folder) as table:
            table.execute("DELETE FROM audit")
        head, kept = head_of(folder), head_of(folder).read_bytes()
        head.unlink()
        write(folder, ROWS)
        head.write_bytes(kept)
        assert verify(folder) == AuditReport(ROWS, ROWS, Broken.REWRITTEN)


def test_an_older_copy_put_back_is_found_and_stays_found_when_rows_follow(tmp_path: Path) -> None:
    write(tmp_path, 5)
    older = shutil.copytree(tmp_path / "data", tmp_path / "older")
    write(tmp_path, 5)
    shutil.rmtree(tmp_path / "data")
    older.rename(tmp_path / "data")
    assert verify(tmp_path) == AuditReport(5, 6, Broken.CUT_SHORT)
    write(tmp_path, 9)
    assert verify(tmp_path) == AuditReport(14, 10, Broken.REWRITTEN)


def test_a_log_that_vanished_is_missed(tmp_path: Path) -> None:
    write(tmp_path, 1)
    shutil.rmtree(tmp_path / "data")
    assert verify(tmp_path) == AuditReport(0, None, Broken.VANISHED)
    write(tmp_path, 2)
    assert verify(tmp_path) == AuditReport(2, None, Broken.VANISHED)


def test_a_missing_head_is_told_and_then_since_when_it_knows(written: Path) -> None:
    with copy_of(written) as folder:
        head_of(folder).unlink()
        assert verify(folder) == AuditReport(ROWS, None, Broken.NO_HEAD)
        write(folder, 2)
        assert verify(folder) == AuditReport(ROWS + 2, since=ROWS + 1)


@pytest.mark.parametrize("damage", ["", "{}", "no json", '{"chain": "../../x"}', "link", "public", "folder"])
def test_a_damaged_head_is_told_and_not_written_over(written: Path, damage: str) -> None:
    with copy_of(written) as folder:
        head = head_of(folder)
        if damage == "public":
            head.chmod(0o644)
        elif damage == "link":
            head.rename(folder / "elsewhere")
            head.symlink_to(folder / "elsewhere")
        elif damage == "folder":
            head.unlink()
            head.mkdir()
        else:
            head.write_text(damage)
        assert verify(folder) == AuditReport(ROWS, None, Broken.BAD_HEAD)
        write(folder, 1)
        assert verify(folder) == AuditReport(ROWS + 1, None, Broken.BAD_HEAD)


@pytest.mark.parametrize("damage", ["gone", "short", "public", "folder"])
def test_without_its_key_nothing_is_logged_and_nothing_is_vouched_for(written: Path, damage: str) -> None:
    with copy_of(written) as folder:
        key = database_of(folder).with_name("audit.key")
        if damage == "short":
            key.write_bytes(b"x" * 31)
        elif damage == "public":
            key.chmod(0o640)
        else:
            key.unlink()
        if damage == "folder":
            key.mkdir()
        assert verify(folder) == AuditReport(0, None, Broken.NO_KEY)
        with closing(open_log(folder)) as audit, pytest.raises(AuditError) as caught:
            audit.append(AuditKind.POLICY)
        assert caught.value.reason is Reason.DATA_UNAVAILABLE


def test_another_key_breaks_the_first_row(written: Path) -> None:
    with copy_of(written) as folder:
        database_of(folder).with_name("audit.key").write_bytes(b"x" * 32)
        assert verify(folder) == AuditReport(0, 1, Broken.CHANGED)


def test_a_damaged_database_is_told_and_not_crashed_over(written: Path) -> None:
    with copy_of(written) as folder, closing(open_log(folder)) as audit:
        with open(database_of(folder), "r+b") as file:
            file.seek(4096)
            file.write(b"\xff" * (database_of(folder).stat().st_size - 4096))
        assert audit.verify().reason is Broken.UNREADABLE
        with pytest.raises(AuditError):
            audit.entries()
        with pytest.raises(AuditError):
            audit.append(AuditKind.POLICY)


def test_a_folder_that_cannot_be_used_is_typed(tmp_path: Path) -> None:
    (tmp_path / "vault").write_text("a file")
    with pytest.raises(AuditError):
        open_log(tmp_path)


# Several processes, and their ends.

APPENDER = """
import sys
from pathlib import Path
from remit.authority import AuditKind
from tests.authority.logs import FACTS, RUN, open_log
print("ready", flush=True)
sys.stdin.readline()
audit = open_log(Path(sys.argv[1]))
for number in range(int(sys.argv[2])):
    print(audit.append(AuditKind.POLICY, RUN, FACTS[number % 4]), flush=True)
"""


def process(script: str, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def go(child: subprocess.Popen[str]) -> None:
    assert child.stdin is not None
    child.stdin.write("go\n")
    child.stdin.flush()


def line(child: subprocess.Popen[str]) -> str:
    assert child.stdout is not None
    return child.stdout.readline().strip()


def test_four_processes_write_one_chain(tmp_path: Path) -> None:
    """They begin it together, too: one key, one name, one head."""
    Database(database_of(tmp_path)).close()
    children = [process(APPENDER, str(tmp_path), "25") for _ in range(4)]
    assert [line(child) for child in children] == ["ready"] * 4
    for child in children:
        go(child)
    told = [int(number) for child in children for number in child.communicate()[0].split()]
    assert [child.returncode for child in children] == [0] * 4
    assert sorted(told) == list(range(1, 101))
    assert verify(tmp_path) == AuditReport(100)
    assert json.loads(head_of(tmp_path).read_text())["sequence"] == 100


def test_rows_are_verified_while_others_append(tmp_path: Path) -> None:
    child = process(APPENDER, str(tmp_path), "60")
    assert line(child) == "ready"
    go(child)
    reports = []
    while line(child):
        reports.append(verify(tmp_path))
    assert child.wait() == 0
    assert all(report.is_intact for report in reports)
    assert verify(tmp_path) == AuditReport(60)
    child.communicate()


@pytest.mark.parametrize("rows", [0, 1, 2, 5, 9, 14])
def test_killed_while_appending_it_leaves_a_sound_log(tmp_path: Path, rows: int) -> None:
    write(tmp_path, 1)
    child = process(APPENDER, str(tmp_path), "100000")
    assert line(child) == "ready"
    go(child)
    told = [int(line(child)) for _ in range(rows)]
    child.kill()
    told += [int(number) for number in child.communicate()[0].split()]
    report = verify(tmp_path)
    assert report.is_intact
    assert report.rows >= max(told, default=1)
    write(tmp_path, 2)
    assert verify(tmp_path) == AuditReport(report.rows + 2)


DYING = """
import os, signal, sys
from pathlib import Path
from remit.authority import AuditKind, _audit
from remit.state import Database
from tests.authority.logs import open_log
def die(*_, **__): os.kill(os.getpid(), signal.SIGKILL)
audit = open_log(Path(sys.argv[1]))
where = sys.argv[2]
if where == "before the row":
    _audit.Audit._hash = die
elif where == "before the head":
    _audit.write_head = die
elif where == "while the head is written":
    Path.replace = die
elif where == "before the commit":
    execute = Database.execute
    def and_die(self, statement, values=()):
        execute(self, statement, values)
        die()
    Database.execute = and_die
audit.append(AuditKind.POLICY)
"""


@pytest.mark.parametrize(
    ("where", "written"),
    [("before the row", 0), ("before the commit", 0), ("before the head", 1), ("while the head is written", 1)],
)
@pytest.mark.parametrize("earlier", [0, 3])
def test_killed_at_each_step_it_leaves_a_sound_log(tmp_path: Path, where: str, written: int, earlier: int) -> None:
    write(tmp_path, earlier)
    child = process(DYING, str(tmp_path), where)
    child.communicate()
    assert child.returncode == -9
    assert verify(tmp_path) == AuditReport(earlier + written)
    write(tmp_path, 1)
    assert verify(tmp_path) == AuditReport(earlier + written + 1)
    assert json.loads(head_of(tmp_path).read_text())["sequence"] == earlier + written + 1


# What may be in it.

TEXTS = (
    "hunter2",
    "correct horse",
    "Delete",
    "https://portal.example/a?token=b",
    "#submit",
    "Rechnung Nr. 5",
    "",
    "123456",
)


@pytest.mark.parametrize("field", Facts.model_fields)
@pytest.mark.parametrize("text", TEXTS)
def test_no_fact_takes_text(field: str, text: str) -> None:
    with pytest.raises(ValidationError):
        Facts.model_validate({field: text})
    with pytest.raises(ValidationError):
        Facts.model_validate({"note": text})


def test_an_enumerations_member_is_a_fact_and_its_text_is_not() -> None:
    assert Facts(effect=Sent.CLICK, decision=Decision.DENY).canonical() == '{"decision":"deny","effect":"click"}'
    for field, text in (("effect", "click"), ("decision", "deny"), ("capability", "vault.use"), ("reason", "refused")):
        with pytest.raises(ValidationError):
            Facts.model_validate({field: text})


@pytest.mark.parametrize("number", [-1, 2**53, 1.5, True, "1"])
def test_a_count_is_a_whole_number(number: object) -> None:
    with pytest.raises(ValidationError):
        Facts.model_validate({"rows": number})


@given(st.permutations(["executor", "target", "capability", "rows"]))
def test_the_same_facts_are_the_same_text(names: list[str]) -> None:
    site = Origin.of("https://a.example")
    all_of_them = {"executor": "login_sites", "target": site, "capability": Capability.NETWORK, "rows": 0}
    facts = Facts.model_validate({name: all_of_them[name] for name in names})
    assert facts.canonical() == (
        '{"capability":"network","executor":"login_sites","rows":0,"target":"https://a.example"}'
    )


@pytest.mark.parametrize("run_id", ["", "r", "r_", "run of today", "r_a\n", "R_aaaaaaaa", "r_" + "a" * 49])
def test_a_run_is_named_by_an_id(tmp_path: Path, run_id: str) -> None:
    with closing(open_log(tmp_path)) as audit:
        with pytest.raises(ValueError, match="pattern"):
            audit.append(AuditKind.RUN_STARTED, run_id)
        assert audit.verify() == AuditReport(0)
