"""The scripted planner: a person's question turned into Remit's calls, the same for every application.

Everything that depends on the names of tools, arguments and results is in this module.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from .application import Question

Answer = dict[str, object]
Call = Callable[[str, Answer], Awaitable[Answer]]

_SIGNED_IN = ("signed_in", "already_signed_in", "done")


@dataclass(frozen=True, slots=True)
class LoginOutcome:
    """Whether Remit says that it is signed in, and otherwise the reason and the status it gives."""

    signed_in: bool
    reason: str
    status: str = ""


@dataclass(frozen=True, slots=True)
class CollectOutcome:
    """How a collection ended, and the handle of what was collected."""

    status: str
    reason: str
    dataset_id: str | None


class NotOpened(Exception):  # noqa: N818 - an outcome, not a fault
    """The site could not be opened; the text is Remit's reason."""


class Planner:
    """Calls the tools one after the other; `call` sends one call and gives the structured result."""

    def __init__(self, call: Call) -> None:
        self._call = call

    async def open(self, url: str) -> str:
        """Open a site; its session.

        Raises:
            NotOpened: there is none, for the reason the result gives.
        """
        answer = await self._run("open_sites", {"urls": [url]})
        session = _entry(answer, "sessions").get("session_id")
        if not isinstance(session, str):
            raise NotOpened(_reason(_entry(answer, "sessions")) or _reason(answer))
        return session

    async def login(self, session_id: str) -> LoginOutcome:
        """Sign in with the stored credential."""
        answer = await self._run("login_sites", {"session_ids": [session_id]})
        entry = _entry(answer, "sessions")
        words = [entry.get(key) for key in ("outcome", "status", "state")]
        signed_in = entry.get("signed_in") is True or any(word in _SIGNED_IN for word in words)
        reason = "" if signed_in else _reason(entry) or _reason(answer)
        return LoginOutcome(signed_in, reason, str(entry.get("status") or answer.get("status") or ""))

    async def collect(self, session_id: str, question: Question) -> CollectOutcome:
        """Collect what a question asks for."""
        answer = await self._run("collect_sites", collect_arguments(session_id, question))
        dataset = _anywhere(answer, "dataset_id")
        entry = _entry(answer, "collections")
        return CollectOutcome(
            str(answer.get("status")), _reason(entry) or _reason(answer), dataset if isinstance(dataset, str) else None
        )

    async def write(self, dataset_id: str, name: str) -> None:
        """Write a dataset to a file of this name, whose ending says which kind."""
        await self._run("write_spreadsheet", {"dataset_id": dataset_id, "name": name})

    async def close(self, session_id: str) -> None:
        """Close the session."""
        await self._run("close_sites", {"session_ids": [session_id]})

    async def _run(self, tool: str, arguments: Answer) -> Answer:
        answer = await self._call(tool, arguments)
        while answer.get("status") == "running" and isinstance(answer.get("run_id"), str):
            answer = await self._call("continue_run", {"run_id": answer["run_id"]})
        return answer


def collect_arguments(session_id: str, question: Question) -> Answer:
    """The arguments of `collect_sites` for a question; what the question does not say is left out."""
    arguments: Answer = {
        "session_ids": [session_id],
        "items": question.items,
        "fields": list(question.fields),
    }
    if question.start:
        arguments["start"] = question.start
    if question.where:
        arguments["where"] = dict(question.where)
    if question.period:
        period = question.period
        arguments["period"] = {"field": period.field, "from": period.first, "to": period.last}
    return arguments


def _entry(answer: Answer, key: str) -> Answer:
    found = answer.get(key)
    return found[0] if isinstance(found, list) and found and isinstance(found[0], dict) else answer


def _reason(answer: Answer) -> str:
    return str(answer.get("reason") or answer.get("message") or "")


def _anywhere(value: object, key: str) -> object:
    """The first value of this key, however deep."""
    if isinstance(value, dict):
        if value.get(key) is not None:
            return value[key]
        value = list(value.values())
    if isinstance(value, list):
        return next((found for item in value if (found := _anywhere(item, key)) is not None), None)
    return None
