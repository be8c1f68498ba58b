"""What an executor may do: the capabilities its manifest grants, the owner's policy, persons' approvals, and the log.

A use of a capability passes, in this order: `Grants.require` (the manifest lists it), `Policy.decide` (allow, ask,
deny), `Approvals.stands` or a question to a person and `Approvals.grant`, and, where the yes is for once,
`Approvals.take` at the dispatch. Each step is written with `Audit.append`.
"""

from ._approvals import Approval, Approvals, Granted
from ._audit import Audit, open_audit
from ._audit_row import AuditReport, Broken, Entry
from ._facts import AuditKind, Facts
from ._grants import Grants, NotGrantedError
from ._keeping import AuditError
from ._policy import Policy, Rule
from ._policy_file import PolicyError, PolicyProblem, read_policy
from ._ruling import ALLOWED, DENIED, Decision, Ruling, Scope, default_ruling
from ._target import Target

__all__ = [
    "ALLOWED",
    "DENIED",
    "Approval",
    "Approvals",
    "Audit",
    "AuditError",
    "AuditKind",
    "AuditReport",
    "Broken",
    "Decision",
    "Entry",
    "Facts",
    "Granted",
    "Grants",
    "NotGrantedError",
    "Policy",
    "PolicyError",
    "PolicyProblem",
    "Rule",
    "Ruling",
    "Scope",
    "Target",
    "default_ruling",
    "open_audit",
    "read_policy",
]
