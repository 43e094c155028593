"""A piece of the stock that touched the board (17 of the blitz à quatre): where, when, and which one it was."""

import pytest
from two_boards import STOCKED, Played

from controller import contract as c

PAWN_INSTEAD = "4000 A lift d2; 5500 A place d3; 6000 A press white"
PAWN_IN_STOCK = "rnbqk3/pppp4/8/8/8/8/PPPP4/RNBQK3[Pp] w Qq - 0 20"
CHECK = "4k3/8/8/8/4r3/8/8/4K3[Nn] w - - 0 1"  # a knight on b5 does not parry


@pytest.mark.parametrize("touch", ["2500 A place e6; 2800 A lift e6", "2500 A contact e6"])
def test_a_breach_tells_where_and_when_he_touched_the_board(touch: str) -> None:
    (breach,) = Played(f"1000 A choose white n; {touch}; {PAWN_INSTEAD}", a=STOCKED).all(c.Violation)
    assert (breach.squares, breach.touched_ms) == (["e6", "d2"], [2500, 4000])


def test_a_piece_of_the_board_touched_before_him_comes_first() -> None:
    log = "500 A lift d2; 900 A place d2; 1000 A choose white n; 2500 A place e6; 4000 A press white"
    (breach,) = Played(log, a=STOCKED).all(c.Violation)
    assert (breach.squares, breach.owed) == (["d2"], ["d2d3", "d2d4"]), "a drop made is the move, no touch"


def test_a_claim_is_answered_with_it() -> None:
    touch = "1000 A choose white n; 2500 A place e6; 2800 A lift e6"
    (claim,) = Played(f"{touch}; {PAWN_INSTEAD}; 7000 A claim black touch-move", a=STOCKED).all(c.Claimed)
    assert (claim.verdict, claim.squares, claim.since_ms) == ("upheld", ["e6", "d2"], 2500)


def test_an_illegal_drop_taken_back_is_such_a_touch() -> None:
    log = "1000 A place b5 N; 2500 A lift b5; 4000 A lift e1; 5500 A place d1 K; 7000 A press white"
    (breach,) = Played(log, a=CHECK, senses="identity").all(c.Violation)
    assert (breach.squares, breach.touched_ms) == (["b5", "e1"], [1000, 4000])


@pytest.mark.parametrize("stock", ["Pp", "NPp"])
def test_so_is_a_pawn_on_the_last_rank_whatever_else_may_have_stood_there(stock: str) -> None:
    log = f"1000 A choose white p; 2500 A place h8; 3900 A lift h8; {PAWN_INSTEAD}"
    (breach,) = Played(log, a=PAWN_IN_STOCK.replace("Pp", stock)).all(c.Violation)
    assert (breach.kind, breach.squares, breach.touched_ms) == ("touch-move", ["h8", "d2"], [2500, 4000])


def test_a_press_with_him_still_in_hand_tells_it() -> None:
    log = "1000 A choose white n; 2500 A place e6; 2800 A lift e6; 4000 A press white"
    (press,) = Played(log, a=STOCKED).all(c.Illegal)
    assert (press.kind, press.squares, press.touched_ms) == ("no-move", ["e6"], [2500])


@pytest.mark.parametrize("senses", ["occupancy", "colour"])
def test_a_piece_that_he_has_named_and_has_not_got_binds_him_to_nothing(senses: c.Senses) -> None:
    log = "300 A choose white n; 600 A place e6{}; 800 A lift e6; 1700 A lift a2; 1950 A place a3{}; 2250 A press white"
    seen = " w" if senses == "colour" else ""
    played = Played(log.format(seen, seen), a=PAWN_IN_STOCK, senses=senses)
    assert played.completed("A") == ["a2a3"]
    assert not played.all(c.Violation)
