"""What a board shows on its 64 squares, as drivers, daemon and contract have it."""

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.bughouse import BughouseBoard
from controller.contract import Frame, Seen, Senses
from controller.position import Position
from controller.shown import NOTHING, START, Shown, left_first

MASKS = st.integers(0, 2**64 - 1)


@given(MASKS)
def test_a_scan_is_told_as_it_was_seen(occupied: int) -> None:
    shown = Shown.scanned(occupied)
    assert shown == Shown.of_input(Frame(ms=0, occupied=f"{occupied:016x}"))
    assert shown == Shown.of_input(Seen(ms=0, shown=shown.letters))
    assert (shown.occupied, shown.count) == (occupied, occupied.bit_count())


@given(MASKS, MASKS)
def test_colours_are_seen_where_something_stands(occupied: int, white: int) -> None:
    shown = Shown.scanned(occupied, white)
    assert shown.occupied == occupied
    assert [square for square in chess.SQUARES if shown[square] == "w"] == [*chess.scan_forward(occupied & white)]
    assert shown == Shown.of_input(Seen(ms=0, shown=shown.letters))


@given(MASKS, MASKS)
def test_two_differ_where_a_square_does(one: int, other: int) -> None:
    first, second = Shown.scanned(one), Shown.scanned(other)
    squares = first.differs(second)
    assert squares == [*chess.scan_forward(one ^ other)]
    for square in left_first(squares, second):
        first = first.having(square, second[square])
    assert first == second
    assert first.turned().turned() == first
    assert first.turned().occupied == chess.flip_vertical(chess.flip_horizontal(other))


@pytest.mark.parametrize(
    ("senses", "shown"),
    [("occupancy", "x" * 16), ("colour", "w" * 16), ("identity", "RNBQKBNRPPPPPPPP")],
)
def test_the_initial_position_is_seen_as_the_board_senses(senses: Senses, shown: str) -> None:
    assert Shown.of(START, senses).letters[:16] == shown
    assert Shown.of(START, senses).count == 32


def test_a_pawn_promoted_in_a_match_stays_one_in_wood() -> None:
    board = BughouseBoard("Q~3k3/8/8/8/8/8/8/4K3[] b - - 0 1")
    assert Shown.of(Position(board).symbols, "identity")[chess.A8] == "P"


def test_squares_left_come_before_squares_taken() -> None:
    now = Shown.of(START, "identity").having(chess.E2, "").having(chess.E4, "P")
    assert left_first([chess.E4, chess.E2], now) == [chess.E2, chess.E4]
    assert NOTHING.count == 0
