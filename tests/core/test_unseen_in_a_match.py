"""What the sensors did not show, where pieces lie in stock: a piece set down while another is in hand is that one, and
no drop of the opponent's upon a capture that nobody saw (4.7; 7 and 18 of the blitz à quatre)."""

import pytest
from two_boards import Played

from controller import contract as c

#: White's knight may take the rook that gives check, or step between; b5 parries nothing.
CHECKED = "4k3/8/8/8/4r3/2N5/8/4K3[{}] w - - 0 1"
#: The bishop on a6 forbids White to castle on that side.
BARRED = "4k3/8/b7/8/8/8/3P1PPP/R3K2R[{}] w KQ - 0 1"
ASTRAY = "1000 A lift c3; 2500 A place b5"

stocks = pytest.mark.parametrize("stock", ["", "n", "qrbnp", "Nn", "QRBNPqrbnp"])


@stocks
def test_an_illegal_move_is_one_whatever_the_opponent_has_in_stock(stock: str) -> None:
    match = Played(f"{ASTRAY}; 4000 A press white; 5500 A claim black illegal-move", a=CHECKED.format(stock))
    assert [(said.kind, said.completed) for said in match.all(c.Illegal)] == [
        ("illegal-move", False),
        ("illegal-move", True),
    ]
    assert [claim.verdict for claim in match.all(c.Claimed)] == ["upheld"]
    assert match.moves("A") == []


@stocks
def test_taken_back_it_is_made_good_by_the_same_piece(stock: str) -> None:
    match = Played(f"{ASTRAY}; 4000 A lift b5; 5500 A place e2; 7000 A press white", a=CHECKED.format(stock))
    assert (match.moves("A"), match.completed("A")) == (["c3e2"], ["c3e2"])
    assert not match.all(c.Violation)


@stocks
def test_castling_where_it_is_barred_leaves_no_room_for_a_drop_either(stock: str) -> None:
    log = "1000 A lift e1; 1060 A lift h1; 2500 A place g1; 2620 A place f1; 5620 A press white"
    match = Played(log, a=BARRED.format(stock))
    assert [said.kind for said in match.all(c.Illegal) if said.completed] == ["illegal-move"]
    assert match.moves("A") == []


def test_who_has_named_the_piece_he_drops_is_believed_though_nobody_saw_the_capture() -> None:
    log = "1000 A lift c3; 2000 A choose black n; 2500 A place b5; 4000 A press white; 5500 A press black"
    match = Played(log, a=CHECKED.format("n"))
    assert match.moves("A") == match.completed("A") == ["c3e4", "N@b5"]
    assert not match.accusations


def test_once_the_capture_is_pressed_the_next_piece_is_the_opponents() -> None:
    match = Played("1000 A lift c3; 2000 A press white; 3500 A place b5; 5000 A press black", a=CHECKED.format("n"))
    assert match.moves("A") == match.completed("A") == ["c3e4", "N@b5"]
    assert not match.accusations


def test_who_lifts_a_piece_that_nobody_named_and_presses_may_have_taken_by_another_name() -> None:
    """White has a pawn and a knight in stock, and drops one at e4, a pawn as it seems; it is lifted, and he presses: a
    pawn takes nobody there, a knight the pawn at d6, pushed off its square."""
    log = (
        "1000 A place e4; 2000 A press white; 3000 A lift e8; 3500 A place e7; 4000 A press black;"
        "5000 A lift e4; 6000 A press white; 7000 A lift e7; 7500 A place d7; 8500 A press black"
    )
    match = Played(log, a="4k3/8/3p4/8/8/8/8/4K3[PPPN] w - - 0 1")
    assert not match.accusations
    assert match.moves("A") == ["N@e4", "e8e7", "e4d6", "e7d7"]
