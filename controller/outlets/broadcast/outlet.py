"""A round as files for the public: PGN for whoever polls or watches a folder, JSON as of LiveChess Cloud.

    tournament.json
    round-3/game-7.pgn      the game of board 7, for Lichess's Broadcaster app, which watches the folder of the round
    round-3/games.pgn       all games of the round, for whoever fetches one file
    round-3/game-7.json, round-3/index.json
    round-3/match-2.bpgn    the match à quatre of that number, which neither PGN nor that JSON can tell
    round-3/matches.bpgn
    round-3/left-7-….pgn    a game of board 7 that was given up without a result, and another begun in its place
    round-3/earlier-game-7-1.pgn    a finished game of board 7, after which others played there in the same round

Where a game belongs whose round is no number says :mod:`.folder`. Where pairings are in force, a game of
which nobody is named is of a table without a pairing, and is not published.

The daemons of a hall may share the folder: each writes the game of its own board, and what concerns the round is put
together from the games found there, under a lock. Who plays on a board that has not begun stands in
``.game-7.paired``. Every file is replaced whole, and only where something has changed.
"""

import asyncio
import fcntl
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Generic

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from controller.journal import Opening
from controller.outlets.bpgn import bpgn
from controller.outlets.broadcast import cloud
from controller.outlets.broadcast.folder import (
    folder_of,
    made,
    names_somebody,
    paired_at,
    paired_in,
    round_in,
    rounds_in,
    set_aside,
    together,
)
from controller.outlets.broadcast.pgn import broadcast_pgn
from controller.outlets.follow import Follower, Readable, S
from controller.outlets.matchsheet import Matchsheet
from controller.outlets.notices import Notices
from controller.outlets.pgn import is_live, tags_of, to_be_written
from controller.outlets.scoresheet import Scoresheet
from controller.outlets.settings import BroadcastConfig
from controller.outlets.tables import AtTable, InHall, Running
from controller.outlets.twins import Twins, identity
from controller.outlets.writing import until_taken, write_atomically
from controller.pairing import COLOURS

log = logging.getLogger(__name__)

NAME = "broadcast"
PAUSE_S = 0.2  #: what follows at once is written together


class GameFile(Struct, frozen=True):
    """A game's own file: its text as it was found and as it is now; and the boards of the round that nobody can tell
    from this one.
    """

    path: Path
    found: str | None
    now: str
    like: tuple[int, ...] = ()


Writing = Callable[[Path], GameFile]
"""Writes to the folder what is to be told now. Raises :exc:`OSError`."""


class BroadcastForm(Struct, Generic[S], frozen=True):
    """What is broadcast: what is kept of it, and, with its number in the hall, what there is to write; and should it be
    one that was left, its text, and how its file ends.
    """

    begin: Callable[[Opening], S]
    telling: Callable[[S, int], Writing]
    left: Callable[[S], str | None]
    suffix: str


class BroadcastGame(Struct, frozen=True):
    """A game as it is to be written."""

    tags: Mapping[str, str]
    board: int
    pgn: str
    json: str


class Broadcast(Generic[S]):
    """Writes what is played on ``board`` as ``journal`` has it, which for the public is a late one: in the ``form``
    :func:`games` or :data:`MATCHES`, under ``number``.
    """

    def __init__(
        self,
        config: BroadcastConfig,
        board: str,
        number: int,
        journal: Readable,
        notices: Notices,
        form: BroadcastForm[S],
        expected: Callable[[], Mapping[str, str]] = dict,
        *,
        paired: Callable[[], bool] = lambda: False,
    ) -> None:
        """``expected``: the PGN tags of the game there, or of the next one. ``paired``: whether pairings are in
        force, which tell who plays: then a game of nobody is not published."""
        self.directory = Path(config.directory).expanduser()
        self._number = number
        self._form = form
        self._notices = notices
        self._expected = expected
        self._paired = paired
        self._unpublished = ""  # the last game that was not
        self._follower = Follower(journal, board, 0, form.begin)
        self._twins = Twins(journal, notices, form.begin)
        self._left: GameFile | None = None  # the last time

    async def run(self) -> None:
        """Follows the journal until cancelled; a folder that cannot be written to is tried again."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._follow(), name="broadcast journal")
            tasks.create_task(self._announce(), name="broadcast pairings")

    async def _announce(self) -> None:
        """Writes who is to play, which is known before there is a game."""
        told: Mapping[str, str] = {}
        while True:
            tags = dict(self._expected())
            if tags == told or not any(colour in tags for colour in COLOURS):
                await self._notices.changed()
                continue
            told = tags
            write = partial(_write_paired, tags, self._number)
            await until_taken(partial(write, self.directory), self.directory, self._notices, NAME)

    async def _follow(self) -> None:
        if self._follower.sheet is not None:
            await self._write(self._follower.sheet)
        while True:
            await self._follower.more()
            await asyncio.sleep(PAUSE_S)
            for sheet in to_be_written(self._follower):
                await self._write(sheet)
                if sheet is not self._follower.sheet and (text := self._form.left(sheet)) is not None:
                    await self._keep(sheet, text)

    async def _keep(self, sheet: S, text: str) -> None:
        """Puts down once more a game that was left, where none that is played at that board is written."""
        name = f"left-{self._number}-{sheet.opening.game}{self._form.suffix}"
        if self._is_public(sheet):
            tags, directory = sheet.opening.tags, self.directory

            def write() -> None:
                write_atomically(folder_of(directory, tags) / name, text)

            await until_taken(write, directory, self._notices, NAME)

    def _is_public(self, sheet: S) -> bool:
        """Whether the game is of the round: it has players, or nobody says who plays where."""
        if not self._paired() or names_somebody(sheet.opening.tags):
            return True
        if self._unpublished != sheet.opening.game:
            self._unpublished = sheet.opening.game
            log.info("board %d: a game without a pairing is played there, and not broadcast", self._number)
        return False

    async def _write(self, sheet: S) -> None:
        if not self._is_public(sheet) or self._twins.hides(sheet):
            return
        write = partial(self._form.telling(sheet, self._number), self.directory)
        left = await until_taken(write, self.directory, self._notices, NAME)
        before, self._left = self._left, left
        if before is not None and before.path == left.path and left.found not in (None, before.now):
            self._twins.meet(f"one that another program writes to {left.path}", "two boards have the same number")
        for board in left.like:
            self._twins.meet(f"that of board {board} in {self.directory}", "both were begun with the same tags")


def telling(sheet: Scoresheet, board: int) -> Writing:
    """What there is to write of a game as it stands."""
    game = BroadcastGame(tags_of(sheet), board, broadcast_pgn(sheet), _json(cloud.game(sheet)))
    return partial(_write_game, game)


def telling_match(sheet: Matchsheet, number: int) -> Writing:
    """The same of a match."""
    return partial(_write_match, sheet.opening.tags, number, bpgn(sheet))


def left(sheet: Scoresheet) -> str | None:
    """A game as it was left: there are moves of it, and no result."""
    return broadcast_pgn(sheet) if sheet.entries and not sheet.over else None


def left_match(sheet: Matchsheet) -> str | None:
    """The same of a match."""
    return bpgn(sheet) if sheet.ply and not any(game.over for game in sheet.boards.values()) else None


GAMES = BroadcastForm(Scoresheet, telling, left, ".pgn")


def games(hold_below: float) -> BroadcastForm[Scoresheet]:
    """The same, less certain moves held back: see :mod:`.held`."""
    return replace(GAMES, begin=partial(Scoresheet, hold_below=hold_below))


MATCHES = BroadcastForm(Matchsheet, telling_match, left_match, ".bpgn")


def _write_match(tags: Mapping[str, str], number: int, text: str, directory: Path) -> GameFile:
    """Writes a match, and all of its round in one."""
    directory.mkdir(parents=True, exist_ok=True)
    with _alone(directory):
        folder = made(directory, tags, f"match-{number}.bpgn")
        path = folder / f"match-{number}.bpgn"
        set_aside(path, text)
        left = _replace(path, text)
        numbers = (path.stem.removeprefix("match-") for path in folder.glob("match-*.bpgn"))
        paths = [folder / f"match-{each}.bpgn" for each in sorted(map(int, filter(str.isdecimal, numbers)))]
        _replace(folder / "matches.bpgn", together(paths))
    return left


def _write_game(game: BroadcastGame, directory: Path) -> GameFile:
    """Writes a game, and what it changes of its round."""
    directory.mkdir(parents=True, exist_ok=True)
    with _alone(directory):
        folder = made(directory, game.tags, f"game-{game.board}.pgn")
        path = folder / f"game-{game.board}.pgn"
        set_aside(path, game.pgn)
        _replace(folder / f"game-{game.board}.json", game.json)
        left = _replace(path, game.pgn)
        games = round_in(folder)
        _replace(folder / "games.pgn", together([folder / f"game-{board}.pgn" for board in games]))
        _write_lists(directory, folder)
    like = [board for board, tags in games.items() if identity(tags) == identity(games[game.board])]
    return msgspec.structs.replace(left, like=tuple(board for board in like if board != game.board))


def _write_paired(tags: Mapping[str, str], board: int, directory: Path) -> None:
    """Writes a game that has not begun: for who reads JSON; to PGN tags belong that are known once it begins."""
    directory.mkdir(parents=True, exist_ok=True)
    with _alone(directory):
        folder = made(directory, tags)
        if not (folder / f"game-{board}.pgn").exists():
            _replace(paired_at(folder, board), msgspec.json.encode({"Board": str(board), **tags}).decode())
            _replace(folder / f"game-{board}.json", _json(cloud.unbegun(board)))
            _write_lists(directory, folder)


def _write_lists(directory: Path, folder: Path) -> None:
    """Puts together what the JSON has of a round, and of all rounds that have a number."""
    games, paired = round_in(folder), paired_in(folder)
    _replace(folder / "index.json", _json(cloud.index(games, paired)))
    rounds = {
        each.number: cloud.CloudRound(max(boards), sum(is_live(each) for each in tags.values()))
        for each in rounds_in(directory)
        if each.number is not None and (boards := [*(tags := round_in(each.path)), *paired_in(each.path)])
    }
    boards_by_number = dict(sorted((paired | games).items()))
    _replace(directory / "tournament.json", _json(cloud.tournament(boards_by_number.values(), rounds)))


def _replace(path: Path, text: str) -> GameFile:
    """Writes the file anew, unless it is so already: who watches a folder pushes all of it at each write."""
    found = path.read_text("utf-8", "replace") if path.exists() else None
    if found != text:
        write_atomically(path, text)
    return GameFile(path, found, text)


@contextmanager
def _alone(directory: Path) -> Iterator[None]:
    """One daemon at a time puts a round together."""
    with (directory / ".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _json(value: Struct) -> str:
    return msgspec.json.encode(value).decode()


def of_table(config: BroadcastConfig, table: AtTable) -> Iterator[Running]:
    """The files of a game, or of a match."""

    def broadcast(form: BroadcastForm[S]) -> Broadcast[S]:
        expected = dict if table.of_match else table.expected  # of matches there is no JSON
        number = int(table.number)
        return Broadcast(config, table.numbers, number, table.past, table.notices, form, expected, paired=table.paired)

    yield Running(NAME, (broadcast(MATCHES) if table.of_match else broadcast(games(table.hold_below))).run)


def of_hall(config: BroadcastConfig, hall: InHall) -> Iterator[Running]:
    """The same by URL, where it has a port."""
    if config.port is not None:
        from controller.outlets.broadcast.web import broadcast_app
        from controller.outlets.serving import Served

        app = broadcast_app(Path(config.directory).expanduser())
        served = Served("broadcast URL", app, config.host, config.port, hall.notices)
        yield Running("broadcast URL", served.run, made_of=config)
