"""Illegal positions that an arbiter finds: both kings in check, or a pawn on its last rank (from 2014 A.4, A.5)."""

from typing import Any

import pytest
from at_the_board import FROM_2014, Table, by_edition

from controller import contract as c

BOTH_IN_CHECK = "4k3/8/8/4r3/Q7/8/8/4K3 w - - 0 30"
PAWN_ON_ITS_LAST_RANK = "7k/8/8/8/8/8/8/K2p4 w - - 0 40"


def found(laws: c.Edition, fen: str, **session: Any) -> Table:
    return Table(laws, fen, **{"play": "rapid", "supervised": False, "clock": "900+10", **session})


@pytest.mark.parametrize(("laws", "clause"), by_edition("A.4d", "A.4.4", "A.5.4", of=FROM_2014).items())
@pytest.mark.parametrize(("fen", "move"), [(BOTH_IN_CHECK, "a4b5"), (PAWN_ON_ITS_LAST_RANK, "a1b1")])
def test_a_position_found_illegal_that_outlives_the_next_completed_move_is_drawn(
    laws: c.Edition, clause: str, fen: str, move: str
) -> None:
    table = found(laws, fen).make(move)
    assert table.proposed == []
    table.give(c.Press, side="white")
    assert (table.proposed, table.penalties()) == ([("1/2-1/2", "arbiter")], [])
    assert table.rule("uphold").result == ("1/2-1/2", "arbiter")
    assert table.all(c.Result)[-1].article == clause


@pytest.mark.parametrize("laws", FROM_2014)
def test_a_position_found_illegal_and_made_legal_is_played_on(laws: c.Edition) -> None:
    table = found(laws, BOTH_IN_CHECK).play("e1d1", "e8f7", "a4a5")
    assert (table.proposed, table.all(c.Illegal)) == ([], [])


PAWN_ABOUT_TO_PROMOTE = "7k/P5p1/8/8/8/8/6P1/6K1 w - - 0 1"


@pytest.mark.parametrize("laws", FROM_2014)
def test_a_pawn_left_on_its_last_rank_is_drawn_once_both_have_completed_a_move_more(laws: c.Edition) -> None:
    table = found(laws, PAWN_ABOUT_TO_PROMOTE, senses="identity").give(c.Lift, square="a7")
    table.give(c.Place, square="a8", piece="P").give(c.Press, side="white").give(c.Time)
    assert [i.kind for i in table.all(c.Illegal) if i.completed] == ["unfinished-promotion"]
    for origin, target, piece in (("h8", "h7", "k"), ("g1", "f1", "K")):
        assert table.proposed == []
        table.give(c.Lift, square=origin).give(c.Place, square=target, piece=piece)
        table.give(c.Press, side="white" if piece == "K" else "black")
    assert table.proposed == [("1/2-1/2", "arbiter")]


@pytest.mark.parametrize("laws", FROM_2014)
def test_a_king_left_in_check_is_no_position_to_be_found(laws: c.Edition) -> None:
    table = found(laws, "4k3/8/8/4r3/8/8/P7/4KB2 w - - 0 30").play("f1d3", "e8f8", "a2a3")
    assert table.proposed == []
    assert len([i for i in table.all(c.Illegal) if i.completed]) == 2


def test_a_press_without_a_move_completes_none() -> None:
    table = found("fide-2018", PAWN_ON_ITS_LAST_RANK).give(c.Press, side="white")
    assert ([i.kind for i in table.all(c.Illegal)], table.proposed) == (["no-move"], [])


def test_under_full_supervision_or_before_2014_nobody_draws_it() -> None:
    assert found("fide-2023", PAWN_ON_ITS_LAST_RANK, supervised=True).play("a1b1").proposed == []
    assert found("fide-2009", PAWN_ON_ITS_LAST_RANK).play("a1b1").proposed == []
