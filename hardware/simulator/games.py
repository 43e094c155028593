"""Games for the hands to play: random ones, rich in what is hard to sense, and those of a PGN file."""

import random
from pathlib import Path

import chess
import chess.pgn

from controller.bughouse import BughouseBoard

#: How much likelier than a quiet move: what sensors find hard should happen often.
CAPTURE, CASTLING, EN_PASSANT, PAWN, PROMOTION = 4.0, 50.0, 50.0, 2.0, 8.0
EXPOSED_PAWN = 10.0  #: a double step beside an enemy pawn, so that en passant comes about
DEVELOPING = 3.0  #: a piece that leaves its first rank makes room for castling
UNCASTLING = 0.1  #: king and rooks stay at home while castling is possible
UNDERPROMOTION = 0.3  #: of a promotion's weight, for each of the three lesser pieces
EAGER, READY, PATIENT = 30.0, 8.0, 2.0  #: in a match, for each piece in stock and each square: at once, soon, in time
RECAPTURE = 20.0  #: of a promoted piece, which goes back a pawn
MATE = 300.0


def random_game(seed: int, plies: int, start: chess.Board | None = None) -> list[chess.Move]:
    """Up to ``plies`` legal moves from the usual position or ``start``, fewer where the game ends; the same seed, the
    same game."""
    rng = random.Random(seed)
    board = chess.Board() if start is None else start.copy()
    while len(board.move_stack) < plies and not board.is_game_over() and not _drawn_by_force(board):
        moves = list(board.legal_moves)
        board.push(rng.choices(moves, [_weight(board, move) for move in moves])[0])
    return board.move_stack


def _drawn_by_force(board: chess.Board) -> bool:
    """Whether every reply leaves a position without mate: a dead position (5.2.2) though the material would do."""
    if chess.popcount(board.occupied) > 5:
        return False
    return all(_leaves_a_draw(board, move) for move in board.legal_moves)


def _leaves_a_draw(board: chess.Board, move: chess.Move) -> bool:
    after = board.copy(stack=False)
    after.push(move)
    return after.is_insufficient_material() or after.is_stalemate()


def _weight(board: chess.Board, move: chess.Move) -> float:
    if move.promotion:
        return PROMOTION * (1.0 if move.promotion == chess.QUEEN else UNDERPROMOTION)
    if board.is_castling(move):
        return CASTLING
    if board.is_en_passant(move):
        return EN_PASSANT
    if board.is_capture(move):
        return CAPTURE
    piece = board.piece_type_at(move.from_square)
    if piece == chess.PAWN:
        beside = chess.BB_KING_ATTACKS[move.to_square] & chess.BB_RANKS[chess.square_rank(move.to_square)]
        double = chess.square_distance(move.from_square, move.to_square) == 2
        return EXPOSED_PAWN if double and beside & board.pawns & board.occupied_co[not board.turn] else PAWN
    if board.has_castling_rights(board.turn) and piece in (chess.KING, chess.ROOK):
        return UNCASTLING
    return DEVELOPING if move.from_square in chess.SquareSet(chess.BB_BACKRANKS) else 1.0


def match_weight(board: BughouseBoard, move: chess.Move, drop: float) -> float:
    """How likely a player of a match makes this move, relative to the others. The kind of a piece does not make
    his drop likelier."""
    if _mates(board, move):
        return MATE
    if move.drop:
        return drop
    return RECAPTURE if board.promoted & chess.BB_SQUARES[move.to_square] else _weight(board, move)


def _mates(board: BughouseBoard, move: chess.Move) -> bool:
    """Whether a move is mate: as pieces may come, from beside the king or by a knight, hardly ever else."""
    king = board.king(not board.turn)
    if king is None or not chess.BB_SQUARES[move.to_square] & (
        chess.BB_KING_ATTACKS[king] | chess.BB_KNIGHT_ATTACKS[king]
    ):
        return False
    after = board.copy(stack=False)
    after.push(move)
    return after.is_check() and not any(after.generate_legal_moves()) and not after.may_yet_drop()


def pgn_games(path: Path) -> list[tuple[chess.Board, list[chess.Move]]]:
    """Start board and main line of each game in a PGN file.

    Raises :exc:`OSError` where the file cannot be read and :exc:`ValueError` where a game is empty or holds a move that
    is not legal.
    """
    games = []
    with path.open(encoding="utf-8-sig") as file:
        while game := chess.pgn.read_game(file):
            if game.errors:
                raise ValueError(f"{path}: {game.errors[0]}")
            moves = list(game.mainline_moves())
            if not moves:
                raise ValueError(f"{path}: a game without moves ({game.headers.get('Event', '?')})")
            games.append((game.board(), moves))
    return games
