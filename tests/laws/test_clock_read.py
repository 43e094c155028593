"""A clock that keeps its own time is read: what it shows is the time, and what was reckoned instead is said."""

import pytest
from at_the_board import Table

from controller import contract as c
from controller.words.context import Context
from controller.words.say import say

MINUTE = 60_000


def readings(table: Table) -> list[tuple[int | None, int | None]]:
    return [(shown.white_reckoned_ms, shown.black_reckoned_ms) for shown in table.all(c.Clock)]


def test_what_it_shows_is_the_time_from_then_on() -> None:
    table = Table("fide-2023", clock="600").play("e2e4").wait(10_000)
    left = table.left("white"), table.left("black")
    table.give(c.Reading, white_ms=9 * MINUTE, black_ms=8 * MINUTE, running="black")
    shown = table.all(c.Clock)[-1]
    assert (shown.white_ms, shown.black_ms, shown.running) == (9 * MINUTE, 8 * MINUTE, "black")
    assert shown.white_reckoned_ms == left[0]
    spent = table.wait(5_000).left("black")
    assert spent < 8 * MINUTE and table.left("white") == 9 * MINUTE


def test_where_it_shows_what_was_reckoned_nothing_is_said() -> None:
    table = Table("fide-2023", clock="600").play("e2e4").rule("pause")
    said = len(table.events)
    table.give(c.Reading, white_ms=table.left("white"), black_ms=table.left("black"), running=None)
    assert len(table.events) == said


def test_a_press_that_nobody_saw_shows_in_which_clock_runs() -> None:
    table = Table("fide-2023", clock="600").make("e2e4")
    table.give(c.Reading, white_ms=9 * MINUTE, black_ms=9 * MINUTE, running="black")
    assert table.all(c.Clock)[-1].running == "black"
    (completed,) = table.all(c.Completed)
    assert (completed.uci, completed.white_ms) == ("e2e4", 9 * MINUTE), "the clock has switched, whoever saw it"


def test_where_nobody_saw_a_move_a_press_that_nobody_saw_either_accuses_nobody() -> None:
    table = Table("fide-2023", clock="600").play("e2e4")
    table.give(c.Reading, white_ms=9 * MINUTE, black_ms=8 * MINUTE, running="white")
    assert [type(event) for event in table.events[-1:]] == [c.Clock]
    assert not [*table.all(c.Illegal), *table.all(c.Violation)]


def test_while_play_is_stopped_it_sets_no_clock_going() -> None:
    table = Table("fide-2023", clock="600").play("e2e4").rule("pause")
    table.give(c.Reading, white_ms=9 * MINUTE, black_ms=9 * MINUTE, running="black")
    assert (table.all(c.Clock)[-1].running, table.left("black")) == (None, 9 * MINUTE)


@pytest.mark.parametrize(("left", "flags"), [(0, 1), (2_000, 0)])
def test_a_flag_falls_by_what_it_shows(left: int, flags: int) -> None:
    table = Table("fide-2023", clock="600").play("e2e4")
    table.give(c.Reading, white_ms=9 * MINUTE, black_ms=left, running="black").wait(500)
    assert len(table.all(c.Flag)) == flags


def test_time_that_it_still_shows_lifts_a_flag_and_what_was_proposed_for_its_fall() -> None:
    table = Table("fide-2023", clock="5").play("e2e4").wait(6_000)
    assert [result.reason for result in table.all(c.Result)] == ["time"]
    table.give(c.Reading, white_ms=4_000, black_ms=1_000, running="black")
    assert table.game.state.notices == ()


def test_without_a_clock_in_the_game_it_says_nothing() -> None:
    table = Table("fide-2023", clock=None).play("e2e4")
    said = len(table.events)
    assert len(table.give(c.Reading, white_ms=1, black_ms=2, running=None).events) == said


def test_in_words_it_says_what_was_reckoned() -> None:
    shown = c.Clock(
        ms=0, white_ms=60_000, black_ms=50_000, running="white", white_reckoned_ms=72_000, black_reckoned_ms=50_000
    )
    text = say(shown, "en", Context(c.Session(version=1)))
    assert "as the clock itself says" in text and "1:12" in text
