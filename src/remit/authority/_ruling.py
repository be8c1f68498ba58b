"""What may happen: a decision, and how long a person's yes stands."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from remit.contract import Capability, Consent, Effect, Manifest, Origin


class Decision(StrEnum):
    """Whether something may be done, from the loosest to the strictest."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


class Scope(StrEnum):
    """How long a person's yes stands, from the strictest to the loosest."""

    ONCE = "once"
    """For this very control of this very page, one time."""
    PER_RUN = "per_run"
    """For this site for this run."""
    PER_TARGET = "per_target"
    """For this site, until it is revoked."""
    ALWAYS = "always"
    """For every site, until it is revoked."""

    @property
    def reach(self) -> int:
        """0 for the strictest; more the longer a yes stands."""
        return _BY_REACH.index(self)

    def within(self, other: Scope) -> Scope:
        """The stricter of the two."""
        return min(self, other, key=lambda scope: scope.reach)


_BY_REACH = (Scope.ONCE, Scope.PER_RUN, Scope.PER_TARGET, Scope.ALWAYS)
_BY_STRICTNESS = (Decision.ALLOW, Decision.ASK, Decision.DENY)


@dataclass(frozen=True, slots=True)
class Ruling:
    """A decision. `scope` means something only where it is to ask: the longest a yes may stand."""

    decision: Decision
    scope: Scope = Scope.ONCE

    @property
    def strictness(self) -> tuple[int, int]:
        """Larger is stricter: deny, then ask (the shorter a yes stands, the stricter), then allow."""
        asked = self.decision is Decision.ASK
        return _BY_STRICTNESS.index(self.decision), -self.scope.reach if asked else 0

    def stricter(self, other: Self) -> Self:
        """The stricter of the two; this one where they are equal."""
        return max(self, other, key=lambda ruling: ruling.strictness)

    def about(self, target: Origin | None) -> Ruling:
        """The same where there is a site; without one, "for this site" can only mean "for this run"."""
        return self if target is not None else Ruling(self.decision, _without_site(self.scope))


def _without_site(scope: Scope) -> Scope:
    return Scope.PER_RUN if scope is Scope.PER_TARGET else scope


ALLOWED = Ruling(Decision.ALLOW)
DENIED = Ruling(Decision.DENY)
_OF_CONSENT = {
    Consent.NONE: ALLOWED,
    Consent.ONCE_PER_TARGET: Ruling(Decision.ASK, Scope.PER_TARGET),
    Consent.EACH_TIME: Ruling(Decision.ASK, Scope.ONCE),
}
_OF_EFFECT = {Effect.MUTATING: Ruling(Decision.ASK, Scope.ONCE)}


def default_ruling(manifest: Manifest, capability: Capability, *, consented: bool = True) -> Ruling:
    """What holds where no rule of the policy says otherwise.

    A capability that the manifest does not list is denied, and no rule changes that. Else:

    | effect | default |
    |---|---|
    | read_only, create_only, reversible, interactive | as the manifest's consent says |
    | mutating | ask each time, whatever the manifest's consent says |

    | consent | default |
    |---|---|
    | none | allow |
    | once_per_target | ask; a yes stands for this site (`PER_TARGET`) |
    | each_time | ask; a yes stands once (`ONCE`) |

    An interactive effect is not asked about by itself: opening a page or reading a list is interactive, too, and the
    manifest, which a person can read and sign, says where consent begins.

    Args:
        manifest: the executor's.
        capability: the one that is about to be used.
        consented: whether this use is the effect that the manifest's consent is about. Looking at a page on the way
            to a click is not; it is allowed unless a rule says otherwise.
    """
    if capability not in manifest.capabilities:
        return DENIED
    if not consented:
        return ALLOWED
    return _OF_CONSENT[manifest.consent].stricter(_OF_EFFECT.get(manifest.effect, ALLOWED))
