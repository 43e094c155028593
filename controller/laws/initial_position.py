"""The initial position, the board and the colours: what follows if the game began with them wrong (7.1-7.2, from 2014
7.2-7.3).

A board that tells kinds apart shows exchanged pieces on its first reading; for other boards, and for the colours, an
arbiter tells. Found in time, a new game is proposed; found too late for the edition and the play, the game goes on from
what stands, without castling with a king that stood on its queen's square. If the board has a dark square at the
players' right, the position is transferred to one that stands rightly, and the game goes on. The limits count the moves
of each player: for the array and the board those completed, for the colours those made.
"""

from collections import Counter
from collections.abc import Sequence
from typing import get_args

import chess
from msgspec.structs import replace

from controller import contract as c
from controller.laws.board import read_board
from controller.laws.notices import about, belongs, open_notice
from controller.laws.record import Notice
from controller.laws.reports import of_beginning
from controller.laws.state import State, colour
from controller.laws.turn import NOTHING_RAISED
from controller.position import EMPTY, Position, unreachable
from controller.sensing.difference import LEGAL, differing


def being_set_up(s: State) -> bool:
    """Whether no move is made yet, and only squares of exchanged pieces differ: that is setting up, not play."""
    only_those = bool(s.mismatch) and not s.mismatch & ~s.exchanged
    return only_those and not s.made and not s.stopped and s.turn.difference.kind not in LEGAL


def recognise(s: State) -> State | None:
    """The state that begins from what stands, if that is the initial position with pieces exchanged, or no longer so;
    else None."""
    if s.made or s.stopped or (found := _standing(s)) is None:
        return None
    mask = differing(s.start, s.readings, chess.BB_ALL)
    s = replace(
        s,
        exchanged=s.exchanged | mask,
        notices=tuple([notice for notice in s.notices if notice.what != "wrong-array"]),
        displaced=(),  # this function itself tells whether the board matches the game again
    )
    s = s.enter(found, chess.BB_ALL).turning(raised=NOTHING_RAISED).derive()
    s = read_board(s, s.now)
    if mask:
        exchanged = [chess.SQUARE_NAMES[square] for square in chess.scan_forward(mask)]
        return say_begun(s, "wrong-array", exchanged, found.fen())
    return s.say(c.Restored, fen=found.fen())


def _standing(s: State) -> Position | None:
    """The position that stands on the board, if it is the initial one with pieces exchanged; None if it is not."""
    seen, due = list(s.readings), s.start.symbols
    if s.senses != "identity" or s.position.symbols == seen:
        return None
    if Counter(seen) != Counter(due) or any((a == EMPTY) != (b == EMPTY) for a, b in zip(seen, due, strict=True)):
        return None
    if seen == due:
        return s.start
    board = s.start.board.copy(stack=False)
    for square in chess.SQUARES:
        board.set_piece_at(square, chess.Piece.from_symbol(seen[square]) if seen[square] else None)
    return _playable(board)


def _playable(board: chess.Board) -> Position:
    board.castling_rights = board.clean_castling_rights()
    return Position(board, odd=unreachable(board))


def claimed(s: State, ids: tuple[str, ...]) -> State:
    """The state with a notice that a player claims, in time, that the game began with pieces exchanged; ``ids``: of the
    events of the claim."""
    if not any(notice.what == "wrong-array" for notice in s.notices):
        s = say_begun(s, "wrong-array")
    return belongs(s, next(notice for notice in s.notices if notice.what == "wrong-array"), ids)


def report(s: State, item: c.Arbiter) -> State:
    """An arbiter reports how the game began; ``item.side``: the player whose king and queen had changed places."""
    before = s.position
    if item.kind == "wrong-array" and item.side is not None and past_remedy(s, "wrong-array"):
        s = _bar_castling(s, item.side)
    what = next(what for what in get_args(c.Beginning) if what == item.kind)
    return say_begun(s, what, fen=None if s.position is before else s.position.fen())


def _bar_castling(s: State, side: c.Side) -> State:
    """Bar castling with the king of ``side``, which stood on its queen's square; if neither king nor queen has moved
    since, the position gets them as they stand."""
    board, rank = s.position.board.copy(stack=False), chess.BB_RANK_1 if side == c.WHITE else chess.BB_RANK_8
    king, queen = _king_and_queen(s, colour(side))
    home = chess.BB_SQUARES[king] | chess.BB_SQUARES[queen]
    difference = (s.position.symbol(king) + s.position.symbol(queen)).upper() == "KQ"
    if s.senses != "identity" and difference and not any(made.changed & home for made in s.made):
        board.set_piece_at(queen, chess.Piece(chess.KING, colour(side)))
        board.set_piece_at(king, chess.Piece(chess.QUEEN, colour(side)))
    board.castling_rights &= ~rank
    turn = s.turn  # it goes on
    s = (
        s.enter(_playable(board), home)
        .turning(number=turn.number, touches=turn.touches, partial_move=turn.partial_move)
        .derive()
    )
    return read_board(s, s.now)


def _king_and_queen(s: State, white: chess.Color) -> tuple[chess.Square, chess.Square]:
    """Where king and queen should have stood; in chess960 as drawn by lot."""
    board = s.start.board
    if s.start.shuffled and (king := board.king(white)) is not None and (queens := board.pieces(chess.QUEEN, white)):
        return king, min(queens)
    return (chess.E1, chess.D1) if white else (chess.E8, chess.D8)


def say_begun(s: State, what: c.Beginning, squares: Sequence[str] = (), fen: str | None = None) -> State:
    """Tell how the game began wrongly, and the remedy of the edition; a new game waits for a ruling. ``squares``: of
    the exchanged pieces, where they are seen; ``fen``: the position, where no move led to it."""
    remedy = "play-on" if past_remedy(s, what) else "transfer" if what == "turned-board" else "new-game"
    clause = of_beginning(s.laws.clause)[what]
    before = s
    s = s.say(c.Displaced, squares=list(squares), article=clause, beginning=what, remedy=remedy, fen=fen)
    ids = s.ids_since(before)
    if (known := next((notice for notice in s.notices if notice.what == what), None)) is not None:
        return belongs(s, known, ids)
    return open_notice(s, about(s, s.turn.side, what, clause, ids)) if remedy == "new-game" else s


def past_remedy(s: State, what: c.Beginning) -> bool:
    """Whether, by the edition and the play, it is too late to put that beginning right."""
    if what != "colours-reversed":
        return s.laws.array_limit is not None and _played(s, completed=True) >= s.laws.array_limit
    return s.laws.colours_limit is None or _played(s, completed=False) >= s.laws.colours_limit


def lapsed(s: State, notice: Notice) -> State | None:
    """The state in which it is told that the beginning can no longer be put right; None if it can be."""
    if (notice.what != "wrong-array" and notice.what != "colours-reversed") or not past_remedy(s, notice.what):
        return None
    return say_begun(s, notice.what)


def _played(s: State, *, completed: bool) -> int:
    """How many moves each player has made, or completed, at least (A.5.1)."""
    counted = [made.side for made in s.made if made.completed or not completed]
    return min(counted.count(side) for side in (c.WHITE, c.BLACK))
