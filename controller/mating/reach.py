"""Where each piece could ever get, move by move, whatever everybody plays: too many squares, never too few.

All pieces are taken as fixed at first, and set free as soon as some series of moves might move or take them. Both sides
move in turn, each with all its pieces at once, until nothing changes. A piece that stays fixed never moves and is never
taken: it blocks its own side for ever, and no enemy king enters what it guards. A pawn passes another on its file only
if one of the two can leave the file or be taken. All else is taken as possible: lines are not closed by a piece that
may go away, and nobody is ever forced to move or kept from it.

A side that has nothing but pawns to move runs out of moves one day. If that day comes before anything could be set
free, no game from here lasts longer, and what would be reached later is not counted.

After M. Ambrona, "A Practical Algorithm for Chess Unwinnability" (chasolver.org), where the sides do not take turns.
"""

import chess
from chess import (
    BB_BACKRANKS,
    BB_FILES,
    BB_RANK_3,
    BB_RANK_6,
    BB_SQUARES,
    Bitboard,
    Color,
    PieceType,
    shift_down,
    shift_up,
)

from controller.mating.spread import beside_always, moves, step
from controller.mating.state import MatingState, between, castled, pawn_attacks, squares


class KnownPiece:
    """A piece, the square it stands on, and what is known of it so far."""

    __slots__ = ("ahead", "colour", "file", "fixed", "gone", "home", "kind", "pawn", "reach")

    def __init__(self, home: Bitboard, kind: PieceType, colour: Color) -> None:
        self.home, self.kind, self.colour = home, kind, colour
        self.file = BB_FILES[home.bit_length() - 1 & 7]
        self.pawn: Bitboard = home if kind == chess.PAWN else 0  #: where it may stand as a pawn
        self.reach: Bitboard = 0 if kind == chess.PAWN else home  #: where else, for a pawn once promoted
        self.fixed = True  #: it never moves and is never taken
        self.gone = False  #: a pawn that may leave its file, be taken, or promote
        self.ahead: list[KnownPiece] = []  #: the pawns ahead of a pawn on its file, nearest first

    @property
    def squares(self) -> Bitboard:
        """All squares where it may ever stand."""
        return self.pawn | self.reach

    @property
    def leaves(self) -> bool:
        """Whether a pawn may leave its file by taking something."""
        return bool(self.pawn & ~self.file)

    @property
    def promotes(self) -> bool:
        """Whether a pawn may promote."""
        return self.kind == chess.PAWN and self.reach != 0

    @property
    def pushes(self) -> int:
        """How many moves a pawn may make at most, as each takes it a rank on."""
        pawn, home = self.pawn, self.home.bit_length() - 1 >> 3
        return (pawn.bit_length() - 1 >> 3) - home if self.colour else home - ((pawn & -pawn).bit_length() - 1 >> 3)


class Reach:
    """Every piece of a position with the squares that it might reach."""

    def __init__(self, state: MatingState, *, promoting: bool = True) -> None:
        turn, white, *boards, castling, passed = state
        self.promoting = promoting
        #: whose pawns might promote, where that is not followed
        self.promotes: set[Color] = set()
        self.pieces: list[KnownPiece] = []
        for kind, board in enumerate(boards[1:], start=chess.PAWN):
            for square in squares(board):
                home = BB_SQUARES[square]
                self.pieces.append(KnownPiece(home, kind, bool(white & home)))
        self.kings = {piece.colour: piece for piece in self.pieces if piece.kind == chess.KING}
        self.but_kings = [piece for piece in self.pieces if piece.kind != chess.KING]
        pawns = [piece for piece in self.but_kings if piece.kind == chess.PAWN]
        for pawn in pawns:
            pawn.ahead = [
                p for p in pawns if p.file == pawn.file and (p.home > pawn.home) == pawn.colour and p is not pawn
            ]
            if not pawn.colour:
                pawn.ahead.reverse()
            if passed and pawn.home == (passed >> 8 if turn else passed << 8):
                # It may be taken as if it stood where it has just passed.
                pawn.pawn |= passed
                pawn.fixed = False
        self.castling = castling
        #: whether what is reached was cut short because no game lasts longer
        self.ends = False
        self._spread_out(turn)

    @property
    def walls(self) -> Bitboard:
        """What never moves and is never taken, the kings not counted."""
        walls = 0
        for piece in self.but_kings:
            if piece.fixed:
                walls |= piece.home
        return walls

    def _spread_out(self, turn: Color) -> None:
        moves, still = {True: 0, False: 0}, 0
        while still < 2:
            if self._spread(turn):
                still = 0
            else:
                still += 1
            moves[turn] += 1
            if self._most_moves(turn) < moves[turn]:
                self.ends = True
                return
            turn = not turn

    def _most_moves(self, colour: Color) -> int:
        """How many moves a side may make at most with what is reached so far; more than any game has, where pieces may
        move to and fro."""
        most = 0
        for piece in self.pieces:
            if piece.colour == colour:
                if piece.reach & ~piece.home or (piece.reach and piece.kind == chess.PAWN):
                    return 1 << 16
                if piece.pawn:
                    most += piece.pushes
        return most

    def _spread(self, turn: Color) -> bool:
        """Let every piece of one side make a move; False when nothing is new."""
        enemy = not turn
        fixed, guarded, standing = [0, 0], 0, 0
        mine = [piece for piece in self.pieces if piece.colour == turn]
        theirs = [piece for piece in self.pieces if piece.colour != turn]
        for piece in self.pieces:
            if piece.fixed:
                fixed[piece.colour] |= piece.home
        for piece in theirs:
            if piece.kind != chess.KING:
                standing |= piece.reach | piece.pawn
            if piece.fixed:
                guarded |= pawn_attacks(piece.pawn, enemy) or step(piece.reach, piece.kind)
        walls = fixed[0] | fixed[1]
        shut = fixed[turn] | (self.kings[enemy].home & fixed[enemy])
        changed, taking = False, 0
        for piece in mine:
            pawn, reach = piece.pawn, piece.reach
            if piece.kind == chess.PAWN:
                pawn = self._pawn(piece, walls, standing)
                if pawn & BB_BACKRANKS and not self.promoting:
                    pawn &= ~BB_BACKRANKS
                    self.promotes.add(turn)
                if reach:
                    reach |= moves(reach, chess.QUEEN, walls) & ~shut | moves(reach, chess.KNIGHT, walls) & ~shut
                if pawn & BB_BACKRANKS:
                    reach |= pawn & BB_BACKRANKS
                if not piece.gone and pawn & (BB_BACKRANKS | ~piece.file):
                    piece.gone = changed = True
            else:
                more = moves(reach, piece.kind, walls) & ~shut
                if self.castling and piece.kind in (chess.KING, chess.ROOK):
                    more |= self._castled(piece, walls)
                if piece.kind == chess.KING:
                    more &= ~(guarded | beside_always(self.kings[enemy].reach))
                reach |= more
            taking |= reach | pawn_attacks(pawn, turn)
            if pawn != piece.pawn or reach != piece.reach:
                piece.pawn, piece.reach, piece.fixed = pawn, reach, False
                changed = True
        for piece in theirs:
            if piece.fixed and piece.home & taking and piece.kind != chess.KING:
                piece.fixed = False
                changed = True
            if piece.pawn & taking and not piece.gone:
                piece.gone = changed = True
        return changed

    @staticmethod
    def _pawn(piece: KnownPiece, walls: Bitboard, enemies: Bitboard) -> Bitboard:
        """Where a pawn may stand as a pawn, one move further on."""
        pawn, colour = piece.pawn, piece.colour
        open_ = ~walls if piece.leaves else ~(walls | _barred(piece))
        if colour:
            push = shift_up(pawn) & open_
            push |= shift_up(push & BB_RANK_3) & open_
        else:
            push = shift_down(pawn) & open_
            push |= shift_down(push & BB_RANK_6) & open_
        # A pawn taken en passant might have stopped on the square where it is taken.
        return pawn | push | pawn_attacks(pawn, colour) & enemies

    def _castled(self, piece: KnownPiece, walls: Bitboard) -> Bitboard:
        """Where a king or a rook at home may get by castling."""
        found, king = 0, self.kings[piece.colour].home
        for rook in squares(self.castling & (chess.BB_RANK_1 if piece.colour else chess.BB_RANK_8)):
            if not between(king.bit_length() - 1, rook) & walls:
                king_to, rook_to = castled(king.bit_length() - 1, rook)
                if piece.kind == chess.KING:
                    found |= BB_SQUARES[king_to]
                elif piece.home == BB_SQUARES[rook]:
                    found |= BB_SQUARES[rook_to]
        return found


def _barred(piece: KnownPiece) -> Bitboard:
    """What a pawn that keeps to its file does not get to, as another pawn stays ahead of it."""
    for other in piece.ahead:
        if not other.gone:
            # One of the other side only comes nearer; one of its own goes ahead as far as it may.
            if piece.colour:
                limit = other.home if other.colour != piece.colour else 1 << other.pawn.bit_length() - 1
                return ~(limit - 1)
            limit = other.home if other.colour != piece.colour else other.pawn & -other.pawn
            return (limit << 1) - 1
    return 0
