"""Cookie banners: found by their words, refused by their own button, and only then believed gone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from ._errors import ControlError
from ._lexicon import Concept, lexicon, normalise
from ._session import Session
from .observation import Control, Frame, Observation, Overlay

_LONGEST_LABEL = 60
_MOST_CONTROLS = 60
_MOST_CHOICES = 15
"""More controls are a menu that also mentions cookies and a subscription."""
_GONE_S = 1.5
_CMP_MARKS = (
    "cookie",
    "consent",
    "gdpr",
    "onetrust",
    "cookiebot",
    "didomi",
    "usercentrics",
    "iubenda",
    "quantcast",
    "cmp",
)


class BannerOutcome(StrEnum):
    """What came of a look for a banner. Nothing is ever accepted."""

    NONE = "none"
    REJECTED = "rejected"
    NOT_POSSIBLE = "not_possible"
    ACCEPT_OR_PAY = "accept_or_pay"


@dataclass(frozen=True, slots=True)
class Banner:
    """A cookie banner: `frame` is `Frame.index`, `reject` the id of the control that refuses what is optional, if any.

    `overlay` is its index among the frame's overlays, None for a banner that is part of the page. `accept_or_pay`: it
    offers only to accept or to pay. `settings`: it has a way to choices that is not followed.
    """

    frame: int
    overlay: int | None
    reject: int | None
    accept_or_pay: bool
    settings: bool


def find_banner(observation: Observation) -> Banner | None:
    """The first banner of any frame, one with a way to refuse before one without."""
    found = [banner for frame in observation.frames for banner in _banners(frame)]
    return min(found, key=lambda banner: banner.reject is None, default=None)


async def dismiss_banner(session: Session, observation: Observation | None = None) -> BannerOutcome:
    """Refuse what is optional by the banner's own control, once, and see whether the banner is gone."""
    seen = observation or await session.observe()
    banner = find_banner(seen)
    if banner is None:
        return BannerOutcome.NONE
    if banner.reject is None:
        return BannerOutcome.ACCEPT_OR_PAY if banner.accept_or_pay else BannerOutcome.NOT_POSSIBLE
    try:
        await session.click(seen, banner.frame, banner.reject, timeout_s=3)
    except ControlError:
        return BannerOutcome.NONE if find_banner(await session.observe()) is None else BannerOutcome.NOT_POSSIBLE
    for _ in range(2):
        after = find_banner(await session.observe(calm=True))
        if after is None or after.reject is None:
            return BannerOutcome.REJECTED
        if not await session.changed(_GONE_S):
            break
    return BannerOutcome.NOT_POSSIBLE


def _banners(frame: Frame) -> Iterator[Banner]:
    words = _Words(lexicon("consent"))
    for index, overlay in enumerate(frame.overlays):
        controls = [frame.controls[id_] for id_ in overlay.controls if frame.controls[id_].usable]
        if 0 < len(controls) <= _MOST_CONTROLS:
            banner = _banner(frame, index, controls, words, certain=_speaks_of_cookies(overlay, words))
            if banner is not None:
                yield banner
    usable = [control for control in frame.controls if control.usable]
    if frame.index and len(usable) <= _MOST_CONTROLS:
        banner = _banner(frame, None, usable, words, certain=_is_cmp(frame, words))
    else:
        marked = [control for control in usable if words.marked(control)]
        banner = _banner(frame, None, marked, words, certain=False)
    if banner is not None:
        yield banner


def _banner(
    frame: Frame, overlay: int | None, controls: list[Control], words: _Words, *, certain: bool
) -> Banner | None:
    """A banner has cookie words, or buttons that plainly accept all and refuse all."""
    buttons = [control for control in controls if control.role in ("button", "link", "generic", "menuitem")]
    reject = next((control for control in buttons if words.rejects(control)), None)
    accept = next((control for control in buttons if words.accepts(control)), None)
    settings = any(words.is_about("settings", control) for control in buttons)
    pay = any(words.is_about("pay", control) for control in buttons)
    if not certain and not (reject and accept and words.plainly(reject, accept)):
        return None
    if reject is None and accept is None and not settings:
        return None
    price = reject is None and accept is not None and pay and len(buttons) <= _MOST_CHOICES
    return Banner(frame.index, overlay, reject.id if reject else None, price, settings)


def _speaks_of_cookies(overlay: Overlay, words: _Words) -> bool:
    marks = normalise(f"{overlay.html_id} {overlay.html_class}")
    return words.subject.occurs_in(f"{overlay.name} {overlay.text}") or any(
        mark in marks.split() for mark in _CMP_MARKS
    )


def _is_cmp(frame: Frame, words: _Words) -> bool:
    texts: Iterable[str] = (frame.title, *(form.text for form in frame.forms), *(node.text for node in frame.nodes))
    texts = (*texts, *(control.heading for control in frame.controls))
    return any(words.subject.occurs_in(text) for text in texts)


class _Words:
    """The consent lexicon applied to controls."""

    def __init__(self, concepts: dict[str, Concept]) -> None:
        self.subject = concepts["subject"]
        self._concepts = concepts

    def is_about(self, concept: str, control: Control) -> bool:
        return len(control.name) <= _LONGEST_LABEL and self._concepts[concept].occurs_in(control.name)

    def rejects(self, control: Control) -> bool:
        """Refuses: the whole label is such a word, or it holds a phrase that says so."""
        name = control.name
        if len(name) > _LONGEST_LABEL or self._concepts["pay"].occurs_in(name):
            return False
        return self._concepts["reject"].is_exactly(name) or self._concepts["reject_phrase"].occurs_in(name)

    def accepts(self, control: Control) -> bool:
        name = control.name
        if len(name) > _LONGEST_LABEL or self.rejects(control):
            return False
        return self._concepts["accept"].is_exactly(name) or self._concepts["accept_phrase"].occurs_in(name)

    def plainly(self, reject: Control, accept: Control) -> bool:
        """Both say more than a word that any dialog may have ("Reject all", not "Decline")."""
        phrases = self._concepts["reject_phrase"], self._concepts["accept_phrase"]
        return phrases[0].occurs_in(reject.name) and phrases[1].occurs_in(accept.name)

    def marked(self, control: Control) -> bool:
        """Says by itself that it is about cookies, or stands under such a heading."""
        marks = normalise(f"{control.html_id} {control.html_class}").split()
        texts = (control.name, control.heading, control.section)
        return any(mark in marks for mark in _CMP_MARKS) or any(self.subject.occurs_in(text) for text in texts)
