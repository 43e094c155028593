"""Article 4: what touching obliges, one row a clause; and what holds of every obligation."""

from typing import Any, TypeAlias

import chess
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from positions import positions
from shorthand import CASTLING, EN_PASSANT, MIDDLEGAME, PROMOTION

from controller.laws.clauses import FIDE_2014, FIDE_2023, Clauses
from controller.laws.touch import Owed, PartialMove, TouchedPiece, breach, owed
from controller.position import Position

SIMULTANEOUS_MS = 150

PINNED = "4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1"
CHECK = "4k3/8/8/8/4r3/8/8/2B1K2R w K - 0 1"
KING_SIDE_BARRED = "4k3/8/b7/8/8/8/3P1PPP/R3K2R w KQ - 0 1"
NO_KING_MOVE = "4k3/8/8/8/8/1b5q/3PPP2/4K2R w K - 0 1"
ROOK_SHUT_IN = "4k3/8/8/8/8/8/7P/R3K1NR w KQ - 0 1"
TWO_TAKERS = "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 2"
BLACK = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"

# clause; position; touches (all 1 s apart, or @ms); must; moves: f3* from f3, *e5 taking there, * all; old; new
BY_TOUCH = [
    ("one own piece", MIDDLEGAME, "f3", "move", "f3*", "4.3a", "4.3.1"),
    ("two own pieces: the first", MIDDLEGAME, "f3 c4", "move", "f3*", "4.3a", "4.3.1"),
    ("two own pieces: the first that can move", MIDDLEGAME, "a1 c4", "move", "c4*", "4.3a", "4.3.1"),
    ("in check: the piece that can help", CHECK, "c1", "move", "c1e3", "4.3a", "4.3.1"),
    ("in check: the first that can help", CHECK, "h1 c1", "move", "c1e3", "4.3a", "4.3.1"),
    ("own pawn with en passant only", "4k3/8/4p3/3pP3/8/8/8/4K3 w - d6 0 2", "e5", "move", "e5d6", "4.3a", "4.3.1"),
    ("an enemy's piece", MIDDLEGAME, "e5", "capture", "*e5", "4.3b", "4.3.2"),
    ("two enemy pieces: the first that can be taken", MIDDLEGAME, "c6 e5", "capture", "*e5", "4.3b", "4.3.2"),
    ("an enemy's pawn that two can take", TWO_TAKERS, "d5", "capture", "c5d6 e5d6", "4.3b", "4.3.2"),
    ("Black too takes in passing", BLACK, "e4", "capture", "d4e3", "4.3b", "4.3.2"),
    ("one of each that make a pair", MIDDLEGAME, "f3 e5", "capture", "f3e5", "4.3c", "4.3.3"),
    ("the pair, enemy first", MIDDLEGAME, "e5 f3", "capture", "f3e5", "4.3c", "4.3.3"),
    ("the pair of en passant", EN_PASSANT, "e5 d5", "capture", "e5d6", "4.3c", "4.3.3"),
    ("no pair, own first", MIDDLEGAME, "c4 e5", "move", "c4*", "4.3c", "4.3.3"),
    ("no pair, enemy first", MIDDLEGAME, "e5 c4", "capture", "*e5", "4.3c", "4.3.3"),
    ("no pair, order unclear: own", MIDDLEGAME, "e5@0 c4@149", "move", "c4*", "4.3c", "4.3.3"),
    ("no pair, order just clear: enemy", MIDDLEGAME, "e5@0 c4@150", "capture", "*e5", "4.3c", "4.3.3"),
    ("no pair, at once: own", MIDDLEGAME, "e5@0 c4@0", "move", "c4*", "4.3c", "4.3.3"),
    ("first own with first enemy, not the second", MIDDLEGAME, "c4 f3 e5", "move", "c4*", "4.3c", "4.3.3"),
    ("first enemy with first own, not the second", MIDDLEGAME, "f3 c6 e5", "move", "f3*", "4.3c", "4.3.3"),
    ("neither of the first, then one that can move", MIDDLEGAME, "a1 g8 b1", "move", "b1*", "4.3c", "4.3.3"),
    ("neither of the first, then one to be taken", MIDDLEGAME, "a1 g8 e5", "capture", "*e5", "4.3c", "4.3.3"),
    ("king, then rook", CASTLING, "e1 h1", "castle", "e1g1", "4.4a", "4.4.1"),
    ("king and rook at once, the rook's edge first", CASTLING, "h1@0 e1@149", "castle", "e1g1", "4.4a", "4.4.1"),
    ("king, then both rooks", CASTLING, "e1 a1 h1", "castle", "e1c1", "4.4a", "4.4.1"),
    ("king and rook, then an enemy's piece", CASTLING, "e1 h1 e5", "castle", "e1g1", "4.4a", "4.4.1"),
    ("rook, then king", CASTLING, "h1 e1", "move", "h1*", "4.4b", "4.4.2"),
    ("rook, then king, just not at once", CASTLING, "h1@0 e1@150", "move", "h1*", "4.4b", "4.4.2"),
    ("rook that cannot move, then king", ROOK_SHUT_IN, "h1 e1", "move", "e1*", "4.3a", "4.3.1"),
    ("the same, then the other rook", ROOK_SHUT_IN, "h1 e1 a1", "castle", "e1c1", "4.4a", "4.4.1"),
    ("king, then rook, illegal there", KING_SIDE_BARRED, "e1 h1", "king", "e1*", "4.4c", "4.4.3"),
    ("king and rook at once, illegal there", KING_SIDE_BARRED, "h1@0 e1@60", "king", "e1*", "4.4c", "4.4.3"),
    ("illegal there, and no king move", NO_KING_MOVE, "e1 h1", "free", "*", "4.4c", "4.4.3"),
    ("a pinned piece", PINNED, "e2", "free", "*", "4.5", "4.5"),
    ("a piece that nothing takes", MIDDLEGAME, "g8", "free", "*", "4.5", "4.5"),
    ("the checker that nothing takes", CHECK, "e4", "free", "*", "4.5", "4.5"),
    ("en passant too late", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 3", "d5", "free", "*", "4.5", "4.5"),
    ("en passant pinned", "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2", "d5", "free", "*", "4.5", "4.5"),
    ("neither colour can", MIDDLEGAME, "g8 a1", "free", "*", "4.5", "4.5"),
]

# clause; position; touches; part released; its moves; must; moves; old; new
HALF_MADE = [
    ("king released two squares away", CASTLING, "e1", "castling", "e1g1", "castle", "e1g1", "4.7b", "4.7.2"),
    ("later touches change nothing", CASTLING, "e1 | a1 e5", "castling", "e1g1", "castle", "e1g1", "4.7b", "4.7.2"),
    ("touched together before", CASTLING, "e1 h1 |", "castling", "e1g1", "castle", "e1g1", "4.4a", "4.4.1"),
    ("another piece had been touched first", CASTLING, "a2 e1 |", "castling", "e1g1", "move", "a2*", "4.3a", "4.3.1"),
    ("castling failed", KING_SIDE_BARRED, "e1 |", "castling-failed", "", "king", "e1*", "4.4c", "4.4.3"),
    ("castling failed, no king move", NO_KING_MOVE, "e1 |", "castling-failed", "", "free", "*", "4.4c", "4.4.3"),
    (
        "failed, the rook touched first",
        KING_SIDE_BARRED,
        "h1 e1 |",
        "castling-failed",
        "",
        "move",
        "h1*",
        "4.4b",
        "4.4.2",
    ),
    ("pawn released beside its victim", EN_PASSANT, "e5 |", "capture", "e5d6", "capture", "e5d6", "4.7a", "4.7.1"),
    (
        "pawn released on its last rank",
        PROMOTION,
        "a7 |",
        "promotion",
        "a7a8b a7a8n a7a8q a7a8r",
        "promote",
        "a7a8b a7a8n a7a8q a7a8r",
        "4.7c",
        "4.7.3",
    ),
    ("the new piece stands there", PROMOTION, "a7 |", "choice", "a7a8n", "promote", "a7a8n", "4.4d", "4.4.4"),
    ("it stands there before any touch", PROMOTION, "|", "choice", "a7a8n", "promote", "a7a8n", "4.4d", "4.4.4"),
    ("an enemy's piece was touched first", PROMOTION, "b8 |", "choice", "a7a8q", "capture", "*b8", "4.3b", "4.3.2"),
]


def touches(text: str) -> list[TouchedPiece]:
    """``f3 e5``: one second apart; ``f3@0 e5@60``: at these times."""
    found = []
    for number, word in enumerate(text.replace("|", " ").split()):
        square, _, ms = word.partition("@")
        found.append(TouchedPiece(chess.parse_square(square), int(ms) if ms else number * 1000))
    return sorted(found, key=lambda touch: touch.ms)


def uci(position: Position, text: str) -> list[str]:
    """The moves that ``f3*``, ``*e5``, ``*`` or a list of UCI stand for, as python-chess finds them."""
    board = position.board
    if text == "*":
        return sorted(move.uci() for move in board.legal_moves)
    if text.endswith("*"):
        return sorted(move.uci() for move in board.legal_moves if move.uci().startswith(text[:2]))
    if text.startswith("*"):
        taking = [m for m in board.legal_moves if m.to_square == chess.parse_square(text[1:]) and board.is_capture(m)]
        return sorted(move.uci() for move in taking)
    return sorted(text.split())


def names(owing: Owed) -> list[str]:
    return sorted(move.uci() for move in owing.moves)


@pytest.mark.parametrize(("clauses", "column"), [(FIDE_2014, 5), (FIDE_2023, 6)], ids=["2014", "2023"])
@pytest.mark.parametrize("row", BY_TOUCH, ids=[row[0] for row in BY_TOUCH])
def test_touched(row: tuple[str, ...], clauses: Clauses, column: int) -> None:
    _, fen, touched, must, moves, *_ = row
    position = Position(chess.Board(fen))
    owing = owed(position, touches(touched), None, clauses, SIMULTANEOUS_MS)
    assert owing is not None
    assert (owing.must, names(owing), owing.clause) == (must, uci(position, moves), row[column])


@pytest.mark.parametrize(("clauses", "column"), [(FIDE_2014, 7), (FIDE_2023, 8)], ids=["2014", "2023"])
@pytest.mark.parametrize("row", HALF_MADE, ids=[row[0] for row in HALF_MADE])
def test_half_made(row: tuple[str, ...], clauses: Clauses, column: int) -> None:
    _, fen, touched, part, released, must, moves, *_ = row
    position = Position(chess.Board(fen))
    before = len(touched.split("|")[0].split())
    half = PartialMove(part, tuple(chess.Move.from_uci(move) for move in released.split()), before)
    owing = owed(position, touches(touched), half, clauses, SIMULTANEOUS_MS)
    assert owing is not None
    assert (owing.must, names(owing), owing.clause) == (must, uci(position, moves), row[column])


def test_nothing_touched_binds_nobody() -> None:
    assert owed(Position(chess.Board()), [], None, FIDE_2023, SIMULTANEOUS_MS) is None


# kind of violation; position; touches; half made; the move played; clause
BREACHES = [
    ("touch-move", MIDDLEGAME, "f3", None, "b1c3", "4.3.1"),
    ("touch-move", MIDDLEGAME, "e5", None, "b1c3", "4.3.2"),
    ("touch-move", MIDDLEGAME, "f3 e5", None, "f3g5", "4.3.3"),
    ("touch-move", KING_SIDE_BARRED, "e1 h1", None, "h1g1", "4.4.3"),
    ("castling-order", CASTLING, "h1 e1", None, "e1g1", "4.4.2"),
    ("castling-order", ROOK_SHUT_IN.replace("1NR", "2R"), "h1 e1", None, "e1g1", "4.4.2"),
    ("touch-move", CASTLING, "a1 e1", None, "e1g1", "4.4.2"),
    ("released-move", CASTLING, "e1", ("castling", "e1g1"), "e1f1", "4.7.2"),
    ("touch-move", CASTLING, "e1", ("castling", "e1g1"), "a2a3", "4.3.1"),
    ("released-move", EN_PASSANT, "e5", ("capture", "e5d6"), "e5e6", "4.7.1"),
    ("released-move", PROMOTION, "a7", ("promotion", "a7a8q a7a8n"), "a7b8q", "4.7.3"),
    ("promotion-changed", PROMOTION, "a7", ("choice", "a7a8q"), "a7a8n", "4.4.4"),
]


@pytest.mark.parametrize("row", BREACHES, ids=[f"{row[0]} {row[2]} {row[4]}" for row in BREACHES])
def test_breach_names_the_rule_broken(row: tuple[Any, ...]) -> None:
    kind, fen, touched, part, played, clause = row
    half = part and PartialMove(part[0], tuple(map(chess.Move.from_uci, part[1].split())), len(touched.split()))
    position, move = Position(chess.Board(fen)), chess.Move.from_uci(played)
    assert move in position.board.legal_moves
    assert breach(position, move, touches(touched), half, FIDE_2023, SIMULTANEOUS_MS) == (kind, clause)


Case: TypeAlias = tuple[Position, list[TouchedPiece]]

# -- whatever is touched -----------------------------------------------------------------------------------------


@st.composite
def touched(draw: st.DrawFn) -> Case:
    """A position and some of its pieces, touched one after another or at once."""
    position = draw(positions())
    pieces = list(chess.scan_forward(position.board.occupied))
    squares = draw(st.lists(st.sampled_from(pieces), min_size=1, max_size=6, unique=True))
    gaps = draw(st.lists(st.sampled_from([0, 60, 149, 150, 1000]), min_size=len(squares), max_size=len(squares)))
    ms = 0
    found = []
    for square, gap in zip(squares, gaps, strict=True):
        ms += gap
        found.append(TouchedPiece(square, ms))
    return position, found


def what_is_owed(position: Position, found: list[TouchedPiece]) -> Owed:
    owing = owed(position, found, None, FIDE_2023, SIMULTANEOUS_MS)
    assert owing is not None
    return owing


@given(touched())
def test_an_obligation_is_never_empty_while_a_legal_move_exists(case: Case) -> None:
    position, found = case
    owing = what_is_owed(position, found)
    legal = set(position.board.legal_moves)
    assert set(owing.moves) <= legal
    assert len(set(owing.moves)) == len(owing.moves)
    assert bool(owing.moves) == bool(legal)
    assert owing.must in ("move", "capture", "castle", "king", "free")


@given(touched())
def test_a_move_is_a_breach_just_when_it_does_not_meet_the_obligation(case: Case) -> None:
    position, found = case
    owing = what_is_owed(position, found)
    for move in position.board.legal_moves:
        broken = breach(position, move, found, None, FIDE_2023, SIMULTANEOUS_MS)
        assert (broken is None) == (move in owing.moves)


@given(touched(), st.integers(1, 10**9))
def test_only_the_time_between_touches_matters(case: Case, later: int) -> None:
    position, found = case
    moved = [TouchedPiece(touch.square, touch.ms + later) for touch in found]
    assert what_is_owed(position, moved) == what_is_owed(position, found)


@given(touched())
def test_touches_that_are_apart_count_by_order_alone(case: Case) -> None:
    position, found = case
    near = [TouchedPiece(touch.square, i * SIMULTANEOUS_MS) for i, touch in enumerate(found)]
    far = [TouchedPiece(touch.square, i * 60_000) for i, touch in enumerate(found)]
    assert what_is_owed(position, near) == what_is_owed(position, far)


def rook_that_castles_alone(board: chess.Board, move: chess.Move) -> chess.Square | None:
    """Where the rook stands that this castling carries, if the king is where it is to go already."""
    if not (board.chess960 and board.is_castling(move)):
        return None
    king_to = 6 if board.is_kingside_castling(move) else 2
    return move.to_square if chess.square_file(move.from_square) == king_to else None


@given(touched())
def test_without_the_king_the_first_piece_that_can_serve_decides(case: Case) -> None:
    """4.3.1 and 4.3.2 by themselves: pieces of one colour, and no castling but one of the rook alone (chess960)."""
    position, found = case
    board = position.board
    mine = board.occupied_co[board.turn]
    own = [t for t in found if chess.BB_SQUARES[t.square] & mine & ~board.kings]
    enemy = [t for t in found if not chess.BB_SQUARES[t.square] & mine]
    for group, serves in (
        (own, lambda m, square: square in (m.from_square, rook_that_castles_alone(board, m))),
        (enemy, lambda m, square: victim(board, m) == square),
    ):
        if not group:
            continue
        able = [[m for m in board.legal_moves if serves(m, t.square)] for t in group]
        first = next((moves for moves in able if moves), list(board.legal_moves))
        assert set(what_is_owed(position, group).moves) == set(first)


@pytest.mark.slow
@given(touched())
def test_the_first_of_each_colour_are_a_pair_whatever_else_is_touched(case: Case) -> None:
    """4.3.3: the first own piece takes the first enemy one, whatever else is touched and in whichever order."""
    position, found = case
    board = position.board
    mine = board.occupied_co[board.turn] & ~board.kings
    own = next((t for t in found if chess.BB_SQUARES[t.square] & mine), None)
    enemy = next((t for t in found if not chess.BB_SQUARES[t.square] & board.occupied_co[board.turn]), None)
    assume(own and enemy and not any(chess.BB_SQUARES[t.square] & board.kings for t in found))
    assert own and enemy
    pair = {m for m in board.legal_moves if m.from_square == own.square and victim(board, m) == enemy.square}
    assume(pair)
    assert set(what_is_owed(position, found).moves) == pair


def victim(board: chess.Board, move: chess.Move) -> chess.Square | None:
    if not board.is_capture(move):
        return None
    if board.is_en_passant(move):
        return chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
    return move.to_square
