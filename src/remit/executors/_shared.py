"""What several executors take, return or do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeVar

import anyio.to_thread
from pydantic import StringConstraints, WithJsonSchema

from remit.contract import Reason, Status

Handle = Annotated[str, StringConstraints(max_length=64)]
"""An opaque id: of a session, a dataset, a credential or a run."""

Text = Annotated[str, StringConstraints(max_length=300)]
"""A short text of the planner's."""

StatusCode = Annotated[Status, WithJsonSchema({"type": "string"})]
"""A status inside a list of results. Clients get it as a string: the envelope's schema holds the closed list."""

ReasonCode = Annotated[Reason, WithJsonSchema({"type": "string"})]
"""A reason inside a list of results."""

T = TypeVar("T")


async def in_thread(work: Callable[[], T]) -> T:
    """The vault reads and writes files, and may derive a key: not in the event loop."""
    return await anyio.to_thread.run_sync(work)
