from __future__ import annotations

import pytest

from remit.browser import ControlError
from remit.contract import Reason
from tests.browser.conftest import Open

ROWS = (
    "<ul><li id=r><span id=who>Alpha</span> <button onclick=\"fetch('/delete?'+who.textContent)\" id=d>Delete</button>"
    " <span id=more hidden><button onclick=\"fetch('/edit')\">Edit</button></span></li>"
    "<li>Beta <button>Delete</button></li></ul><script>r.onmouseover=()=>{{{then}}}</script>"
)


async def test_a_row_that_shows_more_under_the_mouse_is_the_same_row(opened: Open) -> None:
    session, site = await opened(ROWS.format(then="more.hidden=false"))
    seen = await session.observe()
    delete = next(control for control in seen.main.controls if control.name == "Delete" and "Alpha" in control.row)
    await session.click(seen, 0, delete.id)
    assert (site.asked("/delete"), site.asked("/edit")) == (1, 0)


@pytest.mark.parametrize(
    "then", ["who.textContent='Gamma'", "d.textContent='Delete all'", "d.replaceWith(d.cloneNode(true))"]
)
async def test_what_became_another_under_the_mouse_is_not_pressed(opened: Open, then: str) -> None:
    session, site = await opened(ROWS.format(then=then))
    seen = await session.observe()
    delete = next(control for control in seen.main.controls if control.name == "Delete" and "Alpha" in control.row)
    with pytest.raises(ControlError) as caught:
        await session.click(seen, 0, delete.id, timeout_s=1)
    assert caught.value.reason in {Reason.TARGET_CHANGED, Reason.CONTROL_GONE}
    assert not site.asked("/delete")
