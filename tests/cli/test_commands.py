from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from remit.contract import builtin_folder
from tests.server.conversations import environment


def remit(folder: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "remit", *arguments]
    env = environment(folder, COLUMNS="160", **more)
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=120)


def test_call_prints_a_readable_result_and_its_exit_code_says_how_it_ended(tmp_path: Path) -> None:
    good = remit(tmp_path, "call", "list_credentials")
    assert good.returncode == 0
    assert good.stdout.startswith("done")
    bad = remit(tmp_path, "call", "continue_run", '{"run_id": "r_none"}')
    assert bad.returncode == 1
    assert "There is no run with this id." in bad.stdout


def test_call_prints_json_alone_when_asked(tmp_path: Path) -> None:
    shown = remit(tmp_path, "call", "list_credentials", "--json")
    assert json.loads(shown.stdout) == {"status": "done", "credentials": []}


def test_call_refuses_what_is_no_json_and_what_is_no_tool_in_one_line(tmp_path: Path) -> None:
    for arguments in (("list_credentials", "{secret"), ("list_credentials", "[1]"), ("no_tool", "{}")):
        refused = remit(tmp_path, "call", *arguments)
        assert refused.returncode == 2
        assert len(refused.stderr.strip().splitlines()) == 1
        assert "secret" not in refused.stderr


def test_tools_shows_what_is_published_and_what_is_not(tmp_path: Path) -> None:
    (tmp_path / "bad_one.toml").write_text("manifest = 1\ncolour = 'red'")
    shown = remit(tmp_path, "tools", REMIT_MANIFEST_DIRS=json.dumps([str(tmp_path)]))
    assert "login_sites" in shown.stdout
    assert "not published bad_one: bad_one.toml:" in shown.stdout
    assert "colour: unknown key" in shown.stdout


def test_check_names_a_difference_and_write_mends_it(tmp_path: Path) -> None:
    copy = tmp_path / "list_twice.toml"
    text = (builtin_folder() / "list_credentials.toml").read_text().replace('"list_credentials"', '"list_twice"')
    head, _, _ = text.partition("[result.credentials]")
    _, _, examples = text.partition("[[examples]]")
    copy.write_text(f"# signed by a person\n{head}[[examples]]{examples}")
    folders = {"REMIT_MANIFEST_DIRS": json.dumps([str(tmp_path)])}
    found = remit(tmp_path, "check", **folders)
    assert found.returncode == 1
    assert "list_twice.toml: result.credentials is in the code and not in the manifest" in found.stdout
    assert remit(tmp_path, "check", "--write", **folders).returncode == 0
    mended = copy.read_text()
    assert mended.startswith("# signed by a person\n")
    assert "[result.credentials]" in mended
    assert "[[examples]]" in mended
    assert remit(tmp_path, "check", **folders).returncode == 0


def test_doctor_names_what_is_missing_and_what_mends_it(tmp_path: Path) -> None:
    well = remit(tmp_path, "doctor", "--json")
    assert well.returncode == 0
    assert {item["state"] for item in json.loads(well.stdout)} <= {"ok", "optional"}
    ill = remit(tmp_path, "doctor", "--json", REMIT_BROWSER_PATH=str(tmp_path / "none"))
    assert ill.returncode == 1
    browser = next(item for item in json.loads(ill.stdout) if item["subject"] == "browser")
    assert (browser["state"], browser["mend"]) == ("missing", "unset REMIT_BROWSER_PATH")


def test_a_wrong_setting_is_one_clear_line(tmp_path: Path) -> None:
    wrong = remit(tmp_path, "tools", REMIT_MAX_SESSIONS="many")
    assert wrong.returncode == 1
    assert wrong.stderr.startswith("remit: the configuration is wrong: max_sessions")
    assert "many" not in wrong.stderr


def test_the_console_script_is_installed() -> None:
    assert shutil.which("remit", path=str(Path(sys.executable).parent))


def test_every_kind_of_wrong_setting_is_one_clear_line(tmp_path: Path) -> None:
    for name, value in (
        ("REMIT_MANIFEST_DIRS", "secret"),
        ("REMIT_DATA_DIR", "secret/here"),
        ("REMIT_MODEL", "secret"),
    ):
        for command in (("call", "list_credentials"), ("tools",)):
            wrong = remit(tmp_path, *command, **{name: value})
            assert wrong.returncode == 1, (name, command)
            assert len(wrong.stderr.strip().splitlines()) == 1
            assert "secret" not in wrong.stderr


def test_write_leaves_a_manifest_alone_that_it_could_break(tmp_path: Path) -> None:
    text = (builtin_folder() / "list_credentials.toml").read_text().replace('"list_credentials"', '"list_twice"')
    head, _, _ = text.partition("[result.credentials]")
    tricky = head.replace('not_for = "reading secrets."', 'not_for = """reading\n[arguments.x]\nsecrets."""')
    assert tricky != head
    (tmp_path / "list_twice.toml").write_text(tricky)
    shown = remit(tmp_path, "check", "--write", REMIT_MANIFEST_DIRS=json.dumps([str(tmp_path)]))
    assert "list_twice.toml: not updated" in shown.stdout
    assert (tmp_path / "list_twice.toml").read_text() == tricky
