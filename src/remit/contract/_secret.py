"""A string that prints nothing."""

from __future__ import annotations

from typing import Any, NoReturn, final

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema


@final
class Secret:
    """Holds a secret; `reveal()` is the only way to it, so every use is easy to find.

    `repr`, `str`, formatting, length, pickling, hashing and JSON give nothing away. Two secrets compare equal only by
    `reveal()`.
    """

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The secret itself. Never store, log or format what this returns."""
        return self._value

    def __repr__(self) -> str:
        return "Secret()"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return "Secret()"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Secret cannot be serialised")

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Accept only a Secret, and refuse to be serialised."""
        del source, handler

        def refuse(value: object) -> NoReturn:
            del value
            raise TypeError("a Secret cannot be serialised")

        return core_schema.is_instance_schema(
            cls, serialization=core_schema.plain_serializer_function_ser_schema(refuse)
        )
