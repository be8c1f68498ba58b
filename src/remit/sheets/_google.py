"""Google Sheets by its REST protocol, version 4: rows added to a spreadsheet that is there.

A request that writes is sent once. What is protected, and how, follows from `valueInputOption`: under USER_ENTERED a
text is read as if a person typed it, so what could be read as a formula, a number or a date gets an apostrophe, which
the service takes off again; typed cells (`updateCells`) are taken as they are and get none.
"""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Final, Self
from urllib.parse import quote, urlsplit

import httpx

from remit.contract import Reason, Secret

from ._append import Appended
from ._errors import Loss, SheetError, WouldLoseError
from ._formulas import Move, moved_formula
from ._google_cells import Json, entered, update_cells, update_formula
from ._google_sheet import Found, GoogleSheet, find_block
from ._headings import Fold
from ._receipt import PlainRow, Tally
from ._values import column_letters

HOST: Final = "https://sheets.googleapis.com"
TOKEN_VARIABLE: Final = "REMIT_GOOGLE_TOKEN"  # noqa: S105 - the name of a variable
HOST_VARIABLE: Final = "REMIT_GOOGLE_HOST"
TIMEOUT_S: Final = 30.0
LARGEST_ANSWER: Final = 64 << 20
MOST_CELLS: Final = 200_000
"""Cells of one request; the service asks for requests of a few megabytes."""

_ID: Final = re.compile(r"[A-Za-z0-9_-]{10,128}")
_REASONS: Final = {
    401: Reason.SERVICE_TOKEN,
    403: Reason.SERVICE_FORBIDDEN,
    404: Reason.FILE_MISSING,
    429: Reason.SERVICE_BUSY,
}


class GoogleSheets:
    """A client with one access token. `before_writing` is called immediately before a request that writes is sent."""

    def __init__(
        self,
        token: Secret,
        host: str = HOST,
        before_writing: Callable[[], None] = lambda: None,
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        self._before_writing = before_writing
        self._client = httpx.AsyncClient(
            base_url=_checked_host(host),
            headers={"authorization": f"Bearer {token.reveal()}"},
            timeout=timeout_s,
            follow_redirects=False,
            trust_env=False,
        )

    @classmethod
    def from_environment(cls, before_writing: Callable[[], None]) -> Self:
        """With the token in `REMIT_GOOGLE_TOKEN`; `REMIT_GOOGLE_HOST` may name a loopback server instead of Google's.

        Raises:
            SheetError: `SERVICE_TOKEN`, there is none; `NOT_ALLOWED`, another host.
        """
        token = os.environ.get(TOKEN_VARIABLE, "").strip()
        if not token or not token.isascii() or not token.isprintable():
            raise SheetError(Reason.SERVICE_TOKEN)
        return cls(Secret(token), os.environ.get(HOST_VARIABLE) or HOST, before_writing)

    async def __aenter__(self) -> Self:
        await self._client.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.__aexit__(kind, error, trace)

    @staticmethod
    def address(spreadsheet_id: str) -> str:
        """Where a person finds the spreadsheet."""
        return f"https://docs.google.com/spreadsheets/d/{spreadsheet_id}"

    async def create(
        self, spreadsheet_id: str, title: str, headings: Sequence[str], rows: Sequence[PlainRow]
    ) -> Appended:
        """A new sheet with headings and rows, all in one request.

        Raises:
            SheetError: `FILE_EXISTS` if a sheet is called so, `FILE_TOO_LARGE`, and what the service answers.
        """
        sheets = await self._sheets(spreadsheet_id)
        if any(sheet.title.casefold() == title.casefold() for sheet in sheets):
            raise SheetError(Reason.FILE_EXISTS)
        sheet_id = max((sheet.sheet_id for sheet in sheets), default=0) % (2**31 - 2) + 1
        tally = Tally()
        grid = {"rowCount": len(rows) + 1, "columnCount": max(1, len(headings)), "frozenRowCount": 1}
        cells = [[*headings], *rows]
        requests = [
            {"addSheet": {"properties": {"sheetId": sheet_id, "title": title, "gridProperties": grid}}},
            update_cells(sheet_id, 0, 0, cells, tally),
        ]
        await self._write(spreadsheet_id, ":batchUpdate", {"requests": requests}, cells)
        tally.rows, tally.texts = len(rows), tally.texts - sum(bool(heading) for heading in headings)
        return Appended(tally.receipt(len(headings)), 2, (), (), None)

    async def append(
        self,
        spreadsheet_id: str,
        fields: Sequence[str],
        rows: Sequence[PlainRow],
        chosen: Mapping[str, str],
        fold: Fold,
        sheet: str | None,
    ) -> Appended:
        """Add rows under the last row of data of the block whose headings fit the fields, above its totals.

        Raises:
            SheetError: `HEADINGS_NOT_FOUND`, `HEADINGS_AMBIGUOUS`, `SHEET_MISSING`, `UNKNOWN_FIELD`, and what the
                service answers; `OUTCOME_UNKNOWN` where the answer to the request that writes was lost.
        """
        found = await self._find(spreadsheet_id, fields, chosen, fold, sheet)
        places = found.binding.places
        cells = [[None if place is None else row[place] for place in places] for row in rows]
        tally = Tally()
        first = found.last + 1
        if found.below is None:
            first = await self._append_values(spreadsheet_id, found, cells, tally)
        else:
            await self._insert(spreadsheet_id, found, cells, tally)
        tally.rows = len(rows)
        return Appended(
            tally.receipt(len({place for place in places if place is not None})),
            first,
            tuple(fields[at] for at in found.binding.unplaced),
            tuple(fields[at] for at in found.binding.ambiguous),
            None,
        )

    async def _find(
        self, spreadsheet_id: str, fields: Sequence[str], chosen: Mapping[str, str], fold: Fold, title: str | None
    ) -> Found:
        sheets = [entry for entry in await self._sheets(spreadsheet_id) if _is_asked(entry, title)]
        if not sheets:
            raise SheetError(Reason.SHEET_MISSING)
        found: list[Found] = []
        for entry in sheets:
            query = {"majorDimension": "ROWS", "valueRenderOption": "FORMULA", "dateTimeRenderOption": "SERIAL_NUMBER"}
            answer = await self._read(spreadsheet_id, "/values/" + quote(_range(entry.title), safe=""), query)
            block = find_block(entry, answer.get("values") or [], fields, chosen, fold)
            if block is not None:
                found.append(block)
        most = max((block.binding.fits for block in found), default=0)
        best = [block for block in found if block.binding.fits == most]
        if not best or best[0].binding.missing:
            raise SheetError(Reason.HEADINGS_NOT_FOUND)
        if len(best) > 1 or best[0].tied or all(place is None for place in best[0].binding.places):
            raise SheetError(Reason.HEADINGS_AMBIGUOUS)
        return best[0]

    async def _append_values(self, spreadsheet_id: str, found: Found, cells: Sequence[PlainRow], tally: Tally) -> int:
        """Below the block nothing stands, so the service's own search finds the same end; the first row written."""
        last = f"{column_letters(found.right)}{found.last}"
        area = f"{_range(found.sheet.title)}!{column_letters(found.left)}{found.header}:{last}"
        body = {"majorDimension": "ROWS", "values": [[entered(value, tally) for value in row] for row in cells]}
        query = {"valueInputOption": "USER_ENTERED", "insertDataOption": "OVERWRITE"}
        answer = await self._write(spreadsheet_id, f"/values/{quote(area, safe='')}:append", body, cells, query)
        updates = answer.get("updates")
        where = updates.get("updatedRange") if isinstance(updates, dict) else None
        begins = re.search(r"!\$?([A-Z]+)\$?(\d+)", where) if isinstance(where, str) else None
        # Rows that another wrote meanwhile move ours down; another column would be another table.
        if begins is None or int(begins[2]) <= found.last or begins[1] != column_letters(found.left):
            raise SheetError(Reason.OUTCOME_UNKNOWN)
        return int(begins[2])

    async def _insert(self, spreadsheet_id: str, found: Found, cells: Sequence[PlainRow], tally: Tally) -> None:
        """Rows made under the data; what stands below the service moves. One request.

        A sum that ended with the data would not take in rows made after its end, so it is told to.
        """
        sheet_id, count = found.sheet.sheet_id, len(cells)
        rows = {"sheetId": sheet_id, "dimension": "ROWS", "startIndex": found.last, "endIndex": found.last + count}
        requests = [
            {"insertDimension": {"range": rows, "inheritFromBefore": True}},
            update_cells(sheet_id, found.last, found.left - 1, cells, tally),
            *(update_formula(sheet_id, row + count, column, new) for row, column, new in _longer_sums(found, count)),
        ]
        await self._write(spreadsheet_id, ":batchUpdate", {"requests": requests}, cells)

    async def _sheets(self, spreadsheet_id: str) -> list[GoogleSheet]:
        if not _ID.fullmatch(spreadsheet_id):
            raise SheetError(Reason.FILE_NAME)
        query = {"fields": "sheets.properties(sheetId,title,hidden,sheetType)"}
        answer = await self._read(spreadsheet_id, "", query)
        found = [GoogleSheet.read(entry) for entry in answer.get("sheets") or []]
        return [sheet for sheet in found if sheet is not None]

    async def _read(self, spreadsheet_id: str, rest: str, query: Mapping[str, str]) -> Json:
        try:
            answer = await self._client.get(f"/v4/spreadsheets/{spreadsheet_id}{rest}", params=query)
        except httpx.TimeoutException:
            raise SheetError(Reason.SITE_TIMEOUT) from None
        except httpx.HTTPError:
            raise SheetError(Reason.SITE_UNREACHABLE) from None
        if answer.status_code != httpx.codes.OK:
            raise SheetError(_reason(answer.status_code))
        return _json(answer, Reason.SITE_ERROR)

    async def _write(
        self,
        spreadsheet_id: str,
        rest: str,
        body: Json,
        cells: Sequence[PlainRow],
        query: Mapping[str, str] | None = None,
    ) -> Json:
        """Sent once. Only an answer that refuses proves that nothing was written."""
        if sum(map(len, cells)) > MOST_CELLS:
            raise SheetError(Reason.FILE_TOO_LARGE)
        self._before_writing()
        try:
            answer = await self._client.post(f"/v4/spreadsheets/{spreadsheet_id}{rest}", json=body, params=query)
        except (httpx.ConnectError, httpx.ConnectTimeout):
            raise SheetError(Reason.SITE_UNREACHABLE) from None
        except httpx.HTTPError:
            raise SheetError(Reason.OUTCOME_UNKNOWN) from None
        if answer.status_code >= httpx.codes.INTERNAL_SERVER_ERROR:
            raise SheetError(Reason.OUTCOME_UNKNOWN)
        if answer.status_code != httpx.codes.OK:
            raise SheetError(_reason(answer.status_code))
        return _json(answer, Reason.OUTCOME_UNKNOWN)


def _longer_sums(found: Found, count: int) -> Iterator[tuple[int, int, str]]:
    """The formulas below that must take in the new rows, as they read once they have moved."""
    longer = Move(found.sheet.title, found.last, count, found.last + 1, count)
    for row, column, formula in found.formulas:
        new, moved = (moved_formula(formula[1:], move) for move in (longer, replace(longer, count=0)))
        if new is None:
            raise WouldLoseError([Loss.FORMULAS])
        if new != moved:
            yield row, column, "=" + new


def _checked_host(host: str) -> str:
    """Google's own host, or one on this machine, which is what tests use.

    Raises:
        SheetError: `NOT_ALLOWED`: the token goes nowhere else.
    """
    if host == HOST:
        return host
    parts = urlsplit(host)
    try:
        is_loopback = ipaddress.ip_address(parts.hostname or "").is_loopback
    except ValueError:
        is_loopback = False
    if parts.scheme != "http" or not is_loopback or parts.path.strip("/") or parts.username:
        raise SheetError(Reason.NOT_ALLOWED)
    return host


def _reason(status: int) -> Reason:
    if status >= httpx.codes.INTERNAL_SERVER_ERROR:
        return Reason.SITE_ERROR
    return _REASONS.get(status, Reason.SERVICE_REFUSED)


def _json(answer: httpx.Response, otherwise: Reason) -> Json:
    try:
        found = answer.json() if len(answer.content) <= LARGEST_ANSWER else None
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise SheetError(otherwise)
    return found


def _is_asked(sheet: GoogleSheet, title: str | None) -> bool:
    return not sheet.hidden if title is None else sheet.title.casefold() == title.strip().casefold()


def _range(title: str) -> str:
    return "'" + title.replace("'", "''") + "'"
