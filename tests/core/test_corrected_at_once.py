"""A breach corrected by the player himself, as the Laws demand, and quickly: it is one breach (4.3, 7.4)."""

import pytest
from shorthand import CLOCK, only, play, record, seen

from controller import contract as c

KNIGHTS = "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 4 4"


@pytest.mark.parametrize("senses", ["occupancy", "identity"])
@pytest.mark.parametrize("move", ["f3g5", "f3e5"])
def test_who_corrects_himself_at_once_has_broken_one_rule(senses: c.Senses, move: str) -> None:
    """The wrong piece is home for less than a release when the right one is taken up."""
    knight, to = seen("N", senses), move[2:]
    log = (
        f"870 contact f3; 1740 lift c3; 2380 place b5 {knight}; 3880 lift b5; 4480 place c3 {knight};"
        f"4780 lift f3; {'5080 lift e5;' if to == 'e5' else ''} 5480 place {to} {knight}; 6350 press white"
    )
    events = play(log, KNIGHTS, senses=senses, clock=CLOCK)
    assert [each.kind for each in only(c.Violation, events)] == ["touch-move"]
    assert record(events) == [move]
