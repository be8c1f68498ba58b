"""Scores of the pager recogniser: every pager link on a page against its label."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from remit.browser._pager import PagerLink, find_pagers
from remit.browser.observation import Frame
from tests.corpora._pages import ObservedPage
from tests.corpora._tally import Tally

ROLES = ("next", "prev", "first", "last", "page")


def score(pages: Iterable[ObservedPage]) -> Tally:
    """Count, by role, the links that were chosen and the links that are labelled."""
    tally = Tally()
    for observed in pages:
        wanted = {
            control: observed.page.labels[label]["pager"]
            for control, label in observed.control_labels.items()
            if label in observed.page.labels
        }
        chosen = _chosen(with_icons(observed.frame))
        for role in ROLES:
            mine = {control for control, found in chosen.items() if found == role}
            yours = {control for control, label in wanted.items() if label == role}
            for control in sorted(mine | yours):
                tally.compare(role, control in yours, control in mine, observed.page.name)
    return tally


def with_icons(frame: Frame) -> Frame:
    """The page as if its style sheet were there: links without text that are laid out are icons, and icons have a
    size.
    """
    laid_out = {node.control for node in frame.nodes if node.control is not None}
    controls = tuple(
        replace(c, visible=True) if not c.visible and not c.text and c.tag == "a" and c.id in laid_out else c
        for c in frame.controls
    )
    return replace(frame, controls=controls)


def _chosen(frame: Frame) -> dict[int, str]:
    return {
        control: _label(link)
        for pager in find_pagers(frame)
        for link in pager.links
        for control in (link.control, *link.twins)
    }


def _label(link: PagerLink) -> str:
    """The labels call "older" and "newer" by where the arrow points, and without an arrow by time: older is "prev"."""
    if link.role == "older":
        return link.points or "prev"
    if link.role == "newer":
        return link.points or "next"
    return link.role
