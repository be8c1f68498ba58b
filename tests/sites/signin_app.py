"""A small site with accounts: signing in sets a session cookie, and what it was sent is on record."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pyotp

from tests.sites.pages import Answer, Page, Request

INSIDE = "<title>Desk</title><h1>Invoices</h1><a href=/me>My account</a><a href=/logout>Log out</a>"
FORM = (
    "<title>Sign in</title><form method=post action=/login>{note}<label>E-mail <input name=email type=email></label>"
    "<label>Password <input name=password type=password></label><button>Log in</button></form>"
)
CODE = (
    "<title>Two steps</title><form method=post action=/code>{note}<h1>Two-step verification</h1>"
    "<label>Authentication code <input name=code inputmode=numeric autocomplete=one-time-code></label>"
    "<label><input type=checkbox name=trust> Trust this device</label><button>Verify</button></form>"
)
BOXES = (
    "<title>Two steps</title><form method=post action=/code id=f>{note}<h1>Enter the 6-digit code</h1>"
    + "".join(
        f"<input name=d{n} aria-label='Digit {n} of 6' maxlength=1 inputmode=numeric oninput='{{after}}({n})'>"
        for n in range(1, 7)
    )
    + "<input type=hidden name=code><button>Verify</button></form><script>"
    "const boxes=[...f.querySelectorAll('[maxlength]')];"
    "f.onsubmit=()=>{{f.elements.code.value=boxes.map(b=>b.value).join('')}};"
    "function next(n){{boxes[n]&&boxes[n].focus()}}"
    "function send(n){{next(n);if(n==6)f.requestSubmit()}}</script>"
)
WRONG = "<p role=alert>That did not work. Try again.</p>"


@dataclass
class Accounts:
    """The site's state: who may enter, who is inside, what was sent."""

    username: str
    password: str
    totp: str | None = None
    sms: str | None = None
    """The one code that is right, as if sent to a telephone, instead of one by time."""
    code_page: str = CODE
    too_old_s: float = 0
    """A code that stays current for less is refused, as by a server whose clock is ahead."""
    inside: set[str] = field(default_factory=set)
    halfway: set[str] = field(default_factory=set)
    codes: list[str] = field(default_factory=list)

    def pages(self, more: Mapping[str, Page] | None = None) -> dict[str, Page]:
        """What the site serves."""
        return {
            "/": self.guarded(INSIDE),
            "/login": self.login,
            "/code": self.code,
            "/logout": self.logout,
            **(more or {}),
        }

    def guarded(self, page: str) -> Callable[[Request], str | Answer]:
        """A page for those inside; others are sent to the form."""
        return lambda request: page if request.cookies.get("sid") in self.inside else Answer.redirect("/login")

    def login(self, request: Request) -> str | Answer:
        """The form, and what comes of sending it."""
        sent = request.form
        if request.method != "POST":
            return FORM.format(note="")
        if (sent.get("email"), sent.get("password")) != (self.username, self.password):
            return FORM.format(note=WRONG)
        sid = secrets.token_hex(8)
        (self.inside if self.totp is None else self.halfway).add(sid)
        return Answer.redirect(
            "/" if self.totp is None else "/code", **{"set-cookie": f"sid={sid}; Path=/; Max-Age=9999"}
        )

    def code(self, request: Request) -> str | Answer:
        """The second step."""
        sid = request.cookies.get("sid", "")
        if sid not in self.halfway:
            return Answer.redirect("/login")
        if request.method != "POST":
            return self.code_page.format(note="", after="next")
        self.codes.append(request.form.get("code", ""))
        if not self._is_right(self.codes[-1]):
            return self.code_page.format(note=WRONG, after="next")
        self.inside.add(sid)
        return Answer.redirect("/")

    def _is_right(self, code: str) -> bool:
        if self.sms is not None:
            return code == self.sms
        totp = pyotp.parse_uri(self.totp or "")
        assert isinstance(totp, pyotp.TOTP)
        left = totp.interval - time.time() % totp.interval
        return left >= self.too_old_s and totp.verify(code)

    def logout(self, request: Request) -> Answer:
        """Out again."""
        self.inside.discard(request.cookies.get("sid", ""))
        return Answer.redirect("/login")
