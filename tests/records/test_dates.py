"""Dates as sources write them."""

from __future__ import annotations

import re
from datetime import date, time, timedelta, timezone

import pytest
from babel import Locale, localedata
from babel.dates import format_date
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from remit.records import (
    DateInterval,
    DateOrder,
    DateRules,
    Period,
    Unresolved,
    Why,
    period,
    read_date,
    read_machine_date,
    year_in,
)
from remit.records._lexicon import words

DAYS = {
    "15/09/2026": date(2026, 9, 15),
    "1.2.2026": date(2026, 2, 1),
    "15. 9. 2026": date(2026, 9, 15),
    "15-09-2026": date(2026, 9, 15),
    "15.09.26": date(2026, 9, 15),
    "15/09/99": date(1999, 9, 15),
    "2026-09-15": date(2026, 9, 15),
    "2026/09/15": date(2026, 9, 15),
    "2026-02-03": date(2026, 2, 3),
    "2026.9.15.": date(2026, 9, 15),
    "15 September 2026": date(2026, 9, 15),
    "September 15th, 2026": date(2026, 9, 15),
    "15-Sep-26": date(2026, 9, 15),
    "2026-Sep-15": date(2026, 9, 15),
    "1er août 2026": date(2026, 8, 1),
    "15 de septiembre de 2026": date(2026, 9, 15),
    "15 сентября 2026 г.": date(2026, 9, 15),
    "15 września 2026 r.": date(2026, 9, 15),
    "15 Σεπτεμβρίου 2026": date(2026, 9, 15),
    "2026年9月15日": date(2026, 9, 15),
    "2026년 9월 15일": date(2026, 9, 15),
    "ngày 15 tháng 9 năm 2026": date(2026, 9, 15),
    "१५/०९/२०२६": date(2026, 9, 15),
    "٣ مارس ٢٠٢٦": date(2026, 3, 3),
    "Friday, 7 March 2025": date(2025, 3, 7),
    "ven. 7 mars 2025": date(2025, 3, 7),
    "mar. 15 set. 2026": date(2026, 9, 15),
    "mar 3 mar 2026": date(2026, 3, 3),
    "Sun Mar 01 2026": date(2026, 3, 1),
    "Dom 15/09/2026": date(2026, 9, 15),
    "Due: 15/09/2026": date(2026, 9, 15),
    "Published on 7 March 2025": date(2025, 3, 7),
    "Something\n7 March 2025": date(2025, 3, 7),
    "15. des. 2026": date(2026, 12, 15),
    "15 de des. de 2026": date(2026, 12, 15),
    "2026年12月15日火曜日": date(2026, 12, 15),
    "15 בדצמבר 2026": date(2026, 12, 15),
    "2026(e)ko abenduaren 15(a)": date(2026, 12, 15),
    "2026 թ. դեկտեմբերի 15": date(2026, 12, 15),
    "15 ธันวาคม ค.ศ. 2026": date(2026, 12, 15),
    "15 ta’ Diċembru 2026": date(2026, 12, 15),
}


@pytest.mark.parametrize("text", DAYS)
def test_a_day_is_read(text: str) -> None:
    assert read_date(text) == DateInterval.day(DAYS[text])


MOMENTS = {
    "Jan. 4, 2025, 10:15 a.m.": (date(2025, 1, 4), time(10, 15)),
    "Jan. 4, 2025, noon": (date(2025, 1, 4), time(12)),
    "Jan. 4, 2025, 2 p.m.": (date(2025, 1, 4), time(14)),
    "Jan. 4, 2025, 12:05 a.m.": (date(2025, 1, 4), time(0, 5)),
    "2025-03-07 14:05": (date(2025, 3, 7), time(14, 5)),
    "14:05, 7 March 2025": (date(2025, 3, 7), time(14, 5)),
    "7 marzo 2025 ore 14:05": (date(2025, 3, 7), time(14, 5)),
    "7 marzo 2025 alle 14.05": (date(2025, 3, 7), time(14, 5)),
    "den 7. März 2025 um 14.05 Uhr": (date(2025, 3, 7), time(14, 5)),
    "7 mars 2025 à 14h05": (date(2025, 3, 7), time(14, 5)),
    "2025/03/07 at 2:05 pm": (date(2025, 3, 7), time(14, 5)),
    "Published\n2025/03/07 at 2:05 pm": (date(2025, 3, 7), time(14, 5)),
    "07.03.2025 14:05:09": (date(2025, 3, 7), time(14, 5, 9)),
    "7/3/2025 14:05 CET": (date(2025, 3, 7), time(14, 5)),
    "2025-03-07T14:05:00Z": (date(2025, 3, 7), time(14, 5, tzinfo=timezone.utc)),  # noqa: UP017
    "Fri, 07 Mar 2025 14:05:00 +0200": (date(2025, 3, 7), time(14, 5, tzinfo=timezone(timedelta(hours=2)))),
    "2025-03-07 14:05:00.25-03": (date(2025, 3, 7), time(14, 5, 0, 250_000, timezone(timedelta(hours=-3)))),
}


@pytest.mark.parametrize("text", MOMENTS)
def test_a_time_beside_a_date_is_read_and_stays_naive_without_an_offset(text: str) -> None:
    day, at = MOMENTS[text]
    assert read_date(text) == DateInterval.day(day, at)


@pytest.mark.parametrize(
    ("text", "start", "end", "precision"),
    [
        ("08/2026", date(2026, 8, 1), date(2026, 8, 31), "month"),
        ("2026-08", date(2026, 8, 1), date(2026, 8, 31), "month"),
        ("Jan 2026", date(2026, 1, 1), date(2026, 1, 31), "month"),
        ("Sep '26", date(2026, 9, 1), date(2026, 9, 30), "month"),
        ("září 2026", date(2026, 9, 1), date(2026, 9, 30), "month"),
        ("Q3 2026", date(2026, 7, 1), date(2026, 9, 30), "quarter"),
        ("2026 Q1", date(2026, 1, 1), date(2026, 3, 31), "quarter"),
        ("3º trimestre 2026", date(2026, 7, 1), date(2026, 9, 30), "quarter"),
        ("July–August 2026", date(2026, 7, 1), date(2026, 8, 31), "interval"),
        ("July-August 2026", date(2026, 7, 1), date(2026, 8, 31), "interval"),
        ("Dic 2025 – Gen 2026", date(2025, 12, 1), date(2026, 1, 31), "interval"),
        ("1–15 September 2026", date(2026, 9, 1), date(2026, 9, 15), "interval"),
        ("from 1 to 15 September 2026", date(2026, 9, 1), date(2026, 9, 15), "interval"),
        ("01/07/2026 - 31/08/2026", date(2026, 7, 1), date(2026, 8, 31), "interval"),
        ("3 July – 4 August 2026", date(2026, 7, 3), date(2026, 8, 4), "interval"),
    ],
)
def test_precision_is_that_of_the_source(text: str, start: date, end: date, precision: str) -> None:
    read = read_date(text)
    assert isinstance(read, DateInterval)
    assert (read.start, read.end, read.precision, read.year_from_context) == (start, end, precision, False)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", Why.EMPTY),
        ("  ", Why.EMPTY),
        ("3", Why.NOT_A_DATE),
        ("2026", Why.NOT_A_DATE),
        ("20260915", Why.NOT_A_DATE),
        ("1/2", Why.NOT_A_DATE),
        ("25/2026", Why.NOT_A_DATE),
        ("1.1999", Why.NOT_A_DATE),
        ("1.2.3", Why.NOT_A_DATE),
        ("INV-2026", Why.NOT_A_DATE),
        ("R-2026-03", Why.NOT_A_DATE),
        ("KB 2026-03", Why.NOT_A_DATE),
        ("2026-03R", Why.NOT_A_DATE),
        ("MAR1", Why.NOT_A_DATE),
        ("15 de 2026", Why.NOT_A_DATE),
        ("15 March 2026 BC", Why.NOT_A_DATE),
        ("15 marzo 2026 a.C.", Why.NOT_A_DATE),
        ("15 ธันวาคม พ.ศ. 2569", Why.NOT_A_DATE),
        ("Maya 2026", Why.CONTESTED_NAME),
        ("12 kg", Why.NOT_A_DATE),
        ("May", Why.NOT_A_DATE),
        ("yesterday", Why.NOT_A_DATE),
        ("10:30", Why.NOT_A_DATE),
        ("2025-2026", Why.NOT_A_DATE),
        ("15 Sep 2026\n16 Sep 2026", Why.NOT_A_DATE),
        ("15/09/1447", Why.NOT_A_DATE),
        ("15/09/2569", Why.NOT_A_DATE),
        ("15 Dec – 3 Jan 2026", Why.NOT_A_DATE),
        ("Jan 4", Why.NO_YEAR),
        ("15 de noviembre", Why.NO_YEAR),
        ("31/02/2026", Why.NO_SUCH_DAY),
        ("30 February 2026", Why.NO_SUCH_DAY),
        ("7 March 2025 25:10", Why.NO_SUCH_DAY),
        ("04/13/2026", Why.OTHER_ORDER),
        ("15 listopada 2026", Why.CONTESTED_NAME),
        ("x" * 500, Why.NOT_A_DATE),
    ],
)
def test_nothing_is_invented(text: str, why: Why) -> None:
    assert read_date(text) == Unresolved(why)


def test_the_order_of_numeric_dates_is_told_and_not_found_out() -> None:
    american = DateRules(order="mdy")
    assert read_date("04/05/2026") == DateInterval.day(date(2026, 5, 4))
    assert read_date("04/05/2026", rules=american) == DateInterval.day(date(2026, 4, 5))
    assert read_date("04/13/2026", rules=american) == DateInterval.day(date(2026, 4, 13))
    assert read_date("13/04/2026", rules=american) == Unresolved(Why.OTHER_ORDER)
    assert read_date("2026-04-05", rules=american) == DateInterval.day(date(2026, 4, 5))


def test_a_language_decides_a_contested_month() -> None:
    assert read_date("15 listopada 2026", rules=DateRules(language="pl")) == DateInterval.day(date(2026, 11, 15))
    assert read_date("15 listopada 2026", rules=DateRules(language="hr")) == DateInterval.day(date(2026, 10, 15))


def test_a_year_from_the_context_is_used_only_if_missing_and_says_so() -> None:
    rules = DateRules(context_year=2026)
    for text, day in (("Jan 4", date(2026, 1, 4)), ("15/09", date(2026, 9, 15))):
        read = read_date(text, rules=rules)
        assert isinstance(read, DateInterval)
        assert (read.start, read.year_from_context) == (day, True)
    assert read_date("4 Jan 2024", rules=rules) == DateInterval.day(date(2024, 1, 4))


def test_a_machine_readable_date_wins_and_a_broken_one_does_not() -> None:
    assert read_date("yesterday", "2026-09-15") == DateInterval.day(date(2026, 9, 15))
    assert read_date("04/05/2026", "2026-04-05") == DateInterval.day(date(2026, 4, 5))
    assert read_date("15/09/2026", "soon") == DateInterval.day(date(2026, 9, 15))
    assert read_machine_date("2026") == DateInterval.year(2026)
    assert read_machine_date("15/09/2026") == Unresolved(Why.NOT_A_DATE)


def test_periods_tell_inside_outside_straddling_and_undated_apart() -> None:
    of_2026 = period(date(2026, 1, 1), date(2026, 12, 31))
    rows = {"31/12/2025": "outside", "01/01/2026": "inside", "Jan 2026": "inside", "Dic 2025 – Gen 2026": "straddling"}
    assert {text: of_2026.place(read_date(text)) for text in rows} == rows
    assert of_2026.place(read_date("")) == "undated"
    assert of_2026.place(None) == "undated"
    assert Period(start=date(2026, 1, 15)).place(read_date("01/2026")) == "straddling"
    assert Period().place(read_date("01/2026")) == "inside"


@pytest.mark.parametrize("language", sorted(words("widely_written") - {"no"}))
def test_every_wide_month_name_of_a_widely_written_language_is_its_month(language: str) -> None:
    """In Babel's own words: the shipped index must not fall behind."""
    for context in ("format", "stand-alone"):
        for number, name in Locale.parse(language).months[context]["wide"].items():
            text = f"15 {name} 2026"
            assert read_date(text, rules=DateRules(language=language)) == DateInterval.day(date(2026, number, 15)), text


@pytest.mark.parametrize(
    "name", ["Jan", "feb.", "MAR", "apr", "may", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec"]
)
def test_english_month_names_need_no_hint(name: str) -> None:
    assert isinstance(read_date(f"{name} 2026"), DateInterval)


LOCALES = sorted(localedata.locale_identifiers())
FORMATS = ("short", "medium", "long", "full", "yMMM", "yMMMM")


def _pattern(locale: Locale, form: str) -> str | None:
    if form in FORMATS[:4]:
        return str(locale.date_formats[form].pattern)
    skeleton = locale.datetime_skeletons.get(form)
    return None if skeleton is None else str(skeleton.pattern)


def _order(pattern: str) -> DateOrder:
    """The order of a pattern's day and month, as a site's settings would tell it."""
    plain = re.sub(r"'[^']*'", "", pattern).replace("L", "M")
    return "mdy" if plain.find("M") < plain.find("d") else "dmy"


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(LOCALES), st.sampled_from(FORMATS), st.dates(date(1990, 1, 1), date(2050, 12, 31)))
def test_a_date_of_any_locale_is_read_back_or_stays_unresolved(identifier: str, form: str, day: date) -> None:
    locale = Locale.parse(identifier)
    pattern = _pattern(locale, form)
    assume(pattern is not None)
    assert pattern is not None
    fields = re.sub(r"'[^']*'", "", pattern)
    # A year of two digits that stands first cannot be told from a day by any rule.
    assume(not fields.startswith("yy") or fields.startswith("yyyy"))
    text = format_date(day, pattern, locale)
    read = read_date(text, rules=DateRules(order=_order(pattern), language=locale.language))
    if isinstance(read, DateInterval):
        expected = DateInterval.day(day) if "d" in fields else DateInterval.month(day.year, day.month)
        assert read == expected, text


@pytest.mark.parametrize("language", sorted(words("widely_written") - {"no"}))
def test_every_format_of_a_widely_written_language_is_read(language: str) -> None:
    locale = Locale.parse(language)
    day = date(2026, 12, 15)
    for form in ("medium", "long", "full"):
        text = format_date(day, form, locale)
        order = _order(str(_pattern(locale, form)))
        assert read_date(text, rules=DateRules(order, language)) == DateInterval.day(day), text


TEXTS = """
1 2 3 04 15 26 31 1999 2026 2027 10:30 25:00 1.5 ٣ . / - , – ' ( ) mar March sept gen décembre Dic des Q3 T1 Mon of de
th r г 年 月 日 from to al e a BC pm INV KB Due:
"""
TOKENS = st.sampled_from([*TEXTS.split(), " ", "  ", " - ", "\n"])


@settings(max_examples=600, deadline=None)
@given(st.lists(TOKENS, max_size=9), st.sampled_from(["", " "]), st.sampled_from([None, 2024]))
def test_every_part_of_a_date_stands_in_its_text_or_context(
    tokens: list[str], between: str, context_year: int | None
) -> None:
    text = between.join(tokens)
    read = read_date(text, rules=DateRules(context_year=context_year))
    if not isinstance(read, DateInterval):
        return
    numbers = {int(number) for number in re.findall(r"\d+", text)}
    years = {read.start.year, read.end.year}
    stated = {year for year in years if year in numbers or year % 100 in numbers}
    if read.year_from_context:
        assert years - stated <= {context_year}
    else:
        assert stated == years
    named = re.search(r"mar|sept|gen|cembre|dic|des", text, re.IGNORECASE) is not None
    if read.precision in ("day", "month"):
        assert read.start.month in numbers or named
    if read.precision == "day":
        assert read.start.day in numbers
    if read.at is not None:
        assert {read.at.hour % 12, read.at.minute} <= {number % 12 for number in numbers} | numbers | {0}


@pytest.mark.parametrize(
    ("heading", "year"),
    [
        ("2026", 2026),
        ("Invoices 2026", 2026),
        ("2026 (24)", 2026),
        ("Fatture – ٢٠٢٦", 2026),
        ("2025/2026", None),
        ("2025–2026", None),
        ("From 2025 to 2026", None),
        ("INV-2026", None),
        ("1,2026", None),
        ("Page 3", None),
        ("0042", None),
        ("", None),
    ],
)
def test_a_heading_states_one_year_or_none(heading: str, year: int | None) -> None:
    assert year_in(heading) == year


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_no_text_makes_it_fail(text: str) -> None:
    assert isinstance(read_date(text), DateInterval | Unresolved)


@given(st.dates(date(1600, 1, 1), date(2199, 12, 31)))
def test_what_is_written_plainly_is_read_back(day: date) -> None:
    for text in (
        day.isoformat(),
        f"{day:%d/%m/%Y}",
        f"{day.day} {day:%B} {day:%Y}",
        f"{day:%A, %B} {day.day}, {day:%Y}",
    ):
        assert read_date(text) == DateInterval.day(day), text
