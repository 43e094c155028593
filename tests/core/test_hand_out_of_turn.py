"""A piece lifted by the player who has not the move, as far as that is known: jogged, or out of turn (1.3)."""

import pytest
from shorthand import CLOCK, MIDDLEGAME, only, play, record

from controller import contract as c

BLACK_TO_MOVE = MIDDLEGAME.replace(" w ", " b ")


def told(log: str, fen: str = BLACK_TO_MOVE) -> list[tuple[str, c.Ms]]:
    """What was said of hands out of turn, and when; ``brush`` where it was none."""
    events = play(log, fen, clock=CLOCK)
    assert not only(c.Touch, [event for event in events if getattr(event, "side", None) == "white"])
    return [
        (event.kind if isinstance(event, c.Violation) else "brush", event.ms)
        for event in events
        if isinstance(event, c.Violation | c.Brush)
    ]


def test_a_piece_jogged_on_the_opponents_time_is_no_fault() -> None:
    assert told("1000 lift f3 side=white; 1119 place f3 side=white; 9000 time") == [("brush", 1119)]


@pytest.mark.parametrize("back", ["1120", "2500"])
def test_one_that_was_off_its_square_for_longer_is_out_of_turn(back: str) -> None:
    assert told(f"1000 lift f3 side=white; {back} place f3 side=white; 9000 time") == [("out-of-turn", 1120)]


def test_set_down_elsewhere_it_is_out_of_turn_however_short() -> None:
    assert ("out-of-turn", 1120) in told("1000 lift d2 side=white; 1080 place d3 side=white; 9000 time")


def test_who_has_announced_out_of_turn_is_not_blamed_again_for_the_piece_that_he_touches() -> None:
    assert told("1000 adjust white; 2000 contact f3 side=white; 9000 time") == [("adjust-out-of-turn", 1000)]
    assert told("2000 contact f3 side=white; 9000 time") == [("out-of-turn", 2000)]


def test_lifted_just_before_the_opponent_lands_it_is_out_of_turn_and_binds_nobody() -> None:
    log = "1000 lift g8; 1300 place f6; 1699 lift f3 side=white"
    # The knight is released by the touch: from then on White has the move.
    assert record(play(log, BLACK_TO_MOVE, clock=CLOCK)) == ["g8f6"]
    held = "1000 lift g8; 1900 lift f3 side=white; 1950 place f6; 1960 press black; 4000 place f3 side=white"
    assert told(held) == [("out-of-turn", 1960)]


@pytest.mark.parametrize(
    ("side", "turn", "king", "target", "corner"), [("white", "w", "e1", "c1", "a1"), ("black", "b", "e8", "c8", "a8")]
)
def test_who_pressed_without_a_move_has_moved_no_rook_that_his_king_could_follow(
    side: str, turn: str, king: str, target: str, corner: str
) -> None:
    hand = f"1000 press {side}; 2000 lift {king} side={side}; 3000 place {target} side={side}; 4000 lift {corner}"
    events = play(hand, f"r3k2r/8/8/8/8/8/8/R3K2R {turn} KQkq - 0 1", laws="fide-2018", clock=CLOCK)
    assert not only(c.Violation, events)


def test_a_pawn_moved_two_squares_out_of_turn_was_not_set_out_of_the_way_by_the_opponent_who_might_take_it() -> None:
    log = "1000 lift b7; 1700 place b5 p; 4200 lift b5; 5000 place b7 p; 7000 lift e1; 7800 place d1 K; 9000 time"
    events = play(log, "4k3/1p6/8/8/8/8/6B1/4K3 w - - 0 1", clock=CLOCK, senses="identity")
    assert [(event.side, event.kind) for event in only(c.Violation, events)] == [("black", "out-of-turn")]


@pytest.mark.parametrize(
    ("seen", "senses", "accused"), [("N", "identity", 0), ("w", "colour", 0), ("n", "identity", 1)]
)
def test_a_piece_seen_to_be_the_movers_own_is_not_the_one_whom_the_opponent_lacks(
    seen: str, senses: c.Senses, accused: int
) -> None:
    """White lays a knight on the board and takes Black's up; only a black one may be that which left g8."""
    events = play(f"1000 place h4 {seen}; 1200 lift g8; 9000 time", MIDDLEGAME, senses=senses)
    assert [event.side for event in only(c.Violation, events)] == [c.BLACK] * accused


@pytest.mark.parametrize(
    ("falls", "squares", "stands"),
    [
        ("3000 lift a8 side=black", ["a8"], "9000 place a8 side=black"),
        ("3000 lift a8 side=black; 3050 lift b7 side=black", ["b7", "a8"], "9000 place b7 side=black;9100 place a8"),
        ("3000 place h6 side=black", ["h6"], "9000 lift h6 side=black"),
    ],
)
def test_what_the_opponent_leaves_in_disorder_is_told_though_a_piece_is_in_hand(
    falls: str, squares: list[str], stands: str
) -> None:
    events = play(f"1000 lift b1; {falls}; {stands}; 10000 place c3; 12000 press white", clock=CLOCK)
    assert [said.squares for said in only(c.Displaced, events)] == [squares]
    assert len(only(c.Restored, events)) == 1
    assert record(events) == ["b1c3"]
    assert {said.side for said in only(c.Violation, events)} <= {"black"}


def test_what_the_opponent_takes_off_for_the_piece_in_hand_to_come_there_is_not_in_disorder() -> None:
    log = "1000 lift f3; 2000 lift e5 side=black; 6000 place e5; 7000 press white"
    events = play(log, "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4", clock=CLOCK)
    assert (record(events), only(c.Displaced, events)) == (["f3e5"], [])
