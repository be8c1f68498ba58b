"""Every page once, none twice, by the control and not by its address."""

from __future__ import annotations

from typing import cast

import pytest

from tests.executors.conftest import Remit, Serve
from tests.sites.collecting import paged
from tests.sites.pages import Page


def numbers(count: int) -> list[tuple[str]]:
    return [(f"INV-{n:04}",) for n in range(1, count + 1)]


async def test_a_last_page_that_links_to_itself_ends_the_list(remit: Remit, served: Serve) -> None:
    site = served({"/": paged.last_links_to_itself})
    receipt = await remit.collect(site, "number")
    assert (receipt["status"], remit.texts(receipt)) == ("done", numbers(15))
    assert site.asked("/") == 3


@pytest.mark.parametrize(
    "page", [paged.EMPTY_ADDRESS, paged.SCRIPT_ADDRESS, paged.DATA_NEXT, paged.POINTER, paged.SLOW_SWAP]
)
async def test_paging_works_by_the_control_whatever_its_address(remit: Remit, served: Serve, page: str) -> None:
    site = served({"/": page, "/turned": ""})
    receipt = await remit.collect(site, "number")
    assert (receipt["status"], remit.texts(receipt)) == ("done", numbers(15))
    assert site.asked("/turned") == 2


async def test_a_full_page_is_no_end(remit: Remit, served: Serve) -> None:
    receipt = await remit.collect(served({"/": paged.full_last_page}), "number")
    assert (receipt["status"], remit.texts(receipt), receipt["pages"]) == ("done", numbers(41), 3)


async def test_a_pager_with_gaps_is_followed_page_by_page(remit: Remit, served: Serve) -> None:
    site = served({"/": cast("Page", paged.windowed(12))})
    receipt = await remit.collect(site, "number")
    assert (receipt["status"], remit.texts(receipt)) == ("done", numbers(48))
    assert [paged.asked(request) for request in site.requests] == list(range(1, 13))


async def test_a_control_put_before_the_next_one_is_not_pressed_in_its_place(remit: Remit, served: Serve) -> None:
    site = served({"/": paged.PREPENDED, "/turned": "", "/wrong": ""})
    receipt = await remit.collect(site, "number")
    assert (receipt["status"], remit.texts(receipt)) == ("done", numbers(15))
    assert (site.asked("/turned"), site.asked("/wrong")) == (2, 0)
