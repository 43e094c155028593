"""Default time (6.6 / 6.7): who has touched nothing by then is proposed to have forfeited, where the event sets it."""

import pytest
from at_the_board import Table, by_edition
from msgspec import ValidationError, convert

from controller import contract as c
from controller.laws.editions import MINUTE

LATE = c.Settings(default_time_ms=30 * MINUTE)
CLAUSES = by_edition("6.7", "6.6a", "6.7a", "6.7.1", "6.7.1")


@pytest.mark.parametrize(("laws", "clause"), CLAUSES.items())
@pytest.mark.parametrize("clock", ["5400", None])
def test_white_who_has_touched_nothing_is_proposed_to_have_forfeited(
    laws: c.Edition, clause: str, clock: str | None
) -> None:
    table = Table(laws, clock=clock, settings=LATE).wait(30 * MINUTE)
    assert [(r.ms, r.result, r.status, r.article) for r in table.all(c.Result)] == [
        (30 * MINUTE, "-+", "proposed", clause)
    ]
    assert table.rule("uphold").result == ("-+", "forfeit")


def test_black_is_asked_for_once_white_has_moved() -> None:
    table = Table("fide-2023", settings=LATE).play("e2e4").wait(30 * MINUTE)
    assert table.proposed == [("+-", "forfeit")]


@pytest.mark.parametrize("moves", [("e2e4", "e7e5"), ("e2e4", "e7e5", "g1f3")])
def test_who_has_moved_has_come(moves: tuple[str, ...]) -> None:
    assert Table("fide-2023", settings=LATE).play(*moves).wait(30 * MINUTE).proposed == []


def test_who_has_touched_a_piece_has_come() -> None:
    assert Table("fide-2023", settings=LATE).touch("g1").wait(30 * MINUTE).proposed == []
    assert Table("fide-2023", settings=LATE).give(c.Lift, square="g1").wait(30 * MINUTE).proposed == []


def test_an_event_that_sets_no_time_watches_for_nobody() -> None:
    assert Table("fide-2005").wait(80 * MINUTE).proposed == []


def test_a_dismissal_lets_the_late_player_play() -> None:
    table = Table("fide-2023", settings=LATE).wait(31 * MINUTE).rule("dismiss").play("e2e4")
    assert (table.result, table.all(c.Completed)[-1].uci) == (None, "e2e4")


def test_a_live_caller_is_told_when_to_ask() -> None:
    table = Table("fide-2023", clock=None, settings=LATE)
    assert table.game.deadline == 30 * MINUTE
    assert table.wait(31 * MINUTE).game.deadline is None


def test_no_board_can_see_who_sat_there_when_play_began() -> None:
    with pytest.raises(ValidationError):
        convert({"default_time_ms": 0}, c.Settings)
