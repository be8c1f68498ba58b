"""The pages of credentials: what is stored, adding one, removing one. What was typed is never shown again."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

import anyio.to_thread
from starlette.responses import Response

from remit.authority import AuditKind, Facts
from remit.contract import AddressError, Origin, Reason, RemitError, Secret

from ._words import clock

if TYPE_CHECKING:
    from remit.vault import NewCredential

    from ._app import Visit


async def show(visit: Visit) -> Response:
    """All credentials by their metadata, and the form for another."""
    vault = visit.house.rooms.vault
    stored = await anyio.to_thread.run_sync(vault.list)
    return visit.page(
        "credentials.html",
        credentials=[(info, clock(info.created_at.timestamp())) for info in stored],
        site=visit.request.query_params.get("site", ""),
        question=visit.request.query_params.get("question", ""),
        once=secrets.token_urlsafe(12),
        saved=visit.request.query_params.get("saved") == "1",
    )


async def add(visit: Visit) -> Response:
    """Store one; a form that is sent twice stores it once."""
    if not visit.house.pairings.is_first(visit.form.get("once", "")):
        return visit.go("/credentials?saved=1")
    new = _new(visit.form)
    vault = visit.house.rooms.vault
    info = await anyio.to_thread.run_sync(vault.add, new)
    visit.house.rooms.log.append(AuditKind.CREDENTIAL_SAVED, None, Facts(credential=info.id, target=new.origins[0]))
    question = visit.form.get("question", "")
    if visit.house.desk.get(question) is not None:
        return visit.go(f"/q/{question}")
    return visit.go("/credentials?saved=1")


async def remove(visit: Visit) -> Response:
    """Forget one and all that was kept for it."""
    credential_id = visit.request.path_params["id"]
    vault = visit.house.rooms.vault
    await anyio.to_thread.run_sync(vault.remove, credential_id)
    visit.house.rooms.log.append(AuditKind.CREDENTIAL_REMOVED, None, Facts(credential=credential_id))
    return visit.go("/credentials")


def _new(form: dict[str, str]) -> NewCredential:
    from remit.vault import NewCredential

    address = form.get("site", "").strip()
    try:
        origin = Origin.of(address)
        sisters = tuple(Origin.of(each) for each in form.get("sisters", "").split())
    except AddressError:
        raise RemitError(Reason.BAD_ADDRESS) from None
    has_path = address.rstrip("/") != str(origin).rstrip("/")
    totp = form.get("totp", "").replace(" ", "")
    return NewCredential(
        label=form.get("label", "").strip() or origin.host,
        origins=(origin, *sisters),
        login_url=address if has_path else None,
        username=Secret(form.get("username", "")),
        password=Secret(form.get("password", "")),
        totp=Secret(totp) if totp else None,
        keep_session=form.get("keep") == "on",
    )
