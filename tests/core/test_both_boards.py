"""What the boards of a match do to each other, and when: men that come and go back, offers of both, the end of all.

Each case was once judged wrongly. Numbers in brackets are the articles of the blitz à quatre.
"""

from two_boards import EXCHANGE, STOCKED, Played

from controller import contract as c

# -- each thing at its time ------------------------------------------------------------------------------------------


def test_a_stock_is_said_to_have_changed_when_the_drop_was_made_not_at_the_next_input() -> None:
    played = Played("1000 A choose white n; 2500 A place e6; 9000 A press white", a=STOCKED)
    (move,) = played.all(c.Move, "A")
    assert move.ms == 2900
    assert [(e.ms, e.white, e.black) for e in played.all(c.Stock, "A")] == [(0, "NP", "p"), (2900, "P", "p")]


def test_a_match_ends_when_the_second_game_ends_not_at_the_next_input() -> None:
    mate = "6rk/6pp/7N/8/8/8/8/K7[] w - - 0 1"
    played = Played("1000 A lift h6; 2500 A place f7; 3000 B lift h6; 3500 B place f7; 9000 B time", a=mate, b=mate)
    assert [e.ms for e in played.all(c.Match)] == [3900]


def test_without_a_clock_a_man_comes_when_his_taker_is_released_and_what_stands_there_counts_from_then() -> None:
    log = (
        "500 A lift e2; 1000 A place e4; 1500 A choose black p; 1600 A place e5;"
        "2000 B lift e4; 2500 B lift d5; 3000 B place d5; 9000 B time"
    )
    played = Played(log, b=EXCHANGE, clock=None)
    assert [(e.ms, e.black) for e in played.all(c.Stock, "A")] == [(3400, "p"), (3800, "")]
    assert [(e.uci, e.ms) for e in played.all(c.Move, "A")][-1] == ("P@e5", 3800)
