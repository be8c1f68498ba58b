"""Forms that are easy to fill wrongly: look-alikes, traps, and fields that will not hold still."""

from __future__ import annotations

from tests.sites.signin.desk import BUTTON, NAME, SECRET, document, form

_ACCOUNT = "<p>username: <input type=text name=acct></p><p>password: <input type=password name=pw></p>"
TWO_OF_A_KIND = document(
    "<b>Login</b>"
    + form(_ACCOUNT, "<input type=submit value=login>")
    + "<a href=/forgot>Forgot your password?</a><br><b>Create Account</b>"
    + form("<input type=hidden name=creating value=t>", _ACCOUNT, "<input type=submit value='create account'>"),
    "Login",
)

_NEWSLETTER = (
    "<footer><h2>Newsletter</h2><form method=post action=/newsletter><input type=email name=nl placeholder='{hint}'>"
    "<button>{button}</button></form></footer>"
)
NEWSLETTER_AND_LINK = document(
    "<header><a href=/accedi>Accedi</a></header><h1>Notizie</h1>"
    + _NEWSLETTER.format(hint="La tua email", button="Iscriviti"),
    "Notizie",
)
ACCESSO = document(
    form(
        "<label>Codice utente <input name=email></label>", "<label>PIN <input type=password name=password></label>"
    ).replace("</form>", "<button>Accedi</button></form>"),
    "Accedi",
)
NEWSLETTER_ALONE = document("<h1>News</h1>" + _NEWSLETTER.format(hint="Your email", button="Subscribe"), "News")

SHADOWS = document(
    "<x-login></x-login><script>const make=(n,f)=>customElements.define(n,class extends HTMLElement{constructor(){"
    "super();f(this.attachShadow({mode:'open'}))}});"
    "make('x-user',r=>r.innerHTML='<label>E-mail <input name=email type=email></label>');"
    "make('x-pass',r=>r.innerHTML='<label>Password <input name=password type=password></label>');"
    "make('x-login',r=>{r.innerHTML='<h2>Sign in</h2><x-user></x-user><x-pass></x-pass><button>Log in</button>';"
    "const v=t=>r.querySelector(t).shadowRoot.querySelector('input').value;"
    "r.querySelector('button').onclick=async()=>{await fetch('/login',{method:'POST',redirect:'manual',"
    "body:new URLSearchParams({email:v('x-user'),password:v('x-pass')})});location='/inside'}})</script>"
)


def in_language(name: str, secret: str, button: str) -> str:
    """A form whose fields are known by their labels alone."""
    labels = f"<label for=f1>{name}</label><input id=f1 name=f1><label for=f2>{secret}</label>"
    return document(form(labels, "<input id=f2 name=f2 type=password>", f"<button>{button}</button>"), "Portal")


_MASK = "<style>.m{-webkit-text-security:disc}</style>"


def masked(value: str = "") -> str:
    """A password in a text field whose characters are hidden by style."""
    return document(
        form(NAME, f"<label>Password <input type=text name=password class=m value='{value}'></label>", BUTTON),
        head=_MASK,
    )


CONTROLLED = document(
    form(NAME, SECRET, "<button disabled>Log in</button>", attributes="id=f")
    + "<script>const state={email:'',password:''};for(const n in state){const i=f.elements[n];"
    "i.oninput=()=>{state[n]=i.value;f.querySelector('button').disabled=!(state.email&&state.password)};"
    "i.onblur=()=>{i.value=state[n]}}"
    "f.onsubmit=()=>{for(const n in state)f.elements[n].value=state[n]}</script>"
)

PREFILLED = document(form(NAME.replace("type=email", "type=email value=old@example.test"), SECRET, BUTTON))
RESTORED = PREFILLED.replace(
    "</form>",
    "</form><script>const e=document.forms[0].email;"
    "e.oninput=()=>setTimeout(()=>{e.value='old@example.test'},200)</script>",
)
"""The name that stood there comes back shortly after it was cleared."""

_OTHERS = (
    "<button {kind} formaction=/google>Continue with Google</button>"
    "<button {kind} formaction=/forgot>Forgot password?</button>"
)
SEVERAL_BUTTONS = document(form(_OTHERS.format(kind="type=submit"), NAME, SECRET, BUTTON))
NO_BUTTON = document(form(_OTHERS.format(kind="type=button"), NAME, SECRET, "<input type=submit hidden>"))
"""No control to press, and a form that Enter sends."""
PROVIDER_ALONE = document(form("<button formaction=/google>Continue with Google</button>", NAME, SECRET))
"""Enter would press what leads to the provider."""

OPTIONAL_CODE = document(form(NAME, SECRET, "<label>Authenticator code (if enabled) <input name=code></label>", BUTTON))
TENANT = document(form("<label>Workspace <input name=workspace value=acme></label>", NAME, SECRET, BUTTON))

TRAPS = document(
    form(
        "<div style='position:absolute;left:-5000px'><label>Website <input name=website></label></div>",
        "<input name=url style=opacity:0 tabindex=-1 autocomplete=off>",
        "<div aria-hidden=true style='height:0;overflow:hidden'><label>E-mail <input name=email></label></div>",
        "<label>E-mail <input name=login type=email></label>",
        SECRET,
        BUTTON,
    )
)

CHANGE = document(
    "<h1>Change password</h1>"
    + form(
        "<label>Current password <input type=password name=old></label>",
        "<label>New password <input type=password name=new></label>",
        "<label>Confirm new password <input type=password name=again></label><button>Save</button>",
    ),
    "Password",
)
EXPIRED = CHANGE.replace("<h1>Change password</h1>", "<h1>Your password has expired</h1>")
SIGN_UP = document(
    "<h1>Create your account</h1>"
    + form(NAME, SECRET, "<label>Confirm password <input type=password name=again></label><button>Sign up</button>"),
    "Sign up",
)
SINGLE_CHARACTERS = document(
    "<h1>Log in</h1>"
    + form(
        "<p>Enter characters 2, 5 and 7 of your password</p>",
        *(
            f"<label>{nth} <input type=password maxlength=1 size=1 name=c{nth[0]}></label>"
            for nth in ("2nd", "5th", "7th")
        ),
        BUTTON,
    )
)
KEYPAD = document(
    "<h1>Log in</h1>"
    + form(
        "<label>Password <input type=password name=password readonly></label><div>",
        *(f"<button type=button onclick='password.value+={digit}'>{digit}</button>" for digit in "4718203965"),
        "</div>",
        BUTTON,
    )
)
CARD = (
    "<h1>Payment</h1><form method=post action=/pay><label>Card number <input name=card></label>"
    "<label>CVV <input type=password name=cvv></label><button>Pay</button></form>"
)
LATE = document(
    "<main id=m></main><script>setTimeout(()=>{m.innerHTML='" + form(NAME, SECRET, BUTTON) + "'},700)</script>"
)
TABS = document(
    "<div role=tablist><button role=tab aria-selected=true>QR code</button>"
    "<button role=tab aria-selected=false id=t>Password</button></div><div id=p><img alt='QR code'></div>"
    "<script>t.onclick=()=>{p.innerHTML='" + form(NAME, SECRET, BUTTON) + "'}</script>"
)


def remembering(kind: str) -> str:
    """A form with a box to be remembered by, as it is given."""
    return document(
        form(NAME, SECRET, f"<label><input type=checkbox name=remember {kind}> Remember me</label>", BUTTON)
    )
