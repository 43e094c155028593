"""The clock given back after an illegal move, and the correction that is then made without a ruling (7.5.1, 7.5.3).

The press back is an accident or a courtesy: a press without a move, which a person rules, and nothing more. The illegal
move stands no firmer by it.
"""

import pytest
from at_the_board import ALL, FROM_2014, NEW, OLD, Table

from controller import contract as c

KNIGHT_MUST_PARRY = "4k3/8/8/8/4r3/2N5/8/4K3 w - - 0 1"
EVERY_EDITION = pytest.mark.parametrize("laws", ALL)


def given_back(laws: c.Edition) -> Table:
    """White's knight ignored a check, he pressed, and so did Black at once."""
    return Table(laws, KNIGHT_MUST_PARRY).play("c3b5").give(c.Press, side="black")


def counted(table: Table) -> list[tuple[str, str, int]]:
    return [(said.side, said.kind, said.count) for said in table.all(c.Illegal) if said.completed]


@EVERY_EDITION
@pytest.mark.parametrize("way", ["straight", "by its own square", "in a hurry"])
def test_the_correction_is_made_and_completed(laws: c.Edition, way: str) -> None:
    table = given_back(laws)
    if way == "by its own square":
        table.make("b5c3", "c3e2")
    elif way == "straight":
        table.make("b5e2")
    else:
        table.give(c.Lift, square="b5").give(c.Place, square="e2")
        table.ms -= 900
    table.give(c.Press, side="white")
    assert [(move.uci, move.legal) for move in table.all(c.Move)] == [("c3e2", True)]
    assert [done.uci for done in table.all(c.Completed)] == ["c3e2"]
    assert table.game.state.counts["white"] == 1
    assert "b5" not in [touch.square for touch in table.all(c.Touch)]


@EVERY_EDITION
def test_another_illegal_move_in_its_place_is_the_second_and_not_out_of_turn(laws: c.Edition) -> None:
    table = given_back(laws).make("b5a6").give(c.Press, side="white")
    assert [one for one in counted(table) if one[0] == "white"] == [
        ("white", "illegal-move", 1),
        ("white", "illegal-move", 2),
    ]
    assert "out-of-turn" not in [broken.kind for broken in table.all(c.Violation)]
    price = "loss" if laws in FROM_2014 else "time"
    assert [kind for side, kind, _ in table.penalties() if side == "white"] == ["time", price]


@pytest.mark.parametrize("laws", NEW)
def test_pressing_once_more_with_nothing_corrected_is_a_press_without_a_move(laws: c.Edition) -> None:
    table = given_back(laws).give(c.Press, side="white")
    assert counted(table) == [("white", "illegal-move", 1), ("black", "no-move", 1), ("white", "no-move", 2)]


@pytest.mark.parametrize("laws", OLD)
def test_pressing_once_more_is_misuse_of_the_clock_up_to_2014(laws: c.Edition) -> None:
    table = given_back(laws).give(c.Press, side="white")
    assert [(broken.side, broken.kind) for broken in table.all(c.Violation)] == [
        ("black", "clock-misuse"),
        ("white", "clock-misuse"),
    ]


@pytest.mark.parametrize("laws", NEW)
def test_the_ruling_on_the_illegal_move_settles_the_press_back_too(laws: c.Edition) -> None:
    table = given_back(laws).rule("uphold").make("b5c3").rule("resume").play("c3e2")
    assert table.penalties("applied") == [("white", "time", 120_000)]
    assert table.game.state.counts == {"white": 1, "black": 0}
    assert not table.game.state.notices


@pytest.mark.parametrize("laws", NEW)
def test_where_the_illegal_move_is_let_stand_the_opponent_has_the_move(laws: c.Edition) -> None:
    table = given_back(laws).rule("dismiss", "dismiss").make("e4e3")
    assert [(move.uci, move.legal) for move in table.all(c.Move)] == [("c3b5", False), ("e4e3", True)]
    assert table.game.state.counts == {"white": 0, "black": 0}


# -- after a press without a move ----------------------------------------------------------------------------------

ITALIAN = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"


@EVERY_EDITION
def test_who_pressed_without_a_move_and_gets_the_clock_back_is_held_to_what_he_had_touched(laws: c.Edition) -> None:
    table = Table(laws, ITALIAN).touch("f3").give(c.Press, side="white").give(c.Press, side="black")
    assert table.play("d2d3").all(c.Violation)[-1].kind == "touch-move"
    assert [done.uci for done in table.all(c.Completed)] == ["d2d3"]


@EVERY_EDITION
def test_the_right_to_capture_en_passant_outlasts_two_presses_without_a_move(laws: c.Edition) -> None:
    table = Table(laws, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2")
    table.give(c.Press, side="white").give(c.Press, side="black")
    table.make("e5d6").give(c.Lift, square="d5").give(c.Press, side="white")
    assert [done.uci for done in table.all(c.Completed)] == ["e5d6"]


@pytest.mark.parametrize("laws", NEW)
def test_each_of_the_two_presses_counts_and_awaits_a_ruling_of_its_own(laws: c.Edition) -> None:
    table = Table(laws, ITALIAN).give(c.Press, side="white").give(c.Press, side="black").play("d2d3", "g8f6")
    assert counted(table) == [("white", "no-move", 1), ("black", "no-move", 1)]
    table.rule("uphold", "dismiss", "resume")
    assert table.penalties("applied") == [("white", "time", 120_000)]
    assert table.game.state.counts == {"white": 1, "black": 0}
    assert table.all(c.Retract) == [], "the moves made since are good"


@pytest.mark.parametrize("laws", NEW)
@pytest.mark.parametrize("rulings", [("dismiss",), ("pause", "dismiss", "resume")], ids=["in play", "in a pause"])
def test_a_press_without_a_move_that_is_no_fault_leaves_the_player_the_move(
    laws: c.Edition, rulings: tuple[str, ...]
) -> None:
    table = Table(laws, ITALIAN).give(c.Press, side="white").rule(*rulings).play("d2d3", "g8f6")
    assert [done.uci for done in table.all(c.Completed)] == ["d2d3", "g8f6"]
    assert (table.all(c.Displaced), table.all(c.Violation), table.game.state.counts["white"]) == ([], [], 0)


@pytest.mark.parametrize("laws", NEW)
def test_what_he_touched_before_that_press_binds_him_still(laws: c.Edition) -> None:
    table = Table(laws, ITALIAN).touch("f3").give(c.Press, side="white").rule("dismiss").play("d2d3")
    assert table.all(c.Violation)[-1].kind == "touch-move"


def test_that_press_is_no_move_towards_the_control() -> None:
    """Two moves in 60 s: the press without a move is none of them."""
    table = Table("fide-2023", clock="2/60:600").give(c.Press, side="white").rule("dismiss").play("e2e4", "e7e5")
    assert table.wait(70_000).proposed == [("0-1", "time")]


@pytest.mark.parametrize("laws", NEW)
def test_the_dismissal_taken_back_it_awaits_its_ruling_again(laws: c.Edition) -> None:
    table = Table(laws, ITALIAN).give(c.Press, side="white").rule("dismiss", "undo", "uphold")
    assert table.penalties("applied") == [("white", "time", 120_000)]
    assert table.rule("resume").play("d2d3").all(c.Completed)[-1].uci == "d2d3"


@pytest.mark.parametrize("laws", NEW)
def test_once_the_opponent_has_replied_the_dismissal_moves_nothing(laws: c.Edition) -> None:
    table = Table(laws, ITALIAN).give(c.Press, side="white").play("g8f6").rule("dismiss").play("d2d3")
    assert [done.uci for done in table.all(c.Completed)] == ["g8f6", "d2d3"]


# -- on the opponent's time ----------------------------------------------------------------------------------------

EN_PASSANT = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2"


@EVERY_EDITION
@pytest.mark.parametrize("by", [None, "white", "black"])
def test_the_pawn_forgotten_when_capturing_en_passant_is_taken_off_after_the_press(
    laws: c.Edition, by: c.Side | None
) -> None:
    """Whoever takes it off: that finishes the capture, and is no touch of Black's who now moves his king."""
    table = Table(laws, EN_PASSANT).play("e5d6").give(c.Lift, square="d5", side=by).wait(1000).play("e8f7")
    assert [move.uci for move in table.all(c.Move)] == ["e5d6", "e8f7"]
    assert [touch.square for touch in table.all(c.Touch)] == ["e5", "e8"]
    assert table.all(c.Violation) == []
    assert counted(table) == [("white", "unfinished-capture", 1)]


@EVERY_EDITION
def test_the_forgotten_pawn_may_also_move_on(laws: c.Edition) -> None:
    table = Table(laws, EN_PASSANT).play("e5d6").make("d5d4")
    assert [(move.uci, move.side) for move in table.all(c.Move) if move.legal] == [("d5d4", "black")]


@EVERY_EDITION
@pytest.mark.parametrize("by", [None, "white"])
def test_a_correction_on_the_opponents_time_is_not_out_of_turn(laws: c.Edition, by: c.Side | None) -> None:
    table = Table(laws, KNIGHT_MUST_PARRY).play("c3b5")
    table.give(c.Lift, square="b5", side=by).give(c.Place, square="e2", side=by).wait(1000)
    assert [move.uci for move in table.all(c.Move)] == ["c3e2"]
    assert table.all(c.Violation) == []
