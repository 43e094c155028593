""" "J'adoube" covers what is put back on its square, and nothing else (4.2, 4.3, 4.7)."""

import pytest
from shorthand import CLOCK, accusations, only, play, record, seen

from controller import contract as c

KNIGHTS = "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 4 4"
SENSES = ["occupancy", "colour", "identity"]


@pytest.mark.parametrize("senses", SENSES)
def test_a_move_released_after_it_stands(senses: c.Senses) -> None:
    knight, pawn = seen("N", senses), seen("P", senses)
    log = (
        f"870 adjust white; 1740 lift f3; 3240 place g5 {knight}; 18240 lift g5; 19740 place f3 {knight};"
        f"21240 lift d2; 21880 place d4 {pawn}; 23880 press white"
    )
    events = play(log, KNIGHTS, senses=senses, clock=CLOCK)
    assert "released-move" in [each.kind for each in only(c.Violation, events)]
    assert "d2d4" not in record(events)


@pytest.mark.parametrize("senses", SENSES)
def test_who_is_set_down_where_he_cannot_go_is_touched(senses: c.Senses) -> None:
    knight, pawn = seen("N", senses), seen("P", senses)
    log = (
        f"870 adjust white; 1740 lift f3; 2610 place f5 {knight}; 3480 lift f5; 4350 place f3 {knight};"
        f"5220 lift d2; 5860 place d4 {pawn}; 6730 press white"
    )
    events = play(log, KNIGHTS, senses=senses, clock=CLOCK)
    assert [each.kind for each in only(c.Violation, events)] == ["touch-move"]


def test_who_slides_on_the_way_back_is_put_straight() -> None:
    log = "870 adjust white; 1740 lift f3; 2610 place f4; 2650 lift f4; 3000 place f3; 5220 lift d2; 5860 place d4"
    events = play(f"{log}; 6730 press white", KNIGHTS, clock=CLOCK)
    assert (record(events), accusations(events)) == (["d2d4"], [])


@pytest.mark.parametrize("senses", SENSES)
def test_said_out_of_turn_it_takes_no_capture_from_the_other(senses: c.Senses) -> None:
    """The piece that is taken was taken up by who takes it, and mate ends the game."""
    fen = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4"
    log = f"12000 adjust black; 14000 lift h5; 15000 lift f7; 15600 place f7 {seen('Q', senses)}; 26000 time"
    events = play(log, fen, senses=senses, clock="20")
    assert [(each.side, each.kind) for each in only(c.Violation, events)] == [("black", "adjust-out-of-turn")]
    assert [(each.result, each.reason) for each in only(c.Result, events)] == [("1-0", "checkmate")]


def test_who_puts_his_piece_straight_out_of_turn_takes_nobody() -> None:
    """Nobody holds a piece that could take there."""
    events = play("870 adjust black; 1740 lift e5; 2600 place e5; 4000 lift f3; 4600 place g5", KNIGHTS)
    assert record(events) == ["f3g5"]
    assert [each.kind for each in only(c.Violation, events)] == ["adjust-out-of-turn"]
