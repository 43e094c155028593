"""An open journal, as all who write to it and read from it have it."""

import contextlib
import logging
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from pathlib import Path

from controller.contract import AnyEvent, AnyInput
from controller.errors import DamageError, JournalError, StorageError
from controller.journal import rescue, store
from controller.journal.hold import Hold, real, unopened
from controller.journal.latest import Latest
from controller.journal.pages import beside, rows
from controller.journal.reading import Proof, Reader
from controller.journal.record import GENESIS, Head, Opening, Record, RecordDraft
from controller.journal.spill import Spill
from controller.journal.witness import Testimony, Witness, hear
from controller.journal.writer import BesideFile, Writer
from controller.wire import encode

log = logging.getLogger(__name__)

WITNESSED = 3  #: journals have a witness since this schema


class Journal:
    """An open journal. Reading is for the thread that opened it; :meth:`append` may be called anywhere.

    Raises :exc:`JournalError` where ``path`` cannot be opened, is in use by another daemon, is no journal, or was
    written by a later version; and :exc:`DamageError` for a damaged one, unless it is to be restored: it is then set
    aside, and :attr:`restored` tells of it. A file that cannot be read is never written to.
    """

    def __init__(self, path: Path, *, restore: bool = False) -> None:
        self.path = path = real(path)
        self.trouble: JournalError | None = None  #: why nothing can be written at present
        self.on_trouble: Callable[[JournalError | None], None] = lambda _: None  #: called in the writer's thread
        self.on_restored: Callable[[rescue.RescuedJournal], None] = lambda _: None  #: likewise: damage was met at work
        self.restored: rescue.RescuedJournal | None = None  #: what was lost when it was opened
        self._hold = Hold(path)
        try:
            rescue.finish(path)
            #: in seconds since 1970, about when it was last written to; None for a new one
            self.last_written = store.last_written(path)
            testimony = hear(path)
            self._reader = self._open_or_restore(testimony, restore)
            self._hold.take_file()
            spill = Spill(path)
            self._take_in(spill)
            self._question(testimony, spill)
            spill.clear()
            head, end = self._reader.head(), self._reader.end()
            self._latest = Latest(head, self._reader.cursors(), self._reader.origin(), self._reader.boards())
        except (JournalError, OSError) as error:
            self._hold.close()
            raise error if isinstance(error, JournalError) else unopened(path, error.strerror or str(error)) from error
        witness = Witness(path, store.NEWEST)
        witness.begin(head)
        self._old_readers: list[Reader] = []
        self._writer = Writer(path, self._latest, end, BesideFile(self._hold, witness, spill), self._tell, self._reopen)

    # -- writing -------------------------------------------------------------------------------------------------

    def begin(self, opening: Opening) -> "Future[int]":
        """Opens a game. The result, once it is safely on the disk, is the record's number."""
        return self._writer.submit([(opening.game, "game", encode(opening))])

    def append(self, game: str, item: AnyInput, events: Iterable[AnyEvent]) -> "Future[int]":
        """Adds an input and what it led to, together or not at all.

        The result, once they are safely on the disk, is the number of the last; a full or failing disk delays it. It is
        a :exc:`JournalError` where the journal is closed before that.
        """
        drafts: list[RecordDraft] = [(game, "input", encode(item))]
        drafts += [(game, "event", encode(event)) for event in events]
        return self._writer.submit(drafts)

    def disown(self, why: str, told: int) -> "Future[int]":
        """The journal is not the one of which somebody was told up to record ``told``: it gets another name, so that
        all who receive it begin anew. ``why`` goes on from "the journal"; the result comes once that is on the disk.
        """
        return self._writer.disown(why, told)

    def move_cursor(self, outlet: str, seq: int) -> None:
        """Notes that ``outlet`` has sent everything up to ``seq``; written with the next commit or at the close."""
        self._latest.move_cursor(outlet, seq)

    def close(self) -> None:
        """Writes what is queued, then the cursors. What a full disk still keeps out is taken over at the next start, if
        the machine is not switched off before.
        """
        self._writer.close()
        for reader in [*self._old_readers, self._reader]:
            reader.close()
        self._hold.close()

    # -- reading -------------------------------------------------------------------------------------------------

    @property
    def head(self) -> Head:
        """The last record that is safely on the disk."""
        return self._latest.head

    @property
    def origin(self) -> str:
        """By what the journal is known to those who receive it: another one where records may be lost."""
        return self._latest.origin

    def take_slowest_ns(self) -> int:
        """For how long a record has waited for the disk, at most since this was asked last; also one that still waits.
        While nothing can be written, that is told as :attr:`trouble` instead.
        """
        return max(self._latest.take_slowest_ns(), self._writer.waited_ns)

    def cursor(self, outlet: str) -> int:
        """The last record that ``outlet`` is known to have sent; 0 for an outlet never seen."""
        return self._latest.cursor(outlet)

    def reached(self, board: str | None) -> int:
        """The last record, or that of a game on ``board``; 0 where there is none."""
        return self._latest.reached(board)

    def waiting_for(self, outlet: str, board: str) -> int:
        """How far from the record that ``outlet`` has sent it is to the last one of ``board``; 0 where that is sent."""
        return max(0, self.reached(board) - self.cursor(outlet))

    def after(self, seq: int, limit: int = 256, board: str | None = None) -> list[Record]:
        """Up to ``limit`` records that follow ``seq``, in order, if it is named those of ``board`` alone; those who
        keep up are spared the disk.
        """
        recent = self._latest.after(seq, limit, board)
        if recent is not None:
            return recent
        return self._reader.after(seq, limit) if board is None else self._reader.after_on(board, seq, limit)

    def kept_after(self, seq: int, board: str | None = None) -> list[Record]:
        """As :meth:`after`, and behind them what is kept in memory while the disk takes nothing. That may be lost with
        the power: only for those who show players their own clocks.
        """
        return self.after(seq, board=board) or self._latest.not_on_disk(seq, board)

    def game(self, game: str) -> Iterator[Record]:
        """All records of one game, in order."""
        return self._reader.game(game)

    def opening(self, game: str) -> Opening:
        """What ``game`` is. Raises :exc:`JournalError` when there is no such game."""
        return self._reader.opening(game)

    def last_game(self, board: str) -> Opening | None:
        """The game begun last on ``board``; None where there was none."""
        return self._reader.last_game(board)

    def games_after(self, board: str, seq: int) -> list[str]:
        """The games on ``board`` of which a record follows ``seq``, in order."""
        return self._reader.games_after(board, seq)

    def openings(self) -> Iterator[Opening]:
        """Every game begun, in order."""
        return self._reader.openings()

    def before_last_game(self, board: str) -> int:
        """The record before the game begun last on ``board``: who follows from there is told all of that game. The last
        record where there was none.
        """
        last = self.last_game(board)
        return self.head.seq if last is None else next(self.game(last.game)).seq - 1

    def gone_after(self, seq: int) -> tuple[int, int] | None:
        """The first and the last of the records after ``seq`` that were let go by their age; None where none was."""
        return self._reader.gone_after(seq)

    def forget(self, seq: int) -> None:
        """Keeps nothing in memory up to ``seq``: it was let go, or may be."""
        self._latest.forget(seq)

    async def wait(self, seq: int, board: str | None = None) -> None:
        """Returns once there is a record after ``seq``, if it is named one of ``board``."""
        await self._latest.wait(board, lambda: self.reached(board) > seq)

    async def wait_kept(self, seq: int, board: str | None = None) -> None:
        """Returns once :meth:`kept_after` has something."""
        await self._latest.wait(board, lambda: self.reached(board) > seq or bool(self._latest.not_on_disk(seq, board)))

    def verify(self, since: int = 1) -> Proof:
        """Recomputes the hashes from record ``since`` on. Raises :exc:`DamageError` where a row was tampered with."""
        return self._reader.verify(since)

    # -- inside --------------------------------------------------------------------------------------------------

    def _open_or_restore(self, testimony: Testimony, restore: bool) -> Reader:
        try:
            return opened(self.path, testimony)
        except DamageError as damage:
            if not restore:
                raise
            log.error("%s", damage.what)
            waiting = Spill(self.path).waiting()
            self.restored = rescue.set_aside(self.path, noted=testimony.noted, more=waiting)
            try:
                return opened(self.path)
            except DamageError as again:
                raise again from damage

    def _question(self, testimony: Testimony, spill: Spill) -> None:
        """Where nobody can vouch for the end, or rows are lost that had waited for the disk, the journal gets another
        name: who receives it begins anew.
        """
        noted, head = testimony.noted, self._reader.head().seq
        waited = noted.kept if noted is not None else 0
        if self.restored is not None:
            return
        if waited > head or spill.aside:
            kept = f"; what there was is kept as {', '.join(map(str, spill.aside.values()))}" if spill.aside else ""
            why = f"has not got all that had waited for the disk{kept}"
        elif testimony.trouble and head and self._reader.schema >= WITNESSED:
            why = f"may have had a later end: {testimony.trouble}"
        else:
            return
        end = self._reader.end()
        try:
            with contextlib.closing(store.connect(self.path)) as connection, connection:
                store.part(connection, Head(max(waited, end.seq), end.hash), f"it {why}")
        except sqlite3.Error as error:
            self._reader.close()
            raise store.explained(self.path, error) from error
        self._reader.close()
        self._reader = Reader(store.connect(self.path), self.path)
        lost = ((head + 1, waited),) if waited > head else ()
        self.restored = rescue.RescuedJournal(self.path, None, self._reader.count(), lost, why=why)

    def _take_in(self, spill: Spill) -> None:
        """Takes over what a program that was stopped while the disk was full had put down elsewhere."""
        records = spill.after(self._reader.end(), self._reader.after)
        if records:
            where = ", ".join(map(str, spill.taken))
            try:
                with contextlib.closing(store.connect(self.path)) as connection:
                    store.insert(connection, records, {})
            except sqlite3.Error as error:
                self._reader.close()
                raise StorageError(
                    f"the journal {self.path} cannot take over {len(records)} records from {where}: {error}",
                    "the disk is full, read-only or failing, as it was when they were put down there",
                    f"make room, and start again before the machine is switched off: df -h {self.path.parent}",
                ) from error
            log.warning("%s: %d records are taken over from %s", self.path, len(records), where)

    def _tell(self, trouble: JournalError | None) -> None:
        self.trouble = trouble
        self.on_trouble(trouble)

    def _reopen(self, restored: rescue.RescuedJournal) -> None:
        """In the writer's thread: who reads the old file at this moment may finish."""
        self._old_readers.append(self._reader)
        self._reader = Reader(store.connect(self.path), self.path)
        self.on_restored(restored)


def opened(path: Path, testimony: Testimony | None = None) -> Reader:
    """Opens the file, brings it up to date, and looks whether it is whole, by the ``testimony`` of its witness too.

    It is read first, and only then opened to be written to: closing it would fold the write-ahead log into a damaged
    file, and remove what SQLite does not see in it.
    """
    noted = testimony.noted if testimony is not None else None
    store.refuse_foreign(path, noted)
    try:
        if store.is_empty(path):
            if noted is not None and noted.reached:
                raise store.damaged(path, f"it is empty or gone, and had come to record {noted.reached}")
            if next(rows(path), None) is not None:
                raise store.damaged(path, "it is empty or gone, and its write-ahead log is not")
        elif not beside(path, "-journal").exists():
            with contextlib.closing(store.connect_to_read(path, noted)) as connection:
                version = store.version_of(connection, path)
                reader = Reader(connection, path)
                if version:
                    reader.check(noted)
                elif noted is not None and noted.reached:
                    raise store.damaged(path, f"it has no tables, and had come to record {noted.reached}")
                if testimony is not None and testimony.trouble and beside(path, "-wal").exists():
                    rescue.unseen(path, reader.head() if version else Head(0, GENESIS))
        connection = store.connect(path)
        try:
            schema = store.migrate(connection, path)
            reader = Reader(connection, path)
            reader.schema = schema
        except BaseException:
            connection.close()
            raise
    except store.ERRORS as error:
        raise store.explained(path, error) from error
    return reader
