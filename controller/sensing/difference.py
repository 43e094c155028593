"""What the squares that differ from the position mean for the player having the move.

Everything here is derived from the position and from what the sensors show now. So a piece that slid over five squares,
one that hovered, and one whose destination was reported before its origin all end in the same few kinds of difference.
"""

from collections.abc import Mapping, Sequence
from enum import IntEnum, auto
from types import MappingProxyType
from typing import Any

import chess
from chess import BB_SQUARES, Move
from msgspec import Struct
from msgspec.structs import replace

from controller.position import EMPTY, SYMBOLS, Position, squares
from controller.sensing.readings import FITS, of_colour

Readings = Sequence[str]
"""What is seen on each of the 64 squares, see :mod:`controller.sensing.readings`."""


class Kind(IntEnum):
    """The kinds of difference."""

    QUIET = auto()  #: nothing is off its square
    HELD = auto()  #: pieces are off the board, none is set down elsewhere
    DISTURBED = auto()  #: the same, while something else does not match, which is not known to be the mover's doing
    VACANT = auto()  #: as HELD, but only a pawn that promotes is off, with its victim if it captures
    WHOLE = auto()  #: a legal move stands on the board
    STEP = auto()  #: in chess960: the same for a king's move that may prove to be the first half of castling
    PARTIAL = auto()  #: part of a legal move stands there: castling, en passant or promotion
    ASTRAY = auto()  #: a piece of the mover's stands where no legal move leads
    FOREIGN = auto()  #: a piece of the other player moved, or a piece came from nowhere


HELD, WHOLE = Kind.HELD, Kind.WHOLE
"""Constants of their own, as every touch asks for them, and Python 3.11 is slow to find a member of an enumeration."""

LEGAL = (WHOLE, Kind.STEP)
"""Kinds for which a legal move stands on the board."""

LIFTED = (HELD, Kind.DISTURBED, Kind.VACANT)
"""Kinds for which nothing is set down elsewhere."""


class Difference(Struct, frozen=True):
    """How the board differs from the position, for the player having the move."""

    kind: Kind
    moves: tuple[Move, ...] = ()  #: WHOLE, STEP, PARTIAL and VACANT: the legal moves that it is or may become
    #: PARTIAL: ``castling``, ``capture`` or ``promotion``; VACANT: ``promotion``; ASTRAY: ``castling`` if a king jumped
    #: two squares; WHOLE and ASTRAY: ``drop`` if a piece came from outside
    part: str = ""
    mask: int = 0  #: the squares that differ


QUIET = Difference(Kind.QUIET)
BEFORE_LAST = (chess.BB_RANK_2, chess.BB_RANK_7)
"""The ranks from which Black's pawns promote, and White's."""


MOST_CHANGED = 4
"""A move changes at most so many squares: castling does."""

NOTHING_LANDED: Mapping[chess.Square, int] = MappingProxyType({})


class Traces(Struct, frozen=True):
    """What the present turn has left behind that the squares alone do not show."""

    #: by square where something was set down: the mover's pieces in hand then, a bitboard
    landed: Mapping[chess.Square, int] = NOTHING_LANDED
    #: in chess960, as a bitboard: the squares of king and rooks that may castle and were lifted since all stood at home
    carried: int = 0
    replaced: tuple[chess.Square, int] | None = None  #: the opponent's square filled again last, and when (ms)
    retaken: chess.Square | None = None  #: an opponent's square left and filled while a piece in hand could capture it
    refilled: chess.Square | None = None  #: the same while no piece in hand could
    #: a legal move that stood whole until its piece was lifted again; when (ms), and how many edges there were before
    stood: tuple[Difference, int, int] | None = None

    def without(self, square: chess.Square) -> "Traces":
        """The traces without what that square has shown; these themselves if it has shown nothing."""
        changes: dict[str, Any] = {}
        if square in self.landed:
            changes["landed"] = {to: pieces for to, pieces in self.landed.items() if to != square}
        if self.replaced is not None and self.replaced[0] == square:
            changes["replaced"] = None
        if square == self.retaken:
            changes["retaken"] = None
        if square == self.refilled:
            changes["refilled"] = None
        return replace(self, **changes) if changes else self


def differing(position: Position, readings: Readings, mask: int) -> int:
    """The squares of ``mask`` where what is seen does not fit the position."""
    mismatch, symbols = 0, position.symbols
    while mask:
        low = mask & -mask
        square = low.bit_length() - 1
        if symbols[square] not in FITS[readings[square]]:
            mismatch |= low
        mask ^= low
    return mismatch


def empty_of(readings: Readings, mask: int) -> int:
    """The squares of ``mask`` where nothing stands. This function and :func:`differing` are called several times for
    each edge, with a square or two: a generator of squares would cost more than the answer."""
    empty = 0
    while mask:
        low = mask & -mask
        if readings[low.bit_length() - 1] == EMPTY:
            empty |= low
        mask ^= low
    return empty


def read(position: Position, readings: Readings, mismatch: int, traces: Traces, faulty: int = 0) -> Difference:
    """What the squares ``mismatch`` mean, on which what is seen does not fit the position.

    ``faulty``: the squares whose sensors do not work. A piece that appears may have come from there. A missing piece
    may have been set down there, or be in hand: the squares alone do not tell.
    """
    if position.shuffled and (castled := _castled(position, readings, mismatch, traces)):
        return castled
    if not mismatch:
        return QUIET
    board = position.board
    own, enemy = board.occupied_co[board.turn], board.occupied_co[not board.turn]
    empty = empty_of(readings, mismatch)
    filled, gone, taken = mismatch & ~empty, empty & own, empty & enemy
    if not filled:
        captures = _retaken(position, gone, taken, traces)
        if captures:
            return Difference(WHOLE, captures, mask=mismatch)
        return _promoting(position, readings, gone, taken, traces, faulty) or Difference(HELD, mask=mismatch)
    came_from = gone | own & faulty
    # A capture whose piece looks like its victim fills no square: only its traces show it.
    whole, ends = [], filled | faulty
    for square in squares(came_from if mismatch.bit_count() <= MOST_CHANGED else 0):
        for move in position.moves_from(square):
            if not ends & BB_SQUARES[move.to_square] or (position.shuffled and position.castles(move)):
                continue
            if _stands(position, readings, mismatch, move) and _same_hand(position, move, traces):
                whole.append(move)
    if not mismatch & (mismatch - 1) and (dropped := _dropped(position, readings, mismatch)):
        return Difference(Kind.FOREIGN, mask=mismatch) if whole else dropped
    if whole and faulty and len({(move.from_square, move.to_square) for move in whole}) > 1:
        return Difference(Kind.FOREIGN, mask=mismatch)
    if whole:
        begins = position.shuffled and position.begun_by(whole[0]) is not None
        return Difference(Kind.STEP if begins else WHOLE, tuple(whole), mask=mismatch)
    return (
        _half_castling(position, readings, mismatch, came_from, filled)
        or _half_capture(position, mismatch, gone or own & faulty, filled, taken)
        or _half_promotion(position, readings, gone, filled, taken)
        or _loose(position, readings, mismatch, gone, filled)
    )


def castlers(position: Position) -> int:
    """In chess960: the squares of king and rooks that may castle, as a bitboard."""
    both = [position.castling(move) for move in position.castlings()]
    return sum({BB_SQUARES[square] for each in both for square in (each.king, each.rook)})


def _castled(position: Position, readings: Readings, mismatch: int, traces: Traces) -> Difference | None:
    """Castling of chess960 that stands whole. If another move, or no move, explains what stands there as well, both
    pieces must have been lifted."""
    if not (mismatch or traces.carried):
        return None
    for move in position.castlings():
        if not _stands(position, readings, mismatch, move):
            continue
        taken_up = sum(BB_SQUARES[origin] for origin, _ in position.carried(move))
        if taken_up & ~traces.carried and not (mismatch and _tells(position, readings, mismatch, move)):
            continue
        return Difference(WHOLE, (move,), mask=mismatch)
    return None


def _tells(position: Position, readings: Readings, mismatch: int, castling: Move) -> bool:
    """Whether no other legal move of king or rook explains what the squares show."""
    both = position.castling(castling)
    others = [*position.moves_from(both.king), *position.moves_from(both.rook)]
    return not any(_stands(position, readings, mismatch, move) for move in others if not position.castles(move))


def _dropped(position: Position, readings: Readings, mismatch: int) -> Difference | None:
    """One piece came from outside, and nothing else changed: a drop by the player having the move, legal or not; else
    None.

    If it may be a piece of the other player, who alone has a stock, it is no drop yet. In place of a piece of the
    mover's own it is an illegal drop if such a piece is in stock; but a promoted pawn may be exchanged for what it has
    become.
    """
    drop_board, square = position.drop_board, mismatch.bit_length() - 1
    seen = readings[square]
    if drop_board is None or not of_colour(seen, drop_board.turn):
        return None
    if drop_board.occupied_co[drop_board.turn] & mismatch:
        spared = drop_board.promoted & mismatch or not any(
            drop_board.pockets[drop_board.turn].count(kind) for kind in _kinds(seen)
        )
        return None if spared else Difference(Kind.ASTRAY, part="drop", mask=mismatch)
    moves = tuple([m for m in drop_board.drops(square) if dict(position.changes(m))[square] in FITS[seen]])
    if moves:
        return Difference(WHOLE, moves, "drop", mismatch)
    mine, theirs = drop_board.pockets[drop_board.turn], drop_board.pockets[not drop_board.turn]
    if not len(mine) and len(theirs) and of_colour(seen, not drop_board.turn):
        return None
    return Difference(Kind.ASTRAY, part="drop", mask=mismatch)


def _kinds(seen: str) -> list[chess.PieceType]:
    """The kind of a piece that reads so, as a list; empty where kinds are not seen."""
    return [chess.Piece.from_symbol(piece).piece_type for piece in FITS[seen]] if len(FITS[seen]) == 1 else []


def _stands(position: Position, readings: Readings, mismatch: int, move: Move) -> bool:
    """Whether the squares show exactly this move."""
    covered = 0
    for square, symbol in position.changes(move):
        fits = symbol in FITS[readings[square]]
        if not fits and not (square == move.to_square and exchanged(position, readings, move)):
            return False
        covered |= BB_SQUARES[square]
    return not mismatch & ~covered


def exchanged(position: Position, readings: Readings, move: Move) -> bool:
    """Whether, in a match, the real new piece stands where a pawn was promoted, though the pawn should have stayed:
    that tells what the pawn became as well as a word does."""
    return bool(
        move.promotion and position.drop_board and readings[move.to_square] == SYMBOLS[position.turn][move.promotion]
    )


def _same_hand(position: Position, move: Move, traces: Traces) -> bool:
    """Whether the piece that this move moves may be the one that landed there: it was in hand then.

    A piece in hand is set down before another is taken up, so a landing with one piece in hand is that piece's. If no
    piece was in hand, the destination was reported before its origin.
    """
    holders = traces.landed.get(move.to_square, 0)
    if not holders or holders & BB_SQUARES[move.from_square]:
        return True
    return position.castles(move) and bool(holders & BB_SQUARES[position.castling(move).rook])


def _retaken(position: Position, gone: int, taken: int, traces: Traces) -> tuple[Move, ...]:
    if traces.retaken is None or taken or not gone or gone & (gone - 1):
        return ()
    return tuple(m for m in position.moves_from(gone.bit_length() - 1) if m.to_square == traces.retaken)


def _half_castling(position: Position, readings: Readings, mismatch: int, gone: int, filled: int) -> Difference | None:
    if position.shuffled:
        return _half_shuffled(position, readings, mismatch, filled)
    king = position.board.kings & gone
    if not king:
        return None
    for move in position.moves_from(king.bit_length() - 1):
        if not position.castles(move):
            continue
        after = dict(position.changes(move))
        both = position.castling(move)
        king_landed = filled == BB_SQUARES[both.king_to]
        rook_landed = filled == BB_SQUARES[both.rook_to] and gone & BB_SQUARES[both.rook]
        fits = all(s in after and after[s] in FITS[readings[s]] for s in squares(filled))
        if fits and (king_landed or rook_landed):
            return Difference(Kind.PARTIAL, (move,), "castling", mismatch)
    return None


def _half_shuffled(position: Position, readings: Readings, mismatch: int, filled: int) -> Difference | None:
    """The same in chess960, where king or rook may come to the other's square: the king is off its own, and one of the
    two stands where castling brings it."""
    for move in position.castlings():
        both = position.castling(move)
        ends = BB_SQUARES[both.king_to] | BB_SQUARES[both.rook_to]
        home = BB_SQUARES[both.king] | BB_SQUARES[both.rook]
        if mismatch & ~(ends | home) or filled & ~ends or filled & (filled - 1) or not mismatch & BB_SQUARES[both.king]:
            continue
        landed = filled.bit_length() - 1
        king = position.symbol(both.king) if landed == both.king_to else position.symbol(both.rook)
        by_rook = landed == both.rook_to and not mismatch & BB_SQUARES[both.rook]
        if filled and king in FITS[readings[landed]] and not by_rook:
            return Difference(Kind.PARTIAL, (move,), "castling", mismatch)
    return None


def _half_capture(position: Position, mismatch: int, gone: int, filled: int, taken: int) -> Difference | None:
    """A pawn on its square of en passant, while the pawn that it captures still stands."""
    square, lifted = position.board.ep_square, gone & mismatch
    if square is None or filled != BB_SQUARES[square] or taken or lifted & (lifted - 1):
        return None
    moves = [m for origin in squares(gone) for m in position.moves_from(origin) if m.to_square == square]
    taking = tuple(m for m in moves if position.captured(m) is not None)
    return Difference(Kind.PARTIAL, taking, "capture", mismatch) if taking else None


def _half_promotion(position: Position, readings: Readings, gone: int, filled: int, taken: int) -> Difference | None:
    """A pawn on its last rank, or a new piece there while its pawn still stands."""
    target = filled.bit_length() - 1
    if filled & (filled - 1) or not filled & chess.BB_BACKRANKS or taken:
        return None
    seen = readings[target]
    pawns = position.board.pawns & position.board.occupied_co[position.turn]
    if gone:
        if seen != ("P" if position.turn else "p") or not gone & pawns or gone & (gone - 1):
            return None
        moves = [m for m in position.moves_from(gone.bit_length() - 1) if m.to_square == target]
    else:
        moves = [m for s in squares(pawns) for m in position.moves_from(s) if m.to_square == target]
        moves = [m for m in moves if dict(position.changes(m))[target] in FITS[seen]]
    return Difference(Kind.PARTIAL, tuple(moves), "promotion", filled | gone) if moves else None


def _promoting(
    position: Position, readings: Readings, gone: int, taken: int, traces: Traces, faulty: int
) -> Difference | None:
    """A pawn on its way to its last rank: off the board alone, or with a piece that it captures there. None if it may
    stand there already: the square is not seen, or was filled again after the victim was lifted, or, in a match, where
    the pawn itself stays, shows a piece that looks like it. If it was seen to stand there, its way leads nowhere else.
    """
    if not gone & position.board.pawns & BEFORE_LAST[position.turn] or gone & (gone - 1) or taken & (taken - 1):
        return None
    moves = position.moves_from(gone.bit_length() - 1)
    if taken:
        moves = [m for m in moves if taken == BB_SQUARES[m.to_square]]
    stood = () if traces.stood is None else traces.stood[0].moves
    moves = [m for m in moves if m in stood] or moves
    filled = faulty if traces.replaced is None else faulty | BB_SQUARES[traces.replaced[0]]
    if position.drop_board is not None:
        pawn = SYMBOLS[position.turn][chess.PAWN]
        filled |= sum({BB_SQUARES[m.to_square] for m in moves if pawn in FITS[readings[m.to_square]]})
    if not moves or any(filled & BB_SQUARES[m.to_square] for m in moves):
        return None
    return Difference(Kind.VACANT, tuple(moves), "promotion", gone | taken)


def _loose(position: Position, readings: Readings, mismatch: int, gone: int, filled: int) -> Difference:
    """No legal move stands: ASTRAY if a missing piece of the mover's may have landed, else FOREIGN.

    FOREIGN, too, if without a piece that cannot be a missing one there would be a legal move, a pawn that promotes, or
    pieces in hand; or if without an opponent's missing piece, which may have fallen, a capture in passing is half done.
    """
    stocked = position.drop_board is not None
    promoted = filled & chess.BB_BACKRANKS if gone & position.board.pawns else 0  # a pawn may have become any piece
    landed = [
        square
        for square in squares(filled)
        if of_colour(readings[square], position.turn)
        and (stocked or BB_SQUARES[square] & promoted or _may_be(position, gone, readings[square]))
    ]
    taken = empty_of(readings, mismatch & position.board.occupied_co[not position.turn])
    if not gone or not (landed or not taken):
        return Difference(Kind.FOREIGN, mask=mismatch)
    strange = sum(BB_SQUARES[s] for s in squares(filled & ~position.board.occupied) if s not in landed)
    if strange:
        without = read(position, readings, mismatch & ~strange, Traces())
        in_hand = without.kind is HELD and not (strange & promoted or stocked)
        if in_hand or without.kind in LEGAL or (without.kind is Kind.PARTIAL and without.part == "promotion"):
            return Difference(Kind.FOREIGN, mask=mismatch)
    beside = taken & ~position.board.pawns
    if beside and beside == taken and read(position, readings, mismatch & ~taken, Traces()).part == "capture":
        return Difference(Kind.FOREIGN, mask=mismatch)
    king = gone & position.board.kings
    jumped = king and any(_jumped(position, king.bit_length() - 1, square) for square in landed)
    return Difference(Kind.ASTRAY, part="castling" if jumped else "", mask=mismatch)


def _may_be(position: Position, pieces: int, seen: str) -> bool:
    """Whether one of these pieces, a bitboard, reads so."""
    return any(position.symbol(square) in FITS[seen] for square in squares(pieces))


def _jumped(position: Position, king: chess.Square, landed: chess.Square) -> bool:
    """Whether a king went as in castling: two squares aside; in chess960 from home to where castling brings it, by more
    than one square."""
    if king >> 3 != landed >> 3:
        return False
    if not position.shuffled:
        return abs(landed - king) == 2
    return position.attempted(king, landed) is not None and abs(landed - king) > 1
