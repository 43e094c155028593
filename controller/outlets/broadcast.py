"""A round as files for the public: PGN for whoever polls or watches a folder, JSON as of LiveChess Cloud.

    tournament.json
    round-3/game-7.pgn      the game of board 7, for Lichess's Broadcaster app, which watches the folder of the round
    round-3/games.pgn       all games of the round, for whoever fetches one file
    round-3/game-7.json, round-3/index.json

The daemons of a hall may share the folder: each writes the game of its own board, and what concerns the round is put
together from the games found there, under a lock. Every file is replaced whole, and only where something has changed.
"""

import asyncio
import fcntl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import chess.pgn
import msgspec
from msgspec import Struct

from controller.contract import Completed, Displaced, Move, Restored, Result, Retract
from controller.errors import DeviceError
from controller.event import unescaped
from controller.outlets import cloud
from controller.outlets.broadcast_pgn import broadcast_pgn
from controller.outlets.follow import Follower, Readable
from controller.outlets.notices import Notices
from controller.outlets.pgn import tags_of, write_atomically
from controller.outlets.scoresheet import Scoresheet
from controller.outlets.settings import BroadcastConfig

NAME = "broadcast"
RETRY_S = 5.0
PAUSE_S = 0.2  #: what follows at once is written together
WRITTEN = (Move, Retract, Completed, Result, Displaced, Restored)  #: the events that change a file


class Written(Struct, frozen=True):
    """A game as it is to be written."""

    round: int
    board: int
    pgn: str
    json: str


class Broadcast:
    """Writes the games of the board ``number`` as ``journal`` has them, which for the public is a late one."""

    def __init__(self, config: BroadcastConfig, number: str, journal: Readable, notices: Notices) -> None:
        self.directory = Path(config.directory).expanduser()
        self._board = int(number)
        self._notices = notices
        self._follower = Follower(journal, number, 0, Scoresheet)

    async def run(self) -> None:
        """Follows the journal until cancelled; a folder that cannot be written to is tried again."""
        if self._follower.sheet is not None:
            await self._write(self._follower.sheet)
        while True:
            await self._follower.more()
            await asyncio.sleep(PAUSE_S)
            batch = self._follower.read()
            sheets = {id(n.sheet): n.sheet for n in batch if n.event is None or isinstance(n.event, WRITTEN)}
            for sheet in sheets.values():
                await self._write(sheet)

    async def _write(self, sheet: Scoresheet) -> None:
        game = written(sheet, self._board)
        while True:
            try:
                await asyncio.to_thread(write, self.directory, game)
            except OSError as error:
                cause = "the disk is full or read-only, or the folder belongs to another user"
                next_step = f"df -h {self.directory}; ls -ld {self.directory}"
                what = f"{self.directory} cannot be written: {error.strerror}"
                self._notices.set(NAME, DeviceError(what, cause, next_step))
                await asyncio.sleep(RETRY_S)
            else:
                self._notices.clear(NAME)
                return


def written(sheet: Scoresheet, board: int) -> Written:
    """The game as it stands."""
    return Written(cloud.round_of(tags_of(sheet)), board, broadcast_pgn(sheet), _json(cloud.game(sheet)))


def write(directory: Path, game: Written) -> None:
    """Writes a game, and what it changes of its round. Raises :exc:`OSError`."""
    folder = directory / f"round-{game.round}"
    folder.mkdir(parents=True, exist_ok=True)
    with _alone(directory):
        _replace(folder / f"game-{game.board}.json", game.json)
        _replace(folder / f"game-{game.board}.pgn", game.pgn)
        games = round_in(folder)
        _replace(folder / "games.pgn", "".join((folder / f"game-{board}.pgn").read_text("utf-8") for board in games))
        _replace(folder / "index.json", _json(cloud.index(games)))
        rounds = {
            number: cloud.Round(len(tags), sum(each.get("Result") == "*" for each in tags.values()))
            for number in rounds_in(directory)
            if (tags := round_in(directory / f"round-{number}"))
        }
        _replace(directory / "tournament.json", _json(cloud.tournament(games.values(), rounds)))


def rounds_in(directory: Path) -> list[int]:
    """The numbers of the rounds written there, in order."""
    names = (path.name.removeprefix("round-") for path in directory.glob("round-*"))
    return sorted(int(name) for name in names if name.isdecimal())


def round_in(folder: Path) -> dict[int, Mapping[str, str]]:
    """The PGN tags of the games of a round, by board."""
    games: dict[int, Mapping[str, str]] = {}
    for path in folder.glob("game-*.pgn"):
        board = path.stem.removeprefix("game-")
        with path.open(encoding="utf-8") as file:
            headers = chess.pgn.read_headers(file)
        if board.isdecimal() and headers is not None:
            games[int(board)] = {tag: unescaped(value) for tag, value in headers.items()}
    return dict(sorted(games.items()))


def _replace(path: Path, text: str) -> None:
    """Writes the file anew, unless it is so already: who watches a folder pushes all of it at each write."""
    if not path.exists() or path.read_text("utf-8") != text:
        write_atomically(path, text)


@contextmanager
def _alone(directory: Path) -> Iterator[None]:
    """One daemon at a time puts a round together."""
    with (directory / ".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _json(value: Struct) -> str:
    return msgspec.json.encode(value).decode()
