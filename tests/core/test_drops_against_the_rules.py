"""Pieces put on the board that may not be dropped there or then, and what a press makes of them.

Each case was once judged wrongly. Numbers in brackets are the articles of the blitz à quatre.
"""

from typing import get_args

import pytest
from two_boards import Played

from controller import contract as c

ALL: tuple[c.Edition, ...] = get_args(c.Edition)
TAKES = "1000 A lift e4; 2500 A lift d5; 4000 A place d5"
PAWNS_MEET = "4k3/8/8/3p4/4P3/8/8/4K3[] w - - 0 1"
KNIGHT = "4k3/8/8/8/8/8/8/4K3[n] b - - 0 1"
PAWN = "4k3/8/8/8/8/8/3P4/4K3[N] w - - 0 1"
CLAIMED = "9000 A claim black illegal-move"


def completed(played: Played) -> list[tuple[str, bool]]:
    return [(e.kind, e.completed) for e in played.all(c.Illegal)]


@pytest.mark.parametrize("laws", ALL)
def test_18_who_names_a_piece_not_passed_on_yet_drops_no_other_that_he_has(laws: c.Edition) -> None:
    log = f"{TAKES}; 5500 B choose black p; 7000 B place a5; 8500 B press black; 9000 B claim white illegal-move"
    played = Played(log, a=PAWNS_MEET, b=KNIGHT, laws=laws)
    assert completed(played) == [("illegal-move", True)]
    assert [(p.side, p.kind) for p in played.all(c.Penalty)] == [("black", "loss")]
    assert played.moves("B") == []


def test_18_he_may_drop_him_as_soon_as_his_partner_has_pressed() -> None:
    log = f"{TAKES}; 5500 B choose black p; 7000 B place a5; 9000 A press white; 11000 B press black"
    played = Played(log, a=PAWNS_MEET, b=KNIGHT)
    assert (played.completed("B"), played.accusations) == (["P@a5"], [])


def test_7_who_named_another_than_he_has_may_say_so_until_he_presses() -> None:
    log = "1000 A choose white q; 2500 A place e6; 4000 A choose white n; 5500 A press white"
    played = Played(log, a="4k3/8/8/8/8/8/8/4K3[NP] w - - 0 1")
    assert (played.completed("A"), played.accusations) == (["N@e6"], [])


def test_7_what_the_board_sees_counts_for_more_than_the_button() -> None:
    played = Played("1000 A choose white q; 2500 A place e6 N; 5500 A press white", a=PAWN, senses="identity")
    assert (played.completed("A"), played.accusations) == (["N@e6"], [])


@pytest.mark.parametrize("laws", ALL)
def test_7_a_piece_of_the_stock_takes_the_place_of_no_own_piece(laws: c.Edition) -> None:
    log = f"1000 A lift d2; 2500 A place d2 N; 5500 A press white; {CLAIMED}"
    played = Played(log, a=PAWN, senses="identity", laws=laws)
    assert completed(played)[-1] == ("illegal-move", True)
    assert [(p.side, p.kind) for p in played.all(c.Penalty)] == [("white", "loss")]


def test_9_a_queen_in_wood_for_a_promoted_pawn_is_none_of_the_stock() -> None:
    log = "1000 A lift a8; 2500 A place a8 Q"
    played = Played(log, a="Q~5k1/8/8/8/8/8/8/7K[Q] w - - 0 1", senses="identity")
    assert [e.squares for e in played.all(c.Displaced)] == [["a8"]]
    assert played.accusations == []


@pytest.mark.parametrize("laws", ALL)
def test_7_a_named_piece_takes_nobody_on_a_board_that_sees_no_kinds(laws: c.Edition) -> None:
    log = f"1000 A choose white q; 2500 A lift g7; 4000 A place g7; 5500 A press white; {CLAIMED}"
    played = Played(log, a="6k1/5ppp/8/8/8/5N2/8/K5R1[Q] w - - 0 1", laws=laws)
    assert completed(played) == [("illegal-move", True)]
    assert [(p.side, p.kind) for p in played.all(c.Penalty)] == [("white", "loss")]


def test_7_but_he_may_put_that_piece_back_and_drop_his_own_elsewhere() -> None:
    log = "1000 A choose white n; 2500 A lift d5; 4000 A place d5; 5500 A place a4; 7000 A press white"
    played = Played(log, a="4k3/8/8/3p4/8/8/8/4K3[N] w - - 0 1")
    assert (played.completed("A"), played.accusations) == (["N@a4"], [])


@pytest.mark.parametrize(
    ("drop", "senses"),
    [
        ("1000 A place d5 side=black; 2500 A lift d5 side=black", "occupancy"),
        ("1000 A place d5 n; 2500 A lift d5", "identity"),
    ],
)
def test_17_a_drop_out_of_turn_binds_nobody(drop: str, senses: c.Senses) -> None:
    piece = " P" if senses == "identity" else ""
    log = f"{drop}; 4000 A lift e2; 5500 A place e4{piece}; 7000 A press white"
    played = Played(log, a="4k3/8/8/8/8/8/4P3/4K3[n] w - - 0 1", senses=senses)
    said = [(e.side, e.kind, e.squares, e.touched_ms) for e in played.all(c.Violation)]
    assert said == [("black", "out-of-turn", ["d5"], [1000])]
    assert played.completed("A") == ["e2e4"]
    assert {e.side for e in played.all(c.Obligation)} == {"white"}


SHUFFLE = [("g1", "f3"), ("g8", "f6"), ("f3", "g1"), ("f6", "g8")] * 3


@pytest.mark.parametrize(
    ("plies", "move", "verdict"),
    [(11, "f6g8", "referred"), (7, "f6g8", "rejected"), (11, "f6d5", "rejected"), (11, "zz", "rejected")],
)
def test_19_the_fourth_occurrence_may_be_the_one_of_the_move_written_down(plies: int, move: str, verdict: str) -> None:
    steps = [f"{1000 + 2000 * i} A lift {a}; {2000 + 2000 * i} A place {b}" for i, (a, b) in enumerate(SHUFFLE[:plies])]
    played = Played(f"{'; '.join(steps)}; 60000 A claim black fourfold move={move}", clock=None)
    assert [(e.verdict, e.article) for e in played.all(c.Claimed)] == [(verdict, "19")]


@pytest.mark.parametrize("kind", "np")
def test_18_an_illegal_move_may_be_answered_by_a_drop_of_the_kind_that_is_named(kind: str) -> None:
    illegal = "1000 A lift d2; 2500 A place g5; 4000 A press white"
    log = f"{illegal}; 5500 A choose black {kind}; 7000 A place e5; 8500 A press black"
    played = Played(log, a="4k3/8/8/8/8/8/3P4/4K3[np] w - - 0 1")
    assert played.moves("A") == ["d2g5", f"{kind.upper()}@e5"]
    assert not played.all(c.Ambiguous)
