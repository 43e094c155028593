"""Who comes, and when, as an arbiter says: late is lost, by each edition's default time or the event's (6.6 / 6.7)."""

import pytest
from at_the_board import ALL, Table, by_edition

from controller import contract as c
from controller.laws.editions import MINUTE

#: the default time of each edition, in minutes; None: the event has to say
DEFAULT = by_edition(60, 0, None, 0, 0)
CLAUSES = by_edition("6.7", "6.6a", "6.7a", "6.7.1", "6.7.1")
HALF_AN_HOUR = {"settings": c.Settings(default_time_ms=30 * MINUTE)}


@pytest.mark.parametrize("laws", ALL)
def test_who_comes_after_the_default_time_of_the_edition_is_proposed_to_have_forfeited(laws: c.Edition) -> None:
    table, minutes = Table(laws, clock=None), DEFAULT[laws]
    table.wait(61 * MINUTE).rule("arrived", side="white", text="the train was late")
    (told,) = table.all(c.Arrival)
    assert (told.side, told.came, told.article, told.text) == ("white", True, CLAUSES[laws], "the train was late")
    assert told.default_time_ms == (None if minutes is None else minutes * MINUTE)
    assert table.proposed == ([] if minutes is None else [("-+", "forfeit")])
    if minutes is not None:
        assert table.rule("uphold").result == ("-+", "forfeit")
        assert table.all(c.Result)[-1].article == CLAUSES[laws]


@pytest.mark.parametrize("laws", ALL)
@pytest.mark.parametrize(("missing", "score"), [(("white",), "-+"), (("black",), "+-"), (("black", "white"), "--")])
def test_who_is_said_to_be_absent_has_forfeited_once_the_announced_time_is_over(
    laws: c.Edition, missing: tuple[c.Side, ...], score: str
) -> None:
    table = Table(laws, **HALF_AN_HOUR).wait(10 * MINUTE)
    for side in missing:
        table.rule("absent", side=side)
    assert table.proposed == []
    table.wait(30 * MINUTE)
    assert table.proposed == [(score, "forfeit")]
    assert table.rule("uphold").result == (score, "forfeit")


def test_of_both_who_are_late_one_after_the_other_one_result_is_proposed_in_place_of_the_other() -> None:
    table = Table("fide-2023", **HALF_AN_HOUR).wait(31 * MINUTE)
    table.rule("absent", side="black").rule("arrived", side="white").rule("absent", side="black")
    assert table.proposed == [("-+", "forfeit"), ("+-", "forfeit"), ("--", "forfeit")]
    assert len(table.game.state.notices) == 1
    assert table.rule("uphold").result == ("--", "forfeit")


def test_who_came_in_time_is_not_asked_for() -> None:
    """He may think about his first move for as long as his clock runs."""
    table = Table("fide-2023", **HALF_AN_HOUR).wait(5 * MINUTE).rule("absent", side="white")
    table.wait(5 * MINUTE).rule("arrived", side="white").wait(40 * MINUTE)
    assert (table.proposed, [each.came for each in table.all(c.Arrival)]) == ([], [False, True])


def test_who_has_moved_was_there() -> None:
    table = Table("fide-2023", **HALF_AN_HOUR).play("e2e4", "e7e5").rule("absent", side="black").wait(40 * MINUTE)
    assert table.rule("arrived", side="black").proposed == []


def test_the_arbiter_may_let_him_play() -> None:
    table = Table("fide-2023").wait(5 * MINUTE).rule("arrived", side="white").rule("dismiss")
    assert table.play("e2e4").rule("absent", side="black").rule("dismiss").play("e7e5").result is None
    assert table.all(c.Completed)[-1].uci == "e7e5"
