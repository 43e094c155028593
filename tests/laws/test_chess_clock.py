"""Article 6, one rule a test. Times in seconds here, in ns inside."""

import pytest
from msgspec.structs import replace

from controller.contract import BLACK, WHITE
from controller.laws.clock import SECOND, ChessClock
from controller.laws.timecontrol import parse


def clock_of(text: str) -> ChessClock:
    return ChessClock(parse(text)).start(0, WHITE)


def s(seconds: float) -> int:
    return round(seconds * SECOND)


def shown(clock: ChessClock, seconds: float | None = None) -> tuple[float, float]:
    at = None if seconds is None else s(seconds)
    return clock.remaining(WHITE, at) / SECOND, clock.remaining(BLACK, at) / SECOND


# -- pressing ------------------------------------------------------------------------------------------------------


def test_a_press_stops_the_pressers_clock_and_starts_the_opponents() -> None:
    clock = clock_of("300").press(s(13), WHITE)
    assert clock.running == BLACK
    assert shown(clock, 20) == (287, 293)


def test_a_press_by_the_player_whose_clock_stands_changes_nothing() -> None:
    clock = clock_of("300").press(s(5), BLACK)
    assert clock.running == WHITE
    assert clock.moves(WHITE) == 0
    assert clock.moves(BLACK) == 0
    assert shown(clock, 8) == (292, 300)


def test_a_press_while_both_clocks_stand_changes_nothing() -> None:
    clock = clock_of("300")
    clock = clock.stop(s(5)).press(s(6), WHITE)
    assert clock.running is None
    assert clock.moves(WHITE) == 0
    assert shown(clock, 50) == (295, 300)


def test_a_pause_costs_nobody_time() -> None:
    clock = clock_of("30")
    clock = clock.stop(s(5))
    assert clock.flag_due is None
    clock = clock.resume(s(50), WHITE)
    clock = clock.press(s(55), WHITE)
    assert shown(clock) == (20, 30)


# -- increment, delay, hourglass -----------------------------------------------------------------------------------


def test_the_first_increment_is_on_the_clock_from_the_start_and_the_next_comes_with_the_press() -> None:
    clock = clock_of("177+3")
    assert shown(clock) == (180, 180)
    clock = clock.press(s(4.6), WHITE)
    assert shown(clock) == (178.4, 180)
    clock = clock.press(s(9.6), BLACK)
    assert shown(clock) == (178.4, 178)


@pytest.mark.parametrize(("saves", "left"), [(True, 30 + 57), (False, 30)])
def test_until_2009_main_time_saved_in_a_period_with_a_delay_is_not_carried_over(*, saves: bool, left: float) -> None:
    """6.2b."""
    clock = ChessClock(replace(parse("1/60d3:30d3"), delay_carries_over=saves)).start(0, WHITE)
    assert shown(clock.press(s(6), WHITE)) == (left, 60)


def test_until_2009_main_time_saved_in_a_period_without_a_delay_is_carried_over() -> None:
    """6.2b."""
    clock = ChessClock(replace(parse("1/60:30d3"), delay_carries_over=False)).start(0, WHITE)
    assert shown(clock.press(s(6), WHITE)) == (30 + 54, 60)


@pytest.mark.parametrize("control", ["5400", "5400+30", "180d3", "180b3", "40/5400b5:900", "*60"])
def test_what_a_control_says_that_clocks_show_at_first_they_show(control: str) -> None:
    assert ChessClock(parse(control)).remaining(WHITE) == parse(control).shown_at_first * SECOND


def test_the_main_time_runs_only_once_the_delay_is_used() -> None:
    clock = clock_of("180d3")
    assert shown(clock, 2) == (180, 180)
    assert shown(clock, 5) == (178, 180)
    clock = clock.press(s(5), WHITE)
    clock = clock.press(s(7), BLACK)
    assert shown(clock) == (178, 180), "what Black did not use of his delay is lost, not saved"
    assert shown(clock, 11) == (177, 180), "White has a whole delay again"


def test_a_delay_interrupted_by_a_pause_goes_on_where_it_was() -> None:
    clock = clock_of("180d3")
    clock = clock.stop(s(2))
    clock = clock.resume(s(60), WHITE)
    assert shown(clock, 63) == (178, 180)


@pytest.mark.parametrize("control", ["180d3", "180b3"])
def test_each_press_starts_the_other_clock_with_a_whole_delay_also_one_that_was_given_back(control: str) -> None:
    """6.3.2: White's clock had run for a second when the move was put right that Black had pressed."""
    clock = clock_of(control).press(s(2), WHITE).press(s(4), BLACK)
    clock = clock.stop(s(5)).resume(s(50), BLACK).press(s(52), BLACK).press(s(54.9), WHITE)
    assert shown(clock, 54.9) == ((180, 180) if control == "180d3" else (183, 183))


def test_bronstein_shows_the_delay_on_the_clock_and_gives_back_what_was_used_of_it() -> None:
    clock = clock_of("180b3")
    assert shown(clock) == (183, 183)
    assert shown(clock, 2) == (181, 183)
    clock = clock.press(s(2), WHITE)
    assert shown(clock) == (183, 183)
    clock = clock.press(s(12), BLACK)
    assert shown(clock) == (183, 176)


def test_bronstein_and_simple_delay_drop_the_flag_at_the_same_instant() -> None:
    simple, bronstein = (clock_of(text).press(s(8), WHITE).press(s(9), BLACK) for text in ("10d3", "10b3"))
    assert simple.flag_due == bronstein.flag_due == s(9 + 3 + 5)


def test_in_the_hourglass_one_gains_what_the_other_uses() -> None:
    clock = clock_of("*60")
    assert shown(clock, 10) == (50, 70)
    clock = clock.press(s(10), WHITE)
    assert shown(clock, 40) == (80, 40)
    assert clock.flag_due == s(80)
    clock, _ = clock.advance(s(100))
    assert shown(clock) == (120, 0), "nothing more is gained once the flag is down"


# -- periods -------------------------------------------------------------------------------------------------------


def test_time_saved_is_carried_into_the_next_period() -> None:
    clock = clock_of("2/30:600")
    for at, side in ((4, WHITE), (8, BLACK), (33, WHITE), (37, BLACK), (46, WHITE)):
        clock = clock.press(s(at), side)
    assert shown(clock) == (592, 622)


def test_the_new_period_comes_with_the_press_of_the_last_move_not_before() -> None:
    clock = clock_of("2/30:600")
    clock = clock.press(s(4), WHITE)
    clock = clock.press(s(8), BLACK)
    assert clock.flag_due == s(34)


def test_the_increment_is_that_of_the_period_of_the_move_to_come() -> None:
    clock = clock_of("1/60:100+5")
    assert shown(clock) == (60, 60)
    clock = clock.press(s(10), WHITE)
    assert shown(clock) == (155, 60)


def test_a_last_period_that_counts_moves_repeats() -> None:
    clock = clock_of("2/100")
    for turn in range(8):
        clock = clock.press(s(turn + 1), WHITE if turn % 2 == 0 else BLACK)
    assert shown(clock) == (296, 296)


def test_a_period_given_once_is_not_given_again_when_the_counter_is_put_back() -> None:
    clock = clock_of("2/100:100")
    for turn in range(3):
        clock = clock.press(s(turn + 1), WHITE if turn % 2 == 0 else BLACK)
    assert shown(clock)[0] == 198
    clock = clock.set_moves(WHITE, 1)
    clock = clock.press(s(4), BLACK)
    clock = clock.press(s(5), WHITE)
    assert clock.moves(WHITE) == 2
    assert shown(clock)[0] == 197


def test_the_arbiters_counter_decides_when_the_control_is_reached() -> None:
    clock = clock_of("3/100:100")
    clock = clock.set_moves(WHITE, 2)
    clock = clock.press(s(10), WHITE)
    assert shown(clock)[0] == 190


# -- flags ---------------------------------------------------------------------------------------------------------


def test_the_flag_falls_at_the_instant_the_time_is_used_up_however_late_one_looks() -> None:
    clock = clock_of("20")
    assert clock.flag_due == s(20)
    clock, fallen = clock.advance(s(19.999))
    assert fallen == []
    clock, fallen = clock.advance(s(26))
    assert fallen == [(WHITE, s(20))]
    clock, fallen = clock.advance(s(27))
    assert fallen == [], "told once"
    assert clock.fell(WHITE) == s(20)
    assert clock.fell(BLACK) is None
    assert clock.flag_due is None


def test_a_flag_found_by_a_press_is_told_by_the_next_advance() -> None:
    clock = clock_of("20").press(s(24), WHITE)
    assert clock.running == BLACK
    assert clock.advance(s(24))[1] == [(WHITE, s(20))]


def test_a_press_at_the_instant_of_the_fall_is_too_late() -> None:
    clock = clock_of("20+5")
    clock = clock.press(s(25), WHITE)
    assert clock.fell(WHITE) == s(25)
    assert shown(clock) == (0, 25)


def test_both_flags_and_which_fell_first() -> None:
    clock = clock_of("20")
    assert clock.first_fallen is None
    clock = clock.press(s(24), WHITE)
    clock, fallen = clock.advance(s(45.5))
    assert fallen == [(WHITE, s(20)), (BLACK, s(44))]
    assert clock.first_fallen == WHITE


@pytest.mark.parametrize("control", ["20+5", "1/25:600", "20d5"])
def test_after_the_fall_play_goes_on_and_nothing_the_player_does_brings_time(control: str) -> None:
    clock = clock_of(control)
    clock = clock.press(s(30), WHITE)
    clock = clock.press(s(31), BLACK)
    assert clock.running == WHITE
    assert shown(clock)[0] == 0
    clock = clock.press(s(32), WHITE)
    assert shown(clock)[0] == 0
    assert clock.advance(s(32))[1] == [(WHITE, s(25))], "it falls once"


def test_time_given_by_the_arbiter_lifts_the_flag() -> None:
    clock = clock_of("20+5")
    clock, _ = clock.advance(s(30))
    clock = clock.add(s(30), WHITE, s(60))
    assert clock.fell(WHITE) is None
    assert clock.flag_due == s(90)
    clock = clock.press(s(40), WHITE)
    assert shown(clock)[0] == 55


# -- the arbiter's hand --------------------------------------------------------------------------------------------


def test_either_clock_can_be_set_alone_while_it_runs() -> None:
    clock = clock_of("300")
    clock = clock.set(s(10), black_ns=s(100))
    assert shown(clock, 10) == (290, 100)
    clock = clock.set(s(15), white_ns=s(50))
    assert shown(clock, 20) == (45, 100)


def test_time_is_added_and_taken_but_never_below_nothing() -> None:
    clock = clock_of("300")
    clock = clock.add(0, BLACK, s(120))
    clock = clock.add(0, WHITE, -s(500))
    assert shown(clock) == (0, 420)
    assert clock.advance(s(3))[1] == [(WHITE, 0)]


def test_what_is_set_on_a_bronstein_clock_is_what_it_shows() -> None:
    clock = clock_of("180b3")
    clock = clock.set(0, s(60), s(2))
    assert shown(clock) == (60, 2)
    assert clock.flag_due == s(60)


def test_an_instant_that_goes_back_counts_as_the_latest() -> None:
    clock = clock_of("300")
    clock = clock.press(s(10), WHITE)
    clock = clock.press(s(5), BLACK)
    assert shown(clock, 4) == (290, 300)


def test_a_hand_on_the_clock_leaves_the_clock_before_it_as_it_was() -> None:
    before = clock_of("20+5")
    assert before.press(s(4), WHITE).add(s(5), BLACK, s(60)).set_moves(WHITE, 7).advance(s(200))[1]
    assert before == clock_of("20+5")
    assert shown(before, 4) == (21, 25)
