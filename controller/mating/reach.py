"""Where each piece could ever get, whatever everybody plays: too many squares, never too few.

All pieces are taken as fixed at first, and set free as soon as some series of moves might move or take them, until
nothing changes. A piece that stays fixed never moves and is never taken: it blocks its own side for ever, and no enemy
king enters what it guards. A pawn passes another on its file only if one of the two can leave the file or be taken.
All else is taken as possible: lines are not closed by a piece that may go away, and everybody may move as often as he
likes. After M. Ambrona, "A Practical Algorithm for Chess Unwinnability" (chasolver.org).
"""

import chess
from chess import (
    BB_ALL,
    BB_FILES,
    BB_KING_ATTACKS,
    BB_KNIGHT_ATTACKS,
    BB_SQUARES,
    Bitboard,
    Color,
    PieceType,
    shift_down,
    shift_down_left,
    shift_down_right,
    shift_left,
    shift_right,
    shift_up,
    shift_up_left,
    shift_up_right,
)

from controller.mating.state import BB_BACKRANKS, State, squares


class Piece:
    """A piece, the square it stands on, and what is known of it so far."""

    __slots__ = ("ahead", "captured", "colour", "file", "fixed", "gone", "home", "kind", "pawn", "reach")

    def __init__(self, home: Bitboard, kind: PieceType, colour: Color) -> None:
        self.home, self.kind, self.colour = home, kind, colour
        self.file = BB_FILES[home.bit_length() - 1 & 7]
        self.pawn: Bitboard = home if kind == chess.PAWN else 0  #: where it may stand as a pawn
        self.reach: Bitboard = 0 if kind == chess.PAWN else home  #: where else, for a pawn once promoted
        self.fixed = True  #: it never moves and is never taken
        self.gone = False  #: a pawn that may leave its file, be taken, or promote
        self.ahead: list[Piece] = []  #: the pawns ahead of a pawn on its file, nearest first

    @property
    def squares(self) -> Bitboard:
        """All squares where it may ever stand."""
        return self.pawn | self.reach

    @property
    def leaves(self) -> bool:
        """Whether a pawn may leave its file by taking something."""
        return bool(self.pawn & ~self.file)


class Reach:
    """Every piece of a position with the squares that it might reach. En passant must not be possible there."""

    def __init__(self, state: State) -> None:
        self.pieces: list[Piece] = []
        for kind, board in enumerate(state[3:9], start=chess.PAWN):
            for square in squares(board):
                home = BB_SQUARES[square]
                self.pieces.append(Piece(home, kind, bool(state.white & home)))
        self.kings = {piece.colour: piece for piece in self.pieces if piece.kind == chess.KING}
        self.men = [piece for piece in self.pieces if piece.kind != chess.KING]
        pawns = [piece for piece in self.men if piece.kind == chess.PAWN]
        for pawn in pawns:
            pawn.ahead = [p for p in pawns if p.file == pawn.file and (p.home > pawn.home) == pawn.colour and p is not pawn]
            if not pawn.colour:
                pawn.ahead.reverse()
        while self._spread():
            pass

    def _spread(self) -> bool:
        """Let every piece go one step further; False when nothing is new."""
        fixed, guarded, standing, taking = [0, 0], [0, 0], [0, 0], [0, 0]
        for piece in self.pieces:
            colour = piece.colour
            taking[colour] |= piece.reach | pawn_attacks(piece.pawn, colour)
            if piece.kind != chess.KING:
                standing[colour] |= piece.reach | piece.pawn
            if piece.fixed:
                fixed[colour] |= piece.home
                guarded[colour] |= pawn_attacks(piece.pawn, colour) or step(piece.reach, piece.kind)
        changed = False
        for piece in self.pieces:
            own, enemy = fixed[piece.colour], not piece.colour
            shut = own | (self.kings[enemy].home & fixed[enemy])
            if piece.kind == chess.PAWN:
                pawn, reach = self._pawn(piece, own | fixed[enemy], standing[enemy]), piece.reach
                if pawn & BB_BACKRANKS:
                    reach |= pawn & BB_BACKRANKS
                    reach |= step(reach, chess.QUEEN) & ~shut | step(reach, chess.KNIGHT) & ~shut
                gone = piece.gone or bool(pawn & (taking[enemy] | ~piece.file | BB_BACKRANKS))
                if pawn != piece.pawn or reach != piece.reach or gone != piece.gone:
                    piece.pawn, piece.reach, piece.gone = pawn, reach, gone
                    changed = True
            else:
                more = step(piece.reach, piece.kind) & ~shut
                if piece.kind == chess.KING:
                    more &= ~(guarded[enemy] | beside_always(self.kings[enemy].reach))
                if more & ~piece.reach:
                    piece.reach |= more
                    changed = True
            if piece.fixed and (
                piece.squares != piece.home or (piece.kind != chess.KING and piece.home & taking[enemy])
            ):
                piece.fixed = False
                changed = True
        return changed

    @staticmethod
    def _pawn(piece: Piece, fixed: Bitboard, enemies: Bitboard) -> Bitboard:
        """Where a pawn may stand as a pawn, one move further on."""
        pawn, colour = piece.pawn, piece.colour
        push = (shift_up(pawn) if colour else shift_down(pawn)) & ~fixed
        if not piece.leaves:
            push &= ~_barred(piece)
        # A pawn taken en passant might have stopped on the square where it is taken.
        return pawn | push | pawn_attacks(pawn, colour) & enemies


def _barred(piece: Piece) -> Bitboard:
    """What a pawn that keeps to its file does not get to, as another pawn stays ahead of it."""
    for other in piece.ahead:
        if not other.gone:
            nearest = other.pawn
            if piece.colour:
                limit = other.home if other.colour != piece.colour else 1 << nearest.bit_length() - 1
                return ~(limit - 1)
            limit = other.home if other.colour != piece.colour else nearest & -nearest
            return (limit << 1) - 1
    return 0


def beside_always(king: Bitboard) -> Bitboard:
    """The squares that are beside a king or his own wherever of these he stands."""
    beside = BB_ALL
    for square in squares(king):
        beside &= BB_KING_ATTACKS[square] | BB_SQUARES[square]
        if not beside:
            break
    return beside


def pawn_attacks(pawns: Bitboard, colour: Color) -> Bitboard:
    if colour:
        return shift_up_left(pawns) | shift_up_right(pawns)
    return shift_down_left(pawns) | shift_down_right(pawns)


def step(pieces: Bitboard, kind: PieceType) -> Bitboard:
    """The squares one step on from any of these; a longer line is taken step by step, for what is between may go."""
    if kind == chess.KNIGHT:
        attacked = 0
        for square in squares(pieces):
            attacked |= BB_KNIGHT_ATTACKS[square]
        return attacked
    straight = shift_up(pieces) | shift_down(pieces) | shift_left(pieces) | shift_right(pieces)
    if kind == chess.ROOK:
        return straight
    slanting = shift_up_left(pieces) | shift_up_right(pieces) | shift_down_left(pieces) | shift_down_right(pieces)
    return slanting if kind == chess.BISHOP else straight | slanting
