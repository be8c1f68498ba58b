from __future__ import annotations

import pytest

from remit.browser import ControlError, Observation
from remit.contract import Reason
from tests.browser.conftest import Open

YEARS = (
    "<label>Year <select onchange='fetch(`/${this.value}`)'><option>2026<option disabled>2025<option>2024</select>"
    "</label>"
)


def select_of(seen: Observation) -> int:
    return next(control.id for control in seen.main.controls if control.tag == "select")


async def test_an_option_is_chosen_once_and_the_page_is_told(opened: Open) -> None:
    session, site = await opened({"/": YEARS, "/2024": ""})
    seen = await session.observe()
    told: list[int] = []
    await session.choose(seen, 0, select_of(seen), 2, on_dispatch=lambda: told.append(1))
    await session.settle()
    assert (site.asked("/2024"), told) == (1, [1])
    options = await session.options(seen, 0, select_of(seen))
    assert (options.chosen, options.disabled) == (2, frozenset({1}))


async def test_a_select_with_other_options_by_now_is_left_alone(opened: Open) -> None:
    session, _ = await opened(YEARS)
    seen = await session.observe()
    await session._tab.page.evaluate("document.querySelector('option').textContent = '2027'")
    told: list[int] = []
    with pytest.raises(ControlError) as error:
        await session.choose(seen, 0, select_of(seen), 2, on_dispatch=lambda: told.append(1))
    assert (error.value.reason, told) == (Reason.TARGET_CHANGED, [])
