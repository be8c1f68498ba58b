from __future__ import annotations

import base64
from datetime import UTC, datetime

import pytest

from remit.contract import Reason, Secret
from remit.vault import Credential, VaultError, totp_now

from .helpers import SITE, credential

_RFC_SHA1 = base64.b32encode(b"12345678901234567890").decode()
_RFC_SHA256 = base64.b32encode(b"12345678901234567890123456789012").decode()
_RFC_SHA512 = base64.b32encode(b"1234567890123456789012345678901234567890123456789012345678901234").decode()


def _with(totp: str | None) -> Credential:
    return Credential(
        id="cred_0",
        label="x",
        origins=(SITE,),
        username=Secret(""),
        password=Secret("p"),
        totp=Secret(totp) if totp is not None else None,
        created_at=datetime.now(UTC),
    )


@pytest.mark.parametrize(
    ("secret", "algorithm", "at", "code"),
    [
        (_RFC_SHA1, "SHA1", 59, "94287082"),
        (_RFC_SHA256, "SHA256", 59, "46119246"),
        (_RFC_SHA512, "SHA512", 59, "90693936"),
        (_RFC_SHA1, "SHA1", 1111111109, "07081804"),
        (_RFC_SHA512, "SHA512", 20000000000, "47863826"),
    ],
)
def test_codes_are_those_of_rfc_6238_appendix_b(secret: str, algorithm: str, at: int, code: str) -> None:
    address = f"otpauth://totp/Portal:alice?secret={secret}&issuer=Portal&algorithm={algorithm}&digits=8"
    assert totp_now(_with(address), lambda: at)[0].reveal() == code


def test_a_bare_secret_has_six_digits_and_thirty_seconds() -> None:
    code, left = totp_now(_with(_RFC_SHA1), lambda: 59.25)
    assert (code.reveal(), left) == ("287082", 0.75)


def test_the_period_of_the_address_counts() -> None:
    address = f"otpauth://totp/x?secret={_RFC_SHA1}&period=60"
    first, left = totp_now(_with(address), lambda: 60)
    last, _ = totp_now(_with(address), lambda: 119.9)
    assert (first.reveal(), left) == (last.reveal(), 60)


def test_a_secret_reads_the_same_with_blanks_hyphens_padding_and_small_letters() -> None:
    written = f"{_RFC_SHA1[:4].lower()} {_RFC_SHA1[4:8]}-{_RFC_SHA1[8:]}=="
    assert totp_now(_with(written), lambda: 59)[0].reveal() == "287082"


def test_the_eighty_bits_that_many_sites_issue_are_enough() -> None:
    bare, _ = totp_now(_with("JBSWY3DPEHPK3PXP"), lambda: 0)
    address, _ = totp_now(_with("otpauth://totp/x?secret=JBSWY3DPEHPK3PXP"), lambda: 0)
    assert bare.reveal() == address.reveal() == "282760"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0189",
        "AAAA",
        "otpauth://totp/x",
        "otpauth://totp/x?secret=",
        f"otpauth://hotp/x?secret={_RFC_SHA1}&counter=0",
        f"otpauth://totp/x?secret={_RFC_SHA1}&period=0",
        f"otpauth://totp/x?secret={_RFC_SHA1}&period=-30",
        f"otpauth://totp/x?secret={_RFC_SHA1}&digits=3",
        f"otpauth://totp/x?secret={_RFC_SHA1}&digits=x",
        f"otpauth://totp/x?secret={_RFC_SHA1}&algorithm=MD5",
        f"otpauth://totp/x?secret={_RFC_SHA1}&secret={_RFC_SHA1}",
        f"otpauth://totp/x?secret={_RFC_SHA1}&encoder=steam",
        f"https://totp/x?secret={_RFC_SHA1}",
    ],
)
def test_anything_else_is_refused_without_quoting_it(text: str) -> None:
    with pytest.raises(VaultError) as refused:
        credential(totp=text)
    assert refused.value.reason is Reason.BAD_TOTP
    assert refused.value.__context__ is None


def test_no_secret_no_code() -> None:
    with pytest.raises(VaultError) as refused:
        totp_now(_with(None), lambda: 0)
    assert refused.value.reason is Reason.BAD_TOTP
