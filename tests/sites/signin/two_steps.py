"""Sign-ins that ask for the name first, on one page or two."""

from __future__ import annotations

from tests.sites.signin.desk import BUTTON, NAME, document, form

_FIRST = (
    "<main><h1>Sign in</h1><form id=f method=post action=/login>"
    "<label>Email <input type=email name=email id=who></label>"
    "<button type=button onclick=\"location='/forgot'\">Forgot email?</button>"
    "<button type=button id=go>Next</button></form></main>"
)
_SECOND = (
    "`<p>${who.value}</p><input type=hidden name=email value='${who.value}'><label>Password "
    "<input type=password name=password id=secret></label><button>Sign in</button>`"
)


def email_first(delay_ms: int, after: str = "") -> str:
    """Next swaps the password in without a new address; `after` is a script that runs then."""
    show = f"()=>{{f.innerHTML={_SECOND};{after}}}"
    return document(f"{_FIRST}<script>go.onclick=()=>setTimeout({show},{delay_ms})</script>", "Acme")


NODE_REPLACED = (
    "new MutationObserver((_,o)=>{o.disconnect();setTimeout(()=>{const n=secret.cloneNode();secret.replaceWith(n);"
    "n.oninput=()=>{n.oninput=null;const e=n.cloneNode();e.value='';n.replaceWith(e)}},30)})"
    ".observe(secret.parentNode,{childList:true});secret.parentNode.append(' ')"
)
"""The password's node is put anew by a re-render when it comes, and once more, emptied, when typing begins."""

EMAIL_ALONE = document(
    "<h1>Sign in</h1>" + form("<label>Email <input type=email name=ap_user></label><button>Continue</button>")
)
LINK_SENT = document("<h1>Check your inbox</h1><p>We sent you a link.</p>", "Acme")


def names_someone(who: str) -> str:
    """A second step that shows whose password it wants."""
    secret = "<label>Password <input name=password type=password></label>"
    return document(f"<h1>Welcome</h1><form method=post action=/login><div>{who}</div>{secret}{BUTTON}</form>")


FIRST_PAGE = document(f"<main><h1>Sign in</h1>{form(NAME, '<button>Next</button>', action='/who')}</main>")


def closed(who: str, how: str) -> str:
    """A second step that shows whose password it wants in a field that takes no typing: `readonly` or `disabled`."""
    name = f"<label>E-mail <input name=email type=email value='{who}' {how}></label>"
    return document(form(name, "<label>Password <input name=password type=password></label>", BUTTON))
