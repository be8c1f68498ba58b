"""Pages drawn at random around a sign-in form, or without one, that say of every field for which secret it was made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from html import escape
from itertools import count

from hypothesis import strategies as st

from tests.browser.form_phrases import PHRASES, Phrases


class Purpose(StrEnum):
    """What the generator made a control for. Everything that is not of a login is OTHER."""

    NAME = "name"
    PASSWORD = "password"
    SUBMIT = "submit"
    OTHER = "other"


@dataclass(frozen=True)
class Made:
    """A page, and by each control's mark (`data-n`) what it is for. `{elsewhere}` stands for another origin."""

    html: str
    purposes: Mapping[str, Purpose]
    has_login: bool
    first_step: bool = False
    embedded: str = ""
    drawn: tuple[str, ...] = ()


_IDENTIFIER = st.text("bcdfghjkmnpqrtvwxz0123456789", min_size=3, max_size=7).map("z".__add__)
_ANYTHING = ("newsletter-email", "search-box", "promo", "contact-phone", "signup-box", "coupon", "field-2", "header")
_LIKE_A_LOGIN = ("login-form", "signin", "username", "user-login", "auth-field", "login-email", "account")
_NAMINGS = ("for", "wrap", "aria-label", "aria-labelledby", "placeholder", "before")
_STRUCTURES = ("form", "loose", "soup", "shadow", "dialog", "modal")
_TRAPS = (
    'style="position:absolute;left:-9999px"',
    'style="opacity:0" tabindex=-1',
    'tabindex=-1 aria-hidden=true autocomplete=off style="position:absolute;top:-400px"',
    "aria-hidden=true tabindex=-1",
    "style=display:none",
    'style="width:0;height:0;border:0;padding:0"',
    "style=visibility:hidden",
    "behind",
)
_COVER = (
    '<div style="position:relative;height:24px">{field}<div style="position:absolute;inset:0;background:#fff;'
    'z-index:5"></div></div>'
)


@dataclass
class Draft:
    """A page in the making."""

    draw: st.DrawFn
    words: Phrases
    purposes: dict[str, Purpose] = field(default_factory=dict)
    drawn: list[str] = field(default_factory=list)
    _marks: count[int] = field(default_factory=lambda: count(1))

    def one_of(self, *ways: str) -> str:
        """One way, which is noted."""
        way = self.draw(st.sampled_from(ways))
        self.drawn.append(way)
        return way

    def chance(self, name: str, of: int = 2) -> bool:
        """Once in `of`."""
        drawn = self.draw(st.integers(1, of)) == of
        if drawn:
            self.drawn.append(name)
        return drawn

    def mark(self, purpose: Purpose) -> str:
        """A control's mark. It says nothing."""
        name = f"n{next(self._marks)}"
        self.purposes[name] = purpose
        return f"data-n={name}"

    def attributes(self, purpose: Purpose) -> tuple[str, str]:
        """An id, and attributes that say nothing or, now and then, something wrong."""
        own = self.draw(_IDENTIFIER) + str(next(self._marks))
        name = own + "x"
        wrong = _LIKE_A_LOGIN if purpose is Purpose.OTHER else _ANYTHING
        lies = self.draw(st.sampled_from(("", "", "class", "class", "class and name")))
        if lies == "class and name":
            name = self.draw(st.sampled_from(wrong))
        styled = f' class="{self.draw(st.sampled_from(wrong))}"' if lies else ""
        return own, f"id={own} name={name}{styled}"

    def field(self, text: str, purpose: Purpose, kind: str = "text", more: str = "") -> str:
        """An input and its name, in one of the ways in which names are given."""
        own, attributes = self.attributes(purpose)
        text = escape(text)
        naming = self.draw(st.sampled_from(_NAMINGS))
        bare = f"<input type={kind} {attributes} {self.mark(purpose)} {more}"
        return {
            "for": f"<p><label for={own}>{text}</label> {bare}></p>",
            "wrap": f"<p><label>{text} {bare}></label></p>",
            "aria-label": f'<p>{bare} aria-label="{text}"></p>',
            "aria-labelledby": f"<p><span id={own}l>{text}</span> {bare} aria-labelledby={own}l></p>",
            "placeholder": f'<p>{bare} placeholder="{text}"></p>',
            "before": f"<p>{text}<br>{bare}></p>",
        }[naming]

    def secret(self, text: str, purpose: Purpose, more: str = "") -> str:
        """A field that masks what is typed, by its type or by its style."""
        if self.chance("masked by style", of=8):
            return self.field(text, purpose, "text", f'style="-webkit-text-security:disc" {more}')
        return self.field(text, purpose, "password", more)

    def button(self, text: str, purpose: Purpose, *, within: bool, kind: str = "submit") -> str:
        """What sends a form, or only looks like it."""
        mark = self.mark(purpose)
        if within and kind == "submit" and self.draw(st.booleans()):
            return f'<p><input type=submit value="{escape(text)}" {mark}></p>'
        return f"<p><button type={kind if within else 'button'} {mark}>{escape(text)}</button></p>"

    def trap(self) -> str:
        """A field that no person sees."""
        way = self.one_of(*_TRAPS)
        kind = self.draw(st.sampled_from(("text", "text", "text", "email", "email", "password")))
        name = self.draw(st.sampled_from(("email", "username", "website", "url", "password", "user")))
        covered = way == "behind"
        text = f"<input type={kind} name={name} {self.mark(Purpose.OTHER)} {'' if covered else way}>"
        return _COVER.format(field=text) if covered else text

    def traps(self) -> list[str]:
        """None, one or two."""
        return [self.trap() for _ in range(self.draw(st.sampled_from((0, 0, 0, 0, 0, 0, 1, 2))))]

    # -- forms

    def boxed(self, parts: list[str], structure: str, heading: str = "", action: str = "/in") -> str:
        """The parts of one form as a page would hold them."""
        inside = (f"<h2>{escape(heading)}</h2>" if heading else "") + "".join(parts)
        form = f"<form method=post action={action}>{inside}</form>"
        return {
            "form": f"<div>{form}</div>",
            "loose": f"<div>{inside}</div>",
            "soup": f"<div class=c><div><div><div>{inside}</div></div></div></div>",
            "shadow": f"<x-box><template shadowrootmode=open>{form}</template></x-box>",
            "dialog": f"<dialog open style=position:static>{form}</dialog>",
            "modal": f'<div role=dialog aria-modal=true aria-label="{escape(heading)}">{form}</div>',
        }[structure]

    def login(self, *, first_step: bool) -> str:
        """A login: a name and a password, or the name alone where the password is asked next."""
        words, structure = self.words, self.one_of(*_STRUCTURES)
        within = structure not in ("loose", "soup")
        by_email = self.draw(st.booleans())
        name = self.field(
            words.email if by_email else words.user,
            Purpose.NAME,
            "email" if by_email and self.draw(st.booleans()) else "text",
            "autocomplete=username" if first_step or self.chance("autocomplete", of=3) else "",
        )
        password = [] if first_step else [*self.traps(), self.secret(words.password, Purpose.PASSWORD)]
        beside = self.draw(st.permutations(self._beside_a_login(within=within)))
        cut = self.draw(st.integers(0, len(beside)))
        submit = self.button(words.next if first_step else words.enter, Purpose.SUBMIT, within=within)
        heading = words.enter if first_step or self.draw(st.booleans()) else ""
        parts = [*self.traps(), name, *password, *beside[:cut], submit, *beside[cut:]]
        return self.boxed(parts, structure, heading)

    def _beside_a_login(self, *, within: bool) -> list[str]:
        words, found = self.words, []
        if self.chance("remember"):
            box = f"<input type=checkbox {self.mark(Purpose.OTHER)}>"
            found.append(f"<p><label>{box} {escape(words.remember)}</label></p>")
        if self.chance("forgot"):
            as_link = self.draw(st.booleans())
            link = f"<p><a href=/forgot {self.mark(Purpose.OTHER)}>{escape(words.forgot)}</a></p>"
            button = self.button(words.forgot, Purpose.OTHER, within=within, kind="button")
            found.append(link if as_link else button)
        if self.chance("provider"):
            found.append(self.button(words.google, Purpose.OTHER, within=within, kind="button"))
        if self.chance("cancel", of=4):
            found.append(self.button(words.cancel, Purpose.OTHER, within=within, kind="reset"))
        if self.chance("join", of=3):
            found.append(f"<p><a href=/join {self.mark(Purpose.OTHER)}>{escape(words.join)}</a></p>")
        return found

    def decoy(self) -> str:
        """A form that is no login."""
        kind = self.one_of(
            "newsletter", "search", "registration", "registration alike", "recovery", "coupon", "contact", "card",
            "change",
        )  # fmt: skip
        structure = self.draw(st.sampled_from(("form", "form", "form", "loose", "soup", "shadow")))
        within = structure not in ("loose", "soup")
        heading, parts, send = self._decoy_parts(kind)
        button = self.button(send, Purpose.OTHER, within=within)
        return self.boxed([*parts, button], structure, heading, f"/{kind.replace(' ', '-')}")

    def _decoy_parts(self, kind: str) -> tuple[str, list[str], str]:
        words, other = self.words, Purpose.OTHER
        mail = self.draw(st.sampled_from(("text", "email")))
        email = self.field(words.email, other, mail)
        if kind == "newsletter":
            return words.letter, [email], words.subscribe
        if kind == "search":
            return "", [self.field(words.search, other, "search")], words.search
        if kind == "registration":
            chosen = self.secret(words.new_password, other)
            return words.join, [email, chosen, self.secret(words.repeat, other)], words.join
        if kind == "registration alike":
            return words.join, [email, self.secret(words.password, other)], words.join
        if kind == "recovery":
            return words.forgot, [email], words.recover
        if kind == "coupon":
            return "", [self.field(words.coupon, other)], words.apply
        if kind == "contact":
            area = f'<p><textarea aria-label="{escape(words.message)}" {self.mark(other)}></textarea></p>'
            return words.contact, [email, area], words.send
        if kind == "card":
            number = self.field(words.card, other, "text", "autocomplete=cc-number inputmode=numeric")
            code = self.field("CVV", other, "password", "maxlength=4 autocomplete=off")
            return "", [number, code], words.pay
        old = self.secret(words.old_password, other)
        fresh = [self.secret(words.new_password, other), self.secret(words.repeat, other)]
        return words.change, [old, *fresh], words.save

    def page(self, parts: list[str]) -> str:
        """The document."""
        shown = "".join(self.draw(st.permutations(parts)))
        direction = "rtl" if self.words.language == "ar" else "ltr"
        links = "".join(f"<a href=/{n} {self.mark(Purpose.OTHER)}>{n}</a> " for n in self.draw(_IDENTIFIERS))
        if self.chance("way in", of=3):
            links += f"<a href=/login {self.mark(Purpose.OTHER)}>{escape(self.words.enter)}</a>"
        return (
            f"<!doctype html><html lang={self.words.language} dir={direction}><meta charset=utf-8>"
            f"<title>Shop</title><style>p{{margin:3px}}</style><nav>{links}</nav>{shown}</html>"
        )


_IDENTIFIERS = st.lists(_IDENTIFIER, min_size=1, max_size=3, unique=True)
_FRAME = "<iframe src={elsewhere}/embedded width=400 height=240></iframe>"


@st.composite
def pages(draw: st.DrawFn, *, login: bool) -> Made:
    """A page with exactly one login or with none, among up to three other forms, some with a frame from elsewhere."""
    draft = Draft(draw, draw(st.sampled_from(PHRASES)))
    draft.drawn.append(draft.words.language)
    first_step = login and draft.chance("first step", of=5)
    parts = [draft.login(first_step=first_step)] if login else []
    parts += [draft.decoy() for _ in range(draw(st.integers(0 if login else 1, 3)))]
    embedded = ""
    if draft.chance("frame", of=5):
        inner = Draft(draw, draft.words, drawn=draft.drawn, _marks=count(1000))
        embedded = inner.page([inner.login(first_step=False)])
        draft.purposes.update(dict.fromkeys(inner.purposes, Purpose.OTHER))
        parts.append(_FRAME)
    html = draft.page(parts)
    return Made(html, draft.purposes, login, first_step, embedded, tuple(draft.drawn))
