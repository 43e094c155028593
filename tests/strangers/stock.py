"""What games are made of: openings, odd positions to start from, and how the next move is picked."""

import random

import chess

LAWS = ["fide-2005", "fide-2009", "fide-2014", "fide-2018", "fide-2023"]

OPENINGS = [
    line.split()
    for line in """
e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3
e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Be3 e5 Nb3 Be6 f3 Be7 Qd2 O-O O-O-O
d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7 e3 O-O Nf3 h6 Bh4 b6 cxd5 Nxd5 Bxe7 Qxe7 Nxd5 exd5
e4 e5 f4 exf4 Nf3 g5 h4 g4 Ne5 Nf6 Bc4 d5 exd5 Bd6
e4 e6 d4 d5 e5 c5 c3 Nc6 Nf3 Qb6 a3 cxd4 cxd4 Bd7 Be2 Nge7 O-O
d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 Nf3 O-O Be2 e5 O-O Nc6 d5 Ne7
e4 d5 exd5 Qxd5 Nc3 Qa5 d4 Nf6 Nf3 c6 Bc4 Bf5 Bd2 e6 O-O Nbd7
e4 e5 Nf3 Nc6 Bc4 Nf6 Ng5 d5 exd5 Na5 Bb5+ c6 dxc6 bxc6 Bd3 Nd5
c4 e5 Nc3 Nf6 g3 d5 cxd5 Nxd5 Bg2 Nb6 Nf3 Nc6 O-O Be7 d3 O-O
e4 c6 d4 d5 e5 Bf5 h4 h5 Bg5 Qb6 Bd3 Bxd3 Qxd3 e6 Nf3 Qa6
e4 Nf6 e5 Nd5 d4 d6 exd6 exd6 Nf3 Bg4 Be2 Be7 O-O O-O
d4 d5 Bf4 c5 e3 Nc6 c3 Qb6 Qb3 c4 Qc2 Bf5 Qc1 e6 Nd2 Nf6 Ngf3
e4 e5 d4 exd4 c3 dxc3 Bc4 cxb2 Bxb2 d5 Bxd5 Nf6 Bxf7+ Kxf7 Qxd8 Bb4+ Qd2 Bxd2+ Nxd2
e4 c5 e5 Nc6 d4 cxd4 Nf3 d5 exd6 e6 Bd3 Bxd6 O-O Nf6
d4 f5 e4 fxe4 Nc3 Nf6 Bg5 d5 Bxf6 exf6 Qh5+ g6 Qxd5 Qe7
g4 e5 f3 d6 Nh3 Be7 Nf2 Nf6 Rg1 O-O""".strip().splitlines()
]

POSITIONS = [
    "r3k2r/pPppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPpP/R3K2R w KQkq - 0 1",
    "1n2kb1r/P1P3pp/8/3pp3/3PP3/8/p1p3PP/1N2KB1R w Kk - 0 1",
    "4k3/PPPPPPPP/8/8/8/8/pppppppp/4K3 w - - 0 1",
    "r3k2r/1P4P1/8/2pP4/2Pp4/8/1p4p1/R3K2R w KQkq c6 0 1",
    "rnbqkbnr/ppp2ppp/8/3Pp3/3pP3/8/PPP2PPP/RNBQKBNR w KQkq e6 0 4",
    "4k3/2p1p1p1/8/1P1P1P1P/p1p1p1p1/8/1P1P1P1P/4K3 w - - 0 1",
    "r3k2r/8/8/PpPpPpPp/pPpPpPpP/8/8/R3K2R w KQkq - 0 1",
    "6k1/5ppp/PP6/8/8/pp6/5PPP/6K1 b - - 0 1",
]


def position(fen: str) -> chess.Board:
    """The board of a FEN, or of ``startpos``."""
    return chess.Board() if fen == "startpos" else chess.Board(fen)


def picked(rng: random.Random, board: chess.Board, style: str) -> chess.Move:
    """A random move: rather a capture, castling or promotion than another; ``pawns`` as a style pushes them on."""
    moves = list(board.legal_moves)
    return rng.choices(moves, [_weight(board, move, style) for move in moves])[0]


def _weight(board: chess.Board, move: chess.Move, style: str) -> float:
    weight = 1.0
    kind = board.piece_type_at(move.from_square)
    if board.is_capture(move):
        weight = 3.5
    if board.is_en_passant(move) or board.is_castling(move):
        weight = 25
    if move.promotion:
        weight = 6 if move.promotion == chess.QUEEN else 2.5
    elif kind == chess.PAWN:
        rank = chess.square_rank(move.to_square)
        advance = rank if board.turn else 7 - rank
        weight *= 1 + (advance - 1) * (0.5 if style == "pawns" else 0.25)
    if kind == chess.KING and not board.is_castling(move):
        weight *= 0.35 if board.fullmove_number < 20 else 0.8
    if board.gives_check(move):
        weight *= 1.5
    board.push(move)
    if _ends(board):
        weight *= 0.02
    board.pop()
    return weight


def _ends(board: chess.Board) -> bool:
    return (
        board.is_checkmate()
        or board.is_stalemate()
        or board.is_insufficient_material()
        or board.is_repetition(3)
        or board.halfmove_clock > 90
    )


def line(rng: random.Random, board: chess.Board, opening: list[str], style: str, plies: int) -> list[chess.Move]:
    """The moves of a game from here: an opening, left now and then, and random moves up to so many plies."""
    board = board.copy()
    moves: list[chess.Move] = []
    while len(moves) < plies and not (board.is_game_over() or board.is_repetition(4)):
        move = board.parse_san(opening.pop(0)) if opening else picked(rng, board, style)
        if moves and opening and rng.random() < 0.03:
            opening = []
        moves.append(move)
        board.push(move)
    return moves
