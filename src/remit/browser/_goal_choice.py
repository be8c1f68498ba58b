"""Which control serves a goal: by its own words and those of its own row; never by place, hidden text or values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from remit.browser._goals import KINDS, Wish, label, main_headings
from remit.browser._identity import Identity, identity
from remit.browser._lexicon import lexicon, normalise
from remit.browser._links import AREAS, is_forbidden, record_areas
from remit.browser.observation import Control, Frame
from remit.contract import AddressError, Origin, Reason

_ROLES = frozenset({"link", "button", "tab", "menuitem", "treeitem", "generic"})
_KIND_OF_NAME = {kind: kind for kinds in KINDS.values() for kind in kinds} | {"jpeg": "jpg", "xlsm": "xlsx"}
_PLACES = tuple(area for area in AREAS if area not in ("orders", "archive", "tickets", "edits"))
"""Areas whose names are nouns only: "Order" and "Archive" on a button may be what it does."""
_LEAST_LEAD = 1.0


@dataclass(frozen=True, slots=True)
class Picked:
    """The control to use. `named`: its own words, or its row's, name the record that is wanted."""

    control: int
    named: bool = False


@dataclass(frozen=True, slots=True)
class Unclear:
    """No signal decides. `ask` are the controls among which a model may choose; none where only a person could."""

    reason: Reason
    ask: tuple[int, ...] = ()


def pick(frame: Frame, wish: Wish, used: Collection[Identity], *, here: bool = False) -> Picked | Unclear:
    """The one control that serves the wish. `here`: the page was reached through the wanted record's own control.

    Where the goal names a record, no control of another record is chosen or offered to a model.
    """
    offered = [c for c in frame.controls if _may_serve(c) and identity(frame, c) not in used]
    if wish.marks:
        own = [c for c in offered if wish.names(f"{c.row}\n{label(c)}")]
        popped = [c for c in offered if here and _has_popped_up(c) and says_download(c)]
        if popped and wish.until == "download" and not any(map(says_download, own)):
            return _anywhere(frame, wish, popped)
        if own:
            return _in_row(wish, own)
        about = here or any(map(wish.names, main_headings(frame)))
        offered = [c for c in offered if not is_of_a_row(c) and not wish.names_another(label(c))]
        if not about:
            offered = [c for c in offered if not says_download(c)]
    return _anywhere(frame, wish, offered)


def _may_serve(control: Control) -> bool:
    return (
        control.usable and control.role in _ROLES and not control.is_text_field
        and control.type != "reset" and not is_forbidden(control)
    )  # fmt: skip


def _has_popped_up(control: Control) -> bool:
    """It stands in a menu or dialog, which the control of a row may have opened."""
    return (control.dialog or control.section.startswith(("menu", "dialog"))) and not is_of_a_row(control)


def is_of_a_row(control: Control) -> bool:
    """It stands in a row that says more than the control itself: it belongs to that record."""
    return bool(control.row) and normalise(control.row) != normalise(label(control))


def says_download(control: Control) -> bool:
    """Its words, its `download` attribute, or the file name in its address say that it brings a file."""
    words = normalise(_words(control))
    if control.download or lexicon("goals")["download"].found_in(words) or _named_kind(control) is not None:
        return True
    return normalise(label(control)) in KINDS


def only_navigates(frame: Frame, control: Control, origins: Collection[Origin]) -> bool:
    """Using it reads, opens or shows something, as far as the page says: everything else needs a person's consent.

    A link with an address on an allowed origin; a tab, a menu's or section's opener; what says that it downloads; what
    stands in a navigation or is named as nothing but an area of a site. A form that posts never.
    """
    form = next((f for f in frame.forms if f.id == control.form and f.kind == "form"), None)
    if form is not None and control.type in ("submit", "image"):
        method, action = control.form_method or form.method, control.form_action or form.action
        return method == "get" and _is_among(action or frame.url, origins)
    if control.href and control.raw_href.strip() != "#":
        return _is_among(control.href, origins)
    opener = control.expanded is not None or bool(control.haspopup) or control.role == "tab"
    place = any(lexicon("areas")[area].is_exactly(label(control)) for area in _PLACES)
    return opener or place or control.section.startswith("navigation") or says_download(control)


def _is_among(address: str, origins: Collection[Origin]) -> bool:
    try:
        return address.startswith(("http:", "https:")) and Origin.of(address) in origins
    except AddressError:
        return False


def _words(control: Control) -> str:
    """What can be read on it; its name where nothing can, as on a picture."""
    return label(control) or control.name


def _named_kind(control: Control) -> str | None:
    """The kind of file in the last part of the address."""
    name = urlsplit(control.href).path.rpartition("/")[2]
    return _KIND_OF_NAME.get(name.rpartition(".")[2].lower()) if "." in name else None


def _kinds(control: Control) -> set[str]:
    found = {kind for word in normalise(_words(control)).split() for kind in KINDS.get(word, ())}
    return found or ({named} if (named := _named_kind(control)) else set())


def _in_row(wish: Wish, own: Sequence[Control]) -> Picked | Unclear:
    best = _best(own, lambda c: _row_score(wish, c))
    if not best and len(_distinct(own)) == 1:
        best = _distinct(own)
    if len(best) != 1:
        return Unclear(Reason.AMBIGUOUS)
    return Picked(best[0].id, True)


def _row_score(wish: Wish, control: Control) -> float:
    words = label(control)
    own = 1.0 if wish.names(words) else 0.5 if lexicon("areas")["open_row"].is_exactly(words) else 0.0
    if not says_download(control):
        return own + (2 if wish.until != "download" and _is_said(control, wish) else 0)
    if wish.until != "download":
        return 0
    return 4 + _kind_score(wish, control)


def _kind_score(wish: Wish, control: Control) -> float:
    """For the kind that is wanted; a control that says another kind is not meant at all."""
    said = _kinds(control)
    if not wish.kinds or not said:
        return 0
    return 2 if said & wish.kinds else -9


def _anywhere(frame: Frame, wish: Wish, offered: Sequence[Control]) -> Picked | Unclear:
    nouns = set(wish.nouns.split())
    if wish.until == "download":
        best = _best(offered, lambda c: _download_score(wish, c, nouns))
        if best:
            return _decided(frame, wish, best)
    ways = [c for c in offered if not (says_download(c) and wish.until != "download")]
    said = _best(ways, lambda c: len(_own_words(c)) if _is_said(c, wish) else 0)
    if said:
        return _decided(frame, wish, said)
    ids = {c.id for c in ways}
    leads = [lead for lead in record_areas(frame, wish.nouns) if lead.control in ids and lead.score >= _LEAST_LEAD]
    top = [frame.controls[lead.control] for lead in leads if lead.score == leads[0].score]
    if top:
        return _decided(frame, wish, _distinct(top))
    return Unclear(Reason.INCONCLUSIVE, tuple(c.id for c in ways if not is_of_a_row(c)))


def _download_score(wish: Wish, control: Control, nouns: set[str]) -> float:
    if not says_download(control):
        return 0
    shared = nouns & set(normalise(_words(control)).split())
    return 3 + _kind_score(wish, control) + len(shared) / (len(nouns) or 1)


def _decided(frame: Frame, wish: Wish, best: Sequence[Control]) -> Picked | Unclear:
    """One; else the one that leads there best; else a question, unless they are told apart by their rows alone."""
    if len(best) > 1:
        leads = {lead.control: lead.score for lead in record_areas(frame, wish.nouns)}
        best = _best(best, lambda c: leads.get(c.id, 0)) or best
    if len(best) == 1:
        return Picked(best[0].id)
    alike = any(is_of_a_row(c) for c in best) or len({normalise(label(c)) for c in best}) < len(best)
    return Unclear(Reason.AMBIGUOUS, () if alike else tuple(c.id for c in best))


def _own_words(control: Control) -> tuple[str, ...]:
    words = normalise(label(control))
    small = lexicon("goals")["small"].phrases | lexicon("goals")["open"].phrases
    return tuple(word for word in words.split() if word not in small)


def _is_said(control: Control, wish: Wish) -> bool:
    """All of its words stand in the goal, together."""
    words = _own_words(control)
    return bool(words) and f" {' '.join(words)} " in f" {wish.nouns} "


def _best(controls: Iterable[Control], score: Callable[[Control], float]) -> list[Control]:
    """Those with the highest score above nothing, of equal destinations one."""
    rated = [(score(control), control) for control in controls]
    top = max((points for points, _ in rated), default=0)
    return _distinct([control for points, control in rated if points == top]) if top > 0 else []


def _distinct(controls: Iterable[Control]) -> list[Control]:
    """Links to one address are one."""
    found: dict[object, Control] = {}
    for control in controls:
        leads_on = bool(control.href) and control.raw_href.strip() != "#"
        found.setdefault(control.href if leads_on else control.id, control)
    return list(found.values())
