"""The hands put onto the board what the game says, in the order their habits say, and keep Article 4."""

from itertools import pairwise

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from hardware.simulator.games import random_game
from hardware.simulator.habits import HONEST, Gesture, Habits
from hardware.simulator.hands import play

START = chess.Board()
KINGS = "4k3/8/8/8/8/8/8/{} w - - 0 1"


def turn(fen: str, uci: str, **habits: object) -> list[Gesture]:
    """The gestures of one move."""
    return play(chess.Board(fen), [chess.Move.from_uci(uci)], Habits(**habits), seed=1)  # type: ignore[arg-type]


def acts(gestures: list[Gesture]) -> list[str]:
    """``lift e4 P`` and so on, without times."""
    return [
        " ".join(filter(None, [g.kind, chess.SQUARE_NAMES[g.square] if g.square >= 0 else "", g.piece]))
        for g in gestures
    ]


def stand(pieces: dict[chess.Square, str], gestures: list[Gesture]) -> dict[chess.Square, str]:
    """The pieces after these gestures, each checked: what is lifted stands there, what is placed has room."""
    pieces = dict(pieces)
    for gesture in gestures:
        if gesture.kind == "lift":
            assert pieces.pop(gesture.square) == gesture.piece
        elif gesture.kind == "place":
            assert gesture.square not in pieces
            pieces[gesture.square] = gesture.piece
    return pieces


def letters(board: chess.Board) -> dict[chess.Square, str]:
    return {square: piece.symbol() for square, piece in board.piece_map().items()}


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), swap=st.sampled_from([0.0, 0.5, 1.0]))
def test_after_each_ply_the_pieces_stand_as_in_the_game(seed: int, swap: float) -> None:
    moves = random_game(seed, 80)
    gestures = play(START, moves, replace(HONEST, swap=swap, choose_queen=True), seed)
    board, pieces = chess.Board(), letters(START)
    for ply, move in enumerate(moves, start=1):
        pieces = stand(pieces, [gesture for gesture in gestures if gesture.ply == ply])
        board.push(move)
        assert pieces == letters(board)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_time_never_runs_back_and_the_same_seed_gives_the_same_hands(seed: int) -> None:
    moves = random_game(seed, 40)
    gestures = play(START, moves, HONEST, seed)
    assert all(before.ms <= after.ms for before, after in pairwise(gestures))
    assert gestures == play(START, moves, HONEST, seed)
    assert gestures != play(START, moves, HONEST, seed + 1)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_a_quick_reply_lifts_before_the_release_is_certain_but_sets_down_after_the_press(seed: int) -> None:
    moves = random_game(seed, 40)
    gestures = play(START, moves, replace(HONEST, quick_reply=1.0), seed)
    overlaps = 0
    for ply in range(1, len(moves)):
        mine = [gesture for gesture in gestures if gesture.ply == ply]
        reply = [gesture for gesture in gestures if gesture.ply == ply + 1]
        released = max(gesture.ms for gesture in mine if gesture.kind != "press")
        overlaps += reply[0].ms <= released + 300
        pressed = [gesture.ms for gesture in mine if gesture.kind == "press"]
        assert all(gesture.ms > pressed[0] for gesture in reply if gesture.kind == "place" and pressed)
        assert all(gesture.ms > released for gesture in reply)
    assert overlaps


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_honest_hands_touch_nothing_else_for_as_long_as_a_brush_unless_they_said_so(seed: int) -> None:
    moves = random_game(seed, 60)
    gestures = play(START, moves, HONEST, seed)
    board = chess.Board()
    for ply, move in enumerate(moves, start=1):
        mine = [gesture for gesture in gestures if gesture.ply == ply]
        announced = next((gesture.ms for gesture in mine if gesture.kind == "adjust"), None)
        meant = {square for square in chess.SQUARES if touched_by(board, move, square)}
        for lift in (gesture for gesture in mine if gesture.kind == "lift" and gesture.square not in meant):
            if board.piece_at(lift.square) is None:
                continue  # its own piece, passing over
            back = next(g.ms for g in mine if g.kind == "place" and g.square == lift.square and g.ms > lift.ms)
            assert back - lift.ms < 120 or (announced is not None and announced < lift.ms)
        board.push(move)


def touched_by(board: chess.Board, move: chess.Move, square: chess.Square) -> bool:
    """Whether making the move lifts a piece from the square."""
    after = board.copy(stack=False)
    after.push(move)
    return board.piece_at(square) not in (None, after.piece_at(square))


CAPTURE = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"
PASSING = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2"
CASTLES = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"
LAST = "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "uci", "habits", "expected"),
    [
        (CAPTURE, "e4d5", {}, ["lift d5 p", "lift e4 P", "place d5 P"]),
        (CAPTURE, "e4d5", {"mover_first": 1.0}, ["lift e4 P", "lift d5 p", "place d5 P"]),
        (CAPTURE, "e4d5", {"swap": 1.0}, ["lift e4 P", "lift d5 p", "place d5 P"]),
        (CAPTURE, "e4d5", {"target_first": 1.0}, ["lift d5 p", "place d5 P", "lift e4 P"]),
        (CAPTURE, "e4e5", {"finger": 1.0}, ["contact e4 P", "lift e4 P", "place e5 P"]),
        (PASSING, "e5d6", {"en_passant": (1, 0, 0)}, ["lift d5 p", "lift e5 P", "place d6 P"]),
        (PASSING, "e5d6", {"en_passant": (0, 1, 0)}, ["lift e5 P", "lift d5 p", "place d6 P"]),
        (PASSING, "e5d6", {"en_passant": (0, 0, 1)}, ["lift e5 P", "place d6 P", "lift d5 p"]),
        (CASTLES, "e1g1", {}, ["lift e1 K", "place g1 K", "lift h1 R", "place f1 R"]),
        (CASTLES, "e1c1", {}, ["lift e1 K", "place c1 K", "lift a1 R", "place d1 R"]),
        (
            CASTLES,
            "e1g1",
            {"slide": 1.0},
            ["lift e1 K", "place f1 K", "lift f1 K", "place g1 K", "lift h1 R", "place f1 R"],
        ),
        (LAST, "a7a8q", {}, ["lift a7 P", "place a8 Q"]),
        (LAST, "a7a8n", {}, ["lift a7 P", "choose n", "place a8 N"]),
        (LAST, "a7a8q", {"choose_queen": True}, ["lift a7 P", "choose q", "place a8 Q"]),
        (LAST, "a7a8q", {"promotion": (0, 1, 0)}, ["lift a7 P", "place a8 P", "lift a8 P", "place a8 Q"]),
        (LAST, "a7a8q", {"promotion": (0, 0, 1)}, ["place a8 Q", "lift a7 P"]),
        (LAST, "a7b8r", {"promotion": (0, 0, 1)}, ["choose r", "lift b8 n", "place b8 R", "lift a7 P"]),
    ],
)
def test_each_order_in_which_people_move(fen: str, uci: str, habits: dict[str, object], expected: list[str]) -> None:
    assert acts(turn(fen, uci, press=False, **habits)) == expected


def test_castling_with_both_lifted_lifts_both_before_either_lands() -> None:
    kinds = [gesture.kind for gesture in turn(CASTLES, "e1c1", castle_together=1.0)]
    assert kinds == ["lift", "lift", "place", "place", "press"]


def test_a_swap_leaves_the_square_empty_for_no_time_at_all() -> None:
    _, taken, placed = turn(CAPTURE, "e4d5", swap=1.0, press=False)
    assert taken.ms == placed.ms


def test_a_slide_passes_each_square_between_in_80_ms() -> None:
    gestures = turn("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", slide=1.0, press=False)
    over = [gesture for gesture in gestures if gesture.kind == "lift"][1:]
    assert [chess.SQUARE_NAMES[g.square] for g in over] == ["a2", "a3", "a4", "a5", "a6", "a7"]
    assert {after.ms - before.ms for before, after in pairwise(over)} == {80}


def test_hovering_sets_the_piece_on_a_wrong_square_for_less_than_a_release() -> None:
    gestures = turn(CAPTURE, "e4e5", hover=1.0, press=False)
    assert [gesture.kind for gesture in gestures] == ["lift", "place", "lift", "place"]
    assert gestures[1].square == gestures[2].square != gestures[3].square
    assert gestures[2].ms - gestures[1].ms < 400


def test_pieces_are_put_straight_after_the_announcement() -> None:
    kinds = [gesture.kind for gesture in turn(CAPTURE, "e4e5", straighten=1.0, press=False)]
    assert kinds[:3] == ["adjust", "lift", "place"]
    silent = [gesture.kind for gesture in turn(CAPTURE, "e4e5", straighten=1.0, announce=0.0, press=False)]
    assert silent[:2] == ["lift", "place"]


def test_nobody_presses_after_mate() -> None:
    mate = [chess.Move.from_uci(uci) for uci in ("f2f3", "e7e5", "g2g4", "d8h4")]
    presses = [gesture.ply for gesture in play(START, mate, Habits(), seed=1) if gesture.kind == "press"]
    assert presses == [1, 2, 3]


def test_a_breach_touches_another_piece_that_could_move() -> None:
    moves = [chess.Move.from_uci(uci) for uci in ("e2e4", "e7e5", "g1f3")]
    gestures = [g for g in play(START, moves, Habits(), seed=1, breach_at_ply=3) if g.ply == 3]
    touched, back, *rest = gestures
    assert touched.square == back.square != chess.G1
    assert back.ms - touched.ms >= 500
    assert acts(rest) == ["lift g1 N", "place f3 N", "press"]
    position = chess.Board()
    for move in moves[:2]:
        position.push(move)
    assert any(move.from_square == touched.square for move in position.legal_moves)


def test_no_breach_is_possible_where_one_piece_alone_can_move() -> None:
    with pytest.raises(ValueError, match="no other piece can move"):
        play(chess.Board(KINGS.format("4K3")), [chess.Move.from_uci("e1d1")], Habits(), seed=1, breach_at_ply=1)


def test_an_illegal_move_is_refused() -> None:
    with pytest.raises(ValueError, match="ply 1: e2e5 is not legal"):
        play(START, [chess.Move.from_uci("e2e5")], Habits(), seed=1)
