"""Articles 5 and 9: what ends a game by itself after a move, and what a player may claim.

The caller keeps the `position_key` of every position since the start, the current one last; keys from before a capture
or a pawn's move never match again, and are not looked at. The answers are for ordinary chess: a match has its own
rules.
"""

from collections.abc import Callable, Hashable, Sequence
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from chess import BB_BACKRANKS, Board, Move

from controller.contract import WHITE, Score, Side
from controller.laws.editions import Profile
from controller.mating import BOUND, Verdict, certainly_dead, dead_whoever_moves, who_can_mate
from controller.position import position_key

_PLIES_OF_50, _PLIES_OF_75 = 100, 150


class Ending(NamedTuple):
    """How a game ended by itself."""

    reason: Literal["checkmate", "stalemate", "dead-position", "fivefold", "seventy-five-moves"]
    result: Score
    article: str


def ended(
    board: Board,
    keys: Sequence[Hashable],
    laws: Profile,
    *,
    can_move: bool | None = None,
    before_search: Callable[[], None] = lambda: None,
) -> Ending | None:
    """How the last move ended the game, if it did; mate comes before all else.

    ``can_move``: whether the player to move has a legal move, where the caller knows. ``before_search`` is called where
    only a search tells whether the position is dead; an exception that it raises is passed on. The caller has to ask
    whether a mate reached against Article 4 counts (`Profile.mate_needs_article_4`).
    """
    if can_move is None:
        can_move = any(True for _ in board.generate_legal_moves())
    if not can_move:
        if board.is_check():
            return Ending("checkmate", "0-1" if board.turn else "1-0", laws.clause.checkmate)
        before_search()
        if not dead_whoever_moves(board):
            return Ending("stalemate", "1/2-1/2", laws.clause.stalemate)
        return Ending("dead-position", "1/2-1/2", laws.clause.dead_position)
    if certainly_dead(board, before_search):
        return Ending("dead-position", "1/2-1/2", laws.clause.dead_position)
    if _fivefold(board, keys, laws):
        return Ending("fivefold", "1/2-1/2", laws.clause.fivefold)
    if laws.seventy_five and board.halfmove_clock >= _PLIES_OF_75:
        return Ending("seventy-five-moves", "1/2-1/2", laws.clause.seventy_five_moves)
    return None


def can_mate(board: Board, side: Side, bound: int = BOUND) -> bool:
    """Whether ``side`` may yet mate by some series of legal moves; False only if it is certain that it cannot, as far
    as a search of that ``bound`` tells."""
    return mating(board, side, bound).can is not False


def mating(board: Board, side: Side, bound: int = BOUND) -> Verdict:
    """Whether ``side`` may yet mate by some series of legal moves, and what shows it. The latest answers are cached."""
    if board.uci_variant != "chess":
        return who_can_mate(board, side == WHITE)
    return _mating(board.epd(en_passant="fen"), side, bound)


@lru_cache(maxsize=512)  # enough for a hall of boards: two sides, each with two bounds
def _mating(epd: str, side: Side, bound: int) -> Verdict:
    found = who_can_mate(Board.from_epd(epd)[0], side == WHITE, bound=bound)
    return found._replace(line=tuple(map(_same, found.line)))


@cache
def _same(move: Move) -> Move:
    """One object for all equal moves: a verdict has some fifty, which would be most of what is cached."""
    return move


def _fivefold(board: Board, keys: Sequence[Hashable], laws: Profile) -> bool:
    if laws.fivefold == "none" or board.halfmove_clock < 16:
        return False
    if laws.fivefold == "any":
        return occurrences(board, keys) >= 5
    # 2014: by consecutive alternate moves of both players, so every fourth ply.
    return len(keys) >= 17 and all(keys[-1 - back] == keys[-1] for back in (4, 8, 12, 16))


def occurrences(board: Board, keys: Sequence[Hashable]) -> int:
    """How often the position on the board has occurred, this time included; its key is the last of ``keys``."""
    return keys[-(board.halfmove_clock + 1) :].count(keys[-1])


def threefold(board: Board, keys: Sequence[Hashable], move: Move | None = None) -> bool:
    """Whether the position stands for the third time (9.2b / 9.2.1.2), or will after ``move`` (9.2a / 9.2.1.1); False
    for an illegal move."""
    if move is None:
        return occurrences(board, keys) >= 3
    after = _after(board, move)
    return after is not None and occurrences(after, [*keys, position_key(after)]) >= 3


def fifty_moves(board: Board, move: Move | None = None) -> bool:
    """Whether 50 moves of each player, or with ``move``, have passed without a pawn's move or a capture (9.3)."""
    after = board if move is None else _after(board, move)
    return after is not None and after.halfmove_clock >= _PLIES_OF_50


def is_illegal(board: Board) -> bool:
    """Whether a position shows that the last move left it illegal (3.10.3): a king that could be taken, or a pawn on
    the first or last rank."""
    return board.was_into_check() or bool(board.pawns & BB_BACKRANKS)


def both_in_check(board: Board) -> bool:
    """Whether both kings are in check, as no legal game leaves them."""
    return board.is_check() and board.was_into_check()


def _after(board: Board, move: Move) -> Board | None:
    if not board.is_legal(move):
        return None
    after = board.copy(stack=False)
    after.push(move)
    return after
