"""What may come after a submit that is neither in nor out: codes, challenges, and things only a person settles."""

from __future__ import annotations

from tests.sites.signin.desk import document, form

AUTHENTICATOR = document(
    "<h1>One more step</h1>"
    + form("<label>Authenticator code <input type=text name=code></label><button>Continue</button>"),
    "Acme",
)
"""The same form action as the password's, and a plain text field."""
SIX_BOXES = document(
    "<h1>Enter the 6-digit code</h1>"
    + form(
        *(f"<input name=d{n} aria-label='Digit {n}' maxlength=1 inputmode=numeric>" for n in range(1, 7)),
        "<button>Verify</button>",
        action="/code",
    )
    + "<script>const b=[...document.querySelectorAll('[maxlength]')];"
    "b.forEach((e,i)=>e.oninput=()=>b[i+1]&&b[i+1].focus())</script>",
    "Acme",
)
LETTERS = document(
    "<h1>Check your e-mail</h1>"
    + form(
        "<p>Enter the 5-character verification code we sent to you, such as 0K3QX.</p>",
        "<label>Verification code <input name=code maxlength=5 autocomplete=one-time-code></label>",
        "<button>Verify</button>",
        action="/code",
    ),
    "Acme",
)
ONE_FIELD = document(
    "<h1>Two-step verification</h1>"
    + form(
        "<label>Authentication code <input name=code inputmode=numeric autocomplete=one-time-code></label>",
        "<label><input type=checkbox name=trust checked> Trust this device</label><button>Verify</button>",
        action="/code",
    ),
    "Acme",
)


def challenge_late(page: str, delay_ms: int) -> str:
    """The page, and a challenge on it a while later."""
    widget = "<div class=h-captcha><label>I am human <input type=checkbox></label></div>"
    add = f"document.forms[0].insertAdjacentHTML('beforeend','{widget}')"
    return page.replace("</body>", f"<script>setTimeout(()=>{{{add}}},{delay_ms})</script></body>")


def heading(title: str, text: str) -> str:
    """A page that says one thing."""
    return document(f"<h1>{title}</h1><p>{text}</p><a href=/help>Help</a>", title)


LOCKED = heading("Your account has been locked", "Please call us.")
MAINTENANCE = heading("Scheduled maintenance", "We will be back soon.")
TOO_MANY = heading("Too many login attempts", "Try again in 15 minutes.")
TERMS = document(
    "<h1>We have updated our terms</h1>"
    + form(
        "<label><input type=checkbox name=agree> I agree to the terms</label><button>Continue</button>", action="/terms"
    ),
    "Terms",
)
NEW_PASSWORD = document(
    "<h1>You must change your password</h1>"
    + form(
        "<label>New password <input type=password name=new></label>",
        "<label>Repeat new password <input type=password name=again></label><button>Save</button>",
        action="/change",
    ),
    "Acme",
)
