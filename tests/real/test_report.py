from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from tests.canary import Hit
from tests.real.compare import Comparison
from tests.real.planner import LoginOutcome
from tests.real.report import AppReport, QuestionReport, ReferenceTimes, exit_code, show

RIGHT = Comparison(wanted=3, rows=3, right=3, duplicates=0, wrong=0, missing=0)
YES, NO = LoginOutcome(True, ""), LoginOutcome(False, "no_login_form")


def _report(**values: object) -> AppReport:
    report = AppReport("shop", "signed_in", YES, login_s=2.0, reference=ReferenceTimes(1.0, 1.0, True))
    report.questions = [QuestionReport("orders", 3, "done", "", RIGHT, seconds=1.0)]
    for name, value in values.items():
        setattr(report, name, value)
    return report


def test_a_sound_and_complete_report_is_a_success_with_a_ratio() -> None:
    assert exit_code([_report()], report_only=False) == 0
    assert _report().ratio == pytest.approx(1.5)


def test_no_report_is_no_success() -> None:
    assert exit_code([], report_only=True) == 1


@pytest.mark.parametrize(
    "trouble",
    [
        {"login": NO},
        {"hits": [Hit("stderr", "password", "plain")]},
        {"left_running": 1},
        {"errors": ["OSError"]},
        {"expected_at_login_url": "signed_in", "login_at_login_url": NO},
    ],
)
def test_each_trouble_fails_even_if_only_a_report_was_asked_for(trouble: dict[str, object]) -> None:
    assert exit_code([_report(**trouble)], report_only=True) == 1


def test_the_failure_that_is_right_is_a_success() -> None:
    report = _report(expected="no_login_form", login=NO, expected_at_login_url="signed_in", login_at_login_url=YES)
    assert report.signed_in
    assert exit_code([report], report_only=False) == 0


def test_another_failure_than_the_right_one_fails() -> None:
    assert not _report(expected="no_login_form", login=LoginOutcome(False, "internal")).login_expected


def test_finding_the_stored_sign_in_page_unaided_is_right_too() -> None:
    assert _report(expected="no_login_form", expected_at_login_url="signed_in").login_expected
    assert not _report(expected="no_login_form").login_expected


def test_where_nobody_can_sign_in_there_is_nothing_to_complete() -> None:
    report = _report(expected="needs_user", login=LoginOutcome(False, "challenge", "needs_user"), questions=[])
    assert exit_code([report], report_only=False) == 0


def test_no_ratio_without_the_whole_work() -> None:
    assert _report(questions=[QuestionReport("orders", 3)]).ratio is None
    assert _report(reference=ReferenceTimes(1.0, 1.0, False)).ratio is None


def test_the_table_tells_everything_and_the_figures_are_json() -> None:
    out = io.StringIO()
    lost = QuestionReport("late", 3, "partial", "count_mismatch", Comparison(3, 3, 2, 1, 0, 1, ("due",)))
    report = _report(hits=[Hit("message 4, server", "password", "base64")])
    report.questions.append(lost)
    show([report], Console(file=out, width=200))
    text = out.getvalue()
    for expected in ("3/3", "2/3", "partial count_mismatch", "LEAK of password (base64) in message 4", "columns due"):
        assert expected in text
    assert json.loads(json.dumps(report.plain()))["questions"][1]["comparison"]["missing"] == 1
