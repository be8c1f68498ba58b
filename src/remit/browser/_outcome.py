"""What a page says after a sign-in was sent: facts, each by its own evidence, and which counts when several hold."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

from remit.browser._buttons import ButtonKind, button_kind, says_exactly, words_of
from remit.browser._entries import EntryKind, entry_kind
from remit.browser._evidence import FormKind
from remit.browser._fields import FieldKind, says
from remit.browser._forms import RecognisedForm, classify_forms
from remit.browser._messages import Message, Place, new_messages
from remit.browser._panel import form_box, upward
from remit.browser._target import asks_partial_password, code_target
from remit.browser.observation import Frame, Observation


class LoginFact(StrEnum):
    """One thing observed after a submit."""

    MAINTENANCE = "maintenance"
    ACCOUNT_LOCKED = "account_locked"
    TOO_MANY_ATTEMPTS = "too_many_attempts"
    REJECTED = "rejected"
    CHALLENGE = "challenge"
    ONE_TIME_CODE = "one_time_code"
    PARTIAL_PASSWORD = "partial_password"  # noqa: S105
    CHANGE_PASSWORD = "change_password"  # noqa: S105
    ACCEPT_TERMS = "accept_terms"
    SIGNED_IN = "signed_in"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class SignedInSigns:
    """What speaks for an open session. `sign_out` is the strongest: who has not entered is not offered to leave."""

    sign_out: bool
    account: bool
    greeting: bool
    no_login_surface: bool

    @property
    def strong(self) -> bool:
        """A sign-out, or an account with a greeting, on a page that asks for no sign-in."""
        return self.no_login_surface and (self.sign_out or (self.account and self.greeting))


@dataclass(frozen=True, slots=True)
class LoginOutcome:
    """The fact that counts, and all that hold."""

    fact: LoginFact
    facts: frozenset[LoginFact]


def signed_in_signs(frame: Frame) -> SignedInSigns:
    """Signs of an open session on a page, closed menus included, since that is where a sign-out usually stands."""
    kinds = [
        (c, button_kind(c)) for c in frame.controls if not c.is_text_field and len(words_of(c)) <= _LONGEST_CONTROL
    ]
    sign_out = any(k is ButtonKind.SIGN_OUT or _leads_out(c.href) for c, k in kinds)
    account = any(k is ButtonKind.ACCOUNT and c.visible for c, k in kinds)
    entries = [c for c, k in kinds if k is ButtonKind.SIGN_IN and c.visible]
    # Beside a sign-out, words about signing in are the page's subject: an issue named "Sign-in page is slow".
    entry = any(says_exactly("sign_in", words_of(c)) for c in entries) if sign_out else bool(entries)
    login = any(f.kind is FormKind.LOGIN and frame.forms[f.form].visible for f in classify_forms(frame))
    return SignedInSigns(sign_out, account, _greets(frame), not (login or entry))


def account_came(before: Frame, after: Frame) -> bool:
    """A control for the account that was not there before a submit: by its words, or an icon by its identifiers."""
    return bool(_account_controls(after) - _account_controls(before))


def _account_controls(frame: Frame) -> frozenset[tuple[str, str, str]]:
    return frozenset(
        (words_of(c), c.html_id, c.href)
        for c in frame.controls
        if c.visible and not c.is_text_field and entry_kind(c) is EntryKind.ACCOUNT
    )


_LONGEST_CONTROL = 40
_SIGN_OUT_PATH = re.compile(r"(?:^|[/_.?=-])(?:log|sign)[_-]?(?:out|off)(?:$|[/_.?&=-])", re.IGNORECASE)


def _leads_out(href: str) -> bool:
    parts = urlsplit(href)
    return bool(_SIGN_OUT_PATH.search(parts.path) or _SIGN_OUT_PATH.search(parts.query))


def _greets(frame: Frame) -> bool:
    return any(says("greeting", node.text) for node in frame.nodes if 0 < len(node.text) <= _LONGEST_CONTROL)


@dataclass(frozen=True, slots=True)
class Scene:
    """A page before and after a submit, and what it tells anew."""

    before: Observation
    after: Observation
    messages: tuple[Message, ...]


def login_outcome(before: Observation, after: Observation) -> LoginOutcome:
    """What came of a submit. Sentences count only in alerts, at a form, or as a page's heading, and only if new."""
    scene = Scene(before, after, new_messages(before, after))
    facts = frozenset(fact for fact, holds in PRECEDENCE if holds(scene))
    first = next((fact for fact, _ in PRECEDENCE if fact in facts), LoginFact.NONE)
    return LoginOutcome(first, facts)


def _forms(observation: Observation) -> tuple[tuple[Frame, RecognisedForm], ...]:
    return tuple((f, form) for f in observation.frames for form in classify_forms(f) if f.forms[form.form].visible)


Holds = Callable[[Scene], bool]


def _states(scene: Scene, concept: str) -> bool:
    """A message states it. On a page that shows an open session, only the page's own heading does: the rest is news."""
    news = signed_in_signs(scene.after.main).strong
    return any(says(concept, m.statements) for m in scene.messages if not news or m.place is Place.TITLE)


def _told(concept: str) -> Holds:
    return lambda scene: _states(scene, concept)


_CHALLENGE_URL = re.compile(
    r"^https?://(?:[^/]*\.)?(?:google\.com|recaptcha\.net)/recaptcha/[^?]*bframe|^https?://[^/]*\.?hcaptcha\.com/"
    r"|^https?://challenges\.cloudflare\.com/|arkoselabs\.com|funcaptcha\.com|geetest\.com|captcha-delivery\.com",
    re.IGNORECASE,
)
_WIDGET = re.compile(r"\b(?:g-recaptcha|h-captcha|cf-turnstile|frc-captcha|geetest_\w+)\b")
_ANSWERS = {"cf-turnstile-response", "h-captcha-response"}
"""Fields that a widget fills once it is passed."""
_INVISIBLE = re.compile(r"\bgrecaptcha-badge\b")


def _challenged(scene: Scene) -> bool:
    """A challenge that was not there before: what stood there may well be passed by itself."""
    return challenge_stands(scene.after) and not challenge_stands(scene.before)


def challenge_stands(after: Observation) -> bool:
    """A challenge that a person would see: its own frame, its widget, an image to be read; or a form waits for one."""
    if signed_in_signs(after.main).strong:
        return False
    if any(_ANSWERS.intersection(form.hidden_names) for form in after.main.forms if form.visible):
        return True
    frames = any(
        _CHALLENGE_URL.search(f.url) and (f.box is None or f.box[2] * f.box[3] > 400) for f in after.frames[1:]
    )
    return frames or _shows_widget(after.main) or _shows_image(after.main)


_OTHER_PURPOSES = {
    FormKind.NEWSLETTER, FormKind.CONTACT, FormKind.SEARCH, FormKind.REGISTRATION, FormKind.RECOVERY,
}  # fmt: skip
"""Forms that guard themselves against robots and have no part in a sign-in."""


def _shows_widget(frame: Frame) -> bool:
    widgets = [i for i, n in enumerate(frame.nodes) if _WIDGET.search(n.classes) and not _INVISIBLE.search(n.classes)]
    if not widgets:
        return False
    boxes = {form_box(frame, frame.forms[f.form]) for f in classify_forms(frame) if f.kind in _OTHER_PURPOSES}
    return any(boxes.isdisjoint(upward(frame, index)) for index in widgets)


def _shows_image(frame: Frame) -> bool:
    forms = [form for form in classify_forms(frame) if form.kind not in _OTHER_PURPOSES]
    return any(frame.controls[id_].usable for form in forms for id_ in form.ids(FieldKind.CAPTCHA))


def _asks_code(scene: Scene) -> bool:
    """As `code_target` finds it, in any frame."""
    everywhere = frozenset(frame.origin for frame in scene.after.frames)
    return code_target(scene.after, everywhere, before=scene.before) is not None


def _must_change(scene: Scene) -> bool:
    """A form to change the password; beside an open session, where a profile may show one, only if it is demanded."""
    forms = [form for _frame, form in _forms(scene.after)]
    if _login_stays(scene.after):
        return False
    told = [m.statements for m in scene.messages if m.place is not Place.SECTION]
    demanded = says("change_password", *told)
    if any(f.kind is FormKind.CHANGE_PASSWORD for f in forms):
        return demanded or not signed_in_signs(scene.after.main).strong
    return demanded and any(f.ids(FieldKind.NEW_PASSWORD) for f in forms)


def _must_accept(scene: Scene) -> bool:
    return not _login_stays(scene.after) and _states(scene, "accept_terms")


def _login_stays(after: Observation) -> bool:
    return any(form.kind is FormKind.LOGIN for _frame, form in _forms(after))


def _rejected(scene: Scene) -> bool:
    """A message of refusal while the form is still there."""
    return _login_stays(scene.after) and says("rejected", *(m.text for m in scene.messages))


def _in_maintenance(scene: Scene) -> bool:
    signs = signed_in_signs(scene.after.main)
    return not _login_stays(scene.after) and not signs.sign_out and _states(scene, "maintenance")


PRECEDENCE: tuple[tuple[LoginFact, Holds], ...] = (
    (LoginFact.ACCOUNT_LOCKED, _told("account_locked")),
    (LoginFact.TOO_MANY_ATTEMPTS, _told("too_many_attempts")),
    (LoginFact.REJECTED, _rejected),
    (LoginFact.CHALLENGE, _challenged),
    (LoginFact.ONE_TIME_CODE, _asks_code),
    (LoginFact.PARTIAL_PASSWORD, lambda scene: asks_partial_password(scene.after)),
    (LoginFact.CHANGE_PASSWORD, _must_change),
    (LoginFact.ACCEPT_TERMS, _must_accept),
    (LoginFact.MAINTENANCE, _in_maintenance),
    (LoginFact.SIGNED_IN, lambda scene: signed_in_signs(scene.after.main).strong),
)
"""What counts when several hold: what forbids a further attempt, then what a person must do, then success."""
