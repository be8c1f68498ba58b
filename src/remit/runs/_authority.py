"""Authority over one effect: what the policy says, what a person already allowed, and the asking."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from remit.authority import (
    Approval,
    Approvals,
    AuditKind,
    Decision,
    Facts,
    Policy,
    Ruling,
    Scope,
    default_ruling,
)
from remit.contract import Capability, Manifest, Reason, RemitError
from remit.handoff import Pending, Question, Verdict

from ._log import Log

_SCOPES = {
    Verdict.ALLOWED_ONCE: Scope.ONCE,
    Verdict.ALLOWED_FOR_RUN: Scope.PER_RUN,
    Verdict.ALLOWED_FOR_SITE: Scope.PER_TARGET,
}


def fingerprint(*parts: object) -> str:
    """The digest that an approval is bound to: of the exact control and its page."""
    digest = hashlib.sha256()
    for part in parts:
        text = repr(part).encode()
        digest.update(len(text).to_bytes(8, "big") + text)
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave to do one thing. `spend` it immediately before the dispatch: a yes for once is used up by it."""

    _take: Callable[[], bool] = field(repr=False, default=lambda: True)

    def spend(self) -> None:
        """Use it.

        Raises:
            RemitError: APPROVAL_REQUIRED, it was used before, or is for another control.
        """
        if not self._take():
            raise RemitError(Reason.APPROVAL_REQUIRED)


@dataclass(frozen=True, slots=True)
class Authority:
    """What one run may do, beyond the capabilities of its manifest."""

    manifest: Manifest
    principal: str
    run_id: str | None
    policy: Policy
    approvals: Callable[[], Approvals]
    log: Log
    ask: Callable[[Question], Awaitable[Pending]]

    async def leave(
        self, capability: Capability, question: Question, *, consented: bool = True, within: str | None = None
    ) -> Leave:
        """Obtain leave for one effect: from the policy, from a yes that stands, or by asking `question` now.

        Args:
            capability: what is about to be used.
            question: what the person would be asked; its site and fingerprint are what a yes is bound to.
            consented: whether this is what the manifest's consent is about; else it is free unless the policy says not.
            within: what "for this run" means where it is not the run: the id of a dataset.

        Raises:
            RemitError: REFUSED by the policy or a person, NOT_ANSWERED, CANCELLED.
            NeedsPersonError: nobody can be asked.
        """
        default = default_ruling(self.manifest, capability, consented=consented)
        ruling = self.policy.decide(self.manifest.name, capability, question.site, default)
        if ruling != default:
            self._note(AuditKind.POLICY, capability, question, decision=ruling.decision)
        if ruling.decision is Decision.DENY:
            raise RemitError(Reason.REFUSED)
        run = within or self.run_id
        if ruling.decision is Decision.ALLOW or self._stands(capability, question, ruling, run):
            return Leave()
        return await self._asked(capability, question, ruling, run)

    def _stands(self, capability: Capability, question: Question, ruling: Ruling, run: str | None) -> bool:
        return self.approvals().stands(
            self.principal, self.manifest.name, capability, question.site, run, at_most=ruling.scope
        )

    async def _asked(self, capability: Capability, question: Question, ruling: Ruling, run: str | None) -> Leave:
        question = replace(question, reach=ruling.scope, fingerprint=question.fingerprint or fingerprint(run, question))
        pending = await self.ask(question)
        scope = _SCOPES[pending.given.verdict].within(ruling.scope)
        approval = Approval(
            pending.id,
            self.principal,
            self.manifest.name,
            capability,
            question.site,
            scope,
            run,
            question.fingerprint if scope is Scope.ONCE else None,
        )
        approvals = self.approvals()
        granted = approvals.grant(approval)
        self._note(AuditKind.APPROVED, capability, question, scope=scope, approval=granted)
        if scope is not Scope.ONCE:
            return Leave()
        assert run is not None
        return Leave(lambda: approvals.take(run, question.fingerprint))

    def _note(self, kind: AuditKind, capability: Capability, question: Question, **more: object) -> None:
        facts = {
            "executor": self.manifest.name,
            "capability": capability,
            "target": question.site,
            "fingerprint": question.fingerprint or None,
            "session": question.session_id,
            **more,
        }
        self.log.append(kind, self.run_id, Facts.model_validate(facts))
