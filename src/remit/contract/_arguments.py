"""The base of what an executor takes."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class ArgumentsModel(BaseModel):
    """Closed, frozen, and silent: an unknown argument is refused and no error repeats a value."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True, str_strip_whitespace=True)
