"""Is a position certainly dead (5.2.2)? To be asked after every move of a game, so with little effort."""

from collections.abc import Callable
from functools import lru_cache
from itertools import islice

import chess
from chess import Bitboard, Board, popcount

from controller.mating.patterns import too_little
from controller.mating.state import state_of
from controller.mating.verdict import proper, who_can_mate_both

FEW_PIECES = 8  #: with no more than these on the board, the lines that are forced are followed
FEW_MOVES = 3  #: where one of the players has no more moves than these to choose from
POSITIONS = 600  #: through so many positions, and through so many behind walls


def certainly_dead(board: Board, before_search: Callable[[], None] = lambda: None) -> bool:
    """Whether it is certain that neither player can mate by any series of legal moves. ``before_search`` is called
    where only a search tells, and what it raises is raised.

    A few comparisons for nearly every position with pieces on (microseconds). Where no pawn has a free way, or a player
    has hardly a move, some milliseconds, once for each position: up to 20 in shut games, and 0.1 s at most in 126
    dead positions made to be hard. What takes longer is not called dead; `who_can_mate` finds it out.
    """
    few = popcount(board.occupied) <= FEW_PIECES or not board.queens | board.rooks
    searched = walled(board) or _forced(board, few)
    if not (few or searched) or not proper(board):
        return False
    if not searched:
        state = state_of(board)
        return all(too_little(state, colour) for colour in chess.COLORS)
    before_search()
    # Where hands leave open what was played, the same position is asked about more than once.
    return _nobody_mates(board.epd(en_passant="fen"), POSITIONS)


def _forced(board: Board, few: bool) -> bool:
    """Whether a player has hardly a move. With more than ``few`` pieces on that is asked only where he has at most one
    besides his king and pawns."""
    officers = board.occupied & ~(board.pawns | board.kings)
    return any(
        _hardly_moves(board, colour)
        for colour in chess.COLORS
        if few or popcount(officers & board.occupied_co[colour]) <= 1
    )


def _hardly_moves(board: Board, colour: chess.Color) -> bool:
    """Whether that player has no more than :data:`FEW_MOVES`, or would have if he were to move."""
    if colour != board.turn and board.is_check():
        return False  # his opponent has to answer the check first
    to_move = board.copy(stack=False)
    to_move.turn = colour
    return len(list(islice(to_move.generate_legal_moves(), FEW_MOVES + 1))) <= FEW_MOVES


def dead_whoever_moves(board: Board) -> bool:
    """Whether a stalemate is more than one: nobody could mate if it were the other's move, either.

    Both articles hold then; that the position is dead says why. Up to 15 milliseconds.
    """
    other = board.copy(stack=False)
    other.push(chess.Move.null())
    return proper(other) and _nobody_mates(other.epd(en_passant="fen"), POSITIONS)


@lru_cache(maxsize=64)
def _nobody_mates(epd: str, bound: int) -> bool:
    return all(verdict.can is False for verdict in who_can_mate_both(Board.from_epd(epd)[0], bound=bound))


def walled(board: Board) -> bool:
    """Whether pawns may have shut the position: cheap, and false for almost every position with pieces on.

    Every pawn has another ahead on its file; with more than kings and bishops about, none can even step forward.
    """
    white = board.pawns & board.occupied_co[chess.WHITE]
    black = board.pawns & board.occupied_co[chess.BLACK]
    if (board.knights | board.rooks | board.queens) and (white << 8 | black >> 8) & ~board.occupied:
        return False
    return bool(board.pawns) and not (white & ~_below(board.pawns) or black & ~_above(board.pawns))


def _below(pawns: Bitboard) -> Bitboard:
    """Every square on the side of rank 1 of one of these, on its file."""
    pawns >>= 8
    pawns |= pawns >> 8
    pawns |= pawns >> 16
    return pawns | pawns >> 32


def _above(pawns: Bitboard) -> Bitboard:
    """Every square on the side of rank 8 of one of these, on its file."""
    pawns <<= 8
    pawns |= pawns << 8
    pawns |= pawns << 16
    return (pawns | pawns << 32) & chess.BB_ALL
