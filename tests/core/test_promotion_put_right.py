"""A promotion of which the first that is seen is not the last: a queen put right, a piece exchanged while taking."""

import pytest
from shorthand import CLOCK, accusations, only, play, record, seen

from controller import contract as c


@pytest.mark.parametrize("senses", ["occupancy", "colour"])
def test_a_queen_set_down_where_none_can_go_is_another_piece_only_once_her_player_has_pressed(
    senses: c.Senses,
) -> None:
    """He may put her right until then, and nothing that was told before is told otherwise."""
    white, black = seen("Q", senses), seen("k", senses)
    log = (
        f"1000 lift a7; 1800 place a8 {white}; 2500 press white; 4000 lift g7; 4600 place g6 {black}; 5000 press black;"
        f"7000 lift a8; 7600 place b6 {white};"
    )
    fen = "8/P5kp/8/8/8/8/7P/7K w - - 0 1"
    corrected = play(f"{log} 9000 lift b6; 9600 place d8 {white}; 10500 press white", fen, senses=senses, clock=CLOCK)
    assert (record(corrected), accusations(corrected)) == (["a7a8q", "g7g6", "a8d8"], [])
    assert not only(c.Retract, corrected)
    assert [said.moves for said in only(c.Ambiguous, corrected) if said.ms > 5000] == [["a7a8n", "a7a8q"]]
    pressed = play(f"{log} 9000 press white", fen, senses=senses, clock=CLOCK)
    assert (record(pressed), accusations(pressed)) == (["a7a8n", "g7g6", "a8b6"], [])


@pytest.mark.parametrize("clock", [None, CLOCK])
def test_a_promotion_changed_while_taking_is_told_as_soon_as_any_other(clock: str | None) -> None:
    log = "1000 lift d1; 1500 lift e2; 2500 place d1 q; 2720 lift d1; 4000 place d1 n; 20000 time"
    events = play(log, "3R4/7k/8/8/8/5K2/2n1p3/3R4 b - - 0 1", senses="identity", clock=clock)
    assert [(said.kind, said.ms) for said in only(c.Violation, events)] == [("promotion-changed", 4400)]
    assert record(events) == ["e2d1n"]
