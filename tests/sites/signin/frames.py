"""Sign-ins that are, pretend to be, or end up on another origin. `other` is the address of the other server."""

from __future__ import annotations

from tests.sites.signin.desk import BUTTON, FORM, NAME, SECRET, document, form


def framed(other: str) -> str:
    """A bank whose sign-in form stands in a frame of the other origin."""
    return document(f"<h1>My bank</h1><iframe src={other}/login width=500 height=300></iframe>", "Bank")


def form_in_frame(back: str) -> str:
    """The framed form; it is sent from the whole page to the bank."""
    return document(form(NAME, SECRET, BUTTON, action=f"{back}/login", attributes="target=_top"))


OWN_FRAME = document("<h1>My bank</h1><iframe src=/form width=500 height=300></iframe>", "Bank")
"""The form stands in a frame of the page's own origin."""
IN_OWN_FRAME = document(form(NAME, SECRET, BUTTON, attributes="target=_top"))
_INLINE = form(NAME, SECRET, BUTTON)
NOBODYS_FRAME = document(
    f"<h1>My bank</h1><iframe sandbox='allow-scripts allow-forms' width=500 height=300 srcdoc=\"{_INLINE}\"></iframe>",
    "Bank",
)
"""A frame whose document has no origin."""


def twin_in_frame(other: str) -> str:
    """A page with its own form, and before it a frame of the other origin with one that looks the same."""
    return FORM.replace("<body>", f"<body><iframe src={other}/login width=500 height=200></iframe>")


def leaving(to: str, when: str) -> str:
    """A form whose page goes elsewhere at a moment: `load`, or `focus` or `input` of a field."""
    go = f"location='{to}/login'"
    scripts = {
        "load": f"setTimeout(()=>{{{go}}},200)",
        "name": f"document.forms[0].email.onfocus=()=>{{{go}}}",
        "secret": f"document.forms[0].password.onfocus=()=>{{{go}}}",
        "key": f"document.forms[0].password.oninput=()=>{{{go}}}",
    }
    return FORM.replace("</body>", f"<script>{scripts[when]}</script></body>")


def action_swapped(to: str) -> str:
    """A form that is to be sent elsewhere from the moment its password is typed."""
    script = f"<script>const f=document.forms[0];f.password.oninput=()=>{{f.action='{to}/login'}}</script>"
    return FORM.replace("</body>", f"{script}</body>")


def button_elsewhere(to: str) -> str:
    """A form whose button sends it elsewhere."""
    return document(form(NAME, SECRET, BUTTON.replace("<button", f"<button formaction={to}/login")))


def turnstile(other: str, attributes: str = "") -> str:
    """A form with the frame and the hidden field of a challenge between its fields and its button."""
    widget = (
        f"<div class=cf-turnstile><iframe src={other}/widget width=300 height=65></iframe>"
        "<input type=hidden name=cf-turnstile-response></div>"
    )
    return document(form(NAME, SECRET, widget, BUTTON, attributes=attributes))


SENT_BY_SCRIPT = (
    "onsubmit=\"event.preventDefault();fetch('/login',{method:'POST',redirect:'manual',body:new URLSearchParams("
    "new FormData(this))}).then(()=>setTimeout(()=>{location='/inside'},900))\""
)
"""The page stays as it is for a while after its form was sent."""
