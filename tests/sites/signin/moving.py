"""Pages whose controls move, change or come back as something else while a hand is on its way to them."""

from __future__ import annotations

from tests.sites.signin.desk import BUTTON, FORM, NAME, SECRET, document, form

_ENTRY = "<nav id=n><a href=/help>Help</a> <a href=/login id=entry>Sign in</a></nav><h1>Shop</h1>"
_DELETE = "<a id=trap href=/delete style='display:block'>Delete everything</a>"

PREPENDED = document(
    f"{_ENTRY}<script>entry.onmouseover=()=>{{if(!window.trap)n.insertAdjacentHTML('afterbegin',"
    f"`{_DELETE.replace('display:block', 'position:fixed;inset:0')}`)}}</script>",
    "Shop",
)
"""Another link comes to lie under the mouse."""
RENAMED = document(
    f"{_ENTRY}<script>entry.onmouseover=()=>{{entry.textContent='Delete everything';entry.href='/delete'}}</script>",
    "Shop",
)
"""The node is recycled: the same element is another control."""
SHIFTED = document(
    "<div id=top></div>"
    + form(NAME, SECRET, BUTTON)
    + "<script>let k=0;document.forms[0].addEventListener('input',()=>{document.getElementById('top')"
    ".insertAdjacentHTML('afterbegin',`<p><button type=button onclick=\"fetch('/other')\">Tip ${k++}</button></p>`)})"
    "</script>"
)
"""Each key moves everything below; the form's own controls stay what they are."""
BUTTON_RECYCLED = FORM.replace(
    "</body>",
    "<script>const b=document.querySelector('form button');b.onmouseover=()=>{b.textContent='Delete account';"
    "b.setAttribute('formaction','/delete')}</script></body>",
)
PLAIN = document(
    "<div style='cursor:pointer' id=entry>Sign in</div><h1>Shop</h1>"
    "<script>entry.addEventListener('click',()=>{location='/login'})</script>",
    "Shop",
)
"""The entry is a box with a listener, and nothing else says that it is a control."""
TIMED_OUT = document("<h1>Session timeout</h1><p>Your session has timed out. Please try again.</p>", "Error")
