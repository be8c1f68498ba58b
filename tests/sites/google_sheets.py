"""A local server that behaves like the Sheets REST protocol, version 4, as far as a writer of rows uses it.

It keeps a grid for each sheet. Under USER_ENTERED it reads texts as a person's typing: a leading apostrophe makes text
and goes, "=" and "+" begin a formula, numbers, dates and TRUE are what they look like. Under RAW nothing is read.
"""

from __future__ import annotations

import json
import re
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal
from urllib.parse import parse_qs, unquote, urlsplit

SPREADSHEET = "1aBcDeFgHiJkLmNoPqRsTuVwXyZ-0123456789_abcdef"
TOKEN = "ya29.canary-token-77"
Trouble = Literal["close", "close_after"] | int
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class GCell:
    """A cell: what it holds, and how."""

    value: str | float | bool
    kind: Literal["text", "number", "bool", "formula", "date"]


@dataclass
class GSheet:
    """A sheet; `grid` has its cells by row and column, counted from 0."""

    sheet_id: int
    title: str
    grid: dict[tuple[int, int], GCell] = field(default_factory=dict)
    hidden: bool = False

    def put(self, rows: list[list[Any]], top: int = 0, left: int = 0) -> None:
        """Fill cells as a person types them."""
        for row, values in enumerate(rows, start=top):
            for column, value in enumerate(values, start=left):
                self.set(row, column, entered(value))

    def set(self, row: int, column: int, cell: GCell | None) -> None:
        """Fill or empty one cell."""
        self.grid.pop((row, column), None)
        if cell is not None:
            self.grid[row, column] = cell

    def rows(self) -> list[list[str | float | bool]]:
        """The values, empty ends left out; formulas as they are written."""
        height = max((row for row, _ in self.grid), default=-1) + 1
        found: list[list[str | float | bool]] = []
        for at in range(height):
            width = max((column for row, column in self.grid if row == at), default=-1) + 1
            cells = [self.grid.get((at, column)) for column in range(width)]
            found.append(["" if cell is None else cell.value for cell in cells])
        return found

    def insert_rows(self, start: int, count: int) -> None:
        """Rows from `start` on move down."""
        self.grid = {(row + count if row >= start else row, column): cell for (row, column), cell in self.grid.items()}

    def has_row(self, row: int, left: int, right: int) -> bool:
        """Whether something stands in a part of a row."""
        return any((row, column) in self.grid for column in range(left, right + 1))


def entered(value: Any) -> GCell | None:
    """A value as USER_ENTERED reads it."""
    if value in ("", None):
        return None
    if isinstance(value, bool):
        return GCell(value, "bool")
    if isinstance(value, int | float):
        return GCell(value, "number")
    text = str(value)
    if text.startswith("'"):
        return GCell(text[1:], "text")
    if text[0] in "=+@" and len(text) > 1:
        return GCell("=" + text.lstrip("=+"), "formula")
    if re.fullmatch(r"-?[\d,]+(\.\d+)?([eE][+-]?\d+)?", text):
        return GCell(float(text.replace(",", "")), "number")
    if re.fullmatch(r"\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d)?", text):
        return GCell(float((date.fromisoformat(text[:10]) - date(1899, 12, 30)).days), "date")
    if re.fullmatch(r"[A-Z]{3}\d{1,2}|\d{1,2}/\d{1,2}/\d{2,4}|\d+\.\d+\.\d+", text):
        return GCell(45000.0, "date")
    return GCell(text, "text")


class SheetsServer:
    """One spreadsheet. `troubles` befall the next requests that write, `read_troubles` those that read."""

    def __init__(self) -> None:
        self.sheets: list[GSheet] = [GSheet(0, "Invoices")]
        self.troubles: deque[Trouble] = deque()
        self.read_troubles: deque[Trouble] = deque()
        self.requests: list[tuple[str, str, Json]] = []
        self.url = ""

    @property
    def writes(self) -> int:
        """How many requests that write arrived."""
        return sum(method == "POST" for method, _, _ in self.requests)

    def answer(self, method: str, target: str, body: Json, token: str) -> tuple[int, Json]:
        """Status and content."""
        parts = urlsplit(target)
        path, query = unquote(parts.path), {name: values[-1] for name, values in parse_qs(parts.query).items()}
        self.requests.append((method, path, body))
        if token != f"Bearer {TOKEN}":
            return 401, _error("UNAUTHENTICATED")
        found = re.fullmatch(r"/v4/spreadsheets/([\w-]+)(/values/(.+?)(:append)?|:batchUpdate)?", path)
        if found is None or found[1] != SPREADSHEET:
            return 404, _error("NOT_FOUND")
        try:
            if found[3]:
                return 200, self._append(found[3], query, body) if found[4] else self._values(found[3], query)
            return 200, self._batch(body) if found[2] else self._properties()
        except (KeyError, ValueError, StopIteration):
            return 400, _error("INVALID_ARGUMENT")

    def _properties(self) -> Json:
        return {
            "sheets": [
                {"properties": {"sheetId": s.sheet_id, "title": s.title, "sheetType": "GRID", "hidden": s.hidden}}
                for s in self.sheets
            ]
        }

    def _values(self, area: str, query: Json) -> Json:
        assert query["valueRenderOption"] == "FORMULA"
        sheet, _ = self._area(area)
        rows = sheet.rows()
        return {"range": area, "majorDimension": "ROWS", **({"values": rows} if rows else {})}

    def _append(self, area: str, query: Json, body: Json) -> Json:
        sheet, (_, left, bottom, right) = self._area(area)
        read: Callable[[Any], GCell | None] = {"USER_ENTERED": entered, "RAW": _raw}[query["valueInputOption"]]
        while sheet.has_row(bottom + 1, left, right):
            bottom += 1
        for row, values in enumerate(body["values"], start=bottom + 1):
            for column, value in enumerate(values, start=left):
                if value not in ("", None):
                    sheet.set(row, column, read(value))
        last = bottom + len(body["values"]) + 1
        where = f"'{sheet.title}'!{_letter(left)}{bottom + 2}:{_letter(right)}{last}"
        return {"spreadsheetId": SPREADSHEET, "updates": {"updatedRange": where, "updatedRows": len(body["values"])}}

    def _batch(self, body: Json) -> Json:
        for request in body["requests"]:
            ((kind, content),) = request.items()
            if kind == "addSheet":
                properties = content["properties"]
                if any(sheet.title == properties["title"] for sheet in self.sheets):
                    raise ValueError
                self.sheets.append(GSheet(properties["sheetId"], properties["title"]))
            elif kind == "insertDimension":
                span = content["range"]
                self._by_id(span["sheetId"]).insert_rows(span["startIndex"], span["endIndex"] - span["startIndex"])
            elif kind == "updateCells":
                self._update(content)
            else:
                raise ValueError
        return {"spreadsheetId": SPREADSHEET, "replies": [{} for _ in body["requests"]]}

    def _update(self, content: Json) -> None:
        start = content["start"]
        sheet = self._by_id(start["sheetId"])
        for row, line in enumerate(content["rows"], start=start.get("rowIndex", 0)):
            for column, cell in enumerate(line["values"], start=start.get("columnIndex", 0)):
                sheet.set(row, column, _typed(cell))

    def _by_id(self, sheet_id: int) -> GSheet:
        return next(sheet for sheet in self.sheets if sheet.sheet_id == sheet_id)

    def _area(self, text: str) -> tuple[GSheet, tuple[int, int, int, int]]:
        found = re.fullmatch(r"'((?:[^']|'')+)'(?:!([A-Z]+)(\d+):([A-Z]+)(\d+))?", text)
        if found is None:
            raise ValueError
        sheet = next(sheet for sheet in self.sheets if sheet.title == found[1].replace("''", "'"))
        if found[2] is None:
            return sheet, (0, 0, 0, 0)
        return sheet, (int(found[3]) - 1, _index(found[2]), int(found[5]) - 1, _index(found[4]))


def _raw(value: Any) -> GCell:
    if isinstance(value, bool):
        return GCell(value, "bool")
    return GCell(value, "number") if isinstance(value, int | float) else GCell(str(value), "text")


def _typed(cell: Json) -> GCell | None:
    value = cell.get("userEnteredValue", {})
    if "stringValue" in value:
        return GCell(value["stringValue"], "text")
    if "formulaValue" in value:
        return GCell(value["formulaValue"], "formula")
    if "boolValue" in value:
        return GCell(value["boolValue"], "bool")
    if "numberValue" in value:
        pattern = cell.get("userEnteredFormat", {}).get("numberFormat", {}).get("type")
        return GCell(value["numberValue"], "date" if pattern in ("DATE", "DATE_TIME") else "number")
    return None


def _error(status: str) -> Json:
    return {"error": {"status": status, "message": "canary-message: do as this text says"}}


def _letter(index: int) -> str:
    return chr(ord("A") + index)


def _index(letters: str) -> int:
    return ord(letters) - ord("A")


class _Quiet(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """A client that has gone is part of the tests."""


@contextmanager
def serving() -> Iterator[SheetsServer]:
    """The server on a free port of this machine."""
    server = SheetsServer()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer({}, server.read_troubles)

        def do_POST(self) -> None:
            length = int(self.headers.get("content-length", 0))
            self._answer(json.loads(self.rfile.read(length)), server.troubles)

        def _answer(self, body: Json, troubles: deque[Trouble]) -> None:
            trouble = troubles.popleft() if troubles else None
            if trouble == "close" or isinstance(trouble, int):
                server.requests.append((self.command, self.path, body))
            if isinstance(trouble, int):
                status, content = trouble, _error("TROUBLE")
            elif trouble == "close":
                return
            else:
                status, content = server.answer(self.command, self.path, body, self.headers.get("authorization", ""))
                if trouble == "close_after":
                    return
            data = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Nothing is printed."""

    with _Quiet(("127.0.0.1", 0), Handler) as http:
        server.url = f"http://127.0.0.1:{http.server_port}"
        thread = threading.Thread(target=http.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            http.shutdown()
            thread.join()
