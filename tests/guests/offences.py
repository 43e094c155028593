"""One breach of the Laws, planted in an otherwise tidy game: what was done, and what ought to be said of it.

Written from Article 4, 6 and 7 as the contract has them. An offence is planted at the first ply at which the position
offers it; a game that never does has none.
"""

from collections.abc import Callable
from typing import NamedTuple

import chess

from guests.habits import Player, Turn, ply
from guests.wood import Wood

LONG = (250, 900)  #: longer than a brush
LET_GO = (600, 1500)  #: longer than a release


class Planted(NamedTuple):
    """What was done by which player, when it could be told at the earliest, and what it is called."""

    name: str
    side: str
    ms: int  #: the press, or without a clock the release
    kinds: frozenset[str]  #: what is said of it, in the editions that the contract has: one of these


Offence = Callable[[Turn], frozenset[str] | None]
"""Commits it instead of the move that was meant, but for the press; None where it cannot be done."""


def touched_own(turn: Turn) -> frozenset[str] | None:
    """A piece of his own is touched; another is moved."""
    others = sorted({m.from_square for m in turn.board.legal_moves} - {turn.move.from_square})
    plain = not turn.board.is_castling(turn.move) and not turn.move.promotion
    if not others or not plain or turn.board.is_capture(turn.move):
        return None
    linger(turn.wood, turn.wood.rng.choice(others))
    shift(turn.wood, turn.move.from_square, turn.move.to_square)
    return frozenset({"touch-move"})


def touched_enemy(turn: Turn) -> frozenset[str] | None:
    """An enemy piece that can be taken is touched, and is not taken."""
    takes = [m for m in turn.board.legal_moves if turn.board.is_capture(m) and not turn.board.is_en_passant(m)]
    if not takes or turn.board.is_capture(turn.move) or turn.board.is_castling(turn.move) or turn.move.promotion:
        return None
    linger(turn.wood, turn.wood.rng.choice(takes).to_square)
    shift(turn.wood, turn.move.from_square, turn.move.to_square)
    return frozenset({"touch-move"})


def moved_on(turn: Turn) -> frozenset[str] | None:
    """A piece that was let go goes on to another square."""
    further = [
        m
        for m in turn.board.legal_moves
        if m.from_square == turn.move.from_square
        and m.to_square != turn.move.to_square
        and not turn.board.is_capture(m)
    ]
    if not further or turn.board.is_capture(turn.move) or turn.board.is_castling(turn.move) or turn.move.promotion:
        return None
    if any(turn.board.is_castling(m) for m in further):
        return None
    shift(turn.wood, turn.move.from_square, turn.move.to_square)
    turn.wood.wait(*LET_GO)
    shift(turn.wood, turn.move.to_square, turn.wood.rng.choice(further).to_square)
    return frozenset({"released-move"})


def rook_first(turn: Turn) -> frozenset[str] | None:
    """Castling begun with the rook."""
    castle = next((m for m in turn.board.legal_moves if turn.board.is_castling(m)), None)
    if castle is None:
        return None
    rook_from, rook_to = rook_way(castle)
    shift(turn.wood, rook_from, rook_to)
    turn.wood.wait(200, 350)
    shift(turn.wood, castle.from_square, castle.to_square)
    return frozenset({"castling-order"})


def another_piece(turn: Turn) -> frozenset[str] | None:
    """The piece of a promotion is changed after it was let go. Only a board that sees kinds can know."""
    if not turn.move.promotion or turn.board.is_capture(turn.move):
        return None
    turn.wood.up(turn.move.from_square)
    turn.wood.wait(*LONG)
    turn.wood.down(turn.move.to_square, chess.Piece(chess.ROOK, turn.board.turn).symbol())
    turn.wood.wait(*LET_GO)
    turn.wood.up(turn.move.to_square)
    turn.wood.wait(*LONG)
    turn.wood.down(turn.move.to_square, chess.Piece(chess.QUEEN, turn.board.turn).symbol())
    return frozenset({"promotion-changed"})


def cannot_go_there(turn: Turn) -> frozenset[str] | None:
    """A piece is set down on an empty square to which it cannot go."""
    goes = {m.to_square for m in turn.board.legal_moves if m.from_square == turn.move.from_square}
    ends = {0, 7} if turn.board.piece_type_at(turn.move.from_square) == chess.PAWN else set()
    squares = [s for s in turn.wood.empty(chess.SQUARES) if s not in goes and chess.square_rank(s) not in ends]
    shift(turn.wood, turn.move.from_square, turn.wood.rng.choice(squares))
    turn.wood.wait(*LET_GO)
    return frozenset({"illegal-move"})


def nothing_moved(turn: Turn) -> frozenset[str] | None:
    """The clock is pressed without a move. Of the clock's misuse the older editions speak."""
    turn.wood.wait(*LET_GO)
    return frozenset({"no-move", "clock-misuse"})


def touched_and_pressed(turn: Turn) -> frozenset[str] | None:
    """A piece is touched, put back, and the clock pressed."""
    linger(turn.wood, turn.move.from_square)
    return frozenset({"no-move", "clock-misuse"})


def pawn_gone(turn: Turn) -> frozenset[str] | None:
    """The pawn is taken off at the end of its way, and the clock pressed before anything stands there."""
    if not turn.move.promotion or turn.board.is_capture(turn.move):
        return None
    shift(turn.wood, turn.move.from_square, turn.move.to_square)
    turn.wood.wait(*LONG)
    turn.wood.up(turn.move.to_square)
    turn.wood.wait(*LET_GO)
    return frozenset({"unfinished-promotion"})


def rook_left(turn: Turn) -> frozenset[str] | None:
    """The king castles, the clock is pressed, and the rook stands at home."""
    castle = next((m for m in turn.board.legal_moves if turn.board.is_castling(m)), None)
    if castle is None:
        return None
    shift(turn.wood, castle.from_square, castle.to_square)
    turn.wood.wait(*LET_GO)
    return frozenset({"unfinished-castling"})


def pawn_left(turn: Turn) -> frozenset[str] | None:
    """Taken in passing, and left on the board at the press."""
    passing = next((m for m in turn.board.legal_moves if turn.board.is_en_passant(m)), None)
    if passing is None:
        return None
    shift(turn.wood, passing.from_square, passing.to_square)
    turn.wood.wait(*LET_GO)
    return frozenset({"unfinished-capture"})


def announced_out_of_turn(turn: Turn) -> frozenset[str] | None:
    """J'adoube by the player who has not the move; then the move that was meant."""
    turn.wood.wait(*LET_GO)
    turn.wood.say(type="adjust", side=chess.COLOR_NAMES[not turn.board.turn])
    turn.wood.wait(*LONG)
    ply(turn)
    return frozenset({"adjust-out-of-turn"})


OFFENCES: dict[str, Offence] = {
    offence.__name__: offence
    for offence in (
        touched_own, touched_enemy, moved_on, rook_first, another_piece, cannot_go_there, nothing_moved,
        touched_and_pressed, pawn_gone, rook_left, pawn_left, announced_out_of_turn,
    )
}  # fmt: skip
NEEDS_CLOCK = {"nothing_moved", "touched_and_pressed", "pawn_gone", "rook_left", "pawn_left"}
NEEDS_KINDS = {"another_piece"}


def possible(name: str, senses: str, *, clock: bool) -> bool:
    """Whether such a board, with or without a clock, can show it at all."""
    return (clock or name not in NEEDS_CLOCK) and (senses == "identity" or name not in NEEDS_KINDS)


def plant(wood: Wood, start: chess.Board, moves: list[chess.Move], name: str, *, clock: bool) -> Planted | None:
    """Plays tidily until the position offers the offence, commits it, presses, and leaves the board."""
    board, player = start.copy(), Player(neat=1.0, presses=clock, tells=True)
    without_a_clock = Player(neat=1.0, tells=True)
    for number, meant in enumerate(moves):
        if number >= 6:
            wood.wait(700, 1500)
            side = chess.COLOR_NAMES[board.turn]
            kinds = OFFENCES[name](Turn(wood, board, meant, without_a_clock))
            if kinds is not None:
                if clock:
                    wood.wait(100, 600)
                    wood.say(type="press", side=side)
                guilty = chess.COLOR_NAMES[not board.turn] if name == "announced_out_of_turn" else side
                return Planted(name, guilty, wood.ms, kinds)
        ply(Turn(wood, board, meant, player))
        board.push(meant)
    return None


def linger(wood: Wood, square: chess.Square) -> None:
    """A piece is taken and put back, longer than a brush."""
    piece = wood.up(square)
    wood.wait(*LONG)
    wood.down(square, piece)
    wood.wait(*LONG)


def shift(wood: Wood, origin: chess.Square, target: chess.Square) -> None:
    """A piece goes through the air."""
    piece = wood.up(origin)
    wood.wait(*LONG)
    wood.down(target, piece)


def rook_way(castle: chess.Move) -> tuple[chess.Square, chess.Square]:
    """Whence and whither the rook goes."""
    rank, short = chess.square_rank(castle.from_square), chess.square_file(castle.to_square) > 4
    return chess.square(7 if short else 0, rank), chess.square(5 if short else 3, rank)
