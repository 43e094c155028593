"""Pieces off their squares: which of them count as touched (4.3), and which were only brushed."""

import chess
from chess import BB_SQUARES
from msgspec.structs import replace

from controller import contract as c
from controller.laws.board import shifting
from controller.laws.fallen import AT_ONCE, fell_beside, knocked_over
from controller.laws.moves import lifted_out_of_turn
from controller.laws.retaken import taken_up_again
from controller.laws.state import State
from controller.laws.touch import TouchedPiece
from controller.laws.turn import Raised
from controller.position import squares
from controller.sensing.difference import WHOLE, read
from controller.sensing.readings import FITS, UNKNOWN

TO_TAKE = 2
"""A capture takes longer than a brush divided by this, from when the piece left, or its victim: sooner, a sleeve has
moved both. If nothing else explains the press, it was a capture all the same."""


def touch_what_is_due(s: State) -> State:
    """A piece off its square for ``brush_ms`` is touched, or out of turn; one lifted after "j'adoube" waits."""
    ripe, raised = s.now - s.brush_ms, s.turn.raised
    if raised and len(s.trace) - s.turn.start >= AT_ONCE and (fallen := knocked_over(s)):
        return shifting(replace(s, turn=s.turn.lowering(fallen)), fallen & s.mismatch)
    for square, piece in raised.items():
        if piece.ms <= ripe and piece.counts and square in s.turn.raised:
            s = _count(s, square, piece)
    return s


def count_raised(s: State, target: chess.Square, ms: c.Ms) -> State:
    """Something was set down on ``target``, not its own square: every piece in hand is touched, announced or not. A
    piece that left just before ``ms`` may yet prove brushed (:func:`_may_be_brushed`). A pawn that gives way to a new
    piece is touched only if it was captured. A piece lifted before the turn began is not in hand if it cannot have gone
    to ``target``, or one lifted since may have: whoever lifted it did not have the move, or was the other player."""
    raised, before = s.turn.raised, s
    early, seen = sum(BB_SQUARES[square] for square, piece in raised.items() if piece.early), s.readings[target]
    since = early and may_go(s, s.gone() & ~early, target, seen)
    kept = {
        each: piece
        for each, piece in raised.items()
        if (piece.by is not None or (piece.exchanged and each != target))
        or (piece.early and (since or not may_go(s, BB_SQUARES[each], target, seen)))
    }
    s = s.turning(raised=kept)
    for square, piece in raised.items():
        if square not in kept:
            brief = ms - piece.ms < s.brush_ms and _may_be_brushed(before, square, target, ms)
            fell = _castles_with(before, square, target) and _may_have_fallen(before, square, piece)
            s = s.touch(square, ms if fell else piece.ms, brief)
    return s


def _may_have_fallen(s: State, square: chess.Square, piece: Raised) -> bool:
    """Whether that piece may have been knocked over at first, so that its lift does not tell when it was touched."""
    return piece.early and (piece.fell or fell_beside(s, square, piece.ms))


def _castles_with(s: State, rook: chess.Square, target: chess.Square) -> bool:
    """Whether a king that is touched castles with the rook from that square, which comes to ``target`` then."""
    kings = [touch.square for touch in s.turn.touches if BB_SQUARES[touch.square] & s.position.board.kings]
    moves = [move for king in kings for move in s.position.moves_from(king) if s.position.castles(move)]
    return any((both.rook, both.rook_to) == (rook, target) for both in map(s.position.castling, moves))


def touched_by_moving(s: State) -> State:
    """The pieces with which a legal move stands are touched: they were taken up by the player who has moved them,
    whoever had the move by then. So are those of a part that is released. Where the rook of a castling may have been
    knocked over at first, that tells nothing of the order of king and rook."""
    raised, difference = s.turn.raised, s.turn.difference
    if not difference.moves or not any(piece.early for piece in raised.values()):
        return s
    move = difference.moves[0]
    rook = s.position.castling(move).rook if s.position.castles(move) else None
    for square in (s.position.carried(move)[0][0], rook):
        piece = None if square is None else raised.get(square)
        if square is not None and piece is not None and piece.early:
            s = replace(s, turn=s.turn.lowering(BB_SQUARES[square]))
            fell = square == rook and _may_have_fallen(s, square, piece)
            s = s.touch(square, s.now if fell else piece.ms)
    return s


def _may_be_brushed(s: State, square: chess.Square, target: chess.Square, ms: c.Ms) -> bool:
    """Whether the piece that left ``square`` just before ``target`` was filled may prove brushed. Where kinds cannot be
    seen, and a piece in hand may capture it, only if one of these squares was filled by a capture."""
    if s.senses != "occupancy" or s.turn.traces.retaken in (square, target):
        return True
    return not may_go(s, s.gone() & ~just_up(s, ms), square)


def _count(s: State, square: chess.Square, piece: Raised) -> State:
    """Count a piece off its square as touched; or as out of turn, with all else that the opponent's hand has lifted."""
    if piece.by is None:
        return replace(s, turn=s.turn.lowering(BB_SQUARES[square])).touch(square, piece.ms)
    theirs = {square: piece, **{each: other for each, other in s.turn.raised.items() if other.by == piece.by}}
    lifted = sum(BB_SQUARES[each] for each in theirs)
    return lifted_out_of_turn(replace(s, turn=s.turn.lowering(lifted)), theirs)


def stands_again(s: State, square: chess.Square, ms: c.Ms) -> State:
    """The piece of ``square`` is back: brushed, touched, or put straight."""
    piece = s.turn.raised.get(square)
    if piece is None:
        again = taken_up_again(s, square)
        if again is not None and ms - again.ms >= s.brush_ms:
            return lifted_out_of_turn(s, {square: again})
        lifted = next((touch.ms for touch in s.turn.touches if touch.square == square), ms)
        return prove(s, square, brushed=ms - lifted < s.brush_ms)
    s = replace(s, turn=s.turn.lowering(BB_SQUARES[square]))
    if piece.exchanged:
        return s
    if piece.announced:
        straightened = (*s.turn.straightened, square)
        if any(other.announced for other in s.turn.raised.values()):
            return s.turning(straightened=straightened)
        names = [chess.SQUARE_NAMES[each] for each in sorted(straightened)]
        return s.turning(straightened=()).say(c.Adjusted, side=s.turn.side, squares=names)
    if ms - piece.ms < s.brush_ms:
        return s.say(c.Brush, square=chess.SQUARE_NAMES[square])
    return s if piece.early and not _castled(s, square) else _count(s, square, piece)


def _castled(s: State, square: chess.Square) -> bool:
    """Whether in chess960 what fills that square completes a castling, whose other piece stood there."""
    traces, loose = s.turn.traces, s.mismatch & ~s.not_by_mover
    if not traces.carried & BB_SQUARES[square]:
        return False
    return read(s.position, s.readings, loose, traces, s.faulty).kind is WHOLE


def prove(s: State, square: chess.Square, brushed: bool) -> State:
    """Settle whether the piece of ``square``, which was touched briefly, was only ``brushed``."""
    touches = s.turn.touches
    if not any(touch.brief and touch.square == square for touch in touches):
        return s
    if brushed:
        return s.brushing([square])
    return s.turning(touches=tuple([TouchedPiece(t.square, t.ms) if t.square == square else t for t in touches]))


def just_up(s: State, ms: c.Ms) -> int:
    """The squares, as a bitboard, of pieces that left before this reading, but too recently for a hand to capture."""
    least_ms = s.brush_ms // TO_TAKE
    return sum(BB_SQUARES[square] for square, piece in s.turn.raised.items() if 0 < ms - piece.ms < least_ms)


def may_go(s: State, pieces: int, target: chess.Square, seen: str = UNKNOWN) -> bool:
    """Whether one of these pieces, a bitboard, may go there and be what is ``seen`` there."""
    return any(
        move.to_square == target and dict(s.position.changes(move))[target] in FITS[seen]
        for origin in squares(pieces)
        for move in s.position.moves_from(origin)
    )
