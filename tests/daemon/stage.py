"""A table without I/O, with a hand that moves its pieces and a clock that is set: ``at`` is in ms of the daemon."""

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

import chess
from hall import moves_of

from controller.config import Config
from controller.contract import BoardId
from controller.daemon.game_session import GameSession
from controller.daemon.timeline import MS_NS, Timeline
from controller.journal import Journal
from controller.outlets.notices import Notices
from controller.wire import decode_event, decode_input
from hardware.boards import BoardReading, LeverPress, Look

START = 0xFFFF00000000FFFF
SCAN_MS = 5  #: after so long a board that was asked has been scanned


class Scene:
    """A table with a hand that moves its pieces and a clock that is set."""

    def __init__(self, config: Config, path: Path) -> None:
        self.config, self.path = config, path
        self.at = 0
        self.occupied = START
        self.scans = True  #: the board is scanned when it is asked
        self.found: Callable[[], None] | None = None  #: as of the table
        self.open()

    def open(self) -> None:
        self.journal, self.notices = Journal(self.path), Notices()
        self.asked: set[BoardId | None] = set()
        self.session = GameSession(
            self.config, self.journal, self.notices, Timeline(0), self.at * MS_NS, self.asked.add, self.found
        )

    def restart(self, after_ms: int) -> None:
        """The daemon dies; another one is started so much later."""
        self.journal.close()
        self.at += after_ms
        self.open()

    def run(self, ms: int) -> None:
        """Time passes, and the table is woken when it wants to be; a board that was asked is scanned."""
        end = self.at + ms
        while self._pass(end, until_asked=self.scans) and self.at + SCAN_MS <= end:
            self._pass(self.at + SCAN_MS)
            self.scan()
        self._pass(end)

    def _pass(self, end: int, until_asked: bool = False) -> bool:
        """Lets time pass; whether it stopped because the board was asked."""
        while not (until_asked and self.asked):
            due = self.session.due_ns
            if due is None or due > end * MS_NS:
                self.at = end
                return False
            self.at = max(self.at, -(-due // MS_NS))
            self.session.wake(self.at * MS_NS)
        return True

    def show(self, occupied: int | None = None) -> None:
        self.occupied = self.occupied if occupied is None else occupied
        self.session.take(BoardReading(self.at * MS_NS, self.occupied, began_ns=self.at * MS_NS))

    def scan(self) -> None:
        """What was asked for is shown."""
        asked = list(self.asked)
        self.asked.clear()
        self.look(*asked)

    def look(self, *boards: BoardId | None) -> None:
        """Boards that know their pieces have told all that stands on them; others are scanned."""
        for board_id in boards:
            if self.config.senses == "identity":
                self.session.take(Look(self.at * MS_NS, self.at * MS_NS), board_id=board_id)
            else:
                self.show_on(board_id)

    def show_on(self, _: BoardId | None) -> None:
        self.show()

    def lift(self, square: str) -> None:
        self.show(self.occupied & ~(1 << chess.parse_square(square)))

    def place(self, square: str) -> None:
        self.show(self.occupied | 1 << chess.parse_square(square))

    def move(self, uci: str) -> None:
        """A move, made and released."""
        self.lift(uci[:2])
        self.run(100)
        self.place(uci[2:])
        self.run(200)

    def press(self, side: str) -> None:
        """The clock is pressed, and heard once no edge can be older."""
        self.session.take(LeverPress(self.at * MS_NS, "white" if side == "white" else "black"))
        self.run(self.config.event.settings.debounce_ms)

    def say(self, **fields: object) -> "Future[int]":
        """A command is given; its record will be that of this number."""
        return self.session.command(fields, self.at * MS_NS)

    def command(self, **fields: object) -> int:
        done = self.say(**fields)
        if not done.done():
            self.run(SCAN_MS + 1)
        return done.result(5)

    def games(self) -> list[str]:
        return [record.game for record in self._records() if record.kind == "game"]

    def inputs(self) -> list[tuple[str, int]]:
        items = [decode_input(record.body) for record in self._records() if record.kind == "input"]
        return [(type(item).__name__, item.ms) for item in items]

    def pressed(self) -> list[int]:
        """When presses were told, in ms of the session."""
        return [ms for name, ms in self.inputs() if name == "Press"]

    def events(self) -> list[str]:
        return [type(decode_event(record.body)).__name__ for record in self._records() if record.kind == "event"]

    def moves(self) -> list[str]:
        self._records()
        return moves_of(self.journal)

    def said(self) -> dict[str, str]:
        return {notice.source: notice.what for notice in self.notices.current}

    def _records(self):
        self.journal.append("barrier", decode_input('{"type":"time","ms":0}'), []).result(5)
        return [record for record in self.journal.after(0, 100_000) if record.game != "barrier"]


Stage = Callable[..., Scene]
