"""A position as a plain tuple, and its successors: what a search of many thousand positions needs, and no more.

The same rules as `chess.Board`, which the tests hold it to; several times as fast, as nothing is kept but bitboards.
"""

from collections.abc import Callable, Iterator
from typing import TypeAlias

from chess import (
    BB_ALL,
    BB_BACKRANKS,
    BB_DIAG_ATTACKS,
    BB_DIAG_MASKS,
    BB_FILE_A,
    BB_FILE_ATTACKS,
    BB_FILE_H,
    BB_FILE_MASKS,
    BB_FILES,
    BB_KING_ATTACKS,
    BB_KNIGHT_ATTACKS,
    BB_PAWN_ATTACKS,
    BB_RANK_1,
    BB_RANK_2,
    BB_RANK_7,
    BB_RANK_8,
    BB_RANK_ATTACKS,
    BB_RANK_MASKS,
    BB_SQUARES,
    BISHOP,
    KING,
    KNIGHT,
    ROOK,
    Bitboard,
    Board,
    Color,
    PieceType,
    Square,
)

MatingState: TypeAlias = tuple[
    Color, Bitboard, Bitboard, Bitboard, Bitboard, Bitboard, Bitboard, Bitboard, Bitboard, Bitboard, Bitboard
]
"""The player to move; white and black pieces; pawns, knights, bishops, rooks, queens, kings; the rooks that may still
castle; the square that a pawn has just passed, where an enemy pawn stands ready to take it. Equal where a position is.

A plain tuple, as making and keeping these is what a search costs.
"""


def state_of(board: Board) -> MatingState:
    """The position on a board of ordinary chess, or of chess960."""
    passed = 0
    if board.ep_square is not None:
        passed = _takable(BB_SQUARES[board.ep_square], board.pawns & board.occupied_co[board.turn], board.turn)
    return (
        board.turn,
        board.occupied_co[True],
        board.occupied_co[False],
        board.pawns,
        board.knights,
        board.bishops,
        board.rooks,
        board.queens,
        board.kings,
        board.clean_castling_rights(),
        passed,
    )


def _takable(passed: Bitboard, takers: Bitboard, turn: Color) -> Bitboard:
    return passed if BB_PAWN_ATTACKS[not turn][passed.bit_length() - 1] & takers else 0


_AHEAD = {
    colour: [
        BB_FILES[s & 7] & (BB_ALL << 8 * ((s >> 3) + 1) if colour else (1 << 8 * (s >> 3)) - 1) & BB_ALL
        for s in range(64)
    ]
    for colour in (True, False)
}


def ahead(square: Square, colour: Color) -> Bitboard:
    """The squares ahead of a pawn on its file."""
    return _AHEAD[colour][square]


def pawn_attacks(pawns: Bitboard, colour: Color) -> Bitboard:
    """What these pawns attack."""
    if colour:
        return ((pawns & ~BB_FILE_A) << 7 | (pawns & ~BB_FILE_H) << 9) & BB_ALL
    return (pawns & ~BB_FILE_A) >> 9 | (pawns & ~BB_FILE_H) >> 7


def diagonals(square: Square, occupied: Bitboard) -> Bitboard:
    """What a bishop attacks."""
    return BB_DIAG_ATTACKS[square][BB_DIAG_MASKS[square] & occupied]


def straights(square: Square, occupied: Bitboard) -> Bitboard:
    """What a rook attacks."""
    return (
        BB_RANK_ATTACKS[square][BB_RANK_MASKS[square] & occupied]
        | BB_FILE_ATTACKS[square][BB_FILE_MASKS[square] & occupied]
    )


def attacks(kind: PieceType, square: Square, occupied: Bitboard) -> Bitboard:
    """What a piece of that kind attacks, which is no pawn."""
    if kind == KNIGHT:
        return BB_KNIGHT_ATTACKS[square]
    if kind == KING:
        return BB_KING_ATTACKS[square]
    found = 0
    if kind != ROOK:
        found |= diagonals(square, occupied)
    if kind != BISHOP:
        found |= straights(square, occupied)
    return found


def squares(mask: Bitboard) -> Iterator[Square]:
    """The squares of a bitboard, from a1 to h8."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def attacked(state: MatingState, square: Square, by: Color, occupied: Bitboard, present: Bitboard) -> bool:
    """Whether a piece of ``by``, of those ``present``, attacks the square with ``occupied`` in the way."""
    theirs = (state[1] if by else state[2]) & present
    return bool(
        BB_KNIGHT_ATTACKS[square] & state[4] & theirs
        or BB_PAWN_ATTACKS[not by][square] & state[3] & theirs
        or BB_KING_ATTACKS[square] & state[8] & theirs
        or diagonals(square, occupied) & (state[5] | state[7]) & theirs
        or straights(square, occupied) & (state[6] | state[7]) & theirs
    )


def covered(state: MatingState, by: Color, occupied: Bitboard) -> Bitboard:
    """All squares that ``by`` attacks, those of its own pieces included, with ``occupied`` in the way."""
    _, white, black, pawns, knights, bishops, rooks, _, kings, _, _ = state
    own = white if by else black
    found = pawn_attacks(own & pawns, by)
    # A loop by hand, as a search asks this of every position.
    left = own & ~pawns
    while left:
        piece = left & -left
        left ^= piece
        square = piece.bit_length() - 1
        if piece & knights:
            found |= BB_KNIGHT_ATTACKS[square]
        elif piece & kings:
            found |= BB_KING_ATTACKS[square]
        else:
            if not piece & rooks:
                found |= BB_DIAG_ATTACKS[square][BB_DIAG_MASKS[square] & occupied]
            if not piece & bishops:
                found |= (
                    BB_RANK_ATTACKS[square][BB_RANK_MASKS[square] & occupied]
                    | BB_FILE_ATTACKS[square][BB_FILE_MASKS[square] & occupied]
                )
    return found


def in_check(state: MatingState) -> bool:
    """Whether the player to move is in check."""
    turn, white, black, *_, kings, _, _ = state
    king = (kings & (white if turn else black)).bit_length() - 1
    return attacked(state, king, not turn, white | black, ~0)


def successors(state: MatingState) -> list[MatingState]:
    """The positions after each legal move."""
    turn, white, black, pawns, knights, bishops, rooks, queens, kings, castling, passed = state
    own, enemy = (white, black) if turn else (black, white)
    occupied = white | black
    king_bit = kings & own
    king = king_bit.bit_length() - 1
    reached = covered(state, not turn, occupied ^ king_bit)
    checked = bool(reached & king_bit)
    # A piece that the king does not see on a line hides nothing from him.
    risky = own if checked else 0
    if enemy & (bishops | queens):
        risky |= diagonals(king, occupied) & own
    if enemy & (rooks | queens):
        risky |= straights(king, occupied) & own
    found: list[MatingState] = []
    add = found.append

    def safe(start: Bitboard, to: Bitboard, taken: Bitboard) -> bool:
        return not attacked(state, king, not turn, occupied & ~(start | taken) | to, ~taken)

    def move(start: Bitboard, to: Bitboard, kind: int, taken: Bitboard) -> None:
        """Add the position after a piece, of the ``kind`` that it then is, went from ``start`` to ``to``."""
        if not (taken or castling or start & pawns):
            # Most moves change no more than this.
            change = start | to
            w, b = (white ^ change, black) if turn else (white, black ^ change)
            if kind == 5:
                add((not turn, w, b, pawns, knights, bishops, rooks, queens, kings ^ change, 0, 0))
            elif kind == 2:
                add((not turn, w, b, pawns, knights, bishops ^ change, rooks, queens, kings, 0, 0))
            elif kind == 1:
                add((not turn, w, b, pawns, knights ^ change, bishops, rooks, queens, kings, 0, 0))
            elif kind == 3:
                add((not turn, w, b, pawns, knights, bishops, rooks ^ change, queens, kings, 0, 0))
            else:
                add((not turn, w, b, pawns, knights, bishops, rooks, queens ^ change, kings, 0, 0))
            return
        left = ~(start | taken)
        p, n, b, r, q, k = pawns & left, knights & left, bishops & left, rooks & left, queens & left, kings & left
        rights, fresh = castling and castling & ~to & left, 0
        if kind == 0:
            p |= to
            if to == start << 16 or to == start >> 16:
                fresh = _takable(to >> 8 if turn else to << 8, p & enemy, not turn)
        elif kind == 1:
            n |= to
        elif kind == 2:
            b |= to
        elif kind == 3:
            r |= to
        elif kind == 4:
            q |= to
        else:
            k |= to
            rights &= ~(BB_RANK_1 if turn else BB_RANK_8)
        if turn:
            add((False, own & left | to, enemy & left, p, n, b, r, q, k, rights, fresh))
        else:
            add((True, enemy & left, own & left | to, p, n, b, r, q, k, rights, fresh))

    # Loops by hand over the squares of a bitboard: the search spends its time here.
    targets = BB_KING_ATTACKS[king] & ~own & ~reached
    while targets:
        to = targets & -targets
        targets ^= to
        move(king_bit, to, 5, to & enemy)
    if castling & own and not checked:
        _castle(state, king, add)
    pieces = own & ~pawns & ~kings
    while pieces:
        start = pieces & -pieces
        pieces ^= start
        origin = start.bit_length() - 1
        if start & knights:
            targets, kind = BB_KNIGHT_ATTACKS[origin], 1
        elif start & bishops:
            targets, kind = diagonals(origin, occupied), 2
        elif start & rooks:
            targets, kind = straights(origin, occupied), 3
        else:
            targets, kind = diagonals(origin, occupied) | straights(origin, occupied), 4
        free = not start & risky
        targets &= ~own
        while targets:
            to = targets & -targets
            targets ^= to
            if free or safe(start, to, to & enemy):
                move(start, to, kind, to & enemy)
    # Most pawns that bar each other have no move.
    pieces = own & pawns & ((~occupied >> 8 if turn else ~occupied << 8) | pawn_attacks(enemy | passed, not turn))
    while pieces:
        start = pieces & -pieces
        pieces ^= start
        step = start << 8 if turn else start >> 8
        targets = BB_PAWN_ATTACKS[turn][start.bit_length() - 1] & (enemy | passed)
        if not step & occupied:
            targets |= step
            if start & (BB_RANK_2 if turn else BB_RANK_7):
                targets |= (step << 8 if turn else step >> 8) & ~occupied
        while targets:
            to = targets & -targets
            targets ^= to
            # Taking en passant opens two squares at once.
            taken = to & enemy or (to & passed and (to >> 8 if turn else to << 8))
            if (not start & risky and not to & passed) or safe(start, to, taken):
                for kind in (4, 1, 3, 2) if to & BB_BACKRANKS else (0,):
                    move(start, to, kind, taken)
    return found


def _castle(state: MatingState, king: Square, add: Callable[[MatingState], None]) -> None:
    turn, white, black, pawns, knights, bishops, rooks, queens, kings, castling, _ = state
    own, enemy = (white, black) if turn else (black, white)
    occupied, king_bit = white | black, BB_SQUARES[king]
    for rook in squares(castling & own):
        king_to, rook_to = castled(king, rook)
        to, beside = BB_SQUARES[king_to], BB_SQUARES[rook_to]
        left = ~(king_bit | BB_SQUARES[rook])
        way = between(king, king_to) | to
        if (
            (way | between(rook, rook_to) | beside) & occupied & left
            or any(attacked(state, square, not turn, occupied & ~king_bit, ~0) for square in squares(way))
            or attacked(state, king_to, not turn, occupied & left | beside, ~0)
        ):
            continue
        mine = own & left | to | beside
        rights = castling & ~(BB_RANK_1 if turn else BB_RANK_8)
        pair = (mine, enemy) if turn else (enemy, mine)
        add((not turn, *pair, pawns, knights, bishops, rooks & left | beside, queens, kings & left | to, rights, 0))


def castled(king: Square, rook: Square) -> tuple[Square, Square]:
    """Where they stand once they have castled, wherever they stood: as in ordinary chess."""
    rank = king & 56
    return (rank + 6, rank + 5) if rook > king else (rank + 2, rank + 3)


def between(one: Square, other: Square) -> Bitboard:
    """The squares of a rank that lie between two of its squares."""
    low, high = min(one, other), max(one, other)
    return (1 << high) - (1 << low + 1) if low < high else 0
