"""The audit log behind one thread: rows are written in order, and nobody waits for the disk who need not."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from remit.authority import Audit, AuditKind, Facts
from remit.contract import Reason, RemitError

Row = tuple[AuditKind, str | None, Facts | None]


class Log:
    """The audit log of this process; opened by its first row.

    The journal holds every effect on disk before it is sent; the log gets the same a moment later, several rows at a
    time where they come fast. Once it cannot be written, nothing more may happen that must be logged.
    """

    def __init__(self, open_audit: Callable[[], Audit]) -> None:
        self._open = open_audit
        self._audit: Audit | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="audit")
        self._last: Future[None] | None = None
        self._rows: list[Row] = []
        self._turn = threading.Lock()
        self._broken = False

    def append(self, kind: AuditKind, run_id: str | None, facts: Facts) -> None:
        """Have a row written.

        Raises:
            RemitError: DATA_UNAVAILABLE, an earlier row could not be written.
        """
        if self._broken:
            raise RemitError(Reason.DATA_UNAVAILABLE)
        with self._turn:
            self._rows.append((kind, run_id, facts))
            if len(self._rows) == 1:
                self._last = self._thread.submit(self._write)

    def _write(self) -> None:
        with self._turn:
            rows, self._rows = self._rows, []
        try:
            if self._audit is None:
                self._audit = self._open()
            self._audit.append_all(rows)
        except RemitError:
            self._broken = True

    def drain(self) -> None:
        """Wait until everything so far is on disk."""
        last = self._last
        if last is not None:
            last.result()

    def close(self) -> None:
        """Write what is left, and close the log."""
        self._thread.shutdown(wait=True)
        if self._audit is not None:
            self._audit.close()
