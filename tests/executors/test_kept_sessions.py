from __future__ import annotations

from remit.vault import Vault
from tests.canary import Canaries
from tests.executors.conftest import PASSWORD, USERNAME, Remit, Serve
from tests.sites.signin_app import Accounts


async def test_a_kept_session_is_signed_in_without_the_secret(remit: Remit, served: Serve) -> None:
    site = served(Accounts(USERNAME, PASSWORD).pages())
    remit.store(site, keep_session=True)
    session = await remit.open(site)
    assert (await remit.login_again(session))["status"] == "done"
    await remit.call("close_sites", session_ids=[session])

    opened = (await remit.call("open_sites", urls=[site.url]))["sessions"][0]
    assert opened["signed_in"] is True
    item = await remit.login_again(opened["session_id"])
    assert (item["status"], item["already"]) == ("done", True)
    assert len(site.posts("/login")) == 1


async def test_a_kept_session_that_ended_is_signed_in_again(remit: Remit, served: Serve) -> None:
    desk = Accounts(USERNAME, PASSWORD)
    site = served(desk.pages())
    remit.store(site, keep_session=True)
    await remit.login_again(await remit.open(site))
    desk.inside.clear()

    opened = (await remit.call("open_sites", urls=[site.url]))["sessions"][0]
    assert "signed_in" not in opened
    item = await remit.login_again(opened["session_id"])
    assert item["status"] == "done"
    assert "already" not in item
    assert len(site.posts("/login")) == 2


async def test_of_two_accounts_the_named_one_is_restored(remit: Remit, served: Serve) -> None:
    site = served(Accounts(USERNAME, PASSWORD).pages())
    first = remit.store(site, keep_session=True)
    await remit.login_again(await remit.open(site), credential_id=first)
    second = remit.store(site, keep_session=True, username="other@example.test")

    opened = (await remit.call("open_sites", urls=[site.url]))["sessions"][0]
    assert "signed_in" not in opened
    item = await remit.login_again(opened["session_id"], credential_id=first)
    assert item["already"] is True
    other = await remit.login_again(opened["session_id"], credential_id=second)
    assert (other["status"], other["reason"]) == ("failed", "identity_mismatch")
    assert len(site.posts("/login")) == 1


async def test_nothing_is_kept_unless_the_credential_allows_it(remit: Remit, served: Serve) -> None:
    site = served(Accounts(USERNAME, PASSWORD).pages())
    known = remit.store(site)
    session = await remit.open(site)
    await remit.login_again(session)
    await remit.call("close_sites", session_ids=[session])
    assert Vault.open(remit.settings).get_private("session", known) is None
    assert "signed_in" not in (await remit.call("open_sites", urls=[site.url]))["sessions"][0]


async def test_what_is_kept_is_nowhere_in_clear(remit: Remit, served: Serve) -> None:
    desk = Accounts(USERNAME, PASSWORD)
    site = served(desk.pages())
    remit.store(site, keep_session=True)
    await remit.login_again(await remit.open(site))
    canaries = Canaries({"session cookie": next(iter(desk.inside))})
    for folder in (remit.settings.data_dir, remit.settings.vault_dir):
        assert canaries.in_folder(folder) == []
