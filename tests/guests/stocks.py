"""Blitz à quatre without hands: two positions, what is taken on one comes to the other. After the French rules alone.

Numbers in brackets are articles of these rules. Moves are random, but not quite senseless, and the same for each seed.
"""

import random
from collections import Counter
from dataclasses import dataclass, field

import chess
from chess.variant import CrazyhouseBoard, CrazyhousePocket

from guests import games

BOARDS = ("A", "B")
OTHER = {"A": "B", "B": "A"}
KINDS = (chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)
BOTH_SETS = dict(zip(KINDS, (16, 4, 4, 4, 2), strict=True))  #: of each colour
LIKED = dict(zip(KINDS, (1.0, 1.2, 1.0, 0.8, 1.5), strict=True))


@dataclass
class Pair:
    """Two boards, and the pieces on their way from one to the other: (from when on, board, colour, kind)."""

    boards: dict[str, CrazyhouseBoard] = field(default_factory=lambda: {name: CrazyhouseBoard() for name in BOARDS})
    passed: list[tuple[int, str, chess.Color, chess.PieceType]] = field(default_factory=list)

    def push(self, name: str, move: chess.Move, from_ms: int) -> None:
        """The move is played. What it takes is the partner's from then on (18), a promoted piece as a pawn (9)."""
        board = self.boards[name]
        if not board.is_legal(move):
            raise AssertionError(f"{move} in {board.fen()}")
        taken = board.piece_type_at(move.to_square) if board.is_capture(move) else None
        if board.is_en_passant(move) or (taken and board.promoted & chess.BB_SQUARES[move.to_square]):
            taken = chess.PAWN
        board.push(move)
        if taken:
            board.pockets[not board.turn].remove(taken)  # python-chess gives it to the one who took it
            self.passed.append((from_ms, OTHER[name], board.turn, taken))
        if self.pieces() != {(kind, color): BOTH_SETS[kind] for kind in KINDS for color in chess.COLORS}:
            raise AssertionError(f"pieces lost or made: {self.pieces()}")

    def hand_over(self, name: str, ms: int) -> None:
        """What has come by then lies beside the board."""
        for piece in [piece for piece in self.passed if piece[1] == name and piece[0] <= ms]:
            self.passed.remove(piece)
            self.boards[name].pockets[piece[2]].add(piece[3])

    def coming(self, name: str) -> int | None:
        """When the next piece comes to the player having the move there."""
        times = [piece[0] for piece in self.passed if piece[1:3] == (name, self.boards[name].turn)]
        return min(times, default=None)

    def stuck(self, name: str) -> bool:
        """Whether the player having the move there can do nothing but wait for his partner (8)."""
        return self.coming(name) is None and not any(self.boards[name].legal_moves)

    def pieces(self) -> dict[tuple[chess.PieceType, chess.Color], int]:
        """All pieces of both sets but the kings, wherever they are."""
        seen: Counter[tuple[chess.PieceType, chess.Color]] = Counter((piece[3], piece[2]) for piece in self.passed)
        for board in self.boards.values():
            for color in chess.COLORS:
                for kind in KINDS:
                    stock = board.pockets[color].count(kind)
                    if stock < 0:
                        raise AssertionError(f"a stock below nothing: {board.fen()}")
                    seen[kind, color] += stock + on_board(board, kind, color)
        return dict(seen)


def stock(board: chess.Board) -> list[chess.PieceType]:
    """Of what kinds the player having the move has something to drop."""
    return [kind for kind in KINDS if isinstance(board, CrazyhouseBoard) and board.pockets[board.turn].count(kind)]


def on_board(board: CrazyhouseBoard, kind: chess.PieceType, color: chess.Color) -> int:
    """How many stand there; a promoted piece is a pawn (9)."""
    mask = board.pieces_mask(kind, color) & ~board.promoted
    if kind == chess.PAWN:
        mask |= board.occupied_co[color] & board.promoted
    return mask.bit_count()


def mated(board: CrazyhouseBoard) -> bool:
    """Whether not even a piece that might yet come would help (8)."""
    if not board.is_check() or any(board.legal_moves):
        return False
    probe = board.copy(stack=False)
    might = (kind for kind in KINDS if on_board(board, kind, board.turn) < BOTH_SETS[kind])
    probe.pockets[board.turn] = CrazyhousePocket("".join(map(chess.piece_symbol, might)))
    return not any(probe.legal_moves)


def mates(board: CrazyhouseBoard, move: chess.Move) -> bool:
    """Whether the move ends the game; a drop may (7)."""
    if not board.gives_check(move):
        return False
    after = board.copy(stack=False)
    after.push(move)
    return mated(after)


def choice(rng: random.Random, board: CrazyhouseBoard, *, seeks_mate: bool, only_queens: bool) -> chess.Move:
    """A move that somebody might play: no mate too early, any mate later."""
    legal = sorted(board.legal_moves, key=chess.Move.uci)
    if only_queens:
        legal = [move for move in legal if move.promotion in (None, chess.QUEEN)]
    final = next((move for move in legal if mates(board, move)), None) if seeks_mate else None
    if final:
        return final
    weights = [liking(board, move) for move in legal]
    moved = sum(weight for move, weight in zip(legal, weights, strict=True) if not move.drop)
    dropped = sum(weights) - moved
    # who has something to drop does so half the time
    weights = [w * (moved or 1) / dropped if m.drop else w for m, w in zip(legal, weights, strict=True)]
    move = rng.choices(legal, weights)[0]
    if mates(board, move) and not seeks_mate:
        return rng.choice([move for move in legal if not mates(board, move)] or legal)
    return move


def liking(board: CrazyhouseBoard, move: chess.Move) -> float:
    """How much a random player likes it: checks, pieces near the king, nothing left to be taken."""
    king = board.king(not board.turn)
    near = 1 if king is None else 8 - chess.square_distance(king, move.to_square)
    weight = LIKED[move.drop] * near if move.drop else games.weight(board, move)
    loose = board.is_attacked_by(not board.turn, move.to_square) and not board.is_capture(move)
    return weight * (0.3 if loose else 1.0) * (2.5 if board.gives_check(move) else 1.0)
