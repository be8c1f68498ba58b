from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from remit.contract import Status
from remit.runs import Journal
from remit.state import Database

DIES = """
import os, signal, sys
from pathlib import Path
from remit.runs import Journal
from remit.state import Database
journal = Journal(Database.in_folder(Path(sys.argv[1])))
journal.begin("r_unknown", "login_sites", "d", "me")
journal.intend("r_unknown", "submit", "form")
journal.begin("r_settled", "login_sites", "d", "me")
journal.settle(journal.intend("r_settled", "submit", "form"), "observed")
journal.begin("r_kept", "collect_sites", "d", "me")
journal.checkpoint("r_kept", {"dataset_id": "ds_1"})
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_runs_of_a_killed_process_end_truthfully_and_keep_what_they_had(tmp_path: Path) -> None:
    died = subprocess.run([sys.executable, "-c", DIES, str(tmp_path)], check=False, timeout=60)
    assert died.returncode == -9
    database = Database.in_folder(tmp_path)
    journal = Journal(database)
    ends = {}
    for run_id in ("r_unknown", "r_settled", "r_kept"):
        run = journal.get(run_id)
        assert run is not None
        assert run.payload is not None
        ends[run_id] = (run.status, run.payload["reason"], run.payload.get("dataset_id"))
    assert ends == {
        "r_unknown": (Status.FAILED, "outcome_unknown", None),
        "r_settled": (Status.FAILED, "interrupted", None),
        "r_kept": (Status.PARTIAL, "interrupted", "ds_1"),
    }
    database.close()


def test_runs_of_a_living_process_are_left_alone(tmp_path: Path) -> None:
    first = Database.in_folder(tmp_path)
    Journal(first).begin("r_1", "collect_sites", "d", "me")
    second = Database.in_folder(tmp_path)
    run = Journal(second).get("r_1")
    assert run is not None
    assert run.status is None
    first.close()
    second.close()
