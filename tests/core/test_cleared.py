"""A game that ends without a word: the pieces are taken off. What was played stands, and nobody has broken a rule."""

import pytest
from shorthand import CLOCK, accusations, only, play, record, seen

from controller import contract as c

ENDING = "5n2/p5k1/8/7p/4b1nP/7K/8/1r6 b - - 1 45"
PLAYED = "1000 lift b1; 1440 place a1 b; 1500 lift a1; 1560 place a1 b; 1724 press black"
OFF = ("h5", "h3", "a1", "a7", "e4", "f8", "h4", "g4", "g7")


@pytest.mark.parametrize("every_ms", [120, 200, 300])
def test_no_mate_was_given_where_a_sensor_would_have_to_fail(every_ms: int) -> None:
    """What comes after the end of a game costs nothing, so that a mate that nobody saw would explain it all."""
    off = "; ".join(f"{5380 + number * every_ms} lift {square}" for number, square in enumerate(OFF))
    events = play(f"{PLAYED}; {off}", ENDING, senses="colour", clock=CLOCK)
    assert record(events)[:1] == ["b1a1"]
    assert not only(c.Result, events)
    assert not accusations(events)


@pytest.mark.parametrize("senses", ["colour", "identity"])
def test_who_sets_up_the_next_game_has_not_moved_on_the_piece_that_he_released(senses: c.Senses) -> None:
    fen = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq - 0 5"
    off = "; ".join(f"{5000 + number * 200} lift {square}" for number, square in enumerate(EIGHT))
    log = f"1000 lift f3; 1500 place g5 {seen('N', senses)}; {off}; 8000 place e2 {seen('P', senses)}; 9000 time"
    events = play(log, fen, senses=senses)
    assert record(events) == ["f3g5"]
    assert not accusations(events)


EIGHT = ("g5", "e8", "f6", "d8", "e4", "c4", "h8", "d1")


@pytest.mark.parametrize("first", ["b1 e4 a8 e5", "a8 e5 b1 e4"])
def test_kings_in_the_middle_show_the_result_and_are_looked_at_no_further(first: str) -> None:
    """Else Black's king might have taken the rook unseen."""
    one, to_one, two, to_two = first.split()
    log = f"1000 lift h6; 1500 place f8; 6000 lift {one}; 6800 place {to_one}; 8000 lift {two}; 8400 place {to_two}"
    events = play(f"{log}; 20000 time", "K7/P7/7B/8/2n5/1q6/8/Rk4n1 w - - 0 35")
    assert record(events) == ["h6f8"]
    assert not accusations(events)
    assert only(c.Displaced, events)[-1].squares == sorted(first.split(), key=lambda square: square[::-1])
