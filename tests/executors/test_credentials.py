"""`save_credentials` and `delete_credentials`: a person's doing, whatever the planner says."""

from __future__ import annotations

from remit.contract import Origin, Secret
from remit.handoff import Asked, Verdict
from remit.vault import NewCredential, Vault
from tests.executors.conftest import PASSWORD, Remit

SITE = "https://portal.example"


def enter(remit: Remit) -> str:
    """What the panel's form does."""
    new = NewCredential(label="x", origins=(Origin.of(SITE),), username=Secret("ada"), password=Secret(PASSWORD))
    return Vault.open(remit.settings).add(new).id


async def test_a_person_enters_it_and_the_planner_learns_its_id(remit: Remit) -> None:
    waiting = await remit.call("save_credentials", site=SITE + "/login")
    assert (waiting["status"], waiting["reason"]) == ("needs_user", "no_credential")
    question = remit.question().question
    assert (question.asked, str(question.site)) == (Asked.CREDENTIAL, SITE)
    known = enter(remit)
    told = await remit.answer()
    assert (told["status"], told["credential_ids"], told["added"]) == ("done", [known], 1)
    assert PASSWORD not in str(told)


async def test_saying_that_it_was_entered_is_not_believed(remit: Remit) -> None:
    await remit.call("save_credentials", site=SITE)
    told = await remit.answer()
    assert (told["status"], told["reason"]) == ("failed", "no_credential")


async def test_one_is_forgotten_only_with_consent(remit: Remit) -> None:
    first, second = enter(remit), enter(remit)
    waiting = await remit.call("delete_credentials", credential_ids=[first])
    assert (waiting["status"], waiting["reason"]) == ("needs_user", "approval_required")
    assert (await remit.answer(Verdict.REFUSED))["reason"] == "refused"
    assert {info.id for info in Vault.open(remit.settings).list()} == {first, second}
    await remit.call("delete_credentials", credential_ids=[first])
    assert (await remit.answer(Verdict.ALLOWED_ONCE))["status"] == "done"
    assert {info.id for info in Vault.open(remit.settings).list()} == {second}
