"""Times and move counters that an arbiter sets, adds to or takes from, with his reason (6.10, 12.9)."""

import pytest
from at_the_board import Table

from controller import contract as c
from controller import wire
from controller.errors import LogError


def test_time_is_added_or_taken_and_the_reason_is_kept() -> None:
    table = Table("fide-2023", clock="600").rule("pause")
    table.rule("set-clock", white_add_ms=120_000, black_add_ms=-60_000, reason="phone rang")
    shown = table.all(c.Clock)[-1]
    assert (shown.white_ms, shown.black_ms, shown.reason) == (600_000 - 1000 + 120_000, 540_000, "phone rang")


def test_clocks_that_nobody_set_carry_no_reason() -> None:
    table = Table("fide-2023", clock="600").play("e2e4")
    assert {shown.reason for shown in table.all(c.Clock)} == {None}
    assert b"reason" not in wire.encode(table.all(c.Clock)[-1])


def test_no_more_is_taken_than_there_is() -> None:
    table = Table("fide-2023", clock="60").rule("set-clock", black_add_ms=-90_000)
    assert table.left("black") == 0


def test_what_is_set_comes_before_what_is_added() -> None:
    table = Table("fide-2023", clock="60").rule("pause").rule("set-clock", white_ms=30_000, white_add_ms=5_000)
    assert table.left("white") == 35_000


def test_what_is_set_on_a_clock_that_runs_is_shown_from_then_on() -> None:
    """The time that ran before counts against what was there, not against what the arbiter set."""
    table = Table("fide-2023", clock="300").wait(4_000).rule("set-clock", white_ms=60_000, black_ms=70_000)
    assert (table.left("white"), table.left("black")) == (60_000, 70_000)
    assert table.wait(2_000).left("white") == 57_000


def test_more_is_taken_than_a_running_clock_has_left() -> None:
    """25 s of 30 have run: 10 s taken leave nothing, and the flag falls then, not at some moment before."""
    table = Table("fide-2023", clock="30").wait(23_000).rule("set-clock", white_add_ms=-10_000)
    assert table.left("white") == 0
    assert [flag.ms for flag in table.wait(1_000).all(c.Flag)] == [25_000]
    assert table.game.state.clock is not None
    assert table.game.state.clock.fell("white") == 25_000_000_000


@pytest.mark.parametrize(("counter", "time"), [(0, 20_000), (1, 620_000)])
def test_the_next_period_comes_by_the_counter_as_it_was_corrected(counter: int, time: int) -> None:
    """Two moves in 30 s, then 10 minutes: white has made one move, or so the arbiter says."""
    table = Table("fide-2023", clock="2/30:600").rule("pause")
    table.rule("set-clock", white_ms=24_000, white_moves=counter).rule("resume").play("e2e4")
    assert table.left("white") == time


CLAUSES = [
    ("fide-2005", "6.11", "6.11"),
    ("fide-2009", "6.10a", "6.10b"),
    ("fide-2014", "6.10a", "6.10b"),
    ("fide-2018", "6.10.1", "6.10.2"),
    ("fide-2023", "6.10.1", "6.10.2"),
]


@pytest.mark.parametrize(("laws", "defective", "setting"), CLAUSES)
def test_a_clock_replaced_and_a_counter_corrected_are_told_with_their_clause(
    laws: c.Edition, defective: str, setting: str
) -> None:
    table = Table(laws, clock="40/5400:1800").play("e2e4", "e7e5").rule("pause")
    table.rule("set-clock", white_ms=5_000_000, white_moves=1, black_moves=1, replaced=True)
    told = table.all(c.Clock)[-1]
    assert (told.article, told.replaced, told.white_moves, told.black_moves) == (defective, True, 1, 1)
    assert table.rule("set-clock", white_moves=2).all(c.Clock)[-1].article == setting
    assert table.rule("set-clock", white_ms=60_000).all(c.Clock)[-1].article is None


def test_a_counter_below_nothing_is_refused() -> None:
    with pytest.raises(LogError, match="white_moves"):
        wire.decode_input('{"type":"arbiter","ms":0,"do":"set-clock","white_moves":-1}')


@pytest.mark.parametrize(("clock", "shown"), [("60d3", 60_000), ("60b3", 63_000)])
def test_a_session_names_how_its_delay_is_shown(clock: str, shown: int) -> None:
    table = Table("fide-2023", clock=clock)
    table.events += table.game.handle(c.Time(ms=0))
    assert table.left("white") == shown
    assert table.wait(1000).left("white") == (60_000 if clock == "60d3" else 61_000)


def test_the_hourglass_is_named_by_its_star() -> None:
    table = Table("fide-2023", clock="*60").wait(9_000)
    assert (table.left("white"), table.left("black")) == (50_000, 70_000)


# -- the time that is set, and that of the next period ----------------------------------------------------------------


def a_breach_on_the_last_move_of_a_period() -> Table:
    """1. e4 e5 2. Nf3 Nc6 3. Bf5, which is illegal, but brought White 50 s; upheld, and the bishop is back."""
    table = Table("fide-2023", clock="3/100:50").play("e2e4", "e7e5", "g1f3", "b8c6", "f1f5").rule("uphold")
    return table.give(c.Lift, square="f5").give(c.Place, square="f1")


def test_who_sets_the_times_as_proposed_gives_the_period_again_with_its_last_move() -> None:
    table = a_breach_on_the_last_move_of_a_period()
    (proposed,) = [each.white_ms for each in table.all(c.Displaced) if each.white_ms is not None]
    assert proposed + 50_000 == table.left("white")
    table.rule("set-clock", white_ms=proposed).rule("resume").play("f1c4")
    assert table.left("white") == proposed + 50_000 - 4_000


def test_who_leaves_the_times_as_they_are_has_given_the_period() -> None:
    table = a_breach_on_the_last_move_of_a_period()
    left = table.left("white")
    assert table.rule("resume").play("f1c4").left("white") == left - 4_000


@pytest.mark.parametrize("given", [{"white_ms": 600_000}, {"white_add_ms": 600_000}])
def test_time_given_after_a_control_that_was_missed_is_all_there_is(given: dict[str, int]) -> None:
    """Two moves in 30 s: the flag falls at the second, is dismissed, and the arbiter gives the ten minutes himself."""
    table = Table("fide-2023", clock="2/30:600").play("e2e4", "e7e5").wait(40_000).rule("dismiss").play("g1f3")
    table.rule("set-clock", **given).play("b8c6")
    assert table.left("white") == 600_000
    assert table.play("f1c4").left("white") == 600_000 - 4_000


def test_a_bronstein_clock_that_is_set_shows_that_until_its_owner_thinks() -> None:
    table = Table("fide-2023", clock="4b2").play("e2e4").wait(30_000).rule("dismiss")
    table.play("e7e5").wait(30_000).rule("dismiss").rule("set-clock", black_ms=20_000)
    assert table.left("black") == 20_000
    assert table.play("g1f3").left("black") == 20_000


def test_no_counter_is_set_so_high_that_periods_are_given_without_end() -> None:
    with pytest.raises(LogError, match="white_moves"):
        wire.decode_input('{"type":"arbiter","ms":0,"do":"set-clock","white_moves":30000000}')
