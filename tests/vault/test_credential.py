from __future__ import annotations

import pytest

from remit.contract import Origin, Reason
from remit.vault import CredentialInfo, VaultError

from .helpers import SITE, credential


def _reason_of(**changes: object) -> Reason:
    with pytest.raises(VaultError) as refused:
        credential(**changes)  # type: ignore[arg-type]
    return refused.value.reason


def test_a_credential_needs_a_label_an_origin_and_a_password() -> None:
    assert _reason_of(label=" ") is Reason.BAD_CREDENTIAL
    assert _reason_of(origins=()) is Reason.BAD_CREDENTIAL
    assert _reason_of(password="") is Reason.BAD_CREDENTIAL


def test_a_label_cannot_steer_a_terminal() -> None:
    assert _reason_of(label="bank\x1b[2J") is Reason.BAD_CREDENTIAL
    assert _reason_of(label="two\nlines") is Reason.BAD_CREDENTIAL


def test_half_a_surrogate_pair_is_no_text() -> None:
    assert _reason_of(password="a\ud800") is Reason.BAD_CREDENTIAL


@pytest.mark.parametrize(
    "address",
    [
        "http://portal.example/in",
        "https://portal.example:444/in",
        "https://a.portal.example/",
        "javascript:1",
        "portal",
    ],
)
def test_the_sign_in_page_must_be_on_a_listed_origin(address: str) -> None:
    assert _reason_of(login_url=address) is Reason.BAD_CREDENTIAL


def test_the_sign_in_page_may_be_on_any_listed_origin() -> None:
    sister = Origin.of("https://sso.example:8443")
    new = credential(origins=(SITE, sister), login_url="https://sso.example:8443/login?next=%2F")
    assert new.login_url == "https://sso.example:8443/login?next=%2F"


def test_a_secret_that_is_no_totp_secret_is_refused() -> None:
    assert _reason_of(totp="not base 32 !") is Reason.BAD_TOTP


def test_what_may_be_listed_is_exactly_this() -> None:
    fields = set(CredentialInfo.__dataclass_fields__)
    assert fields == {"id", "label", "origins", "has_totp", "keep_session", "created_at"}
