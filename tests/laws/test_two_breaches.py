"""Two rules broken by one move, and each ruled upon: a touched piece (4.3) and two hands (7.5.4)."""

import pytest
from at_the_board import Table

from controller import contract as c


def two_breaches() -> Table:
    """White touches his knight, and plays a pawn with two hands."""
    table = Table("fide-2023", clock="5400").touch("g1").make("d2d3")
    return table.rule("report", side="white", kind="two-hands").give(c.Press, side="white")


@pytest.mark.parametrize("first", ["uphold", "dismiss"])
def test_of_two_breaches_in_one_move_each_is_ruled_upon(first: str) -> None:
    """7.5.4: the illegal move counts, whatever becomes of the touched piece."""
    table = two_breaches().rule(first, "uphold").make("d3d2").rule("resume")
    assert table.penalties("applied") == [("white", "time", 120_000)]
    table.make("g1g3").give(c.Press, side="white")
    assert [said.count for said in table.all(c.Illegal) if said.completed] == [1, 2]
    assert table.penalties()[-1][1] == "loss"


def test_an_illegal_move_that_is_let_stand_is_completed_with_the_clocks_of_its_press() -> None:
    table = two_breaches().rule("dismiss")
    assert not table.all(c.Completed), "the other has still to be ruled upon"
    (done,) = table.rule("dismiss").all(c.Completed)
    assert (done.uci, done.white_ms) == ("d2d3", table.left("white"))
