"""What the clocks are proposed to show once a ruling has returned the game to an earlier position (7.1)."""

from at_the_board import Table

from controller import contract as c
from controller.laws.editions import MINUTE

CHECK = "4k3/8/8/8/4r3/2N5/8/4K3 w - - 0 1"  # the knight must parry


def test_the_clocks_are_proposed_as_they_were_when_the_position_arose() -> None:
    table = Table("fide-2018", CHECK, clock="5400+30").play("c3e2", "e8d8")
    was = table.all(c.Completed)[-1]
    table.play("e2c8").rule("uphold")
    shown = table.all(c.Displaced)[-1]
    assert was.white_ms is not None
    assert (shown.squares, shown.white_ms, shown.black_ms) == (["e2", "c8"], was.white_ms, was.black_ms + 2 * MINUTE)
    assert table.left("white") != shown.white_ms, "nobody sets them but the arbiter"


def test_at_the_first_move_they_are_proposed_as_they_began() -> None:
    shown = Table("fide-2018", CHECK, clock="5400+30").play("c3b5").rule("uphold").all(c.Displaced)[-1]
    assert (shown.white_ms, shown.black_ms) == (5_430_000, 5_430_000 + 2 * MINUTE)


def test_every_penalty_since_the_position_arose_is_in_the_proposal_and_none_taken_back() -> None:
    table = Table("fide-2005", CHECK, clock="5400+30").play("c3b5").rule("uphold", "undo", "uphold")
    table.make("b5c3").rule("resume").play("c3b5").rule("uphold")
    shown = table.all(c.Displaced)[-1]
    assert (shown.white_ms, shown.black_ms) == (5_430_000, 5_430_000 + 4 * MINUTE)


def test_times_that_the_arbiter_has_set_or_given_since_the_position_arose_are_in_the_proposal() -> None:
    table = Table("fide-2018", CHECK, clock="5400+30").play("c3e2", "e8d8")
    table.rule("set-clock", white_ms=10 * MINUTE, black_ms=20 * MINUTE).rule("set-clock", white_add_ms=MINUTE)
    shown = table.play("e2c8").rule("uphold").all(c.Displaced)[-1]
    assert (shown.white_ms, shown.black_ms) == (11 * MINUTE, 22 * MINUTE)


def test_a_proposal_that_was_set_is_what_the_next_one_starts_from() -> None:
    """The penalty is in it already, and not given once more."""
    table = Table("fide-2005", CHECK, clock="5400+30").play("c3b5").rule("uphold")
    first = table.all(c.Displaced)[-1]
    table.rule("set-clock", white_ms=first.white_ms, black_ms=first.black_ms).make("b5c3").rule("resume")
    second = table.play("c3b5").rule("uphold").all(c.Displaced)[-1]
    assert (second.white_ms, second.black_ms) == (first.white_ms, first.black_ms + 2 * MINUTE)


def test_pieces_displaced_by_a_sleeve_say_nothing_of_the_clocks() -> None:
    table = Table("fide-2018").give(c.Lift, square="h7").give(c.Place, square="h5").wait(1000)
    assert [(d.squares, d.white_ms) for d in table.all(c.Displaced)] == [(["h5", "h7"], None)]
