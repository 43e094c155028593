"""A side that has nothing to move but pawns runs out of moves: does the other side promote a pawn before that?

As long as nobody promotes, no pawn here ever leaves its file, and of the pieces only one king moves. A mate needs a
pawn of that king's side promoted: so many moves of the pawn, and where another bars its file, so many of the king to
take it and step aside. Each costs the other side a pawn's move, of which sooner or later there is none left.
"""

from functools import lru_cache

import chess
from chess import BB_ALL, BB_RANK_2, BB_RANK_7, Bitboard, Color, Square

from controller.mating.patterns import may_mate
from controller.mating.reach import Reach
from controller.mating.state import MatingState, ahead, squares

STEPS = [[chess.square_distance(a, b) for b in chess.SQUARES] for a in chess.SQUARES]
_NEVER = 99  #: moves


class Tempo:
    """What holds from a position on until somebody promotes."""

    def __init__(self, start: MatingState) -> None:
        self.short: Color | None = None  #: the side that has only pawns to move
        self.never: set[Color] = set()  #: who mates only after a promotion
        if start[10]:
            return
        reach = Reach(start, promoting=False)
        if any(piece.pawn & ~piece.file or piece.reach & ~piece.home for piece in reach.but_kings):
            return
        for colour, king in reach.kings.items():
            if king.reach == king.home and colour not in reach.promotes:
                self.short = colour
                self.walls = reach.walls | king.home
                self.pawns = (start[3] & start[2 if colour else 1]).bit_count()
                self.never = {side for side in chess.COLORS if not may_mate(reach, side)}

    def late(self, state: MatingState) -> bool:
        """Whether the side that is short of moves has none left before a pawn promotes."""
        moves = self.moves(state)
        return moves is not None and moves[0] > moves[1]

    def moves(self, state: MatingState) -> tuple[int, int] | None:
        """How many moves it takes at least until a pawn promotes, and how many the side short of them has left at most.

        None once a pawn has promoted, and where neither side is short of moves.
        """
        short = self.short
        turn, white, black, pawns, *_, kings, _, _ = state
        own, enemy = (white, black) if short else (black, white)
        # Nothing takes a pawn of the other side before one of them promotes.
        if short is None or (enemy & pawns).bit_count() != self.pawns:
            return None
        ours, theirs = own & pawns, enemy & pawns
        left = _left(ours, theirs | self.walls, short) + (turn != short)
        return _needed(theirs, ours, self.walls, not short, (kings & enemy).bit_length() - 1), left


@lru_cache(maxsize=1 << 14)
def _left(pawns: Bitboard, bars: Bitboard, colour: Color) -> int:
    """How many moves these pawns have at most."""
    left, free = 0, BB_ALL & ~bars
    while pawns := (pawns << 8 if colour else pawns >> 8) & free:
        left += pawns.bit_count()
    return left


@lru_cache(maxsize=1 << 15)
def _needed(pawns: Bitboard, against: Bitboard, walls: Bitboard, colour: Color, king: Square) -> int:
    """How many moves it takes at least until one of these pawns promotes, with their king's."""
    steps, needed = STEPS[king], _NEVER
    for moves, taken in _ways(pawns, against, walls, colour):
        for at, more in taken:
            needed = min(needed, moves + steps[at] + more)
        if not taken:
            needed = min(needed, moves)
    return needed


@lru_cache(maxsize=1 << 14)
def _ways(
    pawns: Bitboard, against: Bitboard, walls: Bitboard, colour: Color
) -> list[tuple[int, list[tuple[Square, int]]]]:
    """For each of these pawns that may promote: how many moves it takes at least, whatever the other side does, and the
    squares to one of which their king has to go besides, each with what that costs more.

    Taking a pawn costs the other side the moves that it had left: each counts as one of ours.
    """
    ways = []
    for square in squares(pawns):
        way = ahead(square, colour)
        if way & walls:
            continue
        moves = 7 - (square >> 3) if colour else square >> 3
        moves -= bool(1 << square & (BB_RANK_2 if colour else BB_RANK_7))
        taken = []
        if barring := way & against:
            first = (barring & -barring if colour else barring).bit_length() - 1
            # It is taken where it stands, or after some moves nearer to the pawn that it bars.
            where = range(square + 8, first + 1, 8) if colour else range(square - 8, first - 1, -8)
            lost = not barring & (barring - 1)
            moves += barring.bit_count()
            taken = [(at, lost * n) for n, at in enumerate(where)]
        ways.append((moves, taken))
    return ways


def forget() -> None:
    """Let go of what was worked out for one question: a daemon asks for years."""
    _left.cache_clear()
    _needed.cache_clear()
    _ways.cache_clear()
