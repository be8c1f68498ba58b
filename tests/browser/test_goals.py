from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

import remit.browser
from remit.browser import (
    Control,
    Form,
    Frame,
    Observation,
    Picked,
    Unclear,
    Wish,
    identity,
    is_reached,
    only_navigates,
    pick,
    signs_of,
)
from remit.browser._goal_choice import says_download
from remit.browser._goals import is_visible
from remit.browser._lexicon import lexicon, normalise
from remit.contract import Origin, Reason
from tests.browser.test_lexicon import REQUIRED

GOALS = Path(remit.browser.__file__).parent / "lexicon" / "goals"
HOME = "https://a.test/"
ORIGINS = frozenset({Origin.of(HOME)})


def link(words: str, href: str = "x", row: str = "", section: str = "") -> Control:
    return Control(
        0, "a", "link", "native", words, words, href=HOME + href, raw_href="/" + href, row=row, section=section,
        visible=True,
    )  # fmt: skip


def button(words: str, row: str = "", kind: str = "button") -> Control:
    return Control(0, "button", "button", "native", words, words, type=kind, row=row, visible=True)


def page(*controls: Control, forms: tuple[Form, ...] = ()) -> Frame:
    numbered = tuple(replace(control, id=number) for number, control in enumerate(controls))
    return Frame(0, HOME, HOME, controls=numbered, forms=forms)


@pytest.mark.parametrize("path", sorted(GOALS.glob("*.toml")), ids=lambda path: str(path.stem))
def test_each_language_has_all_concepts_and_no_phrase_twice(path: Path) -> None:
    found = tomllib.loads(path.read_text("utf-8"))
    assert set(found) == {"download", "open", "small"}
    for phrases in found.values():
        plain = [normalise(phrase) for phrase in phrases]
        assert all(plain)
        assert len(plain) == len(set(plain))


def test_all_languages_are_there_and_no_small_word_names_an_area() -> None:
    assert {path.stem for path in GOALS.glob("*.toml")} == REQUIRED
    assert not lexicon("goals")["download"].phrases & lexicon("goals")["open"].phrases


@pytest.mark.parametrize(
    ("goal", "nouns", "numbers"),
    [
        ("open the billing area", "billing", ()),
        ("apri l'area fatturazione", "fatturazione", ()),
        ("öffne den Bereich Rechnungen", "rechnungen", ()),
        ("download invoice INV-2041, please", "invoice inv 2041 please", ("INV-2041",)),
        ("download the invoices of 2026", "invoices 2026", ()),
        ("scarica la fattura n. 7/2026", "fattura 7 2026", ("7/2026",)),
    ],
)
def test_a_goal_is_what_it_names(goal: str, nouns: str, numbers: tuple[str, ...]) -> None:
    wish = Wish(goal, "opened")
    assert (wish.nouns, wish.numbers) == (nouns, numbers)


@pytest.mark.parametrize("text", ["INV-2041", "inv 2041 € 5", "No INV-2041.", "(INV2041)", "INV–2041: paid"])
def test_a_number_is_found_however_it_is_written(text: str) -> None:
    assert Wish("open INV-2041", "opened").names(text)


@pytest.mark.parametrize("text", ["", "INV-20411", "INV-2041-B", "INV-2041/2", "XINV-2041", "3-INV-2041", "INV-2041,5"])
def test_a_longer_number_is_another(text: str) -> None:
    assert not Wish("open INV-2041", "opened").names(text)


def test_a_row_and_a_number_must_both_stand_there() -> None:
    wish = Wish("download 2041", "download", row="Acme S.r.l.")
    assert wish.names("ACME S.r.l. 2041")
    assert not wish.names("Acme S.r.l. 2042")
    assert not Wish("open", "opened").names("anything")


@pytest.mark.parametrize(
    ("wish", "title", "reached"),
    [
        (Wish("open the billing area", "opened"), "Billing", True),
        (Wish("open the billing area", "opened"), "Fatturazione", True),
        (Wish("open the billing area", "opened"), "Rechnungen und Lieferungen", False),
        (Wish("open invoice 2026/0123", "opened"), "Credit note 2026/0123", True),
        (Wish("open invoice 2026/0123", "opened"), "Invoice 2026/01234", False),
        (Wish("open it", "opened", "Credit note 2026/0123"), "Invoice 2026/0123", False),
        (Wish("open it", "opened", "Credit note 2026/0123"), "Credit note 2026/0123", True),
        (Wish("open the settings", "opened"), "", False),
        (Wish("open the page", "opened"), "Anything", False),
        (Wish("設定を開く", "opened", "設定"), "設定", True),
    ],
)
def test_a_page_says_that_it_is_open(wish: Wish, title: str, *, reached: bool) -> None:
    before = signs_of(Observation((page(),)))
    assert is_reached(wish, Observation((replace(page(), title=title),)), before) is reached


def test_the_text_of_a_page_is_searched_for_whole_words() -> None:
    seen = Observation((page(button("Session saved"), replace(button("Draft"), visible=False)),))
    assert is_visible(seen, "saved")
    assert not is_visible(seen, "save")
    assert not is_visible(seen, "draft")


def test_a_row_decides_and_of_two_that_read_the_same_neither() -> None:
    wish = Wish("download 2041", "download")
    one, other = link("Get PDF", "a", "2041 Get PDF"), link("Get PDF", "b", "2042 Get PDF")
    assert pick(page(other, one), wish, ()) == Picked(1, True)
    assert pick(page(one, replace(one, href=HOME + "c")), wish, ()) == Unclear(Reason.AMBIGUOUS)
    assert pick(page(one, replace(one)), wish, ()) == Picked(0, True)


def test_what_was_used_is_not_chosen_again() -> None:
    frame = page(link("Billing"))
    assert pick(frame, Wish("open billing", "opened"), ()) == Picked(0)
    used = {identity(frame, frame.controls[0])}
    assert pick(frame, Wish("open billing", "opened"), used) == Unclear(Reason.INCONCLUSIVE)


def test_of_links_that_are_called_the_same_the_navigations_is_meant_else_none() -> None:
    wish = Wish("open billing", "opened")
    assert pick(page(link("Billing", "a"), link("Billing", "b", section="navigation")), wish, ()) == Picked(1)
    assert pick(page(link("Billing", "a"), link("Billing", "b")), wish, ()) == Unclear(Reason.AMBIGUOUS)


def test_no_model_is_offered_another_record() -> None:
    frame = page(link("2042", "a"), link("Get", "b", "2042 Get"), link("Weather", "c"), button("Delete"))
    assert pick(frame, Wish("open 2041", "opened"), ()) == Unclear(Reason.INCONCLUSIVE, (2,))


def test_a_button_that_names_what_it_does_is_no_download_by_itself() -> None:
    assert says_download(link("Scarica"))
    assert says_download(link("Invoice", "files/a.pdf"))
    assert says_download(link("PDF"))
    assert not says_download(link("Invoice", "files"))


FORM = Form(0, "form", action=HOME + "go", method="post")


@pytest.mark.parametrize(
    ("control", "free"),
    [
        (link("Anything"), True),
        (replace(link("Anything"), href="https://b.test/x"), False),
        (replace(link("Anything"), href="javascript:void(0)"), False),
        (replace(link("Anything"), raw_href="#"), False),
        (button("Anything"), False),
        (button("Billing"), True),
        (button("Order"), False),
        (button("Export CSV"), True),
        (replace(button("Anything"), expanded=False), True),
        (replace(button("Anything"), haspopup="menu"), True),
        (replace(button("Anything"), role="tab"), True),
        (replace(button("Anything"), section="navigation"), True),
        (replace(button("Export CSV", kind="submit"), form=0), False),
        (replace(button("Billing", kind="submit"), form=0, section="navigation"), False),
    ],
)
def test_only_what_navigates_is_free(control: Control, *, free: bool) -> None:
    frame = page(control, forms=(FORM,))
    assert only_navigates(frame, frame.controls[0], ORIGINS) is free


def test_a_form_that_asks_with_get_is_free_on_an_allowed_origin() -> None:
    control = replace(button("Export", kind="submit"), form=0)
    forms = replace(FORM, method="get"), replace(FORM, method="get", action="https://b.test/")
    assert [only_navigates(page(control, forms=(f,)), page(control).controls[0], ORIGINS) for f in forms] == [
        True,
        False,
    ]
