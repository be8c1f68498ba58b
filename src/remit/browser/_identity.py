"""What makes a control the same control. Never its position: pages move things, recycle nodes and insert siblings."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .observation import Control, Frame


@dataclass(frozen=True, slots=True)
class Identity:
    """Two controls with equal identities cannot be told apart by a person who reads the page."""

    tag: str
    role: str
    type: str
    name: str
    field: str
    destination: str
    form: tuple[str, ...]
    section: str
    row: str


def identity(frame: Frame, control: Control) -> Identity:
    """The identity of a control in its frame.

    A text field has its form name instead of its row's text, which changes while people type (hints, counters).
    """
    text_field = control.is_text_field
    return Identity(
        tag=control.tag,
        role=control.role,
        type=control.type,
        name=control.name,
        field=control.html_name if text_field else "",
        destination=control.href,
        form=_form(frame, control),
        section=control.section,
        row="" if text_field else control.row,
    )


def same_under_the_mouse(before: Identity, now: Identity) -> bool:
    """The same control with the mouse over it: its row may say more than before, since rows show their buttons."""
    said_still = set(before.row.split()) <= set(now.row.split())
    return said_still and replace(before, row="") == replace(now, row="")


def same_reading(frame: Frame, control: Control) -> tuple[int, ...]:
    """The ids of all visible controls of the frame that read the same; more than one is ambiguous."""
    wanted = identity(frame, control)
    return tuple(
        other.id
        for other in frame.controls
        if other.role == control.role
        and other.name == control.name
        and (other.visible or other.id == control.id)
        and identity(frame, other) == wanted
    )


def _form(frame: Frame, control: Control) -> tuple[str, ...]:
    form = next((form for form in frame.forms if form.id == control.form), None)
    if form is None or form.kind == "group":  # a group is our own guess at a form, drawn around whatever is there
        return ()
    return (form.name, form.action, form.method)
