"""Games to be played: random ones that favour what is rare, and the same for each seed."""

import random

import chess


def game(seed: int, plies: int = 90) -> list[chess.Move]:
    """Legal moves from the initial position: captures, castling, en passant and promotions more often than in life."""
    rng, board, moves = random.Random(seed), chess.Board(), []
    while len(moves) < plies and not board.is_game_over(claim_draw=False):
        legal = sorted(board.legal_moves, key=chess.Move.uci)
        weights = [weight(board, move) for move in legal]
        move = rng.choices(legal, weights)[0]
        moves.append(move)
        board.push(move)
    return moves


def weight(board: chess.Board, move: chess.Move) -> float:
    """How much a random player likes a move."""
    if move.promotion:
        return 8.0 if move.promotion == chess.QUEEN else 2.0
    if board.is_castling(move) or board.is_en_passant(move):
        return 12.0
    if board.is_capture(move):
        return 4.0
    piece = board.piece_type_at(move.from_square)
    if piece == chess.PAWN:
        return (
            1.5 + chess.square_rank(move.to_square) / 4
            if board.turn
            else 1.5 + (7 - chess.square_rank(move.to_square)) / 4
        )
    return 0.4 if piece == chess.KING else 1.0
