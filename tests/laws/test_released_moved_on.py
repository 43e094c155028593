"""A released piece is moved on (4.7), a promotion changed (4.4.4), a king moved after the rook (4.4.2): what the
opponent does meanwhile, and what becomes of it by a ruling."""

import pytest
from at_the_board import Table

from controller import contract as c

KNIGHT = "4k3/8/8/1b6/8/8/4N3/4K3 w - - 0 1"
QUEEN = "4k3/7p/3p4/8/8/8/3Q4/4K3 w - - 0 1"
OPENED = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"


def kinds(table: Table) -> list[str]:
    return [broken.kind for broken in table.all(c.Violation)]


def record(table: Table) -> list[str]:
    return [made.move.uci() for made in table.game.state.made]


def moved_on(laws: c.Edition = "fide-2023") -> Table:
    """White has released his knight on c3, moved it on to d4, and pressed."""
    return Table(laws, KNIGHT, clock="5400+30").make("e2c3").make("c3d4").give(c.Press, side="white")


@pytest.mark.parametrize("replies", [True, False])
def test_the_ruling_binds_the_opponent_to_nothing_that_he_did_meanwhile(replies: bool) -> None:
    """He did it in a position that has not come about."""
    table = moved_on()
    if replies:
        table.play("e8e7")
    else:
        table.give(c.Lift, square="e8").give(c.Place, square="e8")
    table.rule("uphold")
    assert record(table) == ["e2c3"]
    if replies:
        table.give(c.Lift, square="e7").give(c.Place, square="e8")
    table.give(c.Lift, square="d4").give(c.Place, square="c3").rule("resume").play("b5a6")
    assert record(table) == ["e2c3", "b5a6"]
    assert kinds(table) == ["released-move"]


def test_a_promotion_that_was_changed_ends_no_game_while_a_ruling_is_awaited() -> None:
    """Black touches his king; two knights would be a dead position."""
    table = Table("fide-2023", "8/P6k/8/8/8/8/8/K7 w - - 0 1", clock="5400+30", senses="identity")
    table.give(c.Lift, square="a7").give(c.Place, square="a8", piece="Q").give(c.Lift, square="a8")
    table.give(c.Place, square="a8", piece="N").give(c.Press, side="white")
    table.give(c.Lift, square="h7").give(c.Place, square="h7", piece="k")
    assert not table.all(c.Result)
    assert record(table.rule("uphold")) == ["a7a8q"]


def test_nor_does_it_where_the_arbiter_lets_it_stand_before_that_is_so() -> None:
    table = Table("fide-2023", "8/P6k/8/8/8/8/8/K7 w - - 0 1", clock="5400+30", senses="identity")
    table.give(c.Lift, square="a7").give(c.Place, square="a8", piece="Q").give(c.Lift, square="a8")
    table.give(c.Place, square="a8", piece="N").give(c.Press, side="white").rule("dismiss")
    assert [(over.result, over.reason) for over in table.all(c.Result)] == [("1/2-1/2", "dead-position")]


@pytest.mark.parametrize(("laws", "verdict"), [("fide-2005", "upheld"), ("fide-2009", "lapsed")])
def test_what_waits_for_a_claim_is_answered_by_the_edition_once_the_opponent_touches(
    laws: c.Edition, verdict: str
) -> None:
    """In 2005 the right to claim is lost for touched pieces alone (4.7), later for all of Article 4."""
    table = Table(laws, OPENED, clock="1500", play="rapid", supervised=False)
    table.make("d2d3").make("d3d4").give(c.Press, side="white")
    table.give(c.Lift, square="g8").give(c.Place, square="g8").claim("black", "touch-move")
    assert [said.verdict for said in table.all(c.Claimed)] == [verdict]


@pytest.mark.parametrize("senses", ["occupancy", "colour"])
@pytest.mark.parametrize("pressed", [True, False])
def test_a_promoted_piece_that_was_elsewhere_for_a_moment_keeps_its_name(senses: c.Senses, pressed: bool) -> None:
    table = Table("fide-2023", "4k3/P5pp/8/8/8/8/6PP/4K3 w - - 0 1", clock="5400+30", senses=senses)
    table.give(c.Choose, side="white", piece="n").make("a7a8")
    if pressed:
        table.give(c.Press, side="white")
    table.make("a8a6").make("a6a8")
    if not pressed:
        table.give(c.Press, side="white")
    table.play("e8e7", "a8b6")
    assert record(table) == ["a7a8n", "e8e7", "a8b6"]
    assert not table.all(c.Illegal)


def test_who_had_moved_on_what_he_took_with_does_not_make_that_move_in_his_next_turn() -> None:
    table = Table("fide-2023", QUEEN, clock="5400+30").make("d2d6").make("d6d5")
    table.give(c.Press, side="white").play("h7h6", "e1e2")
    assert record(table) == ["d2d6", "h7h6", "e1e2"]
    assert kinds(table) == ["released-move"]


def test_the_square_that_it_left_can_be_moved_to() -> None:
    table = Table("fide-2014", QUEEN.replace("7p", "3r3p"), clock="5400+30")
    table.make("d2d6").make("d6h6").give(c.Press, side="white").play("d7d6")
    assert record(table) == ["d2d6", "d7d6"]
    assert kinds(table) == ["released-move"]
