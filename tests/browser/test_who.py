from __future__ import annotations

import pytest

from remit.browser import may_name

OWN = "ada@example.test"


@pytest.mark.parametrize(
    "shown", ["", OWN, " ADA@Example.Test ", "a**@example.test", "a•••@e•••.test", "ad…@example.test"]
)
def test_a_name_that_may_be_the_own_one(shown: str) -> None:
    assert may_name(shown, OWN)


@pytest.mark.parametrize("shown", ["bob@example.test", "a**@other.test", "adam@example.test", "ada@example.test.evil"])
def test_a_name_that_is_plainly_another(shown: str) -> None:
    assert not may_name(shown, OWN)


def test_an_address_and_a_plain_name_say_nothing_of_each_other() -> None:
    assert may_name("Ada L.", OWN)
    assert may_name(OWN, "ada")
    assert not may_name("bob", "ada")
