"""PostgreSQL: the schema, ``schema/NNN.sql``, and a batch written at once.

A row has the key (origin, board, seq); what is there already is left as it is. So what the broker hands out twice,
after a break or to another archiver, stands here once.
"""

import logging
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from importlib import resources
from typing import Any

import psycopg
from msgspec import Struct
from psycopg import AsyncConnection
from psycopg.types.json import Jsonb, set_json_dumps

from controller.archive.heard import HEAD, Foreign, GoneAnswer, QueuedDocket, QueuedEvent, QueuedHead, VenueBoard
from controller.archive.line import ArchivedLine
from controller.archive.settings import DatabaseConfig
from controller.archive.twins import TwinBoards
from controller.errors import DeviceError, JadoubeError, first_of
from controller.wire import encode

log = logging.getLogger(__name__)

LOCK = 0x6A61646F  #: among archivers, while tables are made
CHIEF = LOCK + 1  #: among archivers: who has it hears how far boards are
PATIENCE_S = 10  #: how long the server may take to answer
#: after 10 s of silence the server asks three times whether an archiver is there still
ALIVE = {"tcp_keepalives_idle": "10", "tcp_keepalives_interval": "5", "tcp_keepalives_count": "3"}
COLUMNS = "origin, board, seq, month, venue, game, ply, type, side, ms, body"  #: of an event, as it was told
REMEMBERED = 10_000  #: games and boards, before what is known of them is looked up again
#: what PostgreSQL says whose disk is full; the second where it cannot even begin a connection
NO_ROOM = ("No space left", "could not write init file")

_OTHER_HASHES = """
SELECT t.venue, t.board, t.seq, t.hash, head.hash
FROM unnest(%s::text[], %s::text[], %s::text[], %s::bigint[], %s::bytea[]) AS t(venue, board, origin, seq, hash)
JOIN head USING (venue, board, origin, seq) WHERE head.hash <> t.hash
"""
_LINES = """
INSERT INTO line (origin, board, venue, last) SELECT * FROM unnest(%s::text[], %s::text[], %s::text[], %s::bigint[])
ON CONFLICT (origin, board) DO UPDATE SET last = greatest(line.last, excluded.last)
"""
_DOCKETS = """
INSERT INTO docket (venue, board, game, origin, last, body)
SELECT * FROM unnest(%s::text[], %s::text[], %s::text[], %s::text[], %s::bigint[], %s::jsonb[])
ON CONFLICT (game, venue, board) DO UPDATE SET
origin = excluded.origin, last = excluded.last, body = excluded.body WHERE docket.body <> excluded.body
"""
_HEADS = """
INSERT INTO head SELECT *, now()
FROM unnest(%s::text[], %s::text[], %s::text[], %s::bigint[], %s::bytea[], %s::bigint[])
ON CONFLICT (venue, board) DO UPDATE SET
origin = excluded.origin, seq = excluded.seq, hash = excluded.hash, last = excluded.last, heard = excluded.heard
"""

set_json_dumps(encode)


class Written(Struct):
    """What came of a batch."""

    new: int = 0  #: events
    again: int = 0  #: events that were there
    troubles: int = 0


class Behind(Struct, frozen=True):
    """A board that has told more than is archived."""

    place: VenueBoard
    after: int  #: up to there it is


async def connect(config: DatabaseConfig) -> "Database":
    """Raises :exc:`DeviceError` where there is no database, or its schema is of a later version."""
    try:
        connection = await AsyncConnection.connect(
            config.url,
            password=config.password,
            connect_timeout=PATIENCE_S,
            application_name="jadoube archive",
            autocommit=True,
        )
    except psycopg.OperationalError as error:
        raise unreachable(config, error) from error
    database = Database(connection)
    try:
        await database.migrate()
    except BaseException:
        await connection.close()
        raise
    return database


def unreachable(config: DatabaseConfig, error: psycopg.Error) -> DeviceError:
    """What to do where the database does not answer, or breaks off."""
    said = " ".join(str(error).split())
    if "password" in said or "authentication" in said:
        cause, then = "[database] url and password_file are not those that it knows", "\\password in psql sets one"
    elif isinstance(error, psycopg.errors.DiskFull) or any(word in said for word in NO_ROOM):
        cause, then = "its disk is full", "make room there; events wait in the broker meanwhile: df -h"
    else:
        cause, then = "it is not running, or [database] url names another place", f"psql '{config.url}'"
    return DeviceError(f"the archive's database: {said}", cause, then)


def explained(error: BaseException, config: DatabaseConfig) -> JadoubeError:
    """What to say of what broke off, of several the first; what is not the database's is the broker's."""
    error = first_of(error)
    if isinstance(error, JadoubeError):
        return error
    if isinstance(error, psycopg.Error):
        return unreachable(config, error)
    cause = "a node was stopped, or the network broke"
    return DeviceError(f"the broker broke off: {error}", cause, "on a node: rabbitmq-diagnostics status")


class Database:
    """An open archive. For one task. Each method raises :exc:`psycopg.Error` where the server breaks off."""

    def __init__(self, connection: AsyncConnection[Any]) -> None:
        self.connection = connection
        self._months: dict[tuple[str, str], date] = {}
        self._partitions: set[date] = set()
        self._lines: dict[tuple[str, str], ArchivedLine] = {}
        self.twins = TwinBoards()

    async def close(self) -> None:
        await self.connection.close()

    async def migrate(self) -> None:
        """Brings the schema up to date. Raises :exc:`DeviceError` for one of a later version."""
        scripts = sorted((resources.files("controller.archive") / "schema").iterdir(), key=lambda each: each.name)
        steps = {int(each.name[:3]): each.read_text("utf-8") for each in scripts if each.name.endswith(".sql")}
        async with self.connection.transaction():
            await self.connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
            await self.connection.execute("CREATE TABLE IF NOT EXISTS archive_schema (version int PRIMARY KEY)")
            cursor = await self.connection.execute("SELECT coalesce(max(version), 0) FROM archive_schema")
            row = await cursor.fetchone()
            known = row[0] if row else 0
            if known > max(steps):
                raise DeviceError(
                    f"the archive has schema {known}, and this version knows {max(steps)}",
                    "another archiver is of a later version",
                    "bring this one up to that version, too; until then it writes nothing",
                )
            for version in range(known + 1, max(steps) + 1):
                await self.connection.execute(steps[version].encode())
                await self.connection.execute("INSERT INTO archive_schema VALUES (%s)", (version,))

    async def write(
        self, events: Sequence[QueuedEvent], gone: Sequence[GoneAnswer], foreign: Sequence[Foreign]
    ) -> Written:
        """All of a batch, or nothing."""
        async with self.connection.transaction():  # on its own: while a partition is made nobody can read
            await self._note_games(events)
        lines = await self._lines_of(events)
        written = Written(troubles=len(foreign))
        try:
            async with self.connection.transaction():
                if events:
                    await self._insert(events, written)
                await self._note(foreign)
                for event in events:
                    lines[event.origin, event.place.board].event(event.after, event.seq, begins=event.begins)
                moved = [(*key, event.place.venue, lines[key].last) for key, event in _by_line(events).items()]
                if moved:
                    await self.connection.execute(_LINES, _columns(moved))
                await self._pass_over(gone)
        except BaseException:
            self._lines.clear()  # they have moved on, and the rows have not
            self._months.clear()
            raise
        return written

    async def is_chief(self) -> bool:
        """Whether this is the one connection that hears how far boards are: from now on, as long as it lasts.

        Of a computer that lost its power the server would know for hours that it is connected still.
        """
        for name, value in ALIVE.items():
            await self.connection.execute("SELECT set_config(%s, %s, false)", (name, value))
        cursor = await self.connection.execute("SELECT pg_try_advisory_lock(%s)", (CHIEF,))
        row = await cursor.fetchone()
        return bool(row and row[0])

    async def keep_heads(self, heads: Iterable[QueuedHead]) -> int:
        """How far boards are; of each the head that came last. How many contradicted the one before."""
        heads = list(heads)
        if not heads:
            return 0
        twins = [twin for head in heads if (twin := self.twins.hear(head)) is not None]
        for twin in twins:
            log.warning("%s", twin.why)
        async with self.connection.transaction():
            await self._note_once(twins)
            latest = {head.place: head for head in heads}.values()
            rows = [
                (each.place.venue, each.place.board, each.origin, each.seq, each.hash, each.last) for each in latest
            ]
            columns = _columns(rows)
            cursor = await self.connection.execute(_OTHER_HASHES, columns[:5])
            contradicted = [
                Foreign(
                    VenueBoard(venue, board).topic(HEAD),
                    said,
                    f"record {seq} of this journal had another hash before: {before.hex()}",
                )
                for venue, board, seq, said, before in await cursor.fetchall()
            ]
            await self._note(contradicted)
            await self.connection.execute(_HEADS, columns)
        return len(twins) + len(contradicted)

    async def keep(self, dockets: Iterable[QueuedDocket]) -> None:
        """What awaits a ruling; what is told again and is the same changes nothing."""
        latest = {(docket.place, docket.game): docket for docket in dockets}.values()
        rows = [
            (each.place.venue, each.place.board, each.game, each.origin, each.last, Jsonb(each.body)) for each in latest
        ]
        if rows:
            await self.connection.execute(_DOCKETS, _columns(rows))

    async def behind(self) -> list[Behind]:
        """The boards that are to be asked for a replay."""
        cursor = await self.connection.execute("SELECT venue, board, archived FROM behind")
        return [Behind(VenueBoard(venue, board), archived) async for venue, board, archived in cursor]

    # -- inside --------------------------------------------------------------------------------------------------

    async def _insert(self, events: Sequence[QueuedEvent], written: Written) -> None:
        await self.connection.execute(
            "CREATE TEMPORARY TABLE IF NOT EXISTS incoming (LIKE event INCLUDING DEFAULTS) ON COMMIT DELETE ROWS"
        )
        cursor = self.connection.cursor()
        async with cursor.copy(f"COPY incoming ({COLUMNS}) FROM STDIN".encode()) as copy:
            for event in events:
                body = event.body
                await copy.write_row(
                    (
                        event.origin,
                        event.place.board,
                        event.seq,
                        self._months[event.origin, event.game],
                        event.place.venue,
                        event.game,
                        body.get("ply", 0),
                        body["type"],
                        body.get("side"),
                        body.get("ms"),
                        Jsonb(body),
                    )
                )
        # Within a batch, too, one may stand twice.
        inserted = await self.connection.execute(
            f"INSERT INTO event ({COLUMNS}) SELECT DISTINCT ON (origin, board, seq) {COLUMNS} FROM incoming"
            " ORDER BY origin, board, seq ON CONFLICT DO NOTHING".encode()
        )
        written.new, written.again = inserted.rowcount, len(events) - inserted.rowcount
        if written.again:
            differing = await self.connection.execute(
                "INSERT INTO trouble (what, topic, payload)"
                " SELECT format('event %s of journal %s is archived with another content', i.seq, i.origin),"
                " format('jadoube/v1/%s/%s/event', i.venue, i.board), convert_to(i.body::text, 'UTF8')"
                " FROM incoming i JOIN event e USING (origin, board, seq, month) WHERE e.body <> i.body"
            )
            written.troubles += differing.rowcount

    async def _note_games(self, events: Sequence[QueuedEvent]) -> None:
        """The month of each game is decided when it is first heard of."""
        if len(self._months) > REMEMBERED:
            self._months.clear()
        for event in events:
            key = event.origin, event.game
            if key in self._months and not event.begins:
                continue
            started = _time(event.started)
            cursor = await self.connection.execute(
                "INSERT INTO game (origin, game, venue, board, month, started, opening)"
                " VALUES (%s, %s, %s, %s, date_trunc('month', %s), %s, %s) ON CONFLICT (origin, game) DO UPDATE SET"
                " started = coalesce(game.started, excluded.started),"
                " opening = coalesce(game.opening, excluded.opening) RETURNING month",
                (
                    *key,
                    event.place.venue,
                    event.place.board,
                    (started or datetime.now(UTC)).astimezone(UTC).replace(tzinfo=None),
                    started,
                    Jsonb(event.body["opening"]) if event.begins else None,
                ),
            )
            row = await cursor.fetchone()
            assert row is not None
            self._months[key] = row[0]
            await self._make_room(row[0])

    async def _make_room(self, month: date) -> None:
        if month not in self._partitions:
            following = date(month.year + month.month // 12, month.month % 12 + 1, 1)
            await self.connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
            await self.connection.execute(
                f"CREATE TABLE IF NOT EXISTS event_{month:%Y_%m} PARTITION OF event"
                f" FOR VALUES FROM ('{month}') TO ('{following}')".encode()
            )
            self._partitions.add(month)

    async def _lines_of(self, events: Sequence[QueuedEvent]) -> dict[tuple[str, str], ArchivedLine]:
        """How far each of these boards is; read again before a gap, for another archiver may have filled it."""
        if len(self._lines) > REMEMBERED:
            self._lines.clear()
        for key, event in _by_line(events, first=True).items():
            known = self._lines.get(key)
            if known is None or event.after > (known.last or 0):
                cursor = await self.connection.execute("SELECT last FROM line WHERE origin = %s AND board = %s", key)
                row = await cursor.fetchone()
                if known is None:
                    self._lines[key] = ArchivedLine(row[0] if row else None)
                elif row:
                    known.move_on(row[0])
        return self._lines

    async def _pass_over(self, gone: Iterable[GoneAnswer]) -> None:
        """What a board has not got any more is not waited for. Its answer names no journal: the one is meant of which
        its head tells."""
        for each in gone:
            cursor = await self.connection.execute(
                "INSERT INTO gone SELECT origin, board, %s, %s FROM head WHERE venue = %s AND board = %s"
                " ON CONFLICT DO NOTHING RETURNING origin",
                (each.first, each.last, each.place.venue, each.place.board),
            )
            for (origin,) in await cursor.fetchall():
                await self.connection.execute(
                    "INSERT INTO line VALUES (%s, %s, %s, %s) ON CONFLICT (origin, board)"
                    " DO UPDATE SET last = greatest(line.last, excluded.last)",
                    (origin, each.place.board, each.place.venue, each.last),
                )
                self._lines.pop((origin, each.place.board), None)

    async def _note(self, foreign: Iterable[Foreign]) -> None:
        rows = [(each.why, each.topic, each.payload) for each in foreign]
        if rows:
            async with self.connection.cursor() as cursor:
                await cursor.executemany("INSERT INTO trouble (what, topic, payload) VALUES (%s, %s, %s)", rows)

    async def _note_once(self, foreign: Iterable[Foreign]) -> None:
        """What another archiver, or this one before it was started anew, has noted is not noted again."""
        for each in foreign:
            await self.connection.execute(
                "INSERT INTO trouble (what, topic, payload) SELECT %(why)s, %(topic)s, %(payload)s"
                " WHERE NOT EXISTS (SELECT FROM trouble WHERE what = %(why)s)",
                {"why": each.why, "topic": each.topic, "payload": each.payload},
            )


def _columns(rows: Sequence[tuple[Any, ...]]) -> list[list[Any]]:
    """Rows as arrays, of which a statement makes them again: one for however many there are."""
    return [list(column) for column in zip(*rows, strict=True)]


def _by_line(events: Sequence[QueuedEvent], *, first: bool = False) -> dict[tuple[str, str], QueuedEvent]:
    """The last event of each board and journal, or the first."""
    return {(event.origin, event.place.board): event for event in (reversed(events) if first else events)}


def _time(text: str | None) -> datetime | None:
    try:
        found = None if text is None else datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found is None or found.tzinfo else found.replace(tzinfo=UTC)
