"""What is known of the sensors of a board when a game begins: by ``jadoube calibrate``, and by the games before.

Both count edges, and how many of them were lost. Only where there are enough is anything made of them: until then a
board is taken for one that sends every edge. How often it looks its makers say, and that makes a difference at once.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path

import msgspec
from msgspec import Struct

from controller import files
from controller.config import TableSetup
from controller.contract import AnyEvent, AnyInput, Sensors
from controller.errors import JadoubeError, JournalError
from controller.journal import Opening, Reader, Record, connect_to_read
from controller.journal.pages import beside
from controller.sensing.costs import UNMEASURED
from controller.sensing.rhythm import NOTICED_MS
from controller.sensing.signs import Lost, recorded
from controller.wire import decode_event, decode_input
from hardware.boards import BoardConfig
from hardware.boards.registry import scan_ms

log = logging.getLogger(__name__)

LEAST = 400  #: edges; with none of them lost, a board loses 1 of 402, no more than is taken of one not measured
GAMES = 20  #: the last ones; a club's board shows some 200 edges in each
LOOK_S = 20.0  #: between looks whether a game has ended
LARGEST = 4096  #: bytes of what calibrate has written


class Measured(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What ``jadoube calibrate`` has found, kept beside the journal."""

    edges: int
    lost: int
    scan_ms: float
    bounce_ms: int = 0  #: for how long its contacts bounce, at most
    at: datetime  #: what was played before then was played on a board that may have been mended since

    @property
    def count(self) -> Lost:
        return Lost(self.edges, self.lost)


def kept_at(journal: Path) -> Path:
    return beside(journal, "-sensors")


def calibrated(journal: Path) -> Measured | None:
    """What ``jadoube calibrate`` has found; None where it was not asked. Raises :exc:`JournalError` where the file
    cannot be read.
    """
    path = kept_at(journal)
    try:
        return msgspec.json.decode(files.read(path, LARGEST), type=Measured)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError, JadoubeError) as error:
        next_step = f"rm {path}; jadoube calibrate"
        raise JournalError(f"{path} cannot be used: {error}", "a damaged file", next_step) from error


def sensors(board: BoardConfig, measured: Measured | None, played: Lost, debounce_ms: int) -> Sensors | None:
    """What a session says of its board; None where too little is known."""
    count = played if measured is None else played + measured.count
    every = scan_ms(board) if measured is None else measured.scan_ms
    if count.edges < LEAST and every < NOTICED_MS:
        return None
    lost = count.share if count.edges >= LEAST else UNMEASURED
    # What stands for less than the debounce time is not told, however often the board looks.
    return Sensors(lost=min(0.5, lost), scan_ms=max(every, debounce_ms))


class LossesInPlay:
    """What the board of ``config`` lost in the last games on it, by the journal ``path``; each is counted once."""

    def __init__(self, config: TableSetup, path: Path) -> None:
        self._config = config
        self._path = path
        self._counts: dict[str, Lost] = {}  # by game; of those only that are among the last

    @property
    def games(self) -> int:
        """How many games were counted."""
        return len(self._counts)

    def count(self, since: datetime | None, busy: Callable[[], bool] = lambda: False) -> Lost:
        """What was lost in those begun after ``since``, as far as they were counted before it is ``busy``. Raises
        :exc:`JadoubeError`.
        """
        with closing(Reader(connect_to_read(self._path), self._path)) as reader:
            scores = reader.scores()
            ours = [each for each in reader.openings() if self._is_ours(each, since) and each.game not in scores]
            last = ours[-GAMES:]
            self._counts = {each.game: self._counts[each.game] for each in last if each.game in self._counts}
            for each in last:
                if each.game not in self._counts and not busy():
                    self._counts[each.game] = recorded(each.session, _lines(reader.game(each.game))).lost
        return sum(self._counts.values(), Lost())

    def _is_ours(self, opening: Opening, since: datetime | None) -> bool:
        session, began = opening.session, datetime.fromisoformat(opening.started)
        here = opening.board == self._config.numbers and session.match is None
        return here and session.senses == self._config.senses and (since is None or began.astimezone() >= since)


def _lines(records: Iterable[Record]) -> Iterator[AnyInput | AnyEvent]:
    for record in records:
        if record.kind == "input":
            yield decode_input(record.body)
        elif record.kind == "event":
            yield decode_event(record.body)


class Measuring:
    """Counts between the games what the board of ``config`` loses, and hands on what the next session is to say of it.
    ``busy`` says whether a game is played.
    """

    def __init__(
        self, config: TableSetup, path: Path, busy: Callable[[], bool], hand_on: Callable[[Sensors | None], None]
    ) -> None:
        self._config = config
        self._path = path
        self._busy = busy
        self._hand_on = hand_on
        self._played = LossesInPlay(config, path)

    async def run(self) -> None:
        """Until cancelled."""
        done = False
        while True:
            if self._busy():
                done = False
            elif not done:
                try:
                    await self.once()
                except (JadoubeError, sqlite3.Error, OSError) as error:
                    log.warning("what the board loses could not be counted: %s", error)
                done = True
            await asyncio.sleep(LOOK_S)

    async def once(self) -> None:
        """Counts the games that have been played since. Raises :exc:`JadoubeError`."""
        (place,) = self._config.places.values()
        measured = calibrated(self._path)
        since = None if measured is None else measured.at
        played = await asyncio.to_thread(self._played.count, since, self._busy)
        self._hand_on(sensors(place.board, measured, played, self._config.event.settings.debounce_ms))
