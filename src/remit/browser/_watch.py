"""What stays in a document while it is open: when it is calm, and what was seen in it.

The scripts are sent once to each document; after that, waiting until it is calm and reading it is one round trip.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from playwright.async_api import Frame as LiveFrame
from playwright.async_api import JSHandle

from ._scripts import observe_script, watch_script

Rest = Mapping[str, float | bool]
"""How long a document must not change; see `calm.js`."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What one look at a document keeps there: its elements. Errors are Playwright's, as of any handle."""

    _holder: JSHandle = field(repr=False)
    _number: int | None = None

    async def evaluate(self, function: str, argument: Any = None) -> Any:
        """Call a function of what was seen, and the argument, in the page."""
        return await self._holder.evaluate(*self._of(function, argument))

    async def evaluate_handle(self, function: str, argument: Any = None) -> JSHandle:
        """The same for what cannot leave the page."""
        return await self._holder.evaluate_handle(*self._of(function, argument))

    def _of(self, function: str, argument: Any) -> tuple[str, Any]:
        if self._number is None:
            return function, argument
        return f"(watch, [number, it]) => ({function})(watch.at(number), it)", [self._number, argument]

    def belongs_to(self, watch: JSHandle) -> bool:
        """Whether a watch keeps it."""
        return self._number is not None and self._holder == watch

    @property
    def number(self) -> int | None:
        """Its number with its watch; None for what is kept by a handle of its own."""
        return self._number

    async def dispose(self) -> None:
        """Let go of what has a handle of its own; a watch lets go at its next look."""
        if self._number is None:
            await self._holder.dispose()


@dataclass(frozen=True, slots=True)
class Look:
    """One reading of a document: the data as JSON, whether its origin is nobody's, and what was kept."""

    text: str = field(repr=False)
    opaque: bool
    kept: Kept


@dataclass(frozen=True, slots=True)
class Watch:
    """The watch on one document of a page. `navigations` and `documents` are the page's counts when it began."""

    navigations: int
    documents: int
    holder: JSHandle = field(repr=False)

    @classmethod
    async def begin(cls, live: LiveFrame, navigations: int, documents: int) -> Watch:
        """Watch a frame's document from now on."""
        return cls(navigations, documents, await live.evaluate_handle(watch_script()))

    async def rest(self, rest: Rest) -> bool:
        """Wait until the document is calm; False when it never was."""
        calm: bool = await self.holder.evaluate("(watch, rest) => watch.rest(rest)", rest)
        return calm

    async def see(self, content: bool, keep: int) -> Look:
        """Read the document, and let go of what earlier looks kept, all but that of the number `keep`."""
        return self._look(
            await self.holder.evaluate("(watch, what) => watch.see(what)", {"content": content, "keep": keep})
        )

    async def rest_and_see(self, rest: Rest, content: bool, keep: int) -> tuple[bool, Look]:
        """Both, with nothing between them."""
        calm, *told = await self.holder.evaluate(
            "async (watch, [rest, what]) => [await watch.rest(rest), ...watch.see(what)]",
            [rest, {"content": content, "keep": keep}],
        )
        return calm, self._look(told)

    def _look(self, told: list[Any]) -> Look:
        number, text, opaque = told
        return Look(text, opaque, Kept(self.holder, number))

    async def end(self) -> None:
        """Stop watching. Raises PlaywrightError when the document is gone."""
        await self.holder.evaluate("watch => watch.stop()")
        await self.holder.dispose()


async def see_once(live: LiveFrame, content: bool) -> Look:
    """Read a document that is not watched."""
    holder = await live.evaluate_handle(observe_script(), {"content": content})
    text, opaque = await holder.evaluate("seen => [seen.json, self.origin === 'null']")
    return Look(text, opaque, Kept(holder))
