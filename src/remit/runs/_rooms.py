"""The rooms a call may enter, each opened when it is first needed, so that starting costs nothing."""

from __future__ import annotations

import sqlite3
from contextlib import AsyncExitStack
from functools import cached_property
from typing import TYPE_CHECKING, Self

from remit.authority import Approvals, Policy, open_audit, read_policy
from remit.contract import Reason, RemitError
from remit.handoff import Desk
from remit.settings import Settings
from remit.state import Database

from ._journal import Journal
from ._log import Log

if TYPE_CHECKING:
    from types import TracebackType

    from remit.browser import Broker
    from remit.models import Models
    from remit.records import Datasets
    from remit.vault import Vault


class Rooms:
    """One set for a process; an async context manager that closes what was opened."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._stack = AsyncExitStack()
        self._broker: Broker | None = None
        self._models: Models | None = None

    async def __aenter__(self) -> Self:
        await self._stack.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.__aexit__(kind, error, trace)

    @cached_property
    def database(self) -> Database:
        """Runs, journal and datasets.

        Raises:
            RemitError: DATA_UNAVAILABLE, the folder or the file cannot be used.
        """
        try:
            database = Database.in_folder(self.settings.data_dir)
        except (OSError, sqlite3.Error):
            raise RemitError(Reason.DATA_UNAVAILABLE) from None
        self._stack.callback(database.close)
        return database

    @cached_property
    def journal(self) -> Journal:
        """Runs and effects. Raises as `database`."""
        try:
            return Journal(self.database)
        except sqlite3.Error:
            raise RemitError(Reason.DATA_UNAVAILABLE) from None

    @cached_property
    def desk(self) -> Desk:
        """Questions for a person. Raises as `database`."""
        try:
            return Desk(self.database)
        except sqlite3.Error:
            raise RemitError(Reason.DATA_UNAVAILABLE) from None

    @cached_property
    def policy(self) -> Policy:
        """What the owner of this machine allows. Raises PolicyError."""
        return read_policy(self.settings.policy_file)

    @cached_property
    def approvals(self) -> Approvals:
        """What persons approved. Raises as `database`."""
        try:
            return Approvals(self.database)
        except sqlite3.Error:
            raise RemitError(Reason.DATA_UNAVAILABLE) from None

    @cached_property
    def log(self) -> Log:
        """The audit log; its file is made by its first row."""
        log = Log(lambda: open_audit(self.settings.data_dir, self.settings.vault_dir))
        self._stack.callback(log.close)
        return log

    @cached_property
    def datasets(self) -> Datasets:
        """Collected records."""
        from remit.records import Datasets

        return Datasets(self.database)

    @cached_property
    def vault(self) -> Vault:
        """Credentials."""
        from remit.vault import Vault

        return Vault.open(self.settings)

    async def broker(self) -> Broker:
        """Browser sessions."""
        if self._broker is None:
            from remit.browser import Broker

            self._broker = await self._stack.enter_async_context(Broker(self.settings))
        return self._broker

    async def models(self) -> Models:
        """The local model."""
        if self._models is None:
            from remit.models import Models

            self._models = Models.from_settings(self.settings)
            self._stack.push_async_callback(self._models.aclose)
        return self._models
