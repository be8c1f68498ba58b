from __future__ import annotations

import os
from pathlib import Path

import pytest

from remit.authority import Decision, Policy, PolicyError, PolicyProblem, Scope, read_policy
from remit.contract import Capability, Origin, Reason

GOOD = """
[[rule]]
executor = "*"
capability = "browser.act"
target = "https://*.bank.example"
decision = "deny"

[[rule]]
executor = "login_sites"
capability = "vault.use"
target = "https://portal.example:8443"
decision = "ask"
scope = "per_run"
"""
CANARY = "canary7f3a"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "policy.toml"


def write(path: Path, text: str | bytes, mode: int = 0o600) -> None:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    path.chmod(mode)


def refused(path: Path) -> PolicyError:
    with pytest.raises(PolicyError) as caught:
        read_policy(path)
    assert caught.value.reason is Reason.BAD_POLICY
    return caught.value


def test_a_file_becomes_its_rules(path: Path) -> None:
    write(path, GOOD)
    first, second = read_policy(path).rule
    assert (first.decision, first.capability) == (Decision.DENY, Capability.BROWSER_ACT)
    assert first.target.covers(Origin.of("https://www.bank.example"))
    assert (second.executor, second.scope) == ("login_sites", Scope.PER_RUN)


def test_a_missing_file_has_no_rules(path: Path) -> None:
    assert read_policy(path) == read_policy(path.parent / "nowhere" / "policy.toml") == Policy()
    write(path, "")
    assert read_policy(path) == Policy()


RULE = 'executor = "*"\ncapability = "*"\ntarget = "*"\ndecision = "ask"\n'


def second_rule(wrong: str, instead_of: str = "") -> str:
    kept = "\n".join(line for line in RULE.splitlines() if not instead_of or not line.startswith(instead_of))
    return f"[[rule]]\n{RULE}\n[[rule]]\n{kept}\n{wrong}\n"


@pytest.mark.parametrize(
    ("text", "problem", "rule", "field"),
    [
        (second_rule(f'colour = "{CANARY}"'), PolicyProblem.UNKNOWN_KEY, 2, "colour"),
        (second_rule(f'"{CANARY} x" = 1'), PolicyProblem.UNKNOWN_KEY, 2, None),
        (second_rule("", "decision"), PolicyProblem.MISSING, 2, "decision"),
        (second_rule("", "target"), PolicyProblem.MISSING, 2, "target"),
        (second_rule(f'decision = "{CANARY}"', "decision"), PolicyProblem.NOT_ALLOWED, 2, "decision"),
        (second_rule(f'capability = "vault.{CANARY}"', "capability"), PolicyProblem.NOT_ALLOWED, 2, "capability"),
        (second_rule(f'scope = "{CANARY}"'), PolicyProblem.NOT_ALLOWED, 2, "scope"),
        (second_rule(f'executor = "{CANARY}"', "executor"), PolicyProblem.BAD_NAME, 2, "executor"),
        (second_rule(f'executor = "a_{CANARY * 9}"', "executor"), PolicyProblem.BAD_NAME, 2, "executor"),
        (second_rule(f'target = "https://{CANARY}/path"', "target"), PolicyProblem.BAD_ORIGIN, 2, "target"),
        (second_rule("target = 5", "target"), PolicyProblem.BAD_ORIGIN, 2, "target"),
        (second_rule("executor = 5", "executor"), PolicyProblem.WRONG_TYPE, 2, "executor"),
        (second_rule('decision = "deny"\nscope = "once"', "decision"), PolicyProblem.SCOPE_UNASKED, 2, None),
        (f'{CANARY} = "x"', PolicyProblem.UNKNOWN_KEY, None, None),
        ("rules = []", PolicyProblem.UNKNOWN_KEY, None, "rules"),
        (f'rule = "{CANARY}"', PolicyProblem.WRONG_TYPE, None, "rule"),
        (f'rule = ["{CANARY}"]', PolicyProblem.WRONG_TYPE, 1, None),
        (f"[[rule]]\n{RULE}\n" * 1001, PolicyProblem.TOO_MANY, None, "rule"),
    ],
)
def test_a_mistake_is_named_by_rule_and_field_and_never_by_value(
    path: Path, text: str, problem: PolicyProblem, rule: int | None, field: str | None
) -> None:
    write(path, text)
    error = refused(path)
    assert (error.problem, error.rule, error.field) == (problem, rule, field)
    assert CANARY not in f"{error} {error!r} {error.args} {error.__cause__}"
    assert problem.value in str(error)
    assert rule is None or f"rule {rule}" in str(error)


def test_what_is_no_toml_is_told_by_its_line(path: Path) -> None:
    write(path, f'[[rule]]\nexecutor = "{CANARY}\n')
    error = refused(path)
    assert (error.problem, error.line) == (PolicyProblem.NO_TOML, 2)
    assert CANARY not in str(error)
    for unparsed in (b"\xff\xfe", b"a = " + b"[" * 5000):
        write(path, unparsed)
        assert refused(path).problem is PolicyProblem.NO_TOML


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_that_others_may_write_is_refused(path: Path, mode: int) -> None:
    write(path, GOOD, mode)
    assert refused(path).problem is PolicyProblem.UNSAFE
    path.chmod(0o644)
    assert len(read_policy(path).rule) == 2


def test_a_folder_in_which_others_may_exchange_the_file_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "config" / "remit"
    folder.mkdir(parents=True)
    write(folder / "policy.toml", GOOD)
    folder.parent.chmod(0o777)
    assert refused(folder / "policy.toml").problem is PolicyProblem.UNSAFE
    folder.parent.chmod(0o1777)
    assert len(read_policy(folder / "policy.toml").rule) == 2


def test_a_link_is_followed_if_where_it_leads_is_as_safe(tmp_path: Path, path: Path) -> None:
    elsewhere = tmp_path / "dotfiles"
    elsewhere.mkdir()
    write(elsewhere / "mine.toml", GOOD)
    path.symlink_to(elsewhere / "mine.toml")
    assert len(read_policy(path).rule) == 2
    elsewhere.chmod(0o777)
    assert refused(path).problem is PolicyProblem.UNSAFE


def test_what_is_there_and_cannot_be_read_is_not_taken_for_missing(tmp_path: Path, path: Path) -> None:
    path.symlink_to(tmp_path / "gone")
    assert refused(path).problem is PolicyProblem.UNREADABLE
    path.unlink()
    path.symlink_to(path)
    assert refused(path).problem is PolicyProblem.UNREADABLE
    path.unlink()
    path.mkdir(mode=0o700)
    assert refused(path).problem is PolicyProblem.NO_FILE
    path.rmdir()
    os.mkfifo(path, 0o600)
    assert refused(path).problem is PolicyProblem.NO_FILE
    path.unlink()
    write(path, "#" * (256 * 1024 + 1))
    assert refused(path).problem is PolicyProblem.TOO_LARGE


def test_a_file_of_another_user_is_refused(path: Path) -> None:
    write(path, GOOD)
    if os.geteuid() != 0:
        pytest.skip("only root can give a file away")
    os.chown(path, 12345, -1)
    assert refused(path).problem is PolicyProblem.UNSAFE
