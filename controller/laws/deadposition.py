"""Can this player still mate? By helpmate possibility, not by a list of material (5.2b / 5.2.2).

Three proofs that no series of legal moves mates, from cheap to dear; where none holds the answer is yes. So a position
is never called dead from which mate is possible, and some dead ones pass for alive.

1. Material: python-chess knows what can never mate, wherever it stands.
2. Walls, where pawns block each other: see `walls.py`.
3. Forced lines, where pieces or moves are few: all that can follow is followed, and ends in 1, in 2, or in a game over
   without this mate. With it go positions where the only move takes the last piece that could mate.

Positions that no legal game reaches, and the boards of a match, where pieces come from elsewhere, are never called
dead.
"""

from itertools import islice

import chess
from chess import BB_BACKRANKS, Board, Color, popcount

from controller.contract import WHITE, Side
from controller.laws.walls import walled, walls_hold
from controller.position import position_key

FORCED_PIECES = 8  #: lines are followed with no more pieces than this on the board, or behind walls
FORCED_MOVES = 3  #: with no more moves than this to choose from
FORCED_POSITIONS = 30  #: and through no more positions than this


def is_dead(board: Board) -> bool:
    """Whether it is certain that neither player can mate by any series of legal moves."""
    if popcount(board.occupied) > FORCED_PIECES and board.queens | board.rooks and not walled(board):
        return False
    return _proper(board) and _cannot_mate(board, chess.WHITE) and _cannot_mate(board, chess.BLACK)


def can_mate(board: Board, side: Side) -> bool:
    """Whether ``side`` may yet mate by some series of legal moves; False only where it is certain that it cannot."""
    return not (_proper(board) and _cannot_mate(board, side == WHITE))


def _proper(board: Board) -> bool:
    """Whether this is a position of ordinary chess that a game might reach: only there do the proofs hold."""
    return (
        board.uci_variant == "chess"
        and popcount(board.kings & board.occupied_co[chess.WHITE]) == 1
        and popcount(board.kings & board.occupied_co[chess.BLACK]) == 1
        and not board.pawns & BB_BACKRANKS
        and not board.was_into_check()
    )


def _cannot_mate(board: Board, colour: Color) -> bool:
    if board.has_insufficient_material(colour):
        return True
    if popcount(board.occupied) > FORCED_PIECES and not walled(board):
        return False
    return _every_line_fails(board, colour)


def _every_line_fails(board: Board, colour: Color) -> bool:
    """Whether every line from here is proved not to end in mate by ``colour``, within the bounds above."""
    start = board.copy(stack=False)
    seen = {position_key(start)}
    lines = [start]
    while lines:
        here = lines.pop()
        moves = list(islice(here.generate_legal_moves(), FORCED_MOVES + 1))
        if not moves:
            if here.turn != colour and here.is_check():
                return False
            continue
        if here.has_insufficient_material(colour):
            continue
        # Behind walls only a capture or a pawn's move changes what can be proved, and the proof costs most.
        if (here is start or not here.halfmove_clock) and walled(here) and walls_hold(here, colour):
            continue
        if len(moves) > FORCED_MOVES:
            return False
        for move in moves:
            line = here.copy(stack=False)
            line.push(move)
            key = position_key(line)
            if key not in seen:
                if len(seen) == FORCED_POSITIONS:
                    return False
                seen.add(key)
                lines.append(line)
    return True
