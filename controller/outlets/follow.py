"""Following the journal: what every outlet does between two deliveries."""

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Generic, Protocol, TypeVar

from msgspec import Struct

from controller.contract import AnyEvent
from controller.errors import JournalError
from controller.journal import GENESIS, Head, Opening, Record, decode_opening
from controller.outlets.alerts import wants_arbiter
from controller.wire import decode_event


class Readable(Protocol):
    """What is read of a journal here: of the one that is written, or of its :class:`~.delay.Past`."""

    def gone_after(self, seq: int) -> tuple[int, int] | None: ...
    def after(self, seq: int, limit: int = 256, board: str | None = None) -> list[Record]: ...
    def game(self, game: str) -> Iterator[Record]: ...
    def opening(self, game: str) -> Opening: ...
    def last_game(self, board: str) -> Opening | None: ...
    def openings(self) -> Iterator[Opening]: ...
    @property
    def origin(self) -> str: ...
    async def wait(self, seq: int, board: str) -> None: ...


class Sheet(Protocol):
    """What is kept of a game, or of a match: :class:`~.scoresheet.Scoresheet`, :class:`~.matchsheet.Matchsheet`."""

    opening: Opening

    @property
    def ply(self) -> int: ...
    @property
    def over(self) -> bool: ...
    def concerns(self, event: AnyEvent) -> bool: ...
    def apply(self, event: AnyEvent) -> None: ...
    def close(self) -> None: ...


S = TypeVar("S", bound=Sheet)


class News(Struct, Generic[S], frozen=True):
    """A record that spectators can know of. The scoresheet goes on with the game; ``ply`` is of this moment."""

    record: Record
    sheet: S
    ply: int  #: moves made so far
    event: AnyEvent | None  #: None where a game begins
    after: int = 0  #: the number of the record before it that was news; by it a receiver sees that one is missing
    origin: str = ""  #: by what the journal is known that it is in


class Follower(Generic[S]):
    """Reads the journal after record ``since``, and keeps the sheet of the game that it is in, begun by ``begin``.

    What is played on other boards than ``board`` is not looked at.
    ``since`` 0, as of an outlet never seen before: from the start of the game in progress on ``board``, not of all that
    were ever played. ``hear`` is handed what is no event: the openings on ``board``, and the inputs.
    """

    def __init__(
        self,
        journal: Readable,
        board: str,
        since: int,
        begin: Callable[[Opening], S],
        hear: Callable[[Record], None] = lambda _: None,
    ) -> None:
        self._journal = journal
        self._board = board
        self._begin = begin
        self._hear = hear
        self.sheet: S | None = None
        self.seq = since  #: the last record taken
        self.told = 0  #: the last of them that was news; 0 if there was none
        self.latest: dict[type[AnyEvent], News[S]] = {}  #: the last of each kind in this game
        self.last_alert: News[S] | None = None  #: the last event of this game that wants an arbiter
        self.alerts = 0  #: how many such there were
        self._hash = GENESIS
        current = journal.last_game(board)
        if since == 0 and current is not None:
            self.seq = next(journal.game(current.game)).seq - 1
        #: the first and the last of the records still to come that were let go by their age
        self.gone = journal.gone_after(self.seq)
        for record in self._until_now(since):
            self._read(record)

    async def batches(self) -> AsyncIterator[list[News[S]]]:
        """What is new, as much as there is, again and again; an empty batch is nothing but the number moving on."""
        while True:
            await self.more()
            yield self.read()

    async def more(self) -> None:
        """Returns once there is something new to read."""
        await self._journal.wait(self.seq, self._board)

    def read(self, limit: int = 256) -> list[News[S]]:
        """What is new at this moment, of so many records at most."""
        records = self._journal.after(self.seq, limit, self._board)
        if records:
            self.seq, self._hash = records[-1].seq, records[-1].hash
        return [news for record in records if (news := self._read(record))]

    @property
    def head(self) -> Head:
        """The last record taken, with the hash that vouches for it and all before."""
        return Head(self.seq, self._hash)

    @property
    def origin(self) -> str:
        """By what the journal is known."""
        return self._journal.origin

    def _until_now(self, since: int) -> list[Record]:
        """The records, already delivered, of the game that goes on after :attr:`seq`; none where nothing was delivered:
        what comes before is another game."""
        last = self._journal.after(self.seq - 1, limit=1) if self.seq else []
        if not last or last[0].seq != self.seq:
            return []
        self._hash = last[0].hash
        if not since:
            return []
        game = last[0].game
        if board_of_game(self._journal, game) != self._board:
            current = self._journal.last_game(self._board)
            game = current.game if current is not None else game
        return [record for record in self._journal.game(game) if record.seq <= self.seq]

    def _read(self, record: Record) -> News[S] | None:
        if record.kind == "game":
            opening = decode_opening(record.body)
            if opening.board == self._board:
                if self.sheet is not None:
                    self.sheet.close()
                self.sheet = self._begin(opening)
                self._hear(record)
                self.latest, self.last_alert, self.alerts = {}, None, 0
                return self._news(record, None)
        elif record.kind == "event":
            if self.sheet is None:
                self._take_up(record)
            if self.sheet is not None and record.game == self.sheet.opening.game:
                event = decode_event(record.body)
                if self.sheet.concerns(event):
                    self.sheet.apply(event)
                    return self._news(record, event)
        else:
            self._hear(record)
        return None

    def _take_up(self, record: Record) -> None:
        """The game so far that ``record`` goes on with: of a past that did not reach so far when this one began."""
        if board_of_game(self._journal, record.game) == self._board:
            for earlier in self._journal.game(record.game):
                if earlier.seq < record.seq:
                    self._read(earlier)

    def _news(self, record: Record, event: AnyEvent | None) -> News[S]:
        assert self.sheet is not None
        after, self.told = self.told, record.seq
        news = News(record, self.sheet, self.sheet.ply, event, after, self.origin)
        if event is not None:
            self.latest[type(event)] = news
        if wants_arbiter(event):
            self.last_alert, self.alerts = news, self.alerts + 1
        return news


def board_of_game(journal: Readable, game: str) -> str | None:
    """On which board it was played; None where its opening was lost with a damaged journal."""
    try:
        return journal.opening(game).board
    except JournalError:
        return None
