"""Where an offence can be committed: for each kind all the ways that a position offers."""

from typing import NamedTuple

import chess

NONE = chess.Move.null()


class Plan(NamedTuple):
    """What to touch first, which move to make, and for some which one before it."""

    move: chess.Move = NONE
    touched: tuple[int, ...] = ()
    before: chess.Move = NONE


def _plain(board: chess.Board) -> list[chess.Move]:
    """Moves of one piece, which may take."""
    return [
        move
        for move in board.legal_moves
        if not board.is_castling(move) and not move.promotion and not board.is_en_passant(move)
    ]


def by_square(board: chess.Board) -> dict[int, list[chess.Move]]:
    """The lawful moves from each square."""
    moves: dict[int, list[chess.Move]] = {}
    for move in board.legal_moves:
        moves.setdefault(move.from_square, []).append(move)
    return moves


def _calm(board: chess.Board) -> list[int]:
    """Where movable pieces stand that do not castle."""
    return [square for square in by_square(board) if board.piece_type_at(square) not in (chess.KING, chess.ROOK)]


def _takable(board: chess.Board) -> set[int]:
    return {move.to_square for move in board.legal_moves if board.is_capture(move) and not board.is_en_passant(move)}


def _by_king(board: chess.Board, move: chess.Move) -> bool:
    return board.piece_type_at(move.from_square) == chess.KING


def touch_own(board: chess.Board) -> list[Plan]:
    """Touch one piece, move another."""
    return [
        Plan(move, (square,))
        for square in _calm(board)
        for move in _plain(board)
        if move.from_square != square and not _by_king(board, move)
    ]


def touch_enemy(board: chess.Board) -> list[Plan]:
    """Touch a piece that can be taken, and do not take it."""
    return [
        Plan(move, (square,))
        for square in _takable(board)
        for move in _plain(board)
        if move.to_square != square and not _by_king(board, move)
    ]


def touch_both(board: chess.Board) -> list[Plan]:
    """Touch a piece and one that it takes, and move it elsewhere."""
    calm, moves = _calm(board), by_square(board)
    return [
        Plan(other, (capture.from_square, capture.to_square))
        for capture in board.legal_moves
        if board.is_capture(capture) and not board.is_en_passant(capture) and not capture.promotion
        if capture.from_square in calm
        for other in moves[capture.from_square]
        if other.to_square != capture.to_square and not board.is_capture(other)
    ]


def released(board: chess.Board) -> list[Plan]:
    """Release a piece, then move it on."""
    plans = []
    for square, moves in by_square(board).items():
        if board.piece_type_at(square) != chess.KING:
            to_empty = [m for m in moves if not (board.is_capture(m) or m.promotion or board.is_castling(m))]
            plans += [Plan(then, (), first) for first in to_empty for then in to_empty if first != then]
    return plans


def castling(board: chess.Board) -> list[Plan]:
    """Castle."""
    return [Plan(move) for move in board.legal_moves if board.is_castling(move)]


def promotion(board: chess.Board) -> list[Plan]:
    """Promote to a queen on an empty square."""
    return [Plan(move) for move in board.legal_moves if move.promotion == chess.QUEEN and not board.is_capture(move)]


def out_of_turn(board: chess.Board) -> list[Plan]:
    """Move again, with another piece than the last; never from the very start."""
    if board.is_check() or not board.move_stack:
        return []
    last = board.peek().to_square
    passed = board.copy()
    passed.push(NONE)
    return [
        Plan(move)
        for move in _plain(passed)
        if not passed.is_capture(move) and not _by_king(passed, move) and move.from_square != last
    ]


def _reached(board: chess.Board) -> set[tuple[int, int]]:
    return {(move.from_square, move.to_square) for move in board.pseudo_legal_moves}


def illegal_square(board: chess.Board) -> list[Plan]:
    """Go to an empty square that the piece cannot reach."""
    reached = _reached(board)
    return [
        Plan(chess.Move(start, goal))
        for start in _calm(board)
        for goal in range(64)
        if board.piece_at(goal) is None and (start, goal) not in reached and board.piece_type_at(start) != chess.PAWN
    ]


def illegal_check(board: chess.Board) -> list[Plan]:
    """Leave the own king in check."""
    lawful = set(board.legal_moves)
    return [
        Plan(move)
        for move in board.pseudo_legal_moves
        if move not in lawful and not board.is_capture(move) and not board.is_castling(move) and not move.promotion
    ]


def illegal_capture(board: chess.Board) -> list[Plan]:
    """Take what nothing can take."""
    reached, lawful = _reached(board), {move.to_square for move in board.legal_moves}
    return [
        Plan(chess.Move(start, goal))
        for start in _calm(board)
        for goal in range(64)
        if board.color_at(goal) == (not board.turn) and board.piece_type_at(goal) != chess.KING
        if (start, goal) not in reached and goal not in lawful
    ]


def en_passant(board: chess.Board) -> list[Plan]:
    """Take in passing."""
    return [Plan(move) for move in board.legal_moves if board.is_en_passant(move)]


def victim(board: chess.Board) -> list[Plan]:
    """Take off a piece that can be taken."""
    return [Plan(touched=(square,)) for square in sorted(_takable(board))]
