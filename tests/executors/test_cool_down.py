from __future__ import annotations

from pathlib import Path

from remit.contract import Origin, Secret
from remit.executors._cool_down import FIRST_S, LONGEST_S, forget, note_rejection, seconds_left
from remit.settings import Settings
from remit.vault import NewCredential, Vault


def stored(folder: Path) -> tuple[Vault, str]:
    vault = Vault.open(Settings(vault_dir=folder, vault_key="file"))
    new = NewCredential(label="x", origins=(Origin.of("https://a.test"),), username=Secret("u"), password=Secret("p"))
    vault.add(new)
    return vault, vault.for_origin(Origin.of("https://a.test"))[0].id


def test_each_rejection_rests_the_credential_twice_as_long_up_to_a_day(tmp_path: Path) -> None:
    vault, known = stored(tmp_path)
    assert seconds_left(vault, known, lambda: 0) == 0
    waits = []
    for _ in range(14):
        note_rejection(vault, known, lambda: 0)
        waits.append(seconds_left(vault, known, lambda: 0))
    assert waits[:3] == [FIRST_S, 2 * FIRST_S, 4 * FIRST_S]
    assert waits[-1] == LONGEST_S


def test_the_pause_ends_with_time_or_an_accepted_password_and_outlives_the_process(tmp_path: Path) -> None:
    vault, known = stored(tmp_path)
    note_rejection(vault, known, lambda: 100)
    again = Vault.open(Settings(vault_dir=tmp_path, vault_key="file"))
    assert seconds_left(again, known, lambda: 130) == FIRST_S - 30
    assert seconds_left(again, known, lambda: 100 + FIRST_S) == 0
    forget(again, known)
    assert seconds_left(again, known, lambda: 100) == 0
