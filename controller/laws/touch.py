"""Article 4: what the touches so far oblige the player having the move to do.

A pure function of position, touches and what is half done, computed afresh each time, so that no flag can be forgotten.
"""

from collections.abc import Sequence

import chess
from chess import BB_SQUARES, Move
from msgspec import Struct

from controller.contract import Must
from controller.laws.clauses import Clauses
from controller.position import Position


class TouchedPiece(Struct, frozen=True, gc=False):
    """One piece touched on its own square; or the square that a piece of the stock has touched."""

    square: chess.Square
    ms: int  #: of the lift or contact
    brief: bool = False  #: a brush, unless the piece was captured, as then its square is filled again as quickly


class Owed(Struct, frozen=True):
    """What must be played: every legal move that meets the clause. ``must`` as in the contract."""

    must: Must
    moves: tuple[Move, ...]
    clause: str


class PartialMove(Struct, frozen=True):
    """The part of a legal move that was released, or that has touched the promotion square (4.4.4, 4.6, 4.7)."""

    #: ``castling``, ``step`` (of a king, perhaps half of castling), ``castling-failed``, ``capture``, ``promotion``
    #: (square fixed), ``choice`` (kind fixed), ``drop``
    part: str
    moves: tuple[Move, ...]
    touched: int  #: how many pieces had been touched by then
    laid: TouchedPiece | None = None  #: of a ``drop``: the empty square that a piece of the stock has touched, and when


def owed(
    position: Position,
    touches: Sequence[TouchedPiece],
    partial_move: PartialMove | None,
    clauses: Clauses,
    simultaneous_ms: int,
) -> Owed | None:
    """What the player having the move owes; None while nothing binds him. Its moves are never empty while a legal move
    exists.

    ``touches`` are in order of touch, each square once, all of pieces on their own squares.
    """
    bound = _bound_by(touches, partial_move)
    base = _by_touch(position, bound, clauses, simultaneous_ms) if bound else None
    return _with_half(position, base, partial_move, clauses) if partial_move else base


# -- 4.3, 4.4.1 to 4.4.3, 4.5 ------------------------------------------------------------------------------------


def _by_touch(position: Position, touches: Sequence[TouchedPiece], clauses: Clauses, simultaneous_ms: int) -> Owed:
    mine = position.board.occupied_co[position.turn]
    if len(touches) == 1 and BB_SQUARES[touches[0].square] & mine:  # as nearly always: the rest says the same, slower
        if moves := position.moves_of(touches[0].square):
            return Owed("move", tuple(moves), clauses.touch_own)
        return Owed("free", tuple(position.legal()), clauses.free)
    own = [t for t in touches if BB_SQUARES[t.square] & mine]
    enemy = [t for t in touches if not BB_SQUARES[t.square] & mine]
    pair = _castling_pair(position, own, simultaneous_ms)
    both = bool(own and enemy)
    if both:
        capture = position.taking(own[0].square, enemy[0].square)
        castle_came_first = pair is not None and pair.ms <= enemy[0].ms and pair.legal
        if capture and not castle_came_first:
            return Owed("capture", tuple(capture), clauses.touch_both)

    for touch in _in_order(own, enemy, simultaneous_ms):
        if not BB_SQUARES[touch.square] & mine:
            if moves := position.capturing(touch.square):
                return Owed("capture", tuple(moves), clauses.touch_both if both else clauses.touch_enemy)
            continue
        if pair and touch.square in (pair.king, pair.rook):
            castle = pair.legal and Owed("castle", (pair.legal,), clauses.castle)
            return castle or _another_king_move(position, pair.king, clauses)
        moves = position.moves_of(touch.square)
        rook_first = _king_touched_after(position, touch, own)
        if position.shuffled and (barred := _barred(position, own)):
            # In chess960 castling is among the moves of the king, so it is left out here if its rook was touched first.
            rook_first = rook_first or not barred.isdisjoint(moves)
            moves = [move for move in moves if move not in barred]
        if moves:
            clause = clauses.rook_first if rook_first else clauses.touch_both if both else clauses.touch_own
            return Owed("move", tuple(moves), clause)
    return Owed("free", tuple(position.legal()), clauses.free)


def _in_order(own: list[TouchedPiece], enemy: list[TouchedPiece], simultaneous_ms: int) -> list[TouchedPiece]:
    """The touches by time; but the first own piece before the opponent's if it is unclear which came first (4.3.3)."""
    ordered = sorted([*own, *enemy], key=lambda t: t.ms)
    if own and enemy and 0 < own[0].ms - enemy[0].ms < simultaneous_ms:
        ordered.remove(own[0])
        ordered.insert(ordered.index(enemy[0]), own[0])
    elif own and enemy and own[0].ms == enemy[0].ms:
        ordered.sort(key=lambda t: (t.ms, t in enemy))
    return ordered


class _Pair(Struct, frozen=True):
    """King and rook, both touched: the king first, or both at once."""

    king: chess.Square
    rook: chess.Square
    ms: int  #: when the second of them was touched
    legal: Move | None  #: castling with that rook, where it is legal


def _castling_pair(position: Position, own: list[TouchedPiece], simultaneous_ms: int) -> _Pair | None:
    if len(own) < 2:
        return None
    board = position.board
    home, rooks = position.homes[position.turn]
    king = next((t for t in own if t.square == home and BB_SQUARES[home] & board.kings), None)
    if king is None:
        return None
    for rook in own:
        if rook.square not in rooks or not BB_SQUARES[rook.square] & board.rooks:
            continue
        if rook.ms <= king.ms - simultaneous_ms:
            # A rook touched first bars castling on its side (4.4.2), whatever is touched later.
            continue
        castling = [
            m for m in position.moves_from(home) if position.castles(m) and position.castling(m).rook == rook.square
        ]
        return _Pair(home, rook.square, max(king.ms, rook.ms), castling[0] if castling else None)
    return None


def _another_king_move(position: Position, king: chess.Square, clauses: Clauses) -> Owed:
    moves = position.moves_from(king)
    return Owed("king" if moves else "free", tuple(moves or position.legal()), clauses.castling_failed)


def _king_touched_after(position: Position, rook: TouchedPiece, own: list[TouchedPiece]) -> bool:
    """Whether this is a castling rook with the king touched later (4.4.2)."""
    home, rooks = position.homes[position.turn]
    if rook.square not in rooks or not BB_SQUARES[rook.square] & position.board.rooks:
        return False
    return any(t.square == home and BB_SQUARES[home] & position.board.kings and t.ms > rook.ms for t in own)


def _barred(position: Position, own: list[TouchedPiece]) -> set[Move]:
    """In chess960: the castlings with rooks that were touched before the king (4.4.2)."""
    castlings = [(move, position.castling(move)) for move in position.castlings()]
    return {
        move
        for move, both in castlings
        if any(touch.square == both.rook and _king_touched_after(position, touch, own) for touch in own)
    }


# -- 4.4.4, 4.6, 4.7 ---------------------------------------------------------------------------------------------


def _with_half(position: Position, base: Owed | None, partial_move: PartialMove, clauses: Clauses) -> Owed | None:
    """Narrow what is owed to the released part; if that breaks an earlier obligation, the earlier one goes on
    binding."""
    if partial_move.part == "castling-failed":
        king = position.board.kings & position.board.occupied_co[position.turn]
        moves = position.moves_from(king.bit_length() - 1)
        if base is None or base.must == "free" or set(base.moves) <= set(moves):
            return _another_king_move(position, king.bit_length() - 1, clauses)
        return base
    moves = [m for m in partial_move.moves if base is None or m in base.moves]
    if not moves:
        return base
    if partial_move.part == "castling":
        # King and rook touched together oblige to castle already; the release adds nothing.
        return base if base and base.must == "castle" else Owed("castle", tuple(moves), clauses.castling_made)
    if partial_move.part == "drop":
        return Owed("move", tuple(moves), clauses.touch_own)
    if partial_move.part == "capture":
        return Owed("capture", tuple(moves), clauses.capture_made)
    if partial_move.part == "step":
        return base if base and base.must == "castle" else Owed("move", tuple(moves), clauses.released)
    clause = clauses.promotion_final if partial_move.part == "choice" else clauses.promotion_made
    return Owed("promote", tuple(moves), clause)


def breach(
    position: Position,
    move: Move,
    touches: Sequence[TouchedPiece],
    partial_move: PartialMove | None,
    clauses: Clauses,
    simultaneous_ms: int,
) -> tuple[str, str] | None:
    """The kind of violation in playing ``move``, a legal move, and its clause; None if it is what was owed.

    A move that breaks both the touch obligation and a later one is one violation, ``touch-move``.
    """
    owing = owed(position, touches, partial_move, clauses, simultaneous_ms)
    if owing is None or move in owing.moves:
        return None
    bound = _bound_by(touches, partial_move)
    base = _by_touch(position, bound, clauses, simultaneous_ms) if bound else None
    if base is not None and move not in base.moves:
        if position.castles(move) and base.clause == clauses.rook_first and _touched_first(position, bound, move):
            return "castling-order", clauses.rook_first
        return "touch-move", base.clause
    if partial_move is not None and partial_move.part == "drop":
        return "touch-move", owing.clause
    if owing.clause == clauses.promotion_final:
        return "promotion-changed", owing.clause
    return "released-move", owing.clause


def _touched_first(position: Position, touches: Sequence[TouchedPiece], castling: Move) -> bool:
    squares = [touch.square for touch in touches]
    rook = position.castling(castling).rook
    return rook in squares and squares.index(rook) < squares.index(castling.from_square)


def _bound_by(touches: Sequence[TouchedPiece], partial_move: PartialMove | None) -> Sequence[TouchedPiece]:
    """The touches that bind: once part of a legal move is released, later ones change nothing; unless that part is a
    king's step, which may be the whole move."""
    if partial_move is None or partial_move.part in ("castling-failed", "step"):
        return touches
    return touches[: partial_move.touched]
