"""A board that stands the other way round: h8 where a1 should be. Nobody has to say so."""

from shorthand import CLOCK, accusations, only, play, record

from controller import contract as c

TURNED_OPENING = "1000 lift d7; 1500 place d5; 3000 lift d2; 3500 place d4"


def turned_scan(occupied: int) -> str:
    return f"{int(f'{occupied:064b}'[::-1], 2):016x}"


def test_the_first_two_moves_tell_on_a_board_that_sees_pieces_only() -> None:
    events = play(TURNED_OPENING)
    assert record(events) == ["e2e4", "e7e5"]
    assert not [event for event in accusations(events) if not isinstance(event, c.Displaced)]


def test_with_a_clock_the_first_press_tells() -> None:
    events = play("1000 lift d7; 1500 place d5; 2500 press white", clock=CLOCK)
    assert record(events) == ["e2e4"]
    assert [done.uci for done in only(c.Completed, events)] == ["e2e4"]


def test_one_piece_moved_and_put_back_turns_nothing() -> None:
    events = play("1000 lift e7; 1500 place e6; 5000 lift e6; 6000 place e7; 8000 lift e2; 9000 place e4")
    assert record(events) == ["e2e4"]
    assert [event.squares for event in only(c.Displaced, events)] == [["e6", "e7"]]
    assert only(c.Restored, events)
    assert not only(c.Violation, events)


def test_a_first_scan_that_fits_only_from_the_other_side_tells_at_once() -> None:
    fen = "4k3/8/8/8/8/8/PPP5/4K3 w - - 0 1"
    occupied = 0x1000000000000710
    after = occupied & ~(1 << 8) | 1 << 16  # a2-a3
    log = f"0 frame {turned_scan(occupied)}; 2000 frame {turned_scan(after)}; 4000 time"
    assert record(play(log, fen)) == ["a2a3"]


def test_a_board_that_sees_colours_is_not_taken_for_turned() -> None:
    events = play("1000 lift d7; 1500 place d5 b; 3000 lift d2; 3500 place d4 w", senses="colour")
    assert record(events) == ["d2d4"]
    assert only(c.Violation, events)[0].kind == "out-of-turn"


PREMATURE = "1000 lift d7; 1500 place d5; 5000 lift d2; 5500 place d4; 6500 press white; 7500 press black;"


def test_where_presses_speak_against_that_black_has_moved_first_out_of_turn() -> None:
    log = (
        f"{PREMATURE} 9000 lift g1; 9500 place f3; 10000 press white; 12000 lift b8; 12500 place c6; 13000 press black"
    )
    events = play(log, clock=CLOCK)
    assert record(events) == ["d2d4", "d7d5", "g1f3", "b8c6"]
    assert [(said.side, said.kind) for said in only(c.Violation, events)] == [("black", "out-of-turn")]
