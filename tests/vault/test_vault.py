from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from remit.contract import Origin, Reason
from remit.vault import Vault, VaultError

from .helpers import SITE, TOTP, credential, settings_in

_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
_LINE = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=60).filter(str.strip)
_FEW = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@given(
    label=_LINE, username=_TEXT, password=_TEXT.filter(bool), cookies=st.lists(_TEXT, max_size=3), keep=st.booleans()
)
@_FEW
def test_what_was_stored_comes_back(
    tmp_path: Path, label: str, username: str, password: str, cookies: list[str], keep: bool
) -> None:
    new = credential(
        label=label,
        origins=(SITE, Origin.of("https://sso.example:8443"), SITE),
        login_url="https://portal.example/in",
        username=username,
        password=password,
        totp=TOTP,
        session_cookies=tuple(cookies),
        keep_session=keep,
    )
    info = Vault.open(settings_in(tmp_path)).add(new)
    back = Vault.open(settings_in(tmp_path)).get(info.id)
    assert back.totp is not None
    assert (back.label, back.username.reveal(), back.password.reveal()) == (label, username, password)
    assert back.origins == (SITE, Origin.of("https://sso.example:8443"))
    assert (back.login_url, back.totp.reveal()) == ("https://portal.example/in", TOTP)
    assert (back.session_cookies, back.keep_session) == (tuple(cookies), keep)
    assert (back.id, back.created_at) == (info.id, info.created_at)


@given(kind=_TEXT, entry_id=_TEXT, data=st.binary(max_size=2000))
@_FEW
def test_private_records_come_back(tmp_path: Path, kind: str, entry_id: str, data: bytes) -> None:
    vault = Vault.open(settings_in(tmp_path))
    vault.put_private(kind, entry_id, data)
    assert Vault.open(settings_in(tmp_path)).get_private(kind, entry_id) == data
    vault.delete_private(kind, entry_id)
    vault.delete_private(kind, entry_id)
    assert vault.get_private(kind, entry_id) is None


def test_long_values_and_an_empty_user_name_come_back(tmp_path: Path) -> None:
    vault = Vault.open(settings_in(tmp_path))
    info = vault.add(credential(username="", password="é" * 100_000))
    back = vault.get(info.id)
    assert (back.username.reveal(), back.password.reveal()) == ("", "é" * 100_000)


def test_a_vault_that_is_not_there_is_empty_and_is_not_made_by_looking(tmp_path: Path) -> None:
    vault = Vault.open(settings_in(tmp_path))
    assert vault.list() == []
    assert vault.get_private("session", "cred_1") is None
    assert not settings_in(tmp_path).vault_dir.exists()


def test_credentials_are_listed_oldest_first_and_found_by_exact_origin_only(tmp_path: Path) -> None:
    vault = Vault.open(settings_in(tmp_path))
    other = Origin.of("https://portal.example:8443")
    first = vault.add(credential())
    both = vault.add(credential(origins=(other, SITE), totp=TOTP))
    assert vault.list() == [first, both]
    assert vault.for_origin(SITE) == [first, both]
    assert vault.for_origin(other) == [both]
    assert vault.for_origin(Origin.of("http://portal.example")) == []
    assert (first.has_totp, both.has_totp) == (False, True)


def test_removing_forgets_the_credential_and_what_was_kept_for_it(tmp_path: Path) -> None:
    vault = Vault.open(settings_in(tmp_path))
    gone, stays = vault.add(credential()), vault.add(credential())
    for info in (gone, stays):
        vault.put_private("session", info.id, b"state")
    vault.remove(gone.id)
    assert vault.list() == [stays]
    assert vault.get_private("session", gone.id) is None
    assert vault.get_private("session", stays.id) == b"state"
    for call in (vault.get, vault.remove):
        with pytest.raises(VaultError) as unknown:
            call(gone.id)
        assert unknown.value.reason is Reason.UNKNOWN_CREDENTIAL


def test_private_records_are_no_credentials_and_kinds_do_not_mix(tmp_path: Path) -> None:
    vault = Vault.open(settings_in(tmp_path))
    info = vault.add(credential())
    vault.put_private("credential", "cred_x", b"1")
    vault.put_private("a", "b/c", b"2")
    vault.put_private("a/b", "c", b"3")
    assert vault.list() == [info]
    assert vault.get_private("credential", info.id) is None
    assert vault.get_private("credential-secret", info.id) is None
    assert (vault.get_private("a", "b/c"), vault.get_private("a/b", "c")) == (b"2", b"3")


def test_equal_credentials_get_ids_that_say_nothing(tmp_path: Path) -> None:
    vault = Vault.open(settings_in(tmp_path))
    ids = {vault.add(credential()).id for _ in range(3)}
    assert len(ids) == 3
    assert all(name.startswith("cred_") for name in ids)


def test_an_open_vault_sees_what_another_one_stores(tmp_path: Path) -> None:
    here, there = Vault.open(settings_in(tmp_path)), Vault.open(settings_in(tmp_path))
    first = there.add(credential())
    second = here.add(credential())
    assert here.list() == there.list() == [first, second]


def test_the_file_does_not_show_how_long_a_password_is(tmp_path: Path) -> None:
    sizes = set()
    for length in (1, 8, 60):
        vault = Vault.open(settings_in(tmp_path / str(length)))
        vault.add(credential(password="x" * length))
        sizes.add((settings_in(tmp_path / str(length)).vault_dir / "vault").stat().st_size)
    assert len(sizes) == 1


def test_threads_share_one_vault(tmp_path: Path) -> None:
    vault = Vault.open(settings_in(tmp_path))

    def work(name: int) -> None:
        for _ in range(5):
            vault.put_private("kind", f"{name}-{len(vault.list())}", b"x")
            vault.add(credential(label=str(name)))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert len(vault.list()) == 20


_WRITER = """
import sys
from pathlib import Path
from remit.contract import Origin, Secret
from remit.settings import Settings
from remit.vault import NewCredential, Vault
folder, name = sys.argv[1:]
vault = Vault.open(Settings(vault_dir=Path(folder), vault_key="file"))
print("ready", flush=True)
sys.stdin.readline()
for number in range(10):
    vault.add(NewCredential(label=f"{name}{number}", origins=(Origin.of("https://a.example"),),
                            username=Secret(""), password=Secret("p")))
    vault.put_private("count", name, str(number).encode())
"""


def test_processes_that_write_at_once_lose_nothing_even_while_the_vault_is_made(tmp_path: Path) -> None:
    configuration = settings_in(tmp_path)
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(configuration.vault_dir), name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in "abc"
    ]
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("\n")
        writer.stdin.flush()
    vault = Vault.open(configuration)
    while any(writer.poll() is None for writer in writers):
        vault.list()  # A reader never sees a half-written file, and no rollback where there is none.
    for writer in writers:
        writer.communicate()
    assert [writer.returncode for writer in writers] == [0, 0, 0]
    assert sorted(info.label for info in vault.list()) == sorted(f"{name}{n}" for name in "abc" for n in range(10))
    assert [vault.get_private("count", name) for name in "abc"] == [b"9"] * 3


def test_nothing_is_left_beside_the_files_not_even_by_a_killed_writer(tmp_path: Path) -> None:
    configuration = settings_in(tmp_path)
    vault = Vault.open(configuration)
    vault.add(credential())
    (configuration.vault_dir / ".vault.1234.abcd").write_bytes(b"left")
    vault.add(credential())
    assert {path.name for path in configuration.vault_dir.iterdir()} == {"vault", "master.key", "lock"}
