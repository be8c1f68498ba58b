"""Asking through the client, in both protocol eras, and only what a client may be trusted with.

By URL any question: the client leads its person to the panel. By form only consent, in our words: never a secret, never
a text of a page. Decline and cancel may have been the client's own doing, so neither is an answer.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mcp import MCPError, types
from mcp.types.version import is_version_at_least

from remit.contract import compact
from remit.handoff import Answer, Asked, Effect, Pending, Question, Through, Verdict
from remit.runs import Parked, Shown

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

PARKING = "2026-07-28"
"""From this protocol on a question ends the call, and the client calls again with the reply."""

ALLOW = {"once": Verdict.ALLOWED_ONCE, "for_this_run": Verdict.ALLOWED_FOR_RUN, "no": Verdict.REFUSED}
_FORM: dict[str, Any] = {
    "type": "object",
    "properties": {
        "decision": {
            "type": "string",
            "title": "Your decision",
            "oneOf": [
                {"const": "no", "title": "Do not allow"},
                {"const": "once", "title": "Allow once"},
                {"const": "for_this_run", "title": "Allow for this site for this run"},
            ],
        }
    },
    "required": ["decision"],
}
_EFFECTS = {
    Effect.SIGN_IN: "sign in with the stored credential",
    Effect.USE_CONTROL: "use a control that does more than navigate",
    Effect.SEND_FORM: "send a form",
    Effect.DOWNLOAD: "download a file",
    Effect.READ_VALUES: "show collected values to the assistant",
    Effect.REMOVE_CREDENTIAL: "remove a stored credential",
}
_WANTED = {
    Asked.CONSENT: "A decision is needed.",
    Asked.ONE_TIME_CODE: "A one-time code is needed. Enter it in the page that opens, not here.",
    Asked.CHALLENGE: "The site asks to prove that a person is there.",
    Asked.CREDENTIAL: "A credential is needed. Enter it in the page that opens, not here.",
    Asked.CHOICE: "A choice is needed.",
    Asked.SITE_DEMAND: "The site asks for something that only you can do.",
}


def message(question: Question) -> str:
    """What the person reads in the client: our words, and the site's exact origin."""
    where = f" at {question.site}" if question.site is not None else ""
    if question.asked is Asked.CONSENT and question.effect is not None:
        return f"Allow Remit to {_EFFECTS[question.effect]}{where}?"
    return f"{_WANTED[question.asked]}{where and f' ({question.site})'}"


@dataclass(frozen=True, slots=True)
class ClientChannel:
    """The client of one call."""

    ctx: ServerRequestContext[Any]

    @property
    def parks(self) -> bool:
        """Whether the client speaks the protocol in which a question ends the call."""
        return is_version_at_least(self.ctx.protocol_version, PARKING)

    def can_put(self, question: Question) -> bool:
        """By URL anything; by form consent."""
        return self._by_url() or self._by_form(question)

    def _by_url(self) -> bool:
        asking = self._asking()
        return asking is not None and asking.url is not None

    def _by_form(self, question: Question) -> bool:
        """A bare `elicitation: {}` means forms."""
        asking = self._asking()
        can = asking is not None and (asking.form is not None or asking.url is None)
        return can and question.asked is Asked.CONSENT and question.effect is not None

    def _asking(self) -> types.ElicitationCapability | None:
        capabilities = self.ctx.session.client_capabilities
        return capabilities.elicitation if capabilities else None

    def request(self, question: Question, ticket: str | None) -> types.ElicitRequest:
        """What is put to the client: a form where that is enough, else the way to the panel."""
        if self._by_form(question) or ticket is None:
            return types.ElicitRequest(
                params=types.ElicitRequestFormParams(message=message(question), requested_schema=_FORM)
            )
        return types.ElicitRequest(params=types.ElicitRequestURLParams(message=message(question), url=ticket))

    async def put(self, question: Pending, ticket: str | None) -> Answer | Shown:
        """Ask in the middle of a call of the older protocols."""
        session, asked = self.ctx.session, question.question
        if ticket is None and not self._by_form(asked):
            return Shown.NOWHERE
        try:
            if self._by_form(asked):
                reply = await session.elicit_form(message(asked), _FORM, self.ctx.request_id)
            else:
                reply = await session.elicit_url(message(asked), str(ticket), question.id, self.ctx.request_id)
        except MCPError:
            return Shown.NOWHERE
        return read_reply(reply)


def read_reply(reply: types.ElicitResult) -> Answer | Shown:
    """What a client's reply means. Only a form's explicit decision is an answer."""
    if reply.action != "accept":
        return Shown.NOWHERE
    if not reply.content:
        return Shown.LED
    verdict = ALLOW.get(str(reply.content.get("decision")))
    return Answer(verdict, Through.CLIENT) if verdict is not None else Shown.NOWHERE


def park(parked: Parked, channel: ClientChannel) -> types.InputRequiredResult:
    """End a call of the newer protocol with its question; the state names run and question."""
    question = parked.question
    return types.InputRequiredResult(
        input_requests={question.id: channel.request(question.question, parked.ticket)},
        request_state=compact({"run": question.run_id, "question": question.id}),
    )


def reply_of(state: str, responses: Mapping[str, Any] | None) -> tuple[str, str, Answer | Shown]:
    """Run, question and reply of a call that goes on. The state was sealed by us; the reply may be anything."""
    told = json.loads(state)
    run_id, question_id = str(told["run"]), str(told["question"])
    reply = (responses or {}).get(question_id)
    if not isinstance(reply, types.ElicitResult):
        return run_id, question_id, Shown.NOWHERE
    return run_id, question_id, read_reply(reply)
