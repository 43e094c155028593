"""What a time line is evidence of: of squares that were seen, when that mattered, and of nothing else."""

from arbiter_kit import Bench

from controller import contract as c
from controller.console.sight import Lane, TimeLine


def line_of(bench: Bench, kind: type[c.Event]) -> TimeLine | None:
    """The time line of the case that began with an event of that kind."""
    (case,) = [case for case in bench.cases if isinstance(case.events[0], kind)]
    return case.line


def test_an_outage_has_no_time_line_for_nobody_looked() -> None:
    bench = Bench().play("e2e4", "e7e5").give(c.Outage, away_ms=5_000)
    assert line_of(bench, c.Interrupted) is None
    assert [shown["line"] for shown in bench.shown.docket("en").values()] == [None]


def test_of_a_flag_that_fell_long_after_the_last_touch_nothing_is_drawn() -> None:
    bench = Bench(clock="60").play("e2e4", "e7e5").touch("g1").wait(70_000)
    line = line_of(bench, c.Flag)
    assert line is not None
    assert line.lanes == []


def test_what_was_in_hand_as_the_flag_fell_is_drawn() -> None:
    bench = Bench(clock="60").play("e2e4", "e7e5").touch("b1")
    bench.wait(bench.left(c.WHITE) - 3_000).give(c.Lift, square="b1").wait(10_000)
    line = line_of(bench, c.Flag)
    assert line is not None
    assert [lane.square for lane in line.lanes] == ["b1"]


def test_a_square_that_was_empty_before_the_line_begins_has_no_beginning() -> None:
    bench = Bench().play("e2e4", "e7e5").touch("g1").play("f1c4")
    (case,) = bench.cases
    assert case.line is not None
    lanes = {lane.square: lane for lane in case.line.lanes}
    (placed,) = [end for _, end in lanes["c4"].open]
    assert lanes["c4"] == Lane("c4", [(None, placed)])
    assert lanes["f1"].open[0][0] is not None, "it left before our eyes"


def test_a_square_on_which_nothing_ever_stood_was_empty_all_the_time() -> None:
    bench = Bench()
    line = bench.shown._sight.line(["a4", "a1"], 0, 1_000)
    assert line.lanes == [Lane("a4", [(None, None)]), Lane("a1", [])]
