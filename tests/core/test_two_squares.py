"""A piece is set down on the edge of two squares, and both see it, until it is put in the middle of one: that is one
move, to the square where it stays.
"""

import pytest
from shorthand import CLOCK, accusations, play, record, seen

from controller import contract as c

CAPTURE = "4k3/7r/8/8/8/7B/8/4K3 b - - 0 1"
PLAIN = "4k3/8/8/8/8/8/3P4/4K3 w - - 0 1"
SENSES = pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])


@SENSES
@pytest.mark.parametrize("clock", [None, CLOCK])
@pytest.mark.parametrize("stays_ms", [150, 660, 1600])
@pytest.mark.parametrize(("first", "then"), [("h3", "h4"), ("h4", "h3")])
def test_who_takes_and_stands_on_two_squares_has_taken(
    first: str, then: str, stays_ms: int, clock: str | None, senses: c.Senses
) -> None:
    rook = seen("r", senses)
    landed = f"500 lift h7; 2160 lift h3; 2299 place {first} {rook}; 2340 place {then} {rook}"
    log = f"{landed}; {2340 + stays_ms} lift h4; {3200 + stays_ms} press black"
    events = play(
        f"{log}; 6000 lift e1; 6500 place e2 {seen('K', senses)}; 7200 press white", CAPTURE, senses=senses, clock=clock
    )
    assert record(events) == ["h7h3", "e1e2"]
    assert not accusations(events)


@SENSES
@pytest.mark.parametrize("stays_ms", [150, 660, 1600])
@pytest.mark.parametrize("chatters", ["", "6500 lift d3; 6510 place d3 {pawn};"])
def test_so_has_who_moves(chatters: str, stays_ms: int, senses: c.Senses) -> None:
    """Also where the contact of the one square chatters."""
    pawn = seen("P", senses)
    landed = f"500 lift d2; 6454 place d3 {pawn}; 6491 place e2 {pawn}; {chatters.format(pawn=pawn)}"
    events = play(
        f"{landed} {6520 + stays_ms} lift e2; 9000 lift e8; 9500 place e7 {seen('k', senses)}", PLAIN, senses=senses
    )
    assert record(events) == ["d2d3", "e8e7"]
    assert not accusations(events)
