""" "J'adoube" covers what is put back on its square, and nothing else (4.2, 4.3, 4.7)."""

import pytest
from shorthand import CLOCK, accusations, only, play, record, seen

from controller import contract as c

KNIGHTS = "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 4 4"
SENSES = ["occupancy", "colour", "identity"]


@pytest.mark.parametrize("senses", SENSES)
@pytest.mark.parametrize(("to", "left_ms", "kind"), [("g5", 18240, "released-move"), ("f5", 4240, "touch-move")])
def test_who_is_set_down_elsewhere_after_it_is_not_put_straight(
    senses: c.Senses, to: str, left_ms: int, kind: str
) -> None:
    """Where he may go he is moved, and where he may not he is touched, though he goes back, and another is moved."""
    knight, pawn = seen("N", senses), seen("P", senses)
    log = (
        f"870 adjust white; 1740 lift f3; 3240 place {to} {knight};"
        f"{left_ms} lift {to}; {left_ms + 1500} place f3 {knight};"
        f"{left_ms + 3000} lift d2; {left_ms + 3640} place d4 {pawn}; {left_ms + 5640} press white"
    )
    events = play(log, KNIGHTS, senses=senses, clock=CLOCK)
    assert [each.kind for each in only(c.Violation, events)] == [kind]
    assert ("d2d4" in record(events)) is (kind == "touch-move")


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
