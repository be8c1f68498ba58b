from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remit.authority import ALLOWED, DENIED, Decision, Policy, Rule, Ruling, Scope, Target, default_ruling
from remit.contract import Capability, Consent, Effect, Manifest, Origin, Registry, builtin_folder

ALLOW, ASK, DENY = Decision.ALLOW, Decision.ASK, Decision.DENY
SITE = Origin.of("https://www.portal.example")
ASKED_ONCE = Ruling(ASK, Scope.ONCE)
ASKED_PER_SITE = Ruling(ASK, Scope.PER_TARGET)
LOGIN, USE = "login_sites", Capability.VAULT_USE


def rule(executor: str, capability: str, target: str, decision: Decision, scope: Scope | None = None) -> Rule:
    raw = {"executor": executor, "capability": capability, "target": target, "decision": decision}
    return Rule.model_validate(raw if scope is None else {**raw, "scope": scope})


def decide(*rules: Rule, default: Ruling = ALLOWED, target: Origin | None = SITE) -> Ruling:
    return Policy(rule=rules).decide(LOGIN, USE, target, default)


def manifest(consent: Consent, effect: Effect) -> Manifest:
    published = Registry((builtin_folder(),)).published[LOGIN].manifest
    return published.model_copy(update={"consent": consent, "effect": effect})


PRECEDENCE = [
    # The more precise rule holds, whatever it says.
    (("*", "*", "*", DENY), (LOGIN, "*", "*", ALLOW), ALLOW),
    (("*", "*", "*", DENY), ("*", "vault.use", "*", ALLOW), ALLOW),
    (("*", "*", "*", DENY), ("*", "*", str(SITE), ALLOW), ALLOW),
    ((LOGIN, "*", "*", ALLOW), (LOGIN, "vault.use", "*", DENY), DENY),
    ((LOGIN, "vault.use", "*", DENY), (LOGIN, "vault.use", str(SITE), ALLOW), ALLOW),
    (("*", "*", "https://*.example", DENY), ("*", "*", "https://*.portal.example", ALLOW), ALLOW),
    (("*", "*", "https://*.portal.example", ALLOW), ("*", "*", str(SITE), DENY), DENY),
    # Neither is about less than the other: the stricter holds.
    ((LOGIN, "*", "*", DENY), ("*", "*", str(SITE), ALLOW), DENY),
    ((LOGIN, "*", "*", ALLOW), ("*", "*", str(SITE), DENY), DENY),
    (("*", "vault.use", "*", ALLOW), (LOGIN, "*", "*", ASK), ASK),
    (("*", "vault.use", str(SITE), ALLOW), (LOGIN, "*", "https://*.example", DENY), DENY),
    # Equally precise: the stricter holds.
    ((LOGIN, "vault.use", "*", ALLOW), (LOGIN, "vault.use", "*", ASK), ASK),
    (("*", "*", "*", ASK), ("*", "*", "*", DENY), DENY),
]


@pytest.mark.parametrize(("one", "other", "expected"), PRECEDENCE)
def test_the_more_precise_rule_holds_and_else_the_stricter(
    one: tuple[str, str, str, Decision], other: tuple[str, str, str, Decision], expected: Decision
) -> None:
    for rules in itertools.permutations((rule(*one), rule(*other))):
        assert decide(*rules).decision is expected


def test_of_two_rules_that_ask_the_one_whose_yes_is_shorter_holds() -> None:
    rules = rule(LOGIN, "*", "*", ASK, Scope.ALWAYS), rule("*", "vault.use", "*", ASK, Scope.PER_RUN)
    assert decide(*rules) == Ruling(ASK, Scope.PER_RUN)
    assert rule(LOGIN, "*", "*", ASK).ruling == ASKED_ONCE


@pytest.mark.parametrize(
    ("target", "covered", "not_covered"),
    [
        ("*", ["https://a.example", "http://127.0.0.1:8080"], []),
        ("https://a.example", ["https://a.example"], ["http://a.example", "https://a.example:8443", "https://b.a.example"]),
        (
            "https://*.a.example",
            ["https://b.a.example", "https://c.b.a.example"],
            ["https://a.example", "http://b.a.example", "https://b.a.example:444", "https://ba.example", "https://xa.example"],
        ),
        ("https://*.a.example:8443", ["https://b.a.example:8443"], ["https://b.a.example", "https://a.example:8443"]),
        ("https://*.bücher.example", ["https://www.xn--bcher-kva.example"], ["https://xn--bcher-kva.example"]),
        ("http://[0:0::1]:8080", ["http://[::1]:8080"], ["http://127.0.0.1:8080"]),
    ],
)  # fmt: skip
def test_a_target_is_exact_or_stands_for_subdomains_only(
    target: str, covered: list[str], not_covered: list[str]
) -> None:
    parsed = Target.parse(target)
    assert all(parsed.covers(Origin.of(origin)) for origin in covered)
    assert not any(parsed.covers(Origin.of(origin)) for origin in not_covered)
    assert parsed.covers(None) is (target == "*")


@pytest.mark.parametrize(
    "text",
    [
        "", "**", "portal.example", "https://", "https://*", "https://*.", "https://*.*.example", "https://a.*.example",
        "https://*a.example", "*.example", "ftp://a.example", "https://a.example/", "https://a.example/path",
        "https://a.example?q", "https://a.example#f", "https://user@a.example", "https://a.example:99999",
        "https://a.example:0", "https://*.127.0.0.1", "https://127.1", "https://300.0.0.1", "https://*.[::1]",
        "https://[::zz]", "https://a..example", "https://.example", "https://a b.example", " https://a.example",
        "https://a.example\n", "https://a\\b.example", "https://a%2e.example", "https://a.example,https://b.example",
    ],
)  # fmt: skip
def test_what_is_no_exact_origin_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^$"):
        Target.parse(text)


@pytest.mark.parametrize(
    ("consent", "effect", "expected"),
    [
        (Consent.NONE, Effect.READ_ONLY, ALLOWED),
        (Consent.NONE, Effect.CREATE_ONLY, ALLOWED),
        (Consent.NONE, Effect.REVERSIBLE, ALLOWED),
        (Consent.NONE, Effect.INTERACTIVE, ALLOWED),
        (Consent.NONE, Effect.MUTATING, ASKED_ONCE),
        (Consent.ONCE_PER_TARGET, Effect.INTERACTIVE, ASKED_PER_SITE),
        (Consent.ONCE_PER_TARGET, Effect.MUTATING, ASKED_ONCE),
        (Consent.EACH_TIME, Effect.READ_ONLY, ASKED_ONCE),
        (Consent.EACH_TIME, Effect.MUTATING, ASKED_ONCE),
    ],
)
def test_the_default_is_the_manifests_consent_or_stricter(consent: Consent, effect: Effect, expected: Ruling) -> None:
    assert default_ruling(manifest(consent, effect), USE) == expected
    assert default_ruling(manifest(consent, effect), Capability.NETWORK) == DENIED
    assert default_ruling(manifest(consent, effect), USE, consented=False) == ALLOWED
    assert default_ruling(manifest(consent, effect), Capability.NETWORK, consented=False) == DENIED


def test_only_a_rule_that_names_executor_and_capability_silences_a_manifests_consent() -> None:
    for executor, capability in (("*", "*"), (LOGIN, "*"), ("*", "vault.use")):
        assert decide(rule(executor, capability, str(SITE), ALLOW), default=ASKED_PER_SITE) == ASKED_PER_SITE
        longer = rule(executor, capability, str(SITE), ASK, Scope.ALWAYS)
        assert decide(longer, default=ASKED_PER_SITE) == ASKED_PER_SITE
        shorter = rule(executor, capability, str(SITE), ASK, Scope.PER_RUN)
        assert decide(shorter, default=ASKED_PER_SITE) == Ruling(ASK, Scope.PER_RUN)
    assert decide(rule(LOGIN, "vault.use", "*", ALLOW), default=ASKED_ONCE) == ALLOWED
    assert decide(rule(LOGIN, "vault.use", "*", ASK, Scope.ALWAYS), default=ASKED_ONCE) == Ruling(ASK, Scope.ALWAYS)


def test_without_a_site_a_yes_for_the_site_is_one_for_the_run() -> None:
    assert decide(default=ASKED_PER_SITE, target=None) == Ruling(ASK, Scope.PER_RUN)
    assert decide(rule("*", "*", str(SITE), DENY), target=None) == ALLOWED
    assert decide(rule("*", "*", "*", DENY), target=None) == DENIED


def test_a_rule_for_an_executor_that_is_none_is_told_by_its_number() -> None:
    policy = Policy(rule=(rule("*", "*", "*", ASK), rule("login_site", "*", "*", DENY), rule(LOGIN, "*", "*", DENY)))
    assert policy.for_unknown([LOGIN]) == (2,)


rulings = st.sampled_from([ALLOWED, DENIED, *(Ruling(ASK, scope) for scope in Scope)])
rules = st.builds(
    lambda executor, capability, target, ruling: rule(
        executor, capability, target, ruling.decision, ruling.scope if ruling.decision is ASK else None
    ),
    st.sampled_from(["*", LOGIN, "act_sites"]),
    st.sampled_from(["*", "vault.use", "browser.act"]),
    st.sampled_from(["*", str(SITE), "https://*.example", "https://*.portal.example", "https://other.example"]),
    rulings,
)
targets = st.sampled_from([SITE, Origin.of("https://other.example"), Origin.of("http://www.portal.example"), None])


twice = st.lists(rules, max_size=6).flatmap(lambda listed: st.tuples(st.just(listed), st.permutations(listed)))


@given(twice, rulings, targets)
def test_the_order_in_the_file_means_nothing(
    orders: tuple[list[Rule], list[Rule]], default: Ruling, target: Origin | None
) -> None:
    one, other = (decide(*listed, default=default, target=target) for listed in orders)
    assert one == other


@given(st.lists(rules, max_size=6), rulings, targets)
def test_a_policy_never_broadens_but_where_its_owner_named_the_question(
    listed: list[Rule], default: Ruling, target: Origin | None
) -> None:
    held = decide(*listed, default=default, target=target)
    named = [item for item in listed if item.is_explicit and item.covers(LOGIN, USE, target)]
    loosest = min((item.ruling.about(target).strictness for item in named), default=default.about(target).strictness)
    assert held.strictness >= min(loosest, default.about(target).strictness)
    if default.decision is DENY:
        assert held.decision is DENY


@given(st.lists(rules, max_size=6), rulings, targets)
def test_one_more_deny_for_everything_about_a_use_denies_it(
    listed: list[Rule], default: Ruling, target: Origin | None
) -> None:
    exact = rule(LOGIN, "vault.use", str(target) if target else "*", DENY)
    assert decide(*listed, exact, default=default, target=target).decision is DENY


@given(rulings, rulings)
def test_the_stricter_of_two_is_one_of_them_whichever_comes_first(one: Ruling, other: Ruling) -> None:
    assert one.stricter(other) == other.stricter(one)
    assert one.stricter(other) in (one, other)
    assert replace(one) == one.stricter(one)


def test_scopes_are_ordered_from_once_to_always() -> None:
    assert sorted(Scope, key=lambda scope: scope.reach) == [
        Scope.ONCE,
        Scope.PER_RUN,
        Scope.PER_TARGET,
        Scope.ALWAYS,
    ]
    assert Scope.ALWAYS.within(Scope.PER_RUN) is Scope.PER_RUN.within(Scope.ALWAYS) is Scope.PER_RUN
