"""The policy: what the owner of this machine allows, asks about or denies, by executor, capability and site."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator, model_validator
from pydantic_core import PydanticCustomError

from remit.contract import Capability, Origin

from ._ruling import Decision, Ruling, Scope
from ._target import Target

_Any = Literal["*"]
ANY: _Any = "*"
ExecutorName = Annotated[str, StringConstraints(pattern=r"^(\*|[a-z][a-z0-9]*(_[a-z0-9]+)+)$", max_length=48)]


class Rule(BaseModel):
    """One rule. Each of executor, capability and target is a name or `"*"`, and is said: none is wide by omission.

    Attributes:
        target: an exact origin, or `https://*.example.org` for its subdomains; scheme and port are exact.
        scope: the longest a person's yes may stand; only where the decision is to ask. Default: once.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)

    executor: ExecutorName
    capability: Capability | _Any
    target: Target
    decision: Decision
    scope: Scope = Scope.ONCE

    @field_validator("target", mode="before")
    @classmethod
    def _is_site(cls, given: object) -> object:
        if isinstance(given, Target):
            return given
        try:
            return Target.parse(given if isinstance(given, str) else "")
        except ValueError:
            raise PydanticCustomError("bad_origin", "is no exact origin") from None

    @model_validator(mode="after")
    def _scope_is_for_asking(self) -> Rule:
        if self.decision is not Decision.ASK and "scope" in self.model_fields_set:
            raise PydanticCustomError("scope_unasked", "has a scope, which only a rule that asks can have")
        return self

    @property
    def ruling(self) -> Ruling:
        """What it says."""
        return Ruling(self.decision, self.scope)

    @property
    def is_explicit(self) -> bool:
        """Whether it names whose question it is about, so that it may silence it."""
        return ANY not in (self.executor, self.capability)

    def covers(self, executor: str, capability: Capability, target: Origin | None) -> bool:
        """Whether it is about this."""
        named = self.executor in (ANY, executor) and self.capability in (ANY, capability)
        return named and self.target.covers(target)

    def beats(self, other: Rule) -> bool:
        """Whether it is as precise in all three and more precise in one. Both cover the same thing."""
        pairs = tuple(zip(self._precision(), other._precision(), strict=True))
        return all(mine >= theirs for mine, theirs in pairs) and any(mine > theirs for mine, theirs in pairs)

    def _precision(self) -> tuple[int, int, int]:
        return int(self.executor != ANY), int(self.capability != ANY), self.target.precision


class Policy(BaseModel):
    """All rules, as the file has them.

    Which rule holds: of those that cover a use, one beats another if it is at least as precise in executor, capability
    and target, and more precise in one of them. A name is more precise than `"*"`; an exact origin more than a
    wildcard; a wildcard below a longer domain more than one below a shorter. Of those that are not beaten the strictest
    holds: deny, then ask (the shorter a yes stands, the stricter), then allow. So the order in the file means nothing,
    and of two rules neither of which is about less (one names the executor, the other the site) the stricter holds.

    A policy narrows. What the default denies stays denied. Deny and a stricter asking always hold. To ask less than the
    manifest's consent asks, or to let a yes stand longer, a rule must name both the executor and the capability; one
    that does not leaves the manifest's consent as it is.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    rule: tuple[Rule, ...] = Field(default=(), max_length=1000)

    def decide(self, executor: str, capability: Capability, target: Origin | None, default: Ruling) -> Ruling:
        """What holds for this use; `default` is that of `default_ruling`.

        Where there is no target, "for this site" becomes "for this run".
        """
        covering = [rule for rule in self.rule if rule.covers(executor, capability, target)]
        unbeaten = [rule for rule in covering if not any(other.beats(rule) for other in covering)]
        return self._held(unbeaten, default).about(target)

    def for_unknown(self, executors: Collection[str]) -> tuple[int, ...]:
        """The numbers of the rules that name an executor which is none of these, so that they never hold."""
        known = {ANY, *executors}
        return tuple(number for number, rule in enumerate(self.rule, 1) if rule.executor not in known)

    @staticmethod
    def _held(unbeaten: list[Rule], default: Ruling) -> Ruling:
        if not unbeaten or default.decision is Decision.DENY:
            return default
        strictest = max((rule.ruling for rule in unbeaten), key=lambda ruling: ruling.strictness)
        saying_so = [rule for rule in unbeaten if rule.ruling.strictness == strictest.strictness]
        return strictest if any(rule.is_explicit for rule in saying_so) else strictest.stricter(default)
