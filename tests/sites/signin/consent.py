"""Banners and dialogs around a sign-in form. What is chosen in one is told to the server at `/chose?…`."""

from __future__ import annotations

from tests.sites.signin.desk import BUTTON, FORM, NAME, SECRET, document, form

TEXT = "<p>We use cookies to improve your experience.</p>"


def choice(label: str, what: str, then: str = "banner.remove()") -> str:
    """A button that tells the server what was chosen."""
    return f"<button type=button onclick=\"fetch('/chose?{what}');{then}\">{label}</button>"


BOTH = choice("Accept all", "accept") + choice("Reject all", "reject")
_BOTTOM = "position:fixed;bottom:0;left:0;right:0;height:40vh;background:#ddd"


def banner(inside: str, style: str = _BOTTOM) -> str:
    """A banner over the bottom of the page."""
    return f"<div id=banner style='{style}'>{inside}</div>"


def below(more: str) -> str:
    """The form, its button at the bottom of the window, and something more."""
    low = form(NAME, SECRET, f"<div style='position:fixed;bottom:5vh'>{BUTTON}</div>")
    return document(low + more)


COVERING = below(banner(TEXT + BOTH))
PAY = TEXT + choice("Accept all and continue", "accept") + choice("Subscribe for 3,99 € a month", "pay")
ACCEPT_OR_PAY = below(banner(PAY))
_OK = TEXT + choice("OK", "accept")
OK_ASIDE = below(banner(_OK, "position:fixed;top:0;right:0;width:200px"))
OK_COVERING = below(banner(_OK))
"""There is nothing to refuse by: aside it does not matter, over the button it does."""
SETTINGS = below(
    banner(
        TEXT
        + choice("Accept all", "accept")
        + choice("Manage preferences", "manage", "this.parentNode.innerHTML=document.getElementById('more').innerHTML")
    )
    + "<template id=more>"
    + TEXT
    + choice("Accept all", "accept")
    + choice("Reject all", "reject")
    + "</template>"
)
SILENT = below("<div style='position:fixed;inset:0;background:#fff8'></div>")
"""Covered by something that offers nothing."""


def after_typing(inside: str) -> str:
    """A banner that comes when the password is typed."""
    return below(
        "<script>document.forms[0].password.addEventListener('input',()=>{document.body.insertAdjacentHTML('beforeend',`"
        f"{banner(inside)}`)}},{{once:true}})</script>"
    )


AFTER_TYPING = after_typing(TEXT + BOTH)
PAY_AFTER_TYPING = after_typing(PAY)

SHADOW = below(
    "<cmp-root></cmp-root><script>const host=document.querySelector('cmp-root'),r=host.attachShadow({mode:'open'});"
    f"r.innerHTML=`<div style='{_BOTTOM}'><p>Questo sito utilizza i cookie.</p>"
    + choice("Accetta tutti", "accept", "this.getRootNode().host.remove()")
    + choice("Solo necessari", "reject", "this.getRootNode().host.remove()")
    + "</div>`</script>"
)


def framed(other: str) -> str:
    """The banner is a frame of the other origin, and goes when that says so."""
    return below(
        f"<iframe id=cmp src={other}/cmp style='{_BOTTOM};width:100%'></iframe>"
        "<script>addEventListener('message',()=>cmp.remove())</script>"
    )


IN_FRAME = document(TEXT + BOTH.replace("banner.remove()", "parent.postMessage(1,'*')"), "Privacy")

OWN_DIALOG = document(
    "<div role=dialog aria-modal=true aria-label='Your account' id=banner "
    "style='position:fixed;inset:10vh 20vw;background:#fff'><h2>Sign in</h2>"
    + choice("×", "close").replace("<button", "<button aria-label=Close")
    + form(NAME, SECRET, BUTTON)
    + "</div>",
    "Booking",
)

FLEETING = below(
    "<button style='position:fixed;bottom:0;left:0;width:100vw;height:40vh;z-index:-1' "
    "onclick=\"fetch('/bought')\">Buy now</button>"
    + banner(TEXT + BOTH, _BOTTOM)
    + "<script>banner.onmouseover=()=>banner.remove()</script>"
)
"""A banner that is gone as soon as the mouse comes near; what lies below would be pressed in its place."""

MENTIONED = FORM.replace("<body>", "<body><p>Our cookies are home-made. <button>Allow me to help</button></p>")
