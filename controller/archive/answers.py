"""Questions to the database, one after the other on a connection that is made anew where it broke."""

from typing import Any, LiteralString

import psycopg

from controller.archive import database
from controller.archive.database import Database
from controller.archive.settings import DatabaseConfig


class Answers:
    """A connection to the database of ``config``, made when something is asked."""

    def __init__(self, config: DatabaseConfig) -> None:
        self._config = config
        self._base: Database | None = None

    async def ask(self, question: LiteralString, *given: object) -> list[tuple[Any, ...]]:
        """The rows, none of a statement that has none. Raises :exc:`DeviceError` where the database does not answer."""
        base = await self.connected()
        try:
            cursor = await base.connection.execute(question, given)
            return await cursor.fetchall() if cursor.description else []
        except psycopg.OperationalError as error:
            raise database.unreachable(self._config, error) from error

    async def connected(self) -> Database:
        """The database, with its tables as they are to be. Raises :exc:`DeviceError` as :meth:`ask`."""
        if self._base is None or self._base.connection.closed:
            self._base = await database.connect(self._config)
        return self._base

    async def close(self) -> None:
        if self._base is not None:
            await self._base.close()
