"""Small observations written by hand as HTML, without a browser: enough of `observe.js` for recognisers of content."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser
from urllib.parse import urljoin

from remit.browser.observation import Control, Frame, Node

_VOID = {"br", "img", "input", "hr", "meta"}
_CONTROLS = {"a": "link", "button": "button", "select": "combobox", "input": "textbox"}


class _Reader(HTMLParser):
    def __init__(self, url: str) -> None:
        super().__init__()
        self.url = url
        self.nodes = [Node(-1, "html")]
        self.controls: list[Control] = []
        self._open = [0]
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if self._hidden or "hidden" in given:
            self._hidden += tag not in _VOID
            return
        if tag == "br":
            self.nodes[-1] = replace(self.nodes[-1], text=self.nodes[-1].text + "\n")
            return
        reacts = (tag == "a" and "href" in given) or (tag in _CONTROLS and tag != "a")
        self.nodes.append(
            Node(
                parent=self._open[-1],
                tag=tag,
                role=given.get("role", ""),
                classes=given.get("class", ""),
                text=given.get("alt", "") if tag == "img" else "",
                label=given.get("aria-label", ""),
                title=given.get("title", ""),
                control=self._control(tag, given) if reacts else None,
                colspan=int(given.get("colspan", 1)),
                rowspan=int(given.get("rowspan", 1)),
                scope=given.get("scope", ""),
                machine=given.get("datetime", ""),
                announced=int(given.get("aria-rowcount", 0)),
                scrolls=int(given.get("data-scrolls", 0)),
            )
        )
        if tag not in _VOID:
            self._open.append(len(self.nodes) - 1)

    def _control(self, tag: str, given: dict[str, str]) -> int:
        href = given.get("href", "")
        role = given.get("role") or {"checkbox": "checkbox"}.get(given.get("type", ""), _CONTROLS[tag])
        control = Control(
            len(self.controls), tag, role, "native",
            name=given.get("aria-label") or given.get("title", ""), title=given.get("title", ""),
            type=given.get("type", ""), html_class=given.get("class", ""), html_name=given.get("name", ""),
            rel=given.get("rel", ""),
            raw_href=href, href=urljoin(self.url, href) if tag == "a" else "",
            visible=True, disabled="disabled" in given or given.get("aria-disabled") == "true",
            current="aria-current" in given,
        )  # fmt: skip
        self.controls.append(control)
        return control.id

    def handle_data(self, data: str) -> None:
        if self._hidden:
            return
        data = " ".join(data.split()).join((" " if data[:1].isspace() else "", " " if data[-1:].isspace() else ""))
        for index in self._open:
            control = self.nodes[index].control
            if control is not None:
                mine = self.controls[control]
                text = (mine.text + data).strip()
                name = mine.name if mine.name and mine.name not in (mine.title, mine.text) else text
                self.controls[control] = replace(mine, text=text, name=name)
        top = self._open[-1]
        if not data.strip() or len(self.nodes) - 1 == top:
            self.nodes[-1] = replace(self.nodes[-1], text=self.nodes[-1].text + data)
        else:
            self.nodes.append(Node(top, "#text", text=data))

    def handle_endtag(self, tag: str) -> None:
        if self._hidden:
            self._hidden -= 1
        elif tag not in _VOID and len(self._open) > 1:
            self._open.pop()


def observed(html: str, url: str = "http://shop.test/orders") -> Frame:
    """The frame of a page with this body."""
    reader = _Reader(url)
    reader.feed(html)
    return Frame(0, "http://shop.test", url, nodes=tuple(reader.nodes), controls=tuple(reader.controls))
