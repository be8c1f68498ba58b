"""A person with a browser that is let into the panel, as plain HTTP."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

import httpx

from remit.panel import Pairings, live_panels
from remit.state import Database

_FIELD = re.compile(r'name="(csrf|run)" value="([^"]*)"')


def pair(address: str) -> tuple[httpx.Client, str]:
    """Open an address with a one-time token; the browser, and the base of its pages."""
    where, _, token = address.partition("#")
    origin = "/".join(where.split("/")[:3])
    browser = httpx.Client(trust_env=False, headers={"origin": origin})
    told = browser.post(f"{origin}/pair", data={"token": token})
    assert told.status_code == 200, told.text
    return browser, f"{origin}/p/{told.json()['prefix']}"


def answer(address: str, *, press: tuple[int, int] | None = None, **form: str) -> int:
    """Follow the address of a question, press somewhere on its live page, and send its form; the answer's status."""
    browser, base = pair(address)
    with closing(browser):
        page = f"{base}/q/{address.partition('#')[0].rpartition('/')[2]}"
        fields = dict(_FIELD.findall(browser.get(page).text))
        if press is not None:
            assert browser.get(f"{page}/frame").headers["content-type"] == "image/jpeg"
            where = {"act": "press", "x": str(press[0]), "y": str(press[1])}
            assert browser.post(f"{page}/act", data={**fields, **where}).status_code == 200
        return browser.post(page, data={**fields, **form}).status_code


def invited(folder: Path, link: str) -> str:
    """The address that `remit panel` opens, at the question of a link."""
    database = Database.in_folder(folder / "data")
    try:
        (panel,) = live_panels(database, folder / "data")
        assert link.startswith(panel.url)
        return f"{link}#{Pairings(database).token()}"
    finally:
        database.close()
