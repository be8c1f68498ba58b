"""The demo's job as a planner's calls, against a portal of ours, with everything said on record."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from openpyxl import load_workbook

from tests.real.conversation import REMIT, Conversation, Folders, conversation, store_credential
from tests.real.transcript import Transcript
from tests.sites.portal import invoices
from tests.sites.running_portal import PASSWORD, USERNAME, RunningPortal

YEAR = 2026
PERIOD = {"field": "date", "from": f"{YEAR}-01-01", "to": f"{YEAR}-12-31"}
WANTED = {"items": "invoices", "fields": ["number", "date", "amount"], "period": PERIOD}
Payload = dict[str, Any]
Row = tuple[str, date, Decimal]


@dataclass
class Job:
    """One planner's job and what it was told."""

    talk: Conversation
    portal: RunningPortal
    told: dict[str, Payload] = field(default_factory=dict)
    name: str = "invoices.xlsx"

    async def call(self, tool: str, **arguments: Any) -> Payload:
        """One call, followed to its end."""
        payload: Payload = await self.talk.call(tool, arguments)
        while payload.get("status") == "running":
            payload = await self.talk.call("continue_run", {"run_id": payload["run_id"]})
        self.told[tool] = payload
        return payload

    async def run(self) -> None:
        """The whole job."""
        opened = await self.call("open_sites", urls=[self.portal.url])
        ids = [session["session_id"] for session in opened["sessions"]]
        await self.call("login_sites", session_ids=ids)
        collected = await self.call("collect_sites", session_ids=ids, **WANTED)
        dataset_id = collected["collections"][0]["dataset_id"]
        await self.call("write_spreadsheet", dataset_id=dataset_id, name=self.name)
        await self.call("close_sites", session_ids=ids)


def folders_for(folder: Path, portal: RunningPortal) -> Folders:
    """Fresh folders whose vault holds the portal's account."""
    folders = Folders(folder / "remit")
    folders.make()
    store_credential(REMIT, folders, portal.url, USERNAME, PASSWORD)
    return folders


@asynccontextmanager
async def job(
    folders: Folders, portal: RunningPortal, transcript: Transcript, remit: Sequence[str] = REMIT
) -> AsyncIterator[Job]:
    """A server and a planner talking to it."""
    async with conversation(folders, transcript, remit) as talk:
        yield Job(talk, portal)


def written(path: Path) -> Counter[Row]:
    """The rows of a spreadsheet's first sheet."""
    book = load_workbook(path, read_only=True)
    rows = [_row(values) for values in book.worksheets[0].iter_rows(min_row=2, values_only=True)]
    book.close()
    return Counter(rows)


def _row(values: Sequence[Any]) -> Row:
    number, day, amount = values[:3]
    assert isinstance(day, datetime)
    return str(number), day.date(), Decimal(str(amount)).quantize(Decimal("0.01"))


def truth(portal: RunningPortal) -> Counter[Row]:
    """The same rows from the portal's own database."""
    return Counter((each.number, each.issued, each.amount) for each in invoices(portal.db, YEAR))
