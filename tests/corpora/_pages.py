"""Loading saved pages: observed once in a browser without scripts and network, kept as recorded data.

The page's labels are attributes that only this module reads. What a recogniser gets is the observation.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, Page, Route, sync_playwright

import remit.browser
from remit.browser.observation import Frame

Kind = Literal["forms", "autofill", "pagers"]

DEFAULT_CORPORA = Path("../shared/corpora")
_OBSERVE = Path(remit.browser.__file__).with_name("observe.js")
_CHROMIUM = ("/usr/bin/chromium", "/usr/bin/google-chrome")
_NO_ADDRESS = "http://page.localhost/"
_MAPPING = """r => {
  const observed = new Set(r.elements);
  const own = e => e.getAttribute('data-label-id');
  const inLink = e => {
    const inner = e.tagName === 'A' ? e.querySelector('[data-label-id]') : null;
    return inner && !observed.has(inner) ? own(inner) : null;
  };
  const aroundLink = e => { const outer = e.tagName === 'A' ? e.closest('[data-label-id]') : null;
    return outer && outer.querySelectorAll('a').length === 1 ? own(outer) : null; };
  return [r.elements.map(e => own(e) ?? inLink(e) ?? aroundLink(e)), r.formElements.map(own)];
}"""
"""The label of a link may stand on the only element in it, if that is no control itself, or on the element that holds
nothing else."""


@dataclass(frozen=True)
class LabelledPage:
    """One entry of the index. `labels` maps label ids to meanings, as the corpus gives them."""

    kind: Kind
    path: Path
    url: str
    labels: dict[str, Any]

    @property
    def name(self) -> str:
        """The file's name, the only thing of a page that is printed."""
        return self.path.name.removesuffix(".html.gz")


@dataclass(frozen=True)
class ObservedPage:
    """A page, what was observed on it, and the label ids of its controls and forms."""

    page: LabelledPage
    recorded: str
    control_labels: dict[int, str]
    form_labels: dict[int, str]

    @cached_property
    def frame(self) -> Frame:
        """The page's own document."""
        return Frame.parse(self.recorded, index=0, origin="null")

    @cached_property
    def known_labels(self) -> frozenset[str]:
        """The label ids that still have an element."""
        return frozenset(self.control_labels.values()) | frozenset(self.form_labels.values())


def labelled_pages(corpora: Path, kind: Kind, limit: int | None = None) -> list[LabelledPage]:
    """The pages of one kind, in the order of the index."""
    entries = json.loads((corpora / "index.json").read_text("utf-8"))
    pages = [
        LabelledPage(kind, corpora / entry["file"], entry["url"] or _NO_ADDRESS, entry["labels"])
        for entry in entries
        if entry["kind"] == kind
    ]
    return pages[:limit]


def observed_pages(pages: Iterable[LabelledPage]) -> Iterator[ObservedPage]:
    """Observe pages; those observed before, with the same script, are read from the cache."""
    script = _OBSERVE.read_text("utf-8")
    with _LazyBrowser() as browser:
        for page in pages:
            html = gzip.decompress(page.path.read_bytes())
            cached = _cache_file(page, html, script)
            if not cached.exists():
                _write(cached, browser.observe(page, html, script))
            yield _read(page, cached)


def _cache_file(page: LabelledPage, html: bytes, script: str) -> Path:
    folder = Path(os.environ.get("REMIT_CORPORA_CACHE", Path(tempfile.gettempdir()) / "remit-corpora"))
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    digest = hashlib.sha256(html + script.encode() + page.url.encode() + _MAPPING.encode()).hexdigest()[:24]
    return folder / f"{page.kind}-{digest}.json.gz"


def _write(path: Path, recorded: dict[str, Any]) -> None:
    draft = path.with_suffix(f".{os.getpid()}")
    draft.write_bytes(gzip.compress(json.dumps(recorded).encode(), 3))
    draft.replace(path)


def _read(page: LabelledPage, path: Path) -> ObservedPage:
    data = json.loads(gzip.decompress(path.read_bytes()))
    controls, forms = ({i: label for i, label in enumerate(ids) if label is not None} for ids in data["labels"])
    return ObservedPage(page, data["json"], controls, forms)


class _LazyBrowser:
    """Starts a browser only when a page is not in the cache."""

    def __init__(self) -> None:
        self._browser: Browser | None = None
        self._page: Page | None = None
        self._address = ""
        self._body = b""

    def __enter__(self) -> _LazyBrowser:
        return self

    def __exit__(self, *_: object) -> None:
        if self._browser is not None:
            self._browser.close()
            self._manager.__exit__(None, None, None)

    def observe(self, page: LabelledPage, html: bytes, script: str) -> dict[str, Any]:
        """One observation, with the label ids of what was observed."""
        self._address, self._body = page.url, html
        tab = self._tab()
        tab.goto(page.url, wait_until="domcontentloaded", timeout=60_000)
        result = tab.evaluate_handle(script, {"content": True})
        recorded = result.evaluate("r => r.json")
        labels = result.evaluate(_MAPPING)
        result.dispose()
        return {"json": recorded, "labels": labels}

    def _tab(self) -> Page:
        if self._page is None:
            self._manager = sync_playwright()
            playwright = self._manager.__enter__()
            path = next((p for p in _CHROMIUM if Path(p).exists()), None)
            self._browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
            context = self._browser.new_context(java_script_enabled=False, service_workers="block")
            self._page = context.new_page()
            self._page.route("**/*", self._answer)
        return self._page

    def _answer(self, route: Route) -> None:
        request = route.request
        if request.is_navigation_request() and request.frame.parent_frame is None and self._body:
            body, self._body = self._body, b""
            route.fulfill(body=body, content_type="text/html; charset=utf-8")
        else:
            route.abort()
