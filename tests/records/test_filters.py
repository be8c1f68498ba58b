"""Conditions with three answers, and datasets made by them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remit.contract import Reason
from remit.records import (
    Amount,
    Answer,
    Condition,
    DatasetError,
    Datasets,
    DateInterval,
    Entry,
    FieldTyping,
    Filtered,
    Filtering,
    Keep,
    Period,
    Value,
    filter_dataset,
    read_condition,
    read_date,
)
from remit.state import Database

KINDS: tuple[Keep, ...] = ("matching", "others", "unclear")
FIELDS = ("Number", "Date", "Total", "Status")


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("paid", Condition("F", one_of=("paid",))),
        ("paid | open", Condition("F", one_of=("paid", "open"))),
        ("", Condition("F", one_of=("",))),
        ('"a|b..c"', Condition("F", one_of=("a|b..c",))),
        ("*acme*", Condition("F", contains="acme")),
        ("100..200.5", Condition("F", least=Decimal(100), most=Decimal("200.5"))),
        ("-5..", Condition("F", least=Decimal(-5))),
        ("..0.1", Condition("F", most=Decimal("0.1"))),
        ("2026-01..2026-03", Condition("F", period=Period(date(2026, 1, 1), date(2026, 3, 31)))),
        ("2026-01-05..", Condition("F", period=Period(date(2026, 1, 5), None))),
        ("2025..2026", Condition("F", least=Decimal(2025), most=Decimal(2026))),
        ("2026-03", Condition("F", one_of=("2026-03",))),
    ],
)
def test_a_condition_is_read_from_what_a_caller_writes(text: str, condition: Condition) -> None:
    assert read_condition("F", "text", text) == condition


@pytest.mark.parametrize(
    ("text", "period"),
    [
        ("2026", Period(date(2026, 1, 1), date(2026, 12, 31))),
        ("2026-03", Period(date(2026, 3, 1), date(2026, 3, 31))),
        ("2026-03-05", Period(date(2026, 3, 5), date(2026, 3, 5))),
        ("2025..2026", Period(date(2025, 1, 1), date(2026, 12, 31))),
        ("..2026-02", Period(None, date(2026, 2, 28))),
    ],
)
def test_of_a_field_of_dates_a_day_a_month_and_a_year_are_periods(text: str, period: Period) -> None:
    assert read_condition("F", "date", text) == Condition("F", period=period)


@pytest.mark.parametrize(
    "text", [">5", "<=5", "!paid", "=1", "a..b", "..", "1,000..", "01/02/2026..", "5*", "**", "* *"]
)
def test_what_only_looks_like_a_condition_is_refused(text: str) -> None:
    with pytest.raises(DatasetError) as caught:
        read_condition("F", "text", text)
    assert caught.value.reason is Reason.INVALID_ARGUMENTS


@pytest.mark.parametrize(
    ("condition", "text", "value", "answer"),
    [
        (Condition("F", one_of=("PAID",)), " Paid  ", " Paid  ", Answer.YES),
        (Condition("F", one_of=("societe",)), "Société", "Société", Answer.YES),
        (Condition("F", one_of=("paid",)), "unpaid", "unpaid", Answer.NO),
        (Condition("F", one_of=("",)), "", None, Answer.YES),
        (Condition("F", one_of=("",)), "n/a", None, Answer.NO),
        (Condition("F", one_of=("2026-09-15",)), "15/09/2026", read_date("15/09/2026"), Answer.YES),
        (Condition("F", one_of=("1234.50 €",)), "€ 1.234,50", Amount(Decimal("1234.50"), "€"), Answer.YES),
        (Condition("F", contains="ACME"), "the Acme company", "the Acme company", Answer.YES),
        (Condition("F", least=Decimal(5)), "€ 5,00", Amount(Decimal("5.00"), "€"), Answer.YES),
        (Condition("F", least=Decimal(5), most=Decimal(6)), "7", 7, Answer.NO),
        (Condition("F", least=Decimal(5)), "3.350", None, Answer.UNREADABLE),
        (Condition("F", least=Decimal(5)), "", None, Answer.UNREADABLE),
        (Condition("F", least=Decimal(5)), "6", "6", Answer.UNREADABLE),
    ],
)
def test_a_value_answers(condition: Condition, text: str, value: Value | None, answer: Answer) -> None:
    assert condition.answer(text, value) is answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("31/12/2025", Answer.NO),
        ("01/01/2026", Answer.YES),
        ("31/12/2026 23:59:59", Answer.YES),
        ("31/12/2026 00:00", Answer.YES),
        ("01/01/2027 00:00", Answer.NO),
        ("Jan 2026", Answer.YES),
        ("Dic 2025 – Gen 2026", Answer.STRADDLING),
        ("missing", Answer.UNREADABLE),
    ],
)
def test_a_period_ends_with_its_last_day(text: str, answer: Answer) -> None:
    read = read_date(text)
    asked = read_condition("F", "date", "2026")
    assert asked.answer(text, read if isinstance(read, DateInterval) else None) is answer


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    database = Database.in_folder(tmp_path / "data")
    yield database
    database.close()


def dataset(datasets: Datasets, *rows: tuple[str, str, str, str]) -> str:
    made = datasets.create("run_1", FIELDS)
    datasets.append(made, [Entry(row, key=row[0], page=1, row=at) for at, row in enumerate(rows)])
    datasets.type_fields(made, {"Number": FieldTyping("text"), "Date": FieldTyping("date")})
    datasets.finish(made, {"complete": True})
    return made


def numbers(datasets: Datasets, found: Filtered) -> list[str]:
    return [row.cells[0].text for row in datasets.rows(found.dataset_id)]


ROWS = (
    ("1", "31/12/2025", "€ 10,00", "Paid"),
    ("2", "01/01/2026", "€ 1.234,50", "Open"),
    ("3", "Jan 2026", "$ 3.350", "paid"),
    ("4", "Dic 2025 – Gen 2026", "€ 5,00", "Paid"),
    ("5", "", "n/a", "Paid"),
)


def test_every_record_is_inside_outside_straddling_or_undated(db: Database) -> None:
    datasets = Datasets(db)
    source = dataset(datasets, *ROWS)
    found = filter_dataset(datasets, source, "run_2", Filtering({"Date": "2026"}))
    assert (found.kept, found.matching, found.outside, found.straddling, found.unreadable) == (2, 2, 1, 1, 1)
    assert dict(found.undated) == {"Date": 1}
    assert numbers(datasets, found) == ["2", "3"]
    for keep, kept in zip(KINDS, (["2", "3"], ["1"], ["4", "5"]), strict=True):
        assert numbers(datasets, filter_dataset(datasets, source, "run_2", Filtering({"Date": "2026"}, keep))) == kept
    assert datasets.info(source).rows == len(ROWS)


def test_several_conditions_hold_together_and_one_no_is_enough(db: Database) -> None:
    datasets = Datasets(db)
    found = filter_dataset(
        datasets, dataset(datasets, *ROWS), "run_2", Filtering({"date": "2026", "STATUS": "paid", "Total": "1.."})
    )
    # Record 5 has neither a date nor an amount, and is counted once for each.
    assert (found.matching, found.outside, found.straddling, found.unreadable) == (1, 2, 1, 1)
    assert (dict(found.undated), dict(found.unread)) == ({"date": 1}, {"Total": 1})
    assert found.currencies == {"€", "$"}


def test_what_the_whole_column_said_holds_for_the_few_that_stay(db: Database) -> None:
    datasets = Datasets(db)
    made = datasets.create("run_1", ["Number", "Total"])
    datasets.append(made, [Entry(("1", "3.350")), Entry(("2", "12,00")), Entry(("3", "1.045,10"))])
    datasets.type_fields(made)
    found = filter_dataset(datasets, made, "run_2", Filtering({"Total": "2000.."}))
    (row,) = datasets.rows(found.dataset_id)
    assert (row.cells[1].text, row.cells[1].value) == ("3.350", Amount(Decimal(3350)))


def test_an_order_told_to_the_filter_settles_what_was_suggested(db: Database) -> None:
    datasets = Datasets(db)
    made = datasets.create("run_1", ["Date"])
    datasets.append(made, [Entry(("04/05/2026",)), Entry(("04/13/2026",)), Entry(("05/20/2026",))])
    datasets.type_fields(made)
    asked = Filtering({"Date": "2026-04"})
    unsettled = filter_dataset(datasets, made, "run_2", asked)
    assert (unsettled.kept, unsettled.unreadable, unsettled.suggestion) == (0, 3, "date_order")
    told = filter_dataset(datasets, made, "run_2", Filtering({"Date": "2026-04"}, date_order="mdy"))
    assert (told.kept, told.unreadable, told.suggestion) == (2, 0, None)
    assert datasets.info(told.dataset_id).fields[0].unresolved == 0
    assert datasets.info(made).fields[0].unresolved == 3


def test_a_text_column_is_read_as_numbers_only_where_that_is_certain(db: Database) -> None:
    datasets = Datasets(db)
    made = datasets.create("run_1", ["Total"])
    datasets.append(made, [Entry(("3.350",)), Entry(("1.234.567",)), Entry(("none",))])
    datasets.type_fields(made)
    found = filter_dataset(datasets, made, "run_2", Filtering({"Total": "1000.."}))
    assert (found.kept, found.unreadable) == (2, 1)
    lone = datasets.create("run_1", ["Total"])
    datasets.append(lone, [Entry(("3.350",))])
    datasets.type_fields(lone)
    unsure = filter_dataset(datasets, lone, "run_2", Filtering({"Total": "1000.."}))
    assert (unsure.kept, unsure.unreadable, unsure.suggestion) == (0, 1, "decimal_mark")
    told = filter_dataset(datasets, lone, "run_2", Filtering({"Total": "1000.."}, decimal_mark=","))
    assert (told.kept, told.unreadable) == (1, 0)


def test_a_record_keeps_where_it_came_from_and_only_the_fields_asked_for(db: Database) -> None:
    datasets = Datasets(db)
    made = datasets.create("run_1", ["Number", "When", "Total"])
    whole = Entry(
        ("7", "4 Jan", "5,00"),
        ("", "2026-01-04", None),
        key="k",
        page=3,
        row=9,
        flag="duplicate",
        cells=(0, 2, None),
        listed=(None, None, "5"),
        context_year=2026,
    )
    datasets.append(made, [whole])
    datasets.type_fields(made)
    found = filter_dataset(datasets, made, "run_2", Filtering({"Number": "7"}, fields=("Total", "When")))
    (kept,) = datasets.entries(found.dataset_id)
    assert kept == Entry(("5,00", "4 Jan"), (None, "2026-01-04"), "k", 3, 9, "duplicate", (None, 2), ("5", None), 2026)
    assert [field.name for field in datasets.info(found.dataset_id).fields] == ["Total", "When"]


def test_the_new_receipt_says_where_it_comes_from_and_how_complete_that_was(db: Database) -> None:
    datasets = Datasets(db)
    source = dataset(datasets, *ROWS)
    found = filter_dataset(datasets, source, "run_2", Filtering({"Date": "2026"}))
    info = datasets.info(found.dataset_id)
    assert (info.run_id, info.state) == ("run_2", "finished")
    assert info.receipt is not None
    assert (info.receipt["taken from"], info.receipt["complete"]) == (source, True)
    assert info.receipt["without a readable date"] == ["Date: 1"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [("Due date", Reason.UNKNOWN_FIELD), ("data", Reason.HEADINGS_AMBIGUOUS), ("", Reason.UNKNOWN_FIELD)],
)
def test_a_field_is_found_by_its_name_or_not_at_all(db: Database, name: str, reason: Reason) -> None:
    datasets = Datasets(db)
    made = datasets.create("run_1", ["Data", "DATA ", "Number"])
    with pytest.raises(DatasetError) as caught:
        filter_dataset(datasets, made, "run_2", Filtering({name: "x"}))
    assert caught.value.reason is reason
    assert datasets.of_run("run_2") == ()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Datasets]:
    database = Database.in_folder(tmp_path_factory.mktemp("filters") / "data")
    yield Datasets(database)
    database.close()


@settings(max_examples=40, deadline=None)
@given(
    rows=st.lists(
        st.tuples(
            st.sampled_from(["1", "2"]),
            st.sampled_from(["", "2025", "2026-01-05", "Jan 2026", "Dec 2025 – Jan 2026", "04/13/2026", "12/12/2026"]),
            st.sampled_from(["", "5,00", "3.350", "n/a", "1.00"]),
            st.sampled_from(["paid", "open", ""]),
        ),
        max_size=12,
    ),
    where=st.dictionaries(
        st.sampled_from(FIELDS),
        st.sampled_from(["2026", "2026-01..", "2026..2027", "paid|open", "*a*", ""]),
        max_size=4,
    ),
)
def test_the_three_kinds_are_disjoint_and_nothing_is_lost(
    shared: Datasets, rows: list[tuple[str, str, str, str]], where: dict[str, str]
) -> None:
    source = dataset(shared, *rows)
    kept = [filter_dataset(shared, source, "run_2", Filtering(where, keep)) for keep in KINDS]
    assert sum(found.kept for found in kept) == len(rows)
    assert kept[0].kept == kept[0].matching
    for found in kept:
        assert found.matching + found.outside + found.straddling + found.unreadable == len(rows)
