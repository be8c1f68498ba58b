"""Small observations built in code: a form is a list of controls, a frame a list of forms."""

from __future__ import annotations

from dataclasses import replace

from remit.browser.observation import Control, Form, Frame, Node, Observation

ORIGIN = "https://shop.example:443"
Draft = Control


def field(name: str = "", **facts: object) -> Draft:
    """A visible text input that says `name`."""
    return _control("input", "textbox", name, {"type": "text", "label": name, **facts})


def secret(name: str = "Password", **facts: object) -> Draft:
    """A password input."""
    return field(name, **{"type": "password", **facts})


def checkbox(name: str, **facts: object) -> Draft:
    return _control("input", "checkbox", name, {"type": "checkbox", "label": name, **facts})


def submit(name: str, **facts: object) -> Draft:
    return _control("button", "button", name, {"type": "submit", "text": name, **facts})


def button(name: str, **facts: object) -> Draft:
    return submit(name, **{"type": "button", **facts})


def link(name: str, href: str = "https://shop.example/elsewhere", **facts: object) -> Draft:
    return _control("a", "link", name, {"text": name, "href": href, "raw_href": href, **facts})


def _control(tag: str, role: str, name: str, facts: dict[str, object]) -> Draft:
    known = {"visible": True, "topmost": True, **facts}
    return replace(Control(id=-1, tag=tag, role=role, rank="native", name=name), **known)  # type: ignore[arg-type]


def form(*controls: Draft, **facts: object) -> tuple[Form, tuple[Draft, ...]]:
    """A visible form that posts to an address of its own."""
    known = {"visible": True, "kind": "form", "method": "post", **facts}
    text = " ".join(c.text or c.label or c.name for c in controls)
    known.setdefault("text", text)
    return Form(id=-1, **known), controls  # type: ignore[arg-type]


def frame(
    *parts: Draft | tuple[Form, tuple[Draft, ...]], index: int = 0, origin: str = ORIGIN, nodes: tuple[Node, ...] = (),
    title: str = "", url: str = "https://shop.example/",
) -> Frame:  # fmt: skip
    """A frame whose controls and forms are numbered in the order given."""
    controls: list[Control] = []
    forms: list[Form] = []
    for part in parts:
        if isinstance(part, Control):
            controls.append(replace(part, id=len(controls)))
            continue
        own, inside = part
        forms.append(replace(own, id=len(forms)))
        for control in inside:
            controls.append(replace(control, id=len(controls), form=forms[-1].id))
    return Frame(
        index=index, origin=origin, url=url, title=title, controls=tuple(controls), forms=tuple(forms), nodes=nodes
    )


def nested(*lines: str) -> tuple[Node, ...]:
    """A content tree written as lines: two spaces of indent a level, a tag, `#n` for control n, and the text.

    `"main"`, `"  h1 Sign in"`, `"  form"`, `"    input #0"`; `div.note Text` has a class, `p!alert Text` a role.
    """
    nodes: list[Node] = []
    path: list[int] = []
    for line in lines:
        depth, parts = (len(line) - len(line.lstrip())) // 2, line.split(maxsplit=1)
        tag, rest = parts[0], parts[1] if len(parts) > 1 else ""
        tag, _, role = tag.partition("!")
        tag, _, classes = tag.partition(".")
        control = int(rest[1:]) if rest.startswith("#") else None
        del path[depth:]
        nodes.append(
            Node(
                parent=path[-1] if path else -1,
                tag=tag,
                role=role,
                classes=classes,
                text="" if control is not None else rest,
                control=control,
            )
        )
        path.append(len(nodes) - 1)
    return tuple(nodes)


def page(*parts: Draft | tuple[Form, tuple[Draft, ...]], nodes: tuple[Node, ...] = (), title: str = "") -> Observation:
    """An observation of one frame."""
    return Observation((frame(*parts, nodes=nodes, title=title),))


def message(text: str, role: str = "alert") -> tuple[Node, ...]:
    """A content tree with one message."""
    return (Node(parent=-1, tag="body"), Node(parent=0, tag="div", role=role, text=text))
