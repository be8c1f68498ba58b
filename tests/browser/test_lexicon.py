from __future__ import annotations

import tomllib
from itertools import combinations
from pathlib import Path

import pytest

import remit.browser
from remit.browser._lexicon import lexicon, normalise

FORMS = Path(remit.browser.__file__).parent / "lexicon" / "forms"
EVERYWHERE = "any"
LANGUAGES = sorted(path.stem for path in FORMS.glob("*.toml") if path.stem != EVERYWHERE)
REQUIRED = {"en", "it", "de", "es", "fr", "nl", "pl", "pt", "sv", "tr", "ru", "el", "ja", "ko", "zh", "ar"}
# A phrase in both of a pair would turn a decision around.
CONFLICTS = [
    *combinations(("sign_in", "sign_up", "sign_out", "forgot", "newsletter", "search", "send_code"), 2),
    *combinations(("by_password", "other_way", "sign_up", "sign_out", "forgot"), 2),
    *combinations(("remember_me", "terms", "newsletter"), 2),
    *combinations(("partial_password", "one_time_code", "captcha", "password_rules"), 2),
    ("no_account", "sign_in"),
    ("username", "email"),
    *combinations(("username", "password", "one_time_code", "captcha", "card"), 2),
    *combinations(("new_password", "confirm_password", "current_password", "password", "password_rules"), 2),
    *combinations(
        ("rejected", "too_many_attempts", "account_locked", "maintenance", "change_password", "accept_terms"), 2
    ),
]


def concepts(language: str) -> dict[str, list[str]]:
    data: dict[str, list[str]] = tomllib.loads((FORMS / f"{language}.toml").read_text("utf-8"))
    return data


def test_the_required_languages_are_there() -> None:
    assert set(LANGUAGES) >= REQUIRED


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_the_same_concepts_as_english_and_none_is_empty(language: str) -> None:
    found = concepts(language)
    assert set(found) == set(concepts("en"))
    assert all(phrases and all(normalise(phrase) for phrase in phrases) for phrases in found.values())


@pytest.mark.parametrize("language", [*LANGUAGES, EVERYWHERE])
def test_no_phrase_of_a_concept_is_written_twice(language: str) -> None:
    for concept, phrases in concepts(language).items():
        plain = [normalise(phrase) for phrase in phrases]
        assert len(plain) == len(set(plain)), (concept, sorted(p for p in plain if plain.count(p) > 1))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("one", "other"), CONFLICTS)
def test_no_phrase_stands_in_two_concepts_that_exclude_each_other(language: str, one: str, other: str) -> None:
    found = concepts(language)
    assert not {normalise(p) for p in found[one]} & {normalise(p) for p in found[other]}


@pytest.mark.parametrize(("one", "other"), CONFLICTS)
def test_nor_do_two_languages_contradict_each_other(one: str, other: str) -> None:
    assert not lexicon("forms")[one].phrases & lexicon("forms")[other].phrases


def test_concepts_of_attributes_stand_in_one_file_alone() -> None:
    assert not set(concepts(EVERYWHERE)) & set(concepts("en"))


def test_accents_case_and_punctuation_do_not_matter() -> None:
    assert lexicon("forms")["sign_in"].is_exactly("INICIAR  SESION!")
    assert lexicon("forms")["password"].occurs_in("Mot de passe :")
    assert not lexicon("forms")["password"].occurs_in("compass")
