"""One element of a page, held by a handle of its own.

Not Playwright's `ElementHandle`: the first use of one loads Playwright's whole script into each of the document's two
worlds, which takes longer than typing a password. It is still there for what needs it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from playwright.async_api import ElementHandle, JSHandle
from playwright.async_api import Error as PlaywrightError

from ._watch import Kept

_BIND = """(holder) => {
  const element = holder.element;
  holder.bound = (BINDING)(element);
  element.focus();
  if (element.getRootNode().activeElement !== element || element.readOnly || element.disabled) return null;
  element.select();
  return element.value === '';
}"""
_RELEASE = """(holder) => {
  if (holder.bound) holder.bound.release();
  holder.bound = undefined;
  return holder.element.isConnected ? holder.element.value : null;
}"""


@dataclass(frozen=True, slots=True)
class Element:
    """An element in a page. Errors are Playwright's, as of any handle."""

    _holder: JSHandle = field(repr=False)

    @classmethod
    async def of(cls, seen: Kept, index: int) -> Element:
        """The element that an observation numbered."""
        return cls(await seen.evaluate_handle("(seen, index) => ({ element: seen.elements[index] })", index))

    async def evaluate(self, function: str, argument: Any = None) -> Any:
        """Call a function of the element and the argument in the page."""
        return await self._holder.evaluate(f"({{ element }}, argument) => ({function})(element, argument)", argument)

    async def beside(self, function: str, others: Sequence[Element]) -> tuple[Any, list[str | None]]:
        """Call a function of the element, and tell what other fields of its document hold; None for one that left."""
        told, values = await self._holder.evaluate(
            f"({{ element }}, others) => [({function})(element),"
            " others.map(({ element }) => element.isConnected ? element.value : null)]",
            [other._holder for other in others],
        )
        return told, values

    async def bind(self, binding: str) -> bool | None:
        """Focus a field, select what it holds and bind keys to it, until `release`.

        Whether it is empty; None when it does not take the focus.
        """
        empty: bool | None = await self._holder.evaluate(_BIND.replace("BINDING", binding))
        return empty

    async def release(self) -> str | None:
        """Let keys go, and what the field holds; None when it left the document."""
        value: str | None = await self._holder.evaluate(_RELEASE)
        return value

    async def value(self) -> str:
        """What a text field holds. Raises PlaywrightError when it left the document."""
        value: str | None = await self.evaluate("element => element.isConnected ? element.value : null")
        if value is None:
            message = "The field is gone."
            raise PlaywrightError(message)
        return value

    async def handle(self) -> ElementHandle:
        """Playwright's handle of the element."""
        found = (await self._holder.evaluate_handle("({ element }) => element")).as_element()
        if found is None:
            message = "The element is gone."
            raise PlaywrightError(message)
        return found
