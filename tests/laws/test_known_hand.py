"""Whose hand it was, told by a camera or a person: it takes nothing away from what the board shows (4.4-4.7).

Each fault is the same whether the hand is named or only follows from what was done.
"""

import pytest
from at_the_board import ALL, Table

from controller import contract as c

CASTLING = "r3k2r/pppq1ppp/2npbn2/4p3/4P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 9"
PROMOTING = "8/P6k/6p1/8/8/8/8/K7 w - - 0 1"

EVERY_EDITION = pytest.mark.parametrize("laws", ALL)
WHOSE = pytest.mark.parametrize("by", [None, "white"])


def kinds(table: Table) -> set[str]:
    return {broken.kind for broken in table.all(c.Violation) if broken.side == "white"}


def carry(table: Table, by: c.Side | None, *steps: str) -> Table:
    """White's hand takes up and sets down, a piece from one square to another, and each time lets go."""
    for step in steps:
        table.give(c.Lift, square=step[:2], side=by)
        table.give(c.Place, square=step[2:4], piece=step[4:] or None, side=by)
        table.wait(0)
    return table


@EVERY_EDITION
@WHOSE
def test_the_king_that_follows_the_rook_castles_in_the_wrong_order(laws: c.Edition, by: c.Side | None) -> None:
    table = carry(Table(laws, CASTLING), by, "h1f1", "e1g1").give(c.Press, side="white")
    assert "castling-order" in kinds(table)
    assert [made.uci for made in table.all(c.Move)] == ["h1f1"]


@EVERY_EDITION
@WHOSE
def test_another_piece_in_place_of_the_one_promoted_to_is_a_changed_promotion(
    laws: c.Edition, by: c.Side | None
) -> None:
    table = carry(Table(laws, PROMOTING, senses="identity"), by, "a7a8Q", "a8a8N").give(c.Press, side="white")
    assert kinds(table) == {"promotion-changed"}
    assert [made.uci for made in table.all(c.Move)] == ["a7a8q"]


@EVERY_EDITION
@WHOSE
def test_a_released_piece_moved_on_is_no_hand_out_of_turn(laws: c.Edition, by: c.Side | None) -> None:
    assert kinds(carry(Table(laws), by, "d2d3", "d3d4").give(c.Press, side="white")) == {"released-move"}


@EVERY_EDITION
def test_a_king_known_to_be_lifted_after_a_rooks_move_and_put_elsewhere_is_out_of_turn(laws: c.Edition) -> None:
    table = carry(Table(laws, CASTLING), "white", "h1f1", "e1d1").give(c.Press, side="white")
    assert kinds(table) == {"out-of-turn"}
    assert [done.uci for done in table.all(c.Completed)] == ["h1f1"]


@EVERY_EDITION
@WHOSE
@pytest.mark.parametrize("shifted", ["f1e1", "g1h1"])
def test_of_a_castling_king_and_rook_are_released_both(laws: c.Edition, by: c.Side | None, shifted: str) -> None:
    table = carry(Table(laws, CASTLING), by, "e1g1", "h1f1", shifted).give(c.Press, side="white")
    assert kinds(table) == {"released-move"}
    assert [made.uci for made in table.all(c.Move)] == ["e1g1"]


def off(*lifted: str, by: c.Side = "black") -> Table:
    """Black has moved his pawn to e5 and pressed; his hand lifts these, one after the other, and puts them back."""
    table = Table("fide-2023").play("e2e4", "e7e5")
    for do in (c.Lift, c.Place):
        for square in lifted:
            table.give(do, square=square, side=by)
    return table


@pytest.mark.parametrize("lifted", [("e5",), ("e5", "b8"), ("b8", "e5")])
def test_pieces_off_by_the_opponents_hand_are_displaced_also_the_one_moved_last(lifted: tuple[str, ...]) -> None:
    """7.4: they are no move in progress of the player who has the move, whose hand it was not."""
    table = off(*lifted)
    assert sorted(lifted) in [sorted(said.squares) for said in table.all(c.Displaced)]
    assert len(table.all(c.Restored)) == 1
    assert kinds(table) == set()
    assert not [touch for touch in table.all(c.Touch) if touch.square in lifted]
    assert [broken.kind for broken in table.all(c.Violation)] == ["out-of-turn"]


def test_nor_is_the_move_wrong_that_is_made_while_that_one_is_off() -> None:
    table = Table("fide-2023").play("e2e4", "e7e5").give(c.Lift, square="e5", side="black").make("g1f3")
    table.give(c.Press, side="white").give(c.Place, square="e5", side="black").wait(1000)
    assert [done.uci for done in table.all(c.Completed)] == ["e2e4", "e7e5", "g1f3"]
    assert not [said for said in table.events if isinstance(said, c.Illegal)]


@EVERY_EDITION
@WHOSE
def test_a_pawn_named_beforehand_that_gives_way_to_its_piece_is_not_displaced(
    laws: c.Edition, by: c.Side | None
) -> None:
    table = Table(laws, PROMOTING).give(c.Choose, side="white", piece="q")
    carry(table, by, "a7a8", "a8a8").give(c.Press, side="white")
    assert [done.uci for done in table.all(c.Completed)] == ["a7a8q"]
    assert not table.all(c.Displaced)


OTHER = "rnbqk1nr/pppp1ppp/8/4p3/1b6/2N5/PPPPPPPP/R1BQKBNR w KQkq - 2 3"


@EVERY_EDITION
@WHOSE
@pytest.mark.parametrize("between_ms", [1000, 300, 50])
def test_another_piece_instead_of_the_one_released_is_one_breach(
    laws: c.Edition, by: c.Side | None, between_ms: int
) -> None:
    """4.7: however soon it follows, and not out of turn besides."""
    table = carry(Table(laws, OTHER, senses="identity"), by, "e2e4P")
    for way in ("e4e2P", "c3d5N"):
        table.ms += between_ms - 1000
        table.give(c.Lift, square=way[:2], side=by)
        table.ms -= 600
        table.give(c.Place, square=way[2:4], piece=way[4:], side=by)
    table.wait(0).give(c.Press, side="white")
    assert [(broken.side, broken.kind) for broken in table.all(c.Violation)] == [("white", "released-move")]


def test_once_he_has_pressed_a_hand_out_of_turn_is_an_act_of_its_own() -> None:
    table = carry(Table("fide-2023", OTHER), "white", "e2e4", "e4e3").give(c.Press, side="white")
    carry(table, "white", "b1b1")
    carry(table, "white", "g1g1")
    assert [broken.kind for broken in table.all(c.Violation)] == ["released-move", "out-of-turn"]


@EVERY_EDITION
@pytest.mark.parametrize("apart_ms", [0, 60, 500])
def test_pieces_swept_off_by_one_hand_are_out_of_turn_once(laws: c.Edition, apart_ms: int) -> None:
    """1.3: as long as some are off, what that hand takes up besides is the same act; put back, it is another."""
    table = Table(laws).play("e2e4", "e7e5")
    for square in ("a7", "b8", "e5"):
        table.ms += apart_ms - 1000
        table.give(c.Lift, square=square, side="black")
    table.wait(0)
    for square in ("a7", "b8", "e5"):
        table.give(c.Place, square=square, side="black")
    assert [broken.kind for broken in table.all(c.Violation)] == ["out-of-turn"]
    table.give(c.Lift, square="g8", side="black").give(c.Place, square="g8", side="black")
    assert [broken.kind for broken in table.all(c.Violation)] == ["out-of-turn", "out-of-turn"]


def test_who_has_pressed_and_takes_up_his_piece_again_does_so_out_of_turn() -> None:
    """1.3: he puts it back; before the press he may put it straight."""
    table = Table("fide-2023").make("e2e4").give(c.Lift, square="e4", side="white")
    table.give(c.Place, square="e4", side="white")
    assert not table.all(c.Violation)
    table.give(c.Press, side="white").give(c.Lift, square="e4", side="white").give(c.Place, square="e4", side="white")
    table.play("e7e5")
    (broken,) = table.all(c.Violation)
    assert (broken.side, broken.kind, broken.squares) == ("white", "out-of-turn", ["e4"])


def test_without_a_clock_so_does_who_has_released_it() -> None:
    table = Table("fide-2023", clock=None).make("e2e4")
    table.give(c.Lift, square="e4", side="white").give(c.Place, square="e4", side="white")
    (broken,) = table.all(c.Violation)
    assert (broken.side, broken.kind, broken.squares) == ("white", "out-of-turn", ["e4"])


def test_who_has_announced_it_is_told_of_once() -> None:
    table = Table("fide-2023").play("e2e4").give(c.Adjust, side="white")
    table.give(c.Lift, square="e4", side="white").give(c.Place, square="e4", side="white")
    assert [broken.kind for broken in table.all(c.Violation)] == ["adjust-out-of-turn"]


@pytest.mark.parametrize(("lifted", "elsewhere"), [("g1", "h3"), ("e4", "e3")])
def test_what_is_set_down_askew_after_jadoube_was_so_by_who_said_it(lifted: str, elsewhere: str) -> None:
    """4.2: nobody's hand is known, and Black has announced that he puts pieces straight."""
    table = Table("fide-2023").play("e2e4").give(c.Adjust, side="black")
    for square, to in ((lifted, elsewhere), (elsewhere, lifted)):
        table.give(c.Lift, square=square)
        table.ms -= 500
        table.give(c.Place, square=to)
        table.ms -= 300
    table.play("e7e5")
    assert not table.all(c.Violation)
    assert [done.uci for done in table.all(c.Completed)] == ["e2e4", "e7e5"]
