"""What the clocks are proposed to show once a ruling has returned the game to an earlier position (7.1)."""

from at_the_board import Table

from controller import contract as c
from controller.laws.editions import MINUTE

CHECK = "4k3/8/8/8/4r3/2N5/8/4K3 w - - 0 1"  # the knight must parry


def test_the_clocks_are_proposed_as_they_were_when_the_rule_was_broken() -> None:
    """Who thinks for a while and then moves against the rules is not given back what he thought."""
    table = Table("fide-2018", CHECK, clock="5400+30").play("c3e2", "e8d8")
    was = table.all(c.Completed)[-1]
    table.wait(600_000).play("e2c8").wait(300_000).rule("uphold")
    shown = table.all(c.Displaced)[-1]
    assert was.white_ms is not None
    assert was.black_ms is not None
    assert shown.squares == ["e2", "c8"]
    assert (shown.white_ms, shown.black_ms) == (was.white_ms - 605_000, was.black_ms + 2 * MINUTE)
    assert table.left("white") == shown.white_ms + 30_000, "nobody sets them but the arbiter"


def test_the_same_of_a_touched_piece_that_was_not_moved() -> None:
    """Not as they were when he touched it, and no more than that is taken for the time until somebody rules."""
    table = Table("fide-2018", "4k3/8/8/8/8/2N5/8/4K3 w - - 0 1", clock="5400+30").touch("c3").wait(60_000)
    table.make("e1e2").wait(90_000).rule("uphold")
    shown = table.all(c.Displaced)[-1]
    assert shown.squares == ["e1", "e2"]
    assert shown.white_ms is not None
    assert 0 <= (5_430_000 - 65_000) - shown.white_ms <= 500, "he moved after 65 s, and it was released then"
    assert shown.black_ms == 5_430_000


def test_every_penalty_since_is_in_the_proposal_and_none_taken_back() -> None:
    table = Table("fide-2005", CHECK, clock="5400+30").play("c3b5").rule("uphold", "undo", "uphold")
    white, black = table.left("white"), table.left("black")
    table.make("b5c3").rule("resume").play("c3b5").rule("uphold")
    shown = table.all(c.Displaced)[-1]
    assert (shown.white_ms, shown.black_ms) == (white - 4_000, black + 2 * MINUTE)


def test_times_that_the_arbiter_has_set_or_given_in_the_turn_are_in_the_proposal() -> None:
    table = Table("fide-2018", CHECK, clock="5400+30").play("c3e2", "e8d8")
    table.rule("set-clock", white_ms=10 * MINUTE, black_ms=20 * MINUTE).rule("set-clock", white_add_ms=MINUTE)
    shown = table.play("e2c8").rule("uphold").all(c.Displaced)[-1]
    assert (shown.white_ms, shown.black_ms) == (11 * MINUTE - 5_000, 22 * MINUTE)


def test_times_given_after_the_move_are_in_the_proposal() -> None:
    table = Table("fide-2018", CHECK, clock="5400+30").play("c3b5").rule("set-clock", black_add_ms=5 * MINUTE)
    shown = table.rule("uphold").all(c.Displaced)[-1]
    assert (shown.white_ms, shown.black_ms) == (5_426_000, 5_430_000 + 7 * MINUTE)


def test_a_proposal_that_was_set_is_what_the_next_one_starts_from() -> None:
    """The penalty is in it already, and not given once more."""
    table = Table("fide-2005", CHECK, clock="5400+30").play("c3b5").rule("uphold")
    first = table.all(c.Displaced)[-1]
    table.rule("set-clock", white_ms=first.white_ms, black_ms=first.black_ms).make("b5c3").rule("resume")
    second = table.play("c3b5").rule("uphold").all(c.Displaced)[-1]
    assert first.white_ms is not None
    assert (second.white_ms, second.black_ms) == (first.white_ms - 4_000, first.black_ms + 2 * MINUTE)


def test_times_are_proposed_also_where_the_game_returns_to_a_released_piece() -> None:
    """4.7: the pawn stood on e3, was moved on to e4 and pressed; upheld, it belongs on e3."""
    table = Table("fide-2018", clock="5400+30").make("e2e3").play("e3e4", "e7e5").rule("uphold")
    shown = table.all(c.Displaced)[-1]
    assert shown.article == "7.1"
    assert (shown.white_ms, shown.black_ms) != (None, None)


def test_once_play_is_resumed_nothing_is_proposed_any_more() -> None:
    """What is thought from then on is no more given back than before."""
    table = Table("fide-2018", CHECK, clock="5400+30").play("c3b5").rule("uphold").make("b5c3").rule("resume")
    table.wait(600_000).rule("pause").give(c.Lift, square="c3").give(c.Place, square="a4").rule("resume")
    shown = table.all(c.Displaced)[-1]
    assert (shown.squares, shown.white_ms, shown.black_ms) == (["c3", "a4"], None, None)


def test_nothing_is_proposed_where_a_move_is_taken_back_while_the_clocks_run() -> None:
    """Play goes on at once: what is thought from then on is the player's."""
    table = Table("fide-2018", clock="5400+30").play("e2e4").rule("undo").make("e4e2").wait(600_000).rule("pause")
    table.give(c.Lift, square="h7").give(c.Place, square="h5").rule("resume")
    assert {(each.white_ms, each.black_ms) for each in table.all(c.Displaced)} == {(None, None)}


def test_pieces_displaced_by_a_sleeve_say_nothing_of_the_clocks() -> None:
    table = Table("fide-2018").give(c.Lift, square="h7").give(c.Place, square="h5").wait(1000)
    assert [(d.squares, d.white_ms) for d in table.all(c.Displaced)] == [(["h5", "h7"], None)]
