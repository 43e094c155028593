"""The next game at a table: what is to be played, by whom as far as that is known, and when it begins.

It begins once the pieces have stood ready on all boards, by the press that starts a clock or by itself; or by command.
"""

import logging
from collections.abc import Mapping

import chess

from controller.config import TableSetup
from controller.contract import AnyInput, BoardId, Press
from controller.daemon.board_input import UNDRAWN, BoardInput
from controller.daemon.play import PlayedBoard
from controller.errors import LogError
from controller.game_details import GameConfig, GameDetails
from controller.outlets.mqtt.topics import Begins, Phase
from controller.pairing import PLAYERS, who_plays, with_pairing

log = logging.getLogger(__name__)

FEW = 8  #: squares that are missing at the start are named up to so many; before that, boards are still set up


class NextGame:
    """At the table of ``config``, on the boards of its ``boards``."""

    def __init__(self, config: TableSetup, boards: Mapping[BoardId | None, BoardInput]) -> None:
        self._config = config
        self._boards = boards
        self.pairing: Mapping[str, str] | None = None  #: what is known of it besides, as PGN tags
        self.clocks_s: dict[BoardId | None, tuple[int, int]] = {}  #: what clocks that keep their own time show
        self.cleared = True  #: the pieces have been away from the start since the last game began
        self.prepare(config.game)

    def prepare(self, details: GameDetails) -> None:
        """That is what will be played."""
        self.details = details
        for board_id, start in details.starts().items():
            if not (_drawn_on_board(details) and self._boards[board_id].read_start()):
                self._boards[board_id].start = start
        self.announced = self.tags  #: its PGN tags as far as they are known

    def command(self, details: GameDetails) -> None:
        """A command says what will be played. Raises :exc:`LogError` where its start position is to be read from the
        board, and none stands there."""
        if _drawn_on_board(details) and not all(board.read_start() for board in self._boards.values()):
            raise LogError(
                UNDRAWN,
                "pieces out of place, or a board that does not tell them apart",
                'set it up, or name the number that was drawn: {"type": "new-game", "start": 518}',
            )
        self.prepare(details)

    def pair(self, tags: Mapping[str, str]) -> None:
        """Who plays it, as PGN tags, where a command says nothing else."""
        self.pairing = tags
        self.announced = self.tags

    def draw(self) -> GameDetails:
        """What is played now that it begins: its start position that which was read from the board if it is to be."""
        if isinstance(self.details, GameConfig):
            self.details = self.details.drawn(self._boards[None].start)
        return self.details

    @property
    def tags(self) -> dict[str, str]:
        """Its PGN tags; the start position, if it is to be read from the board, once one stands there."""
        tags = with_pairing(self.pairing or {}, self.details.all_tags())
        if not _drawn_on_board(self.details) or self.ready_since is None:
            return tags
        return tags | {"FEN": self._boards[None].start.fen()}

    @property
    def starts(self) -> dict[BoardId | None, str]:
        """What stands where on each board when it begins: the first field of a FEN."""
        return {board_id: board.start.board_fen() for board_id, board in self._boards.items()}

    @property
    def idle(self) -> bool:
        """Whether the pairings in force have no game for this table, and no command says who plays."""
        named = who_plays(self.tags)
        return self.pairing is not None and not any(player in named for player in PLAYERS)

    # -- when it begins ------------------------------------------------------------------------------------------

    @property
    def ready_since(self) -> int | None:
        """Since when the pieces have stood ready, on all boards."""
        since = [board.ready_since if board.seen else None for board in self._boards.values()]
        return None if None in since else max(ms for ms in since if ms is not None)

    @property
    def starts_at(self) -> int | None:
        """When it begins of itself, in ms of the daemon."""
        if self.ready_since is None or not self.cleared or self._waits_for_press:
            return None
        return self.ready_since + round(self._config.start.ready_s * 1000)

    def begun_by(self, board: BoardInput, item: AnyInput, ms: int) -> bool:
        """Whether that, done at ``ms``, is a press that starts the opponent's clock, and a game with it. In a match the
        first on either board does: both games begin at the same time (1).
        """
        starts = isinstance(item, Press) and item.side == board.starter
        return starts and all(each.stood_ready(ms) is not None for each in self._boards.values())

    def watch(self, board: BoardInput, now: int, last: PlayedBoard | None, *, playing: bool) -> None:
        """Looks whether the pieces stand ready on that board; ``last``: what the last game has of it."""
        drawn = _drawn_on_board(self.details)
        if drawn and not playing:
            board.read_start()
        ready = board.watch_start(now, last, drawn)
        if drawn and not playing:
            self.announced = self.tags
        self.cleared = self.cleared or not ready
        if self.ready_since is not None and not playing and self._waits_for_press:
            log.info("the pieces stand ready; the game begins with the press of the player without the move")

    def phase(self, board_id: BoardId | None) -> Phase:
        """Whether it may begin and by what, or waits for pieces; as that board has it."""
        boards = [board for board in self._boards.values() if board_id in (None, board.board_id)]
        if self.ready_since is None:
            missing = boards[0].missing if len(boards) == 1 else []
            few = tuple(map(chess.square_name, missing)) if len(missing) <= FEW else ()
            return Phase("setting-up", missing=few, tags=self.announced, clock_s=self.clocks_s.get(board_id))
        return Phase("ready", self.begins(board_id), tags=self.announced, clock_s=self.clocks_s.get(board_id))

    def begins(self, board_id: BoardId | None) -> Begins:
        """By what it begins on that board, once the pieces stand ready."""
        if self._waits_for_press:
            sides = {board.starter for board in self._boards.values() if board_id in (None, board.board_id)}
            return Begins("press", sides.pop() if len(sides) == 1 else None)
        return Begins("time" if self.cleared or self.ready_since is None else "command")

    @property
    def _waits_for_press(self) -> bool:
        return self._config.event.clock is not None and self._config.start.by == "press"


def _drawn_on_board(details: GameDetails) -> bool:
    """Whether the game begins from the start position of chess960 that stands on the board."""
    return isinstance(details, GameConfig) and details.start == "board"
