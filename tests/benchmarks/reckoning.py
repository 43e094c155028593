"""Which pieces were dropped in a silent match, by who knows the odds: how these players choose among their moves, and
which squares were left and filled, and which move ended the game. Who does not know that should name fewer right.

What may have been dropped is followed, up to :data:`FOLLOWED` ways, each with how likely such players go it.
"""

from collections import defaultdict
from collections.abc import Iterator
from math import exp, log
from typing import NamedTuple, Self

import chess

from controller.bughouse import BughouseBoard
from controller.contract import BoardId
from hardware.simulator.games import match_weight
from hardware.simulator.matches import PARTNER, RELEASE_MS, PlayedMatch, SimulatedGame, ended, taken

FOLLOWED = 500  #: ways at once, the likeliest
CARRIED_MS = 250  #: nobody carries a piece to its square in less

Coming = tuple[int, chess.PieceType, chess.Color]  #: when a piece reaches who drops it


class Turn(NamedTuple):
    """One move of a match, as its squares and its hands show it."""

    ms: int  #: when at the latest the player had chosen it
    board: BoardId
    move: chess.Move
    completed: int  #: when it was pressed, or had ended the game, and what it takes was passed on
    last: bool  #: it ended the game on this board


class Way(NamedTuple):
    """What may have been dropped so far, and what has come of it."""

    likely: float  #: in nats
    boards: dict[BoardId, BughouseBoard]
    coming: dict[BoardId, tuple[Coming, ...]]
    drops: tuple[tuple[BoardId, int, chess.PieceType], ...]  #: each with how many moves were made before it

    def received(self, board: BoardId, ms: int) -> Self:
        """With what has come into stock on that board before ``ms``."""
        here = self.boards[board].copy(stack=False)
        for at, kind, colour in self.coming[board]:
            if at < ms:
                here.pockets[colour].add(kind)
        later = tuple(piece for piece in self.coming[board] if piece[0] >= ms)
        return self._replace(boards=self.boards | {board: here}, coming=self.coming | {board: later})

    def going_on(self, turn: Turn, made: int, taste: float) -> Iterator["Way"]:
        """Each move that shows the same squares, where ``made`` moves were made on that board before."""
        way = self.received(turn.board, turn.ms)
        board = way.boards[turn.board]
        weights = {move: match_weight(board, move, taste) for move in board.generate_legal_moves()}
        for move, weight in weights.items():
            if shows(move) != shows(turn.move):
                continue
            gone, after = taken(board, move), board.copy(stack=False)
            after.push(move)
            if ended(after) != turn.last:
                continue
            coming, partner = way.coming, PARTNER[turn.board]
            if gone is not None:
                coming = coming | {partner: (*coming[partner], (turn.completed, *gone))}
            drops = (*way.drops, (turn.board, made, move.drop)) if move.drop else way.drops
            likely = way.likely + log(weight / sum(weights.values()))
            yield Way(likely, way.boards | {turn.board: after}, coming, drops)


def shows(move: chess.Move) -> tuple[chess.Square | None, chess.Square, chess.PieceType | None]:
    """What a plain board and the button of a promotion tell of a move."""
    return None if move.drop else move.from_square, move.to_square, move.promotion


def named(match: PlayedMatch, taste: float) -> int:
    """How many drops of a match are named right, each by the kind that is likeliest in the end; ``taste``: that of its
    players for drops."""
    ways = [Way(0.0, {board: BughouseBoard() for board in PARTNER}, dict.fromkeys(PARTNER, ()), ())]
    made: dict[BoardId, int] = dict.fromkeys(PARTNER, 0)
    for turn in sorted(turn for board in PARTNER for turn in turns(match.games[board])):
        ways = [each for way in ways for each in way.going_on(turn, made[turn.board], taste)]
        assert ways, f"nobody can have made move {made[turn.board] + 1} of board {turn.board}"
        ways = sorted(ways, key=lambda way: -way.likely)[:FOLLOWED]
        made[turn.board] += 1
    sure: defaultdict[tuple[BoardId, int, chess.PieceType], float] = defaultdict(float)
    for way in ways:
        for drop in way.drops:
            sure[drop] += exp(way.likely - ways[0].likely)
    right = 0
    for board, game in match.games.items():
        for number, move in enumerate(game.moves):
            likeliest = max(chess.PIECE_TYPES, key=lambda kind: sure[board, number, kind])
            right += move.drop is not None and likeliest == move.drop
    return right


def turns(game: SimulatedGame) -> Iterator[Turn]:
    """The moves of one board."""
    chosen: dict[int, int] = {}
    completed: dict[int, int] = {}
    for hand in game.gestures:
        if hand.kind == "place":
            chosen[hand.ply] = hand.ms - CARRIED_MS
        completed[hand.ply] = hand.ms + (0 if hand.kind == "press" else RELEASE_MS)
    for ply, move in enumerate(game.moves, start=1):
        last = ply == len(game.moves) and ended(game.board)
        yield Turn(chosen[ply], game.name, move, completed[ply], last)
