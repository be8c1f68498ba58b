"""What the audit log may hold: members of closed sets, ids, origins, digests, counts. Text has no way in, by type."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, InstanceOf, StringConstraints

from remit.contract import Capability, Origin, Reason, Status

from ._ruling import Decision, Scope

Id = Annotated[str, StringConstraints(pattern=r"^[a-z]{1,8}_[A-Za-z0-9_-]{4,48}$")]
"""An id that Remit made: a short kind, then random characters."""
Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32,128}$")]
ToolName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9]*(_[a-z0-9]+)+$", max_length=48)]
Count = Annotated[int, Field(strict=True, ge=0, le=2**53 - 1)]


class AuditKind(StrEnum):
    """What is logged."""

    RUN_STARTED = "run_started"
    RUN_RESUMED = "run_resumed"
    RUN_ENDED = "run_ended"
    QUESTION_ASKED = "question_asked"
    QUESTION_ANSWERED = "question_answered"
    APPROVED = "approved"
    REFUSED = "refused"
    REVOKED = "revoked"
    POLICY = "policy"
    EFFECT_INTENDED = "effect_intended"
    EFFECT_SETTLED = "effect_settled"
    CREDENTIAL_SAVED = "credential_saved"
    CREDENTIAL_USED = "credential_used"
    CREDENTIAL_REMOVED = "credential_removed"
    FILE_WRITTEN = "file_written"
    VALUES_READ = "values_read"
    OBSTRUCTION_KEPT = "obstruction_kept"
    ACCESS_REFUSED = "access_refused"


class Facts(BaseModel):
    """The facts of one row. A field of type `StrEnum` takes a member of any enumeration in the code, never its text.

    Attributes:
        executor: the tool.
        capability: what it used, or wanted to.
        target: the exact origin it is about.
        decision: what the policy, or a person, said.
        scope: how long a yes stands.
        reason: the closed reason.
        status: how a run ended.
        asked: what a person was asked for.
        verdict: what became of the question.
        through: the way the answer came.
        effect: what was about to happen.
        outcome: what was observed of it.
        resumes: the run that this one takes up.
        question: its id.
        approval: its id.
        credential: its id.
        session: its id.
        dataset: its id.
        principal: digest of who called.
        fingerprint: digest of the control and page that an approval is bound to.
        digest: digest of a file or of what else the kind is about.
        number: the journal's number of an effect.
        rows: how many.
        actions: how many.
        bytes: how many.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)

    executor: ToolName | None = None
    capability: InstanceOf[Capability] | None = None
    target: InstanceOf[Origin] | None = None
    decision: InstanceOf[Decision] | None = None
    scope: InstanceOf[Scope] | None = None
    reason: InstanceOf[Reason] | None = None
    status: InstanceOf[Status] | None = None
    asked: InstanceOf[StrEnum] | None = None
    verdict: InstanceOf[StrEnum] | None = None
    through: InstanceOf[StrEnum] | None = None
    effect: InstanceOf[StrEnum] | None = None
    outcome: InstanceOf[StrEnum] | None = None
    resumes: Id | None = None
    question: Id | None = None
    approval: Id | None = None
    credential: Id | None = None
    session: Id | None = None
    dataset: Id | None = None
    principal: Digest | None = None
    fingerprint: Digest | None = None
    digest: Digest | None = None
    number: Count | None = None
    rows: Count | None = None
    actions: Count | None = None
    bytes: Count | None = None

    def canonical(self) -> str:
        """The facts that are there, as JSON with sorted keys and no spaces: the same facts are the same text."""
        there = {name: value for name in type(self).model_fields if (value := getattr(self, name)) is not None}
        plain = {name: value if isinstance(value, int) else str(value) for name, value in there.items()}
        return json.dumps(plain, sort_keys=True, separators=(",", ":"))
