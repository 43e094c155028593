"""No mate whatever the pieces do: every line of kings and pawns alone, with the other pieces thought of as anywhere.

A piece that moves at all is taken off the board. From then on it is on every square that it might ever reach: its side
may pass, as it may be the piece that moves; it may take any pawn there, stand in a pawn's way to be taken, give check,
cover and block. It is in nobody's way. So whatever a game from here comes to, its kings and pawns come to here too; and
where no mate might stand, whichever squares the pieces are on, there is none in any game.

This proves dead what bishops shuffle about in, without following each of their walks.
"""

from collections.abc import Collection
from typing import NamedTuple

import chess
from chess import BB_BACKRANKS, BB_KING_ATTACKS, BB_PAWN_ATTACKS, BB_SQUARES, Bitboard, Color, PieceType

from controller.mating.patterns import blockable, largest
from controller.mating.reach import Reach
from controller.mating.state import MatingState, attacks, in_check, squares, successors

GHOSTS = 400  #: through so many positions of kings and pawns


class _Ghost(NamedTuple):
    """A piece that may be on any of these squares."""

    kind: PieceType
    where: Bitboard


class Haunted:
    """A position without the pieces that move, and where each of them might be."""

    def __init__(self, state: MatingState, reach: Reach) -> None:
        self.ghosts: dict[Color, list[_Ghost]] = {True: [], False: []}
        self.where = {True: 0, False: 0}
        away = 0
        for piece in reach.but_kings:
            if piece.kind != chess.PAWN and not piece.fixed:
                self.ghosts[piece.colour].append(_Ghost(piece.kind, piece.reach))
                self.where[piece.colour] |= piece.reach
                away |= piece.home
        turn, *boards, castling, passed = state
        self.start: MatingState = (turn, *(board & ~away for board in boards), castling, passed)  # type: ignore[assignment]
        self.pieces = self.start[4] | self.start[5] | self.start[6] | self.start[7]

    def never(self, colours: Collection[Color], bound: int) -> set[Color]:
        """Which of ``colours`` can never mate: of these it is proved here."""
        left = set(colours)
        if self.start[9] or not (self.ghosts[True] or self.ghosts[False]):
            return set()
        seen, queue = {self.start}, [self.start]
        for state in queue:
            colour = state[0]
            for after, by_ghost in self._moves(state):
                # A pawn that promotes is more than is thought of here.
                if (after[4] | after[5] | after[6] | after[7]) & ~self.pieces:
                    return set()
                if colour in left and self._may_be_mate(state, after, by_ghost):
                    left.discard(colour)
                    if not left:
                        return left
                if after not in seen:
                    seen.add(after)
                    queue.append(after)
            if len(queue) > bound:
                return set()
        return left

    def _moves(self, state: MatingState) -> list[tuple[MatingState, bool]]:
        """The positions that one move might lead to, and whether a ghost made it."""
        turn, white, black, pawns, *others, kings, castling, _ = state
        own, enemy = (white, black) if turn else (black, white)
        found = [(after, False) for after in successors(state)]
        # A pawn may take a ghost.
        free = self.where[not turn] & ~(white | black)
        for pawn in squares(pawns & own):
            for to in squares(BB_PAWN_ATTACKS[turn][pawn] & free):
                if BB_SQUARES[to] & BB_BACKRANKS:
                    # It promotes: no position that is thought of here.
                    return [((turn, white, black, pawns, ~0, 0, 0, 0, kings, castling, 0), False)]
                change = BB_SQUARES[pawn] | BB_SQUARES[to]
                pair = (white ^ change, black) if turn else (white, black ^ change)
                found.append((self._state(turn, *pair, pawns ^ change, others, kings), False))
        if self.ghosts[turn]:
            found.append((self._state(turn, white, black, pawns, others, kings), True))
            for victim in squares(self.where[turn] & pawns & enemy):
                gone = ~BB_SQUARES[victim]
                found.append((self._state(turn, white & gone, black & gone, pawns & gone, others, kings), True))
        # Nobody leaves his own king in check from what is not a ghost.
        return [(after, ghost) for after, ghost in found if not in_check((turn, *after[1:]))]

    @staticmethod
    def _state(
        turn: Color, white: Bitboard, black: Bitboard, pawns: Bitboard, others: list[Bitboard], kings: Bitboard
    ) -> MatingState:
        knights, bishops, rooks, queens = others
        return (not turn, white, black, pawns, knights, bishops, rooks, queens, kings, 0, 0)

    def _may_be_mate(self, before: MatingState, after: MatingState, by_ghost: bool) -> bool:
        """Whether the position after a move might be mate, with the ghosts on some of their squares."""
        mated, white, black, pawns, *_, kings, _, _ = after
        own, enemy = (white, black) if mated else (black, white)
        king_bit = kings & own
        king = king_bit.bit_length() - 1
        occupied = (white | black) ^ king_bit
        covered = BB_KING_ATTACKS[(kings & enemy).bit_length() - 1]
        for pawn in squares(pawns & enemy):
            covered |= BB_PAWN_ATTACKS[not mated][pawn]
        for kind, pieces in enumerate(after[4:8], chess.KNIGHT):
            for square in squares(pieces & self.pieces & enemy):
                # These never move, and see no further than the pieces that shut them in.
                covered |= attacks(kind, square, white | black)
        flights = BB_KING_ATTACKS[king] & ~own & ~covered
        checked = bool(covered & king_bit)
        # What the king might have been discovered to by this move.
        vacated = (before[1] | before[2]) & ~(white | black)
        zone = flights | king_bit
        covers = [king_bit] if checked else [0]
        for ghost in self.ghosts[not mated]:
            masks = set()
            for square in squares(ghost.where & ~(white | black)):
                mask = attacks(ghost.kind, square, occupied) & zone
                # A piece that did not move only gives check where the move opened its line; else another piece that
                # was taken off the board is in the way, and it covers what it covers in other directions.
                opened = not attacks(ghost.kind, square, occupied | vacated) & king_bit
                masks.add(mask if by_ghost or opened else mask & ~king_bit)
            if masks:
                covers = largest({cover | mask for cover in covers for mask in {0, *masks}})
        within = [ghost.where & flights for ghost in self.ghosts[mated] if ghost.where & flights]
        return any(cover & king_bit and blockable(flights & ~cover, within) for cover in covers)
