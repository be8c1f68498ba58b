"""Shapes that several executors take or return."""

from __future__ import annotations

from typing import Annotated

from pydantic import StringConstraints

Handle = Annotated[str, StringConstraints(max_length=64)]
"""An opaque id: of a session, a dataset, a credential or a run."""

Text = Annotated[str, StringConstraints(max_length=300)]
"""A short text of the planner's."""
