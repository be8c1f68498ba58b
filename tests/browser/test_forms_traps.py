"""Fields that nobody can reach, beside those of a login, take nothing and hide nothing."""

from __future__ import annotations

import pytest

from remit.browser import LoginTarget, login_target
from tests.browser.conftest import Open

USER = "<p><label>User name <input name=u></label></p>"
PASSWORD = "<p><label>Password <input type=password name=p></label></p><p><button>Sign in</button></p>"
BEHIND = (
    '<div style="position:relative;height:24px">{}<div style="position:absolute;inset:0;background:#fff;z-index:5">'
    "</div></div>"
)


@pytest.mark.parametrize(
    "trap",
    [
        "<input type=password name=user aria-hidden=true tabindex=-1>",
        BEHIND.format("<input type=email name=email>"),
        BEHIND.format("<input type=password name=user>"),
    ],
)
async def test_a_trap_beside_the_fields_of_a_login_hides_them_not(opened: Open, trap: str) -> None:
    session, site = await opened(f"<form method=post action=/in>{USER}{trap}{PASSWORD}</form>")
    seen = await session.observe(content=True)
    target = login_target(seen, {str(site.origin)})
    assert isinstance(target, LoginTarget)
    assert target.password is not None
    assert seen.main.controls[target.password].html_name == "p"
