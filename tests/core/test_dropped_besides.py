"""A drop stands in place of a move (7 of the blitz à quatre): who does both in one turn, and presses, has made one
illegal move. The piece of his stock is on the board then, and no longer beside it."""

import pytest
from shorthand import seen
from two_boards import STOCKED, Played

from controller import contract as c

ON_EVERY_BOARD = pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])


def both(senses: c.Senses, then: str) -> Played:
    """White has his pawn in hand, drops the knight, and sets the pawn down too."""
    knight, pawn = seen("N", senses), seen("P", senses)
    named = "" if senses == "identity" else "2000 A choose white n; "
    log = f"1000 A lift d2; {named}2500 A place e6 {knight}; 3000 A place d3 {pawn}; 4000 A press white"
    return Played(f"{log}; {then}", a=STOCKED, senses=senses, laws="fide-2018")


@ON_EVERY_BOARD
def test_it_is_one_illegal_move_and_loses_on_claim(senses: c.Senses) -> None:
    match = both(senses, "6000 A claim black illegal-move")
    assert [(said.kind, said.count) for said in match.all(c.Illegal) if said.completed] == [("illegal-move", 1)]
    assert [said.verdict for said in match.all(c.Claimed)] == ["upheld"]
    assert [said.kind for said in match.all(c.Penalty)] == ["loss"]


@ON_EVERY_BOARD
def test_where_nobody_claims_both_pieces_stay_and_the_stock_has_one_less(senses: c.Senses) -> None:
    match = both(senses, f"5000 A lift a7; 6000 A place a6 {seen('p', senses)}; 7000 A press black")
    assert match.moves("A") == ["N@e6", "a7a6"]
    assert match.all(c.Move)[-1].fen.split()[0] == "r1bqk1nr/1ppp1ppp/p1n1N3/2b1p3/2B1P3/3P1N2/PPP2PPP/RNBQK2R[Pp]"
    assert not match.all(c.Violation)


def test_with_the_other_piece_still_in_hand_it_is_the_one_from_the_stock_that_stands_there() -> None:
    log = "1000 A lift d2; 2500 A place e6 N; 4000 A press white; 5000 A lift a7; 6000 A place a6 p; 7000 A press black"
    match = Played(log, a=STOCKED, senses="identity", laws="fide-2018")
    assert match.moves("A") == ["N@e6", "a7a6"]
    assert match.stock("A") == ("P", "p")


@pytest.mark.parametrize("senses", ["occupancy", "colour"])
def test_pieces_of_the_board_who_changed_places_leave_the_stock_as_it_is(senses: c.Senses) -> None:
    """The king on g1, the rook put on its square: no piece came from outside."""
    king, rook = seen("K", senses), seen("R", senses)
    log = f"1000 A lift e1; 2500 A place g1 {king}; 4000 A lift h1; 5500 A place e1 {rook}; 7000 A press white"
    match = Played(f"{log}; 9000 A time", a="4k3/8/8/8/8/8/8/4K2R[N] w K - 0 1", senses=senses, laws="fide-2018")
    assert [said.completed for said in match.all(c.Illegal)] == [False, True]
    assert match.stock("A") == ("N", "")
    assert not match.all(c.Violation)
