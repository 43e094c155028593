"""Play that goes on after a completed illegal move is followed from the position on the board (A.4.2, B.4).

Where the board sees no kinds, each piece that was set down is one that is missing, and no piece is there twice.
"""

from typing import get_args

import pytest
from at_the_board import ALL, Table

from controller import contract as c

EVERY_BOARD = pytest.mark.parametrize("senses", get_args(c.Senses))


def left_alone(laws: c.Edition, fen: str, senses: c.Senses, *carried: str) -> Table:
    """White's pieces are carried, each named as the board sees it; White presses, and Black answers with his king."""
    table = Table(laws, fen, "300", play="blitz", supervised=False, senses=senses)

    def carry(piece: str, way: str) -> None:
        seen = {"identity": piece, "colour": "w" if piece.isupper() else "b", "occupancy": None}[senses]
        table.give(c.Lift, square=way[:2]).give(c.Place, square=way[2:], piece=seen)

    for piece, way in (step.split() for step in carried):
        carry(piece, way)
    table.give(c.Press, side="white")
    carry("k", "e8e7")
    return table.give(c.Press, side="black")


def stands(table: Table) -> str:
    return table.all(c.Move)[-1].fen.split()[0]


@EVERY_BOARD
@pytest.mark.parametrize("laws", ALL)
@pytest.mark.parametrize(("side", "rank"), [(("K e1g1", "R h1f1"), "R4RK1"), (("K e1c1", "R a1d1"), "2KR3R")])
def test_the_king_and_the_rook_of_a_castling_whose_right_was_lost(
    laws: c.Edition, senses: c.Senses, side: tuple[str, ...], rank: str
) -> None:
    assert stands(left_alone(laws, "4k3/8/8/8/8/8/8/R3K2R w - - 0 1", senses, *side)).endswith(f"/{rank}")


@EVERY_BOARD
@pytest.mark.parametrize(("side", "played"), [(("K e1g1", "R h1f1"), "e1g1"), (("K e1c1", "R a1d1"), "e1c1")])
def test_it_is_told_as_what_it_was_and_completed_by_its_press_alone(
    senses: c.Senses, side: tuple[str, ...], played: str
) -> None:
    """An illegal move is completed as `illegal`; it stands once the answer is made (A.5.2)."""
    table = left_alone("fide-2023", "4k3/8/8/8/8/8/6P1/R3K2R w - - 0 1", senses, *side)
    table.give(c.Lift, square="g2").give(c.Place, square="g3", piece={"identity": "P", "colour": "w"}.get(senses))
    table.give(c.Press, side="white")
    assert [(move.uci, move.legal) for move in table.all(c.Move)] == [(played, False), ("e8e7", True), ("g2g3", True)]
    assert [move.uci for move in table.all(c.Completed)] == ["e8e7", "g2g3"]


@EVERY_BOARD
def test_of_two_pieces_carried_about_each_is_the_one_that_goes_so(senses: c.Senses) -> None:
    """The bishop ignores a check, and a knight goes along; in the order of the squares they would be exchanged."""
    table = left_alone("fide-2023", "4k3/8/8/8/8/8/4r3/BN2K3 w - - 0 1", senses, "B a1d4", "N b1c3")
    assert stands(table) == "8/4k3/8/8/3B4/2N5/4r3/4K3"


@EVERY_BOARD
def test_of_two_pieces_who_may_both_have_gone_there_it_is_the_one_lifted_last(senses: c.Senses) -> None:
    """The knight is put where no knight goes, then the king on a square that the knight could have reached."""
    table = left_alone("fide-2023", "4k3/8/8/8/4r3/8/4K3/1N6 w - - 0 1", senses, "N b1b3", "K e2d2")
    assert stands(table) == "8/4k3/8/8/4r3/1N6/3K4/8"


@EVERY_BOARD
@pytest.mark.parametrize(("fen", "carried", "rank"), [
    ("4k3/8/8/8/8/8/4P3/R3K2R w KQ - 0 1", ("K e1g1", "R h1e1"), "R3R1K1"),
    ("4k3/8/8/8/8/8/8/R2QK2R w KQ - 0 1", ("Q d1c3", "R a1d1"), "3RK2R"),
    ("4k3/8/8/8/8/8/8/1N2KB2 w - - 0 1", ("N b1c4", "B f1b1"), "1B2K3"),
])  # fmt: skip
def test_a_piece_who_stands_where_another_stood_that_went_elsewhere(
    senses: c.Senses, fen: str, carried: tuple[str, ...], rank: str
) -> None:
    """Each square looks as a board that sees no kinds may show it, with one of them filled by another piece."""
    assert stands(left_alone("fide-2023", fen, senses, *carried)).endswith(f"/{rank}")


@EVERY_BOARD
def test_a_piece_who_is_seen_to_land_before_he_leaves(senses: c.Senses) -> None:
    table = Table("fide-2023", "4k3/8/8/8/4r3/2N5/8/4K3 w - - 0 1", "300", senses=senses)
    table.give(c.Place, square="b5", piece={"identity": "N", "colour": "w"}.get(senses))
    table.ms -= 900  # a board may report both in any order, but within a moment
    table.give(c.Lift, square="c3")
    table.give(c.Press, side="white").rule("dismiss")
    assert [(move.uci, move.legal) for move in table.all(c.Move)] == [("c3b5", False)]
    assert table.fen.startswith("4k3/8/8/1N6/4r3/8/8/4K3 b")


def test_own_pieces_that_have_changed_places_are_an_illegal_move_at_the_press() -> None:
    """As a board shows that sees kinds. Before the first move they may have stood so."""
    table = Table("fide-2023", clock="300", senses="identity")
    for piece, way in (("P", "e2e4"), ("p", "e7e5")):
        table.give(c.Lift, square=way[:2]).give(c.Place, square=way[2:], piece=piece)
        table.give(c.Press, side="white" if piece == "P" else "black")
    table.give(c.Lift, square="a1").give(c.Lift, square="b1")
    table.give(c.Place, square="a1", piece="N").give(c.Place, square="b1", piece="R").give(c.Press, side="white")
    assert [(said.kind, said.count) for said in table.all(c.Illegal) if said.completed] == [("illegal-move", 1)]
