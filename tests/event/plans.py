"""Games of some moves each, made up: random, but full of what boards find hard."""

import random
from typing import NamedTuple

import chess

SHORT_MATES = ("f2f3 e7e5 g2g4 d8h4", "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7", "e2e4 g7g5 d2d4 f7f6 d1h5")
PLIES = (8, 12)
RESULTS = ("1-0", "1-0", "0-1", "0-1", "1/2-1/2", "1/2-1/2", "0-0")


class Breach(NamedTuple):
    """At that ply, counted from 0, somebody touches one piece and moves another one."""

    ply: int
    touched: chess.Square
    move: chess.Move


class Plan(NamedTuple):
    """What will be played. ``result``: what the players agree on; None: the last move mates."""

    moves: list[chess.Move]
    result: str | None
    breach: Breach | None = None


def plan(rng: random.Random) -> Plan:
    """One game in twelve is a short mate."""
    if rng.random() < 1 / 12:
        return _finished([chess.Move.from_uci(uci) for uci in rng.choice(SHORT_MATES).split()], rng)
    return _finished(_on(chess.Board(), rng.randint(*PLIES), rng), rng)


def with_breach(rng: random.Random) -> Plan:
    """A game in which a player has to play another move than he would like to."""
    while True:
        moves = _on(chess.Board(), rng.randint(2, 6), rng)
        board = chess.Board()
        for move in moves:
            board.push(move)
        owed, other = rng.sample([move for move in board.legal_moves if _is_quiet(board, move)], 2)
        if owed.from_square != other.from_square:
            breach = Breach(len(moves), owed.from_square, other)
            board.push(owed)
            return _finished(_on(board, rng.randint(*PLIES), rng), rng)._replace(breach=breach)


def _on(board: chess.Board, plies: int, rng: random.Random) -> list[chess.Move]:
    """All moves up to so many, fewer where the game ends."""
    while len(board.move_stack) < plies and not board.is_game_over():
        moves = [move for move in board.legal_moves if not move.promotion and not _ends_drawn(board, move)]
        board.push(rng.choices(moves, [_weight(board, move) for move in moves])[0])
    return board.move_stack


def _finished(moves: list[chess.Move], rng: random.Random) -> Plan:
    board = chess.Board()
    for move in moves:
        board.push(move)
    return Plan(moves, None if board.is_checkmate() else rng.choice(RESULTS))


def _weight(board: chess.Board, move: chess.Move) -> float:
    if board.is_castling(move) or board.is_en_passant(move):
        return 30.0
    return 5.0 if board.is_capture(move) else 1.0


def _ends_drawn(board: chess.Board, move: chess.Move) -> bool:
    after = board.copy()
    after.push(move)
    return after.is_game_over() and not after.is_checkmate()


def _is_quiet(board: chess.Board, move: chess.Move) -> bool:
    return not (board.is_capture(move) or board.is_castling(move) or board.gives_check(move) or move.promotion)
