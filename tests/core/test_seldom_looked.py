"""A session says how seldom its board looks at the squares: what it shows of a brush, and of a piece that passes, lasts
until the next look. Edges of such a board keep in step with nothing."""

import pytest
from shorthand import accusations, only, play, record

from controller import contract as c
from controller.laws.beginning import looks_apart

SELDOM = c.Sensors(lost=0.002, scan_ms=225)


@pytest.mark.parametrize(("off_ms", "touched"), [(238, False), (330, False), (360, True), (480, True)])
def test_a_brush_is_seen_off_its_square_until_the_next_look(off_ms: int, touched: bool) -> None:
    log = f"1013 lift h7; {1013 + off_ms} place h7; 2091 lift b8; 2530 place c6; 3304 press black"
    fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    events = play(log, fen, clock="900+5", sensors=SELDOM)
    assert record(events) == ["b8c6"]
    assert [each.kind for each in only(c.Violation, events)] == ["touch-move"] * touched


@pytest.mark.parametrize("stood_ms", [225, 452, 610])
def test_a_piece_that_passes_over_a_square_is_seen_there_until_the_next_look(stood_ms: int) -> None:
    log = f"1013 lift f2; 1240 place f3; {1240 + stood_ms} lift f3; {1240 + stood_ms + 3} place f4; 2600 press white"
    events = play(log, clock="900+5", sensors=SELDOM)
    assert (record(events), accusations(events)) == (["f2f4"], [])


def test_of_a_match_nothing_is_made_of_it() -> None:
    session = c.Session(version=1, match="bughouse", clock="180", sensors=SELDOM)
    assert looks_apart(session) == 0
