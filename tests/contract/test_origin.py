from __future__ import annotations

import pytest

from remit.contract import AddressError, Origin


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://Example.test/path?q#f", "https://example.test"),
        ("https://example.test:443", "https://example.test"),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080"),
        ("http://[::1]:80/", "http://[::1]"),
        ("https://bücher.example", "https://xn--bcher-kva.example"),
        ("https://example.test./", "https://example.test"),
    ],
)
def test_an_origin_is_scheme_host_and_port(url: str, origin: str) -> None:
    assert str(Origin.of(url)) == origin
    assert Origin.of(str(Origin.of(url))) == Origin.of(url)


def test_another_scheme_port_or_subdomain_is_another_origin() -> None:
    origins = {Origin.of(u) for u in ("http://a.test", "https://a.test", "http://a.test:81", "http://b.a.test")}
    assert len(origins) == 4


@pytest.mark.parametrize(
    "url",
    ["", "example.test", "ftp://a.test", "javascript:alert(1)", "file:///etc/passwd", "https://", "http://a.test:99999",
     "https://good.test@evil.test/", "https://:pw@evil.test/", "http://[::1", "data:text/html,x", "about:blank"],
)  # fmt: skip
def test_what_is_no_plain_web_address_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(AddressError) as error:
        Origin.of(url)
    assert str(error.value) == "bad_address"
