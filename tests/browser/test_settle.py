from __future__ import annotations

import threading
import time

import pytest

from remit.browser import _tab, _traffic
from tests.browser.conftest import Open
from tests.sites.pages import Answer, Request


async def test_a_still_page_is_calm_at_once(opened: Open) -> None:
    session, _ = await opened("<h1>Hi</h1><script>document.title = 'x'</script>")
    times = []
    for _ in range(5):
        start = time.perf_counter()
        assert await session.settle()
        times.append(time.perf_counter() - start)
    assert min(times) < 0.06


async def test_data_that_is_on_its_way_is_waited_for(opened: Open) -> None:
    release = threading.Event()
    page = """<h1>Hi</h1><script>
      const add = (t) => { const b = document.createElement('button'); b.textContent = t; document.body.append(b) };
      fetch('/data').then((r) => r.text()).then(add)
    </script>"""
    threading.Timer(0.5, release.set).start()
    session, _ = await opened({"/": page, "/data": Answer("Ready", release=release)})
    assert [control.name for control in (await session.observe()).main.controls] == ["Ready"]


async def test_a_page_that_goes_on_by_itself_is_followed(opened: Open) -> None:
    session, _ = await opened({"/": "<script>location = '/next'</script>", "/next": "<title>Next</title>"})
    assert (await session.observe()).main.title == "Next"


async def test_a_page_that_never_rests_is_left_alone_in_bounded_time(opened: Open) -> None:
    session, _ = await opened("<p id=p></p><script>setInterval(() => p.textContent = Date.now(), 20)</script>")
    start = time.perf_counter()
    assert not await session.settle(1)
    assert time.perf_counter() - start < 2


async def test_a_change_is_noticed_when_it_comes(opened: Open) -> None:
    session, _ = await opened(
        "<p id=p></p><script>setTimeout(() => p.innerHTML = '<button>Late</button>', 900)</script>"
    )
    assert await session.changed(5)
    assert [control.name for control in (await session.observe()).main.controls] == ["Late"]
    assert not await session.changed(0.1)


async def test_a_page_that_polls_for_ever_is_not_waited_for_for_ever(opened: Open) -> None:
    poll = "const poll = () => fetch('/poll').then(poll); poll()"

    def slow(_: Request) -> str:
        threading.Event().wait(0.2)
        return "x"

    start = time.perf_counter()
    await opened({"/": f"<h1>Hi</h1><script>{poll}</script>", "/poll": slow})
    assert time.perf_counter() - start < 7


async def test_a_change_inside_a_shadow_root_is_a_change(opened: Open) -> None:
    session, _ = await opened("""<x-a></x-a><script>
      const root = document.querySelector('x-a').attachShadow({mode: 'open'});
      root.innerHTML = '<p>wait</p>'; setTimeout(() => root.innerHTML = '<button>Late</button>', 900)</script>""")
    assert await session.changed(5)
    assert [control.name for control in (await session.observe()).main.controls] == ["Late"]


async def test_an_answer_that_the_page_never_reads_is_not_waited_for(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_traffic, "_NEWER_THAN_S", 60.0)
    monkeypatch.setattr(_tab, "_DATA_S", 60.0)
    session, site = await opened({"/": "<h1>Hi</h1><script>fetch('/told')</script>", "/told": "ok"})
    assert await session.settle(8)
    assert site.asked("/told") == 1
