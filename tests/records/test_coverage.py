"""Which days a run read whole."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remit.records import Coverage, Datasets, DateInterval, ListOrder, Period, cover, order_of, read_date, uncovered
from remit.state import Database

OF_2026 = Period(date(2026, 1, 1), date(2026, 12, 31))
DAYS = st.dates(date(2025, 1, 1), date(2027, 12, 31))


def dates(*texts: str) -> list[DateInterval | None]:
    read = (read_date(text) for text in texts)
    return [found if isinstance(found, DateInterval) else None for found in read]


def test_a_list_read_to_its_end_covers_what_was_asked() -> None:
    found = cover("Date", dates("15/03/2026", "31/12/2025", ""), OF_2026, exhausted=True)
    assert (found.covered, found.gaps) == (OF_2026, ())
    assert (found.earliest, found.latest) == (date(2025, 12, 31), date(2026, 3, 15))
    assert (found.dated, found.undated, found.order) == (2, 1, None)


def test_a_list_left_early_covers_nothing_unless_its_order_is_verified() -> None:
    seen = dates("20/09/2026", "10/09/2026")
    found = cover("Date", seen, OF_2026, exhausted=False)
    assert (found.covered, found.gaps) == (None, (OF_2026,))


@pytest.mark.parametrize(
    ("order", "seen", "covered", "gap"),
    [
        (
            "newest_first",
            ("20/09/2026", "10/09/2026"),
            Period(date(2026, 9, 11), date(2026, 12, 31)),
            Period(date(2026, 1, 1), date(2026, 9, 10)),
        ),
        (
            "oldest_first",
            ("10/02/2026", "20/02/2026"),
            Period(date(2026, 1, 1), date(2026, 2, 19)),
            Period(date(2026, 2, 20), date(2026, 12, 31)),
        ),
        (
            "newest_first",
            ("Dic 2026", "Nov 2026"),
            Period(date(2026, 12, 1), date(2026, 12, 31)),
            Period(date(2026, 1, 1), date(2026, 11, 30)),
        ),
        ("newest_first", ("20/09/2026", "Dic 2025 – Gen 2026", "31/12/2025"), OF_2026, None),
    ],
)
def test_a_verified_order_covers_the_days_before_the_last_one_read(
    order: ListOrder, seen: tuple[str, ...], covered: Period, gap: Period | None
) -> None:
    found = cover("Date", dates(*seen), OF_2026, exhausted=False, order=order)
    assert (found.covered, found.gaps) == (covered, () if gap is None else (gap,))


def test_open_ends_stay_open() -> None:
    found = cover("Date", dates("20/09/2026"), Period(), exhausted=False, order="newest_first")
    assert found.covered == Period(date(2026, 9, 21), None)
    assert found.gaps == (Period(None, date(2026, 9, 20)),)
    assert cover("Date", (), Period(), exhausted=True).gaps == ()


def test_months_without_a_record_are_told() -> None:
    found = cover("Date", dates("15/01/2026", "March – April 2026", "01/12/2026"), OF_2026, exhausted=True)
    assert found.without_record == (
        Period(date(2026, 2, 1), date(2026, 2, 28)),
        Period(date(2026, 5, 1), date(2026, 11, 30)),
    )
    assert found.receipt()["months without a record"] == ["2026-02", "2026-05 to 2026-11"]
    assert found.receipt()["period asked for"] == "2026-01-01 to 2026-12-31"


def test_months_of_an_open_period_lie_between_the_dates_seen() -> None:
    found = cover("Date", dates("15/01/2026", "15/03/2026"), Period(), exhausted=True)
    assert found.without_record == (Period(date(2026, 2, 1), date(2026, 2, 28)),)
    assert cover("Date", dates(""), Period(), exhausted=True).without_record == ()


@pytest.mark.parametrize(
    ("seen", "order"),
    [
        (("20/09/2026", "20/09/2026", "10/09/2026", ""), "newest_first"),
        (("10/09/2026", "09/2026", "20/09/2026"), "oldest_first"),
        (("20/09/2026", "Sep 2026", "25/09/2026", "10/09/2026"), None),
        (("20/09/2026", "20/09/2026"), None),
        ((), None),
    ],
)
def test_an_order_is_one_that_all_dates_keep(seen: tuple[str, ...], order: ListOrder | None) -> None:
    assert order_of(dates(*seen)) == order


@given(st.lists(DAYS, max_size=30))
def test_the_order_found_is_the_order_there_is(days: list[date]) -> None:
    found = order_of(map(DateInterval.day, days))
    if found is not None:
        assert days == sorted(days, reverse=found == "newest_first")
    elif len(set(days)) > 1:
        assert days not in (sorted(days), sorted(days, reverse=True))


@given(
    asked=st.tuples(DAYS, DAYS).map(sorted),
    covered=st.lists(st.tuples(DAYS, DAYS).map(sorted), max_size=4),
    day=DAYS,
)
def test_a_day_is_uncovered_exactly_if_no_run_covered_it(
    asked: list[date], covered: list[list[date]], day: date
) -> None:
    gaps = uncovered(Period(*asked), (Period(*part) for part in covered))
    expected = asked[0] <= day <= asked[1] and not any(start <= day <= end for start, end in covered)
    assert any(gap.place(DateInterval.day(day)) == "inside" for gap in gaps) is expected


@given(seen=st.lists(DAYS, min_size=1, max_size=30), left=st.lists(DAYS, max_size=30), newest_first=st.booleans())
def test_no_record_left_unread_lies_in_what_is_called_covered(
    seen: list[date], left: list[date], newest_first: bool
) -> None:
    whole = sorted(seen + left, reverse=newest_first)
    read, unread = whole[: len(seen)], whole[len(seen) :]
    order: ListOrder = "newest_first" if newest_first else "oldest_first"
    found = cover("Date", map(DateInterval.day, read), OF_2026, exhausted=False, order=order)
    for day in unread:
        assert found.covered is None or found.covered.place(DateInterval.day(day)) == "outside"


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    database = Database.in_folder(tmp_path / "data")
    yield database
    database.close()


def run(datasets: Datasets, run_id: str, asked: Period, *seen: str, source: str = "digest") -> Coverage:
    dataset = datasets.create(run_id, ["Date"])
    coverage = cover("Date", dates(*seen), asked, exhausted=True)
    datasets.finish(dataset, coverage.receipt(), coverage, source)
    return coverage


def test_each_run_keeps_its_interval_so_an_earlier_start_is_still_to_read(db: Database) -> None:
    datasets = Datasets(db)
    run(datasets, "run_1", Period(date(2026, 6, 1), date(2026, 8, 31)), "15/07/2026")
    run(datasets, "run_2", Period(date(2026, 9, 1), None), "15/09/2026")
    run(datasets, "run_3", Period(None, None), "15/09/2020", source="another list")
    covered = Datasets(db).covered("digest", "Date")
    assert covered == (Period(date(2026, 6, 1), date(2026, 8, 31)), Period(date(2026, 9, 1), None))
    assert uncovered(OF_2026, covered) == (Period(date(2026, 1, 1), date(2026, 5, 31)),)
    assert datasets.covered("digest", "Due date") == ()


def test_a_run_that_covered_nothing_is_no_interval(db: Database) -> None:
    datasets = Datasets(db)
    dataset = datasets.create("run_1", ["Date"])
    datasets.finish(dataset, {}, cover("Date", (), OF_2026, exhausted=False), "digest")
    assert datasets.covered("digest", "Date") == ()


def test_a_long_list_is_covered_in_one_pass() -> None:
    first = date(2020, 1, 1)
    many = (DateInterval.day(first + timedelta(days=at % 2000)) for at in range(50_000))
    assert cover("Date", many, Period(), exhausted=True).dated == 50_000
