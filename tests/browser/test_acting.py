from __future__ import annotations

import threading

import anyio
import pytest

from remit.browser import BrowserError, Control, ControlError, Frame, Observation, Session, same_reading
from remit.contract import Reason
from tests.browser.conftest import Open
from tests.sites.pages import Answer, serve


def named(observation: Observation, name: str, frame: int = 0, row: str = "") -> Control:
    found = next(frame_ for frame_ in observation.frames if frame_.index == frame)
    return next(control for control in found.controls if control.name == name and row in control.row)


async def refused(session: Session, seen: Observation, control: Control, frame: int = 0) -> ControlError:
    dispatched: list[int] = []
    with pytest.raises(ControlError) as error:
        await session.click(seen, frame, control.id, on_dispatch=lambda: dispatched.append(1), timeout_s=2)
    assert not dispatched
    return error.value


async def run(session: Session, script: str) -> None:
    await session._tab.page.evaluate(script)


COUNTING = """<script>
  window.hits = {}; const hit = (n) => { hits[n] = (hits[n] || 0) + 1; document.title = JSON.stringify(hits) }
</script>"""


async def test_a_link_navigates_and_a_button_changes(opened: Open) -> None:
    session, site = await opened(
        {
            "/": "<a href=/two>Two</a><button onclick='this.textContent=1'>B</button><button>Nothing</button>",
            "/two": "2",
        }
    )
    seen = await session.observe()
    assert (await session.click(seen, 0, named(seen, "B").id)).kind == "changed"
    assert (await session.click(seen, 0, named(seen, "Nothing").id)).kind == "none"
    effect = await session.click(seen, 0, named(seen, "Two").id)
    assert (effect.kind, effect.origin) == ("navigated", site.origin)
    assert (await session.back()).kind == "navigated"
    assert session.url == f"{site.url}/"


async def test_the_dispatch_is_told_once_and_right_before_it_happens(opened: Open) -> None:
    session, site = await opened({"/": "<form method=post action=/buy><button>Buy</button></form>", "/buy": "Done"})
    seen = await session.observe()
    told: list[int] = []
    await session.click(seen, 0, 0, on_dispatch=lambda: told.append(len(site.posts())))
    assert told == [0]
    assert len(site.posts("/buy")) == 1


async def test_if_the_journal_cannot_be_written_nothing_is_pressed(opened: Open) -> None:
    session, site = await opened({"/": "<form method=post action=/buy><button>Buy</button></form>", "/buy": "Done"})
    seen = await session.observe()

    def fail() -> None:
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        await session.click(seen, 0, 0, on_dispatch=fail)
    await session.settle()
    assert not site.posts()


async def test_siblings_inserted_before_do_not_shift_what_is_clicked(opened: Open) -> None:
    session, _ = await opened(
        f"{COUNTING}<div id=d><button onclick=hit('a')>Alpha</button><button onclick=hit('b')>Beta</button></div>"
    )
    seen = await session.observe()
    await run(session, "d.insertAdjacentHTML('afterbegin', \"<button onclick=hit('n')>New</button>\")")
    await session.click(seen, 0, named(seen, "Beta").id)
    assert (await session.observe()).main.title == '{"b":1}'


async def test_a_recycled_node_is_not_clicked(opened: Open) -> None:
    rows = "".join(
        f"<li><span>{name}</span> <button onclick=hit('x')>Delete</button></li>" for name in ("Alpha", "Beta")
    )
    session, _ = await opened(f"{COUNTING}<ul>{rows}</ul>")
    seen = await session.observe()
    await run(session, "document.querySelector('li span').textContent = 'Gamma'")
    assert (await refused(session, seen, named(seen, "Delete", row="Alpha"))).reason is Reason.TARGET_CHANGED
    assert (await session.click(seen, 0, named(seen, "Delete", row="Beta").id)).kind == "changed"


@pytest.mark.parametrize(
    "change",
    ["b.textContent = 'Pay'", "b.href = '/other'", "b.setAttribute('role', 'button')", "f.action = '/other'"],
)
async def test_any_change_of_identity_refuses(opened: Open, change: str) -> None:
    session, site = await opened("<form id=f action=/x><a id=b href=/go>Go</a></form>")
    seen = await session.observe()
    await run(session, change)
    assert (await refused(session, seen, named(seen, "Go"))).reason is Reason.TARGET_CHANGED
    assert len(site.requests) == 1


@pytest.mark.parametrize("change", ["b.remove()", "b.hidden = true", "document.body.innerHTML = '<button>Go</button>'"])
async def test_a_control_that_went_is_gone(opened: Open, change: str) -> None:
    session, _ = await opened("<div><button id=b>Go</button></div>")
    seen = await session.observe()
    await run(session, change)
    assert (await refused(session, seen, named(seen, "Go"))).reason is Reason.CONTROL_GONE


async def test_a_control_of_a_page_that_was_left_is_gone(opened: Open) -> None:
    session, site = await opened({"/": "<button>Go</button>", "/two": "<button>Go</button>"})
    seen = await session.observe()
    await session.goto(f"{site.url}/two")
    assert (await refused(session, seen, named(seen, "Go"))).reason is Reason.CONTROL_GONE


async def test_only_the_last_observation_counts(opened: Open) -> None:
    session, _ = await opened("<button>Go</button>")
    seen = await session.observe()
    await session.observe()
    assert (await refused(session, seen, named(seen, "Go"))).reason is Reason.TARGET_CHANGED


async def test_what_covers_a_control_is_named(opened: Open) -> None:
    session, _ = await opened(
        f"{COUNTING}<button style='position:absolute;bottom:20px' onclick=hit('x')>Next</button>"
        "<div id=cookie style='position:fixed;bottom:0;left:0;right:0;height:40%;background:white'>We use cookies</div>"
    )
    seen = await session.observe()
    error = await refused(session, seen, named(seen, "Next"))
    assert error.reason is Reason.COVERED
    assert error.overlay is not None
    assert seen.main.overlays[error.overlay].html_id == "cookie"


async def test_a_disabled_control_is_not_pressed(opened: Open) -> None:
    session, _ = await opened("<button disabled>Go</button>")
    seen = await session.observe()
    assert (await refused(session, seen, named(seen, "Go"))).reason is Reason.CONTROL_DISABLED


async def test_a_control_that_becomes_enabled_is_waited_for(opened: Open) -> None:
    session, _ = await opened("<button id=b disabled onclick='this.textContent=1'>Go</button>")
    seen = await session.observe()
    await run(session, "setTimeout(() => b.disabled = false, 300)")
    assert (await session.click(seen, 0, 0)).kind == "changed"


async def test_a_control_far_below_is_scrolled_to(opened: Open) -> None:
    session, _ = await opened("<div style='height:5000px'></div><button onclick='this.textContent=1'>Go</button>")
    seen = await session.observe()
    assert (await session.click(seen, 0, 0)).kind == "changed"


async def test_controls_in_shadow_roots_and_with_only_a_listener_are_used(opened: Open) -> None:
    session, _ = await opened("""<x-a></x-a><div id=d style='cursor:pointer'>Plain</div><script>
      const root = document.querySelector('x-a').attachShadow({mode: 'open'});
      root.innerHTML = '<button onclick="this.textContent=1">Deep</button>';
      d.addEventListener('click', () => d.textContent = 'used')</script>""")
    seen = await session.observe()
    assert (await session.click(seen, 0, named(seen, "Deep").id)).kind == "changed"
    assert named(seen, "Plain").rank == "pointer"
    assert (await session.click(seen, 0, named(seen, "Plain").id)).kind == "changed"


async def test_equal_rows_are_ambiguous_and_others_are_not(opened: Open) -> None:
    rows = "".join(f"<tr><td>{n}<td><button>Download</button></tr>" for n in ("A1", "A2", "A3", "A3"))
    session, _ = await opened(f"<table>{rows}</table>")
    frame = (await session.observe()).main
    assert [len(same_reading(frame, control)) for control in frame.controls] == [1, 1, 2, 2]


async def test_a_frame_of_another_origin_is_seen_and_used_at_its_own_place(opened: Open) -> None:
    with serve({"/": "<p>Inner</p><form method=post action=/in><button>Go</button></form>", "/in": "Thanks"}) as inner:
        session, site = await opened(
            f"<h1>Outer</h1><iframe src='{inner.url}/' style='margin:200px;width:400px;height:200px'></iframe>"
        )
        seen = await session.observe()
        assert [frame.origin for frame in seen.frames] == [str(site.origin), str(inner.origin)]
        with pytest.raises(ControlError) as error:
            await session.click(seen, 1, 0, origins=frozenset({site.origin}))
        assert error.value.reason is Reason.ORIGIN_NOT_ALLOWED
        assert (await session.click(seen, 1, 0, origins=frozenset({inner.origin}))).kind == "changed"
        assert len(inner.posts()) == 1


async def test_a_written_frame_has_its_parents_origin_and_a_hidden_one_is_left_out(opened: Open) -> None:
    session, site = await opened(
        "<iframe srcdoc='<button>In</button>'></iframe><iframe src=/x style='display:none'></iframe>"
    )
    seen = await session.observe()
    assert [(frame.index, frame.origin) for frame in seen.frames] == [(0, str(site.origin)), (1, str(site.origin))]
    assert isinstance(seen.frames[1], Frame)


async def test_a_page_our_click_opened_is_the_page_now_and_back_closes_it(opened: Open) -> None:
    session, site = await opened({"/": "<a href=/two target=_blank>Two</a>", "/two": "<title>Second</title>"})
    seen = await session.observe()
    effect = await session.click(seen, 0, 0)
    assert effect.kind == "new_page"
    assert (await session.observe()).main.title == "Second"
    await session.back()
    assert session.url == f"{site.url}/"


async def test_a_link_to_another_origin_ends_outside_and_nothing_is_done_there(opened: Open) -> None:
    with serve({"/": "<button onclick='fetch(\"/used\")'>Use</button>"}) as other:
        session, _ = await opened(f"<a href='{other.url}/'>Partner</a>")
        seen = await session.observe()
        effect = await session.click(seen, 0, 0)
        assert (effect.kind, effect.origin, session.inside) == ("navigated", other.origin, False)
        seen = await session.observe()
        with pytest.raises(BrowserError) as error:
            await session.click(seen, 0, 0)
        assert error.value.reason is Reason.LEFT_SITE
        assert not other.asked("/used")


async def test_a_slow_answer_is_waited_for_and_asked_once(opened: Open) -> None:
    release = threading.Event()
    session, site = await opened(
        {"/": "<form method=post action=/buy><button>Buy</button></form>", "/buy": Answer("Done", release=release)}
    )
    seen = await session.observe()
    threading.Timer(0.8, release.set).start()
    assert (await session.click(seen, 0, 0)).kind == "navigated"
    assert len(site.posts()) == 1


async def test_a_download_is_refused_and_counted(opened: Open) -> None:
    file = Answer("x", headers={"content-disposition": "attachment; filename=x.zip"})
    session, site = await opened({"/": "<a href=/file>Get</a>", "/file": file})
    seen = await session.observe()
    assert (await session.click(seen, 0, 0)).kind == "none"
    assert session.tally.downloads == 1
    assert session.url == f"{site.url}/"


async def test_scrolling_goes_by_steps_in_the_window_or_in_what_scrolls(opened: Open) -> None:
    session, _ = await opened("<div style='height:2500px'>x</div>")
    seen = await session.observe()
    steps = [await session.scroll(seen) for _ in range(4)]
    assert [step.at_end for step in steps] == [False, True, True, True]
    assert [step.moved for step in steps] == [True, True, False, False]
    assert (await session.scroll(seen, to="top")).at_end
    inner, _ = await opened(
        "<div style='height:300px;overflow:auto'><ul>"
        + "".join(f"<li><a href=/{i}>Row {i}</a>" for i in range(200))
        + "</ul></div>"
    )
    seen = await inner.observe()
    assert (await inner.scroll(seen, 0, 0)).moved
    assert (await inner.scroll(seen)).moved


async def test_errors_say_a_reason_and_no_more(opened: Open) -> None:
    session, _ = await opened("<button id=canary-id class=canary>Canary</button>")
    seen = await session.observe()
    await run(session, "document.querySelector('button').remove()")
    error = await refused(session, seen, seen.main.controls[0])
    assert "anary" not in f"{error!r} {error} {error.__cause__!r}"
    assert error.__suppress_context__ or error.__context__ is None


async def test_a_cancelled_press_leaves_no_button_held(opened: Open) -> None:
    release = threading.Event()
    session, site = await opened(
        {"/": "<form method=post action=/buy><button>Buy</button></form>", "/buy": Answer("Done", release=release)}
    )
    seen = await session.observe()
    with anyio.fail_after(2), anyio.CancelScope() as scope:
        await session.click(seen, 0, 0, on_dispatch=scope.cancel)
    assert scope.cancelled_caught
    release.set()
    await session.settle()
    assert len(site.posts()) <= 1
    await session.goto(f"{site.url}/")
    seen = await session.observe()
    assert (await session.click(seen, 0, 0)).kind == "navigated"
    assert len(site.posts()) == 2 or not site.posts()[1:]
