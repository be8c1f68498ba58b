"""What a planner must never see: canaries, addresses, selectors, sentences of pages, and the records themselves."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tests.canary import Canaries, Hit

from .application import Question, TruthRow
from .compare import tidy
from .transcript import Message

_ADDRESS = re.compile(r"\b(?:https?|ftp|wss?|file)://[^\s\"'<>\\)]+|\b(?:javascript|data|about):[^\s\"']+", re.I)
_HREF = re.compile(r"(?:^|[\s\"'(=])/?[\w./-]+\.(?:php|html?|aspx?|jsp|cgi)\b|[?&][\w.%-]+=|\bhref\b", re.I)
_SELECTOR = re.compile(
    r"(?:^|[\s\"'>+~,(])(?:[a-z][\w-]*)?#[a-z_][\w-]*(?=$|[\s\"'.:>,)\[])"  # #id
    r"|\b[a-z][\w-]*\.[a-z_][\w-]*\s*[>+~]\s"  # a.b >
    r"|\[[\w-]+\s*[~|^$*]?=[^\]]*\]"  # [name=value]
    r"|:nth-|:has\(|:has-text\(|>>\s|\bxpath=|\bcss=|//\w*\[@|querySelector|\baria-ref=",
    re.I,
)
_TAG = re.compile(r"<(script|style|noscript|template)\b.*?</\1>|<!--.*?-->", re.I | re.S)
_BLOCK = re.compile(r"<[^>]*>")


@dataclass(frozen=True, slots=True)
class Known:
    """What the planner knows by itself, so that its return is no leak: its addresses, and its own words."""

    addresses: tuple[str, ...]
    said: str

    def says(self, text: str) -> bool:
        """Whether the planner said this before."""
        return text.casefold() in self.said


def known_to(messages: Iterable[Message], addresses: Sequence[str]) -> Known:
    """What the planner said in a whole conversation."""
    said = "\n".join(text for message in messages if message.sender == "client" for text in strings(message.body))
    return Known(tuple(addresses), said.casefold())


def canaries_in(messages: Iterable[Message], canaries: Canaries) -> list[Hit]:
    """Canaries anywhere in the conversation, in either direction."""
    return [
        hit
        for number, message in enumerate(messages, 1)
        for hit in canaries.in_text(json.dumps(message.body, ensure_ascii=False), f"message {number}, {message.sender}")
    ]


def shapes_in(messages: Iterable[Message], known: Known) -> list[Hit]:
    """Addresses, ways and selectors in what the server said about a run; the catalogue of tools is not searched."""
    hits: list[Hit] = []
    for number, message in enumerate(messages, 1):
        if message.is_about_a_run:
            where = f"message {number}, server"
            for text in strings(message.body):
                hits += [Hit(where, kind, "shape") for kind in _shapes(text, known)]
    return hits


def sentences_in(messages: Iterable[Message], sentences: Iterable[str], kind: str, known: Known) -> list[Hit]:
    """Given texts (of a page, of records) in what the server said about a run, unless the planner said them first."""
    wanted = sorted({text for raw in sentences if not known.says(text := tidy(raw).casefold())})
    hits: list[Hit] = []
    for number, message in enumerate(messages, 1):
        if message.is_about_a_run:
            told = tidy("\n".join(strings(message.body))).casefold()
            hits += [Hit(f"message {number}, server", kind, "plain") for text in wanted if text in told]
    return sorted(set(hits))


def page_sentences(page: str) -> list[str]:
    """The texts of a page that are long enough to be told from our own words."""
    pieces = (tidy(html.unescape(piece)) for piece in _BLOCK.split(_TAG.sub(" ", page)))
    return [piece for piece in pieces if len(piece) >= 25 and piece.count(" ") >= 3]


def record_texts(question: Question, truth: Iterable[TruthRow]) -> list[str]:
    """The values of records that no message of ours would contain by chance."""
    texts = (tidy(row[field]) for row in truth for field in question.fields)
    return [
        text
        for text in texts
        if len(text) >= 8 and not re.fullmatch(r"[\d\s.,:/-]+", text) and re.search(r"[\d ]", text)
    ]


def strings(body: object) -> Iterator[str]:
    """All texts in a message; JSON inside a text is opened too."""
    if isinstance(body, str):
        yield from _opened(body)
    elif isinstance(body, dict):
        for value in body.values():
            yield from strings(value)
    elif isinstance(body, list):
        for value in body:
            yield from strings(value)


def _opened(text: str) -> Iterator[str]:
    if text[:1] in ("{", "["):
        try:
            yield from strings(json.loads(text))
        except ValueError:
            yield text
        return
    yield text


def _shapes(text: str, known: Known) -> Iterator[str]:
    if any(not _is_own(found.rstrip(".,;"), known) for found in _ADDRESS.findall(text)):
        yield "address"
    rest = _ADDRESS.sub(" ", text)
    if _HREF.search(rest):
        yield "href"
    if _SELECTOR.search(rest):
        yield "selector"


def _is_own(address: str, known: Known) -> bool:
    own = [*known.addresses, *("/".join(each.split("/", 3)[:3]) for each in known.addresses)]
    return address.rstrip("/") in {each.rstrip("/") for each in own}
