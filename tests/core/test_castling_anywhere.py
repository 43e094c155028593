"""Castling of chess960 on boards that see no kinds: where it looks like another move, or like none at all."""

import pytest
from shorthand import CLOCK, only, play

from controller import contract as c
from controller.errors import LogError
from controller.match import game_of

SWAP = "qnrknbbr/pppppppp/8/8/8/8/PPPPPPPP/QNRKNBBR w KQkq - 0 1"  # king d1, rook c1
STEP = "nqnbrkbr/pppppppp/8/8/8/8/PPPPPPPP/NQNBRK1R w H - 0 1"  # king f1, rook h1
ONTO = "4k3/8/8/8/8/8/PPP5/4K1R1 w G - 0 1"  # king e1 to g1, where his rook stands
AWAY = "4qk1r/pppppppp/8/8/8/8/PPPPPPPP/4QK1R w Hh - 0 1"  # rook h8, which comes to the king's square, f8
BESIDE = "5kr1/pppppppp/8/8/8/8/PPPPPPPP/4K3 w g - 0 1"  # king f8 and rook g8 change places
ACCUSED = (c.Violation, c.Illegal, c.Penalty)


def told(log: str, fen: str, **fields: object) -> tuple[list[str], list[str]]:
    """The moves that stand in the end, and who is accused of what."""
    events = play(log, fen, variant="chess960", **fields)
    record: list[str] = []
    for event in events:
        if isinstance(event, c.Move):
            record.append(event.uci)
        elif isinstance(event, c.Retract):
            record.pop()
    return record, [event.kind for event in events if isinstance(event, ACCUSED)]


@pytest.mark.parametrize("clock", [None, CLOCK])
def test_a_sleeve_that_brushes_king_and_rook_castles_nobody(clock: str | None) -> None:
    log = "1000 lift d1; 1015 lift c1; 1060 place d1; 1075 place c1; 3000 lift e2; 3600 place e4; 4500 press white"
    assert told(log, SWAP, clock=clock) == (["e2e4"], [])


def test_king_and_rook_put_straight_have_not_castled() -> None:
    log = """500 adjust white; 1000 lift d1; 1500 place d1; 2000 lift c1; 2500 place c1;
             4000 lift e2; 4600 place e4; 5500 press white"""
    assert told(log, SWAP, clock=CLOCK) == (["e2e4"], [])


def test_what_was_put_straight_has_castled_if_the_clock_is_pressed_then() -> None:
    log = """500 adjust white; 1000 lift d1; 1300 lift c1; 1800 place d1; 2200 place c1; 3000 press white;
             6000 lift e7; 6600 place e5; 7500 press black"""
    assert told(log, SWAP, clock=CLOCK) == (["d1c1", "e7e5"], [])


def test_king_and_rook_one_after_the_other_put_back_have_not_castled() -> None:
    """He owes castling by that, and nothing has been made."""
    log = "1000 lift d1; 2000 place d1; 3000 lift c1; 4000 place c1"
    assert told(log, SWAP) == ([], [])
    owed = only(c.Obligation, play(log, SWAP, variant="chess960"))[-1]
    assert (owed.must, owed.moves) == ("castle", ["d1c1"])


@pytest.mark.parametrize(
    ("log", "played"),
    [
        ("1000 lift e1; 1800 lift g1; 2500 place f1; 3200 place g1; 4000 press white", "e1g1"),
        ("1000 lift e1; 1800 lift g1; 2500 place g1; 3200 place f1; 4000 press white", "e1g1"),
        ("1000 lift e1; 1800 place f1; 3000 press white", "e1f1"),  # the same squares, and the rook never left
    ],
)
def test_a_king_who_goes_where_his_rook_stands_looks_like_one_who_steps_aside(log: str, played: str) -> None:
    assert told(log, ONTO, clock=CLOCK) == ([played], [])


@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
@pytest.mark.parametrize("clock", [None, CLOCK])
def test_a_step_is_the_king_s_move_once_another_piece_is_touched(senses: c.Senses, clock: str | None) -> None:
    king, pawn = {"occupancy": ("", ""), "colour": ("w", "b"), "identity": ("K", "p")}[senses]
    log = f"1000 lift f1; 1800 place g1 {king}; 3000 press white; 5000 lift e7; 5600 place e5 {pawn}; 6500 press black"
    assert told(log, STEP, clock=clock, senses=senses) == (["f1g1", "e7e5"], [])


def test_after_his_step_the_king_owes_that_or_castling() -> None:
    owed = only(c.Obligation, play("1000 lift f1; 1800 place g1", STEP, variant="chess960", clock=CLOCK))[-1]
    assert (owed.must, owed.moves, owed.article) == ("move", ["f1g1", "f1h1"], "4.7")


def test_a_king_moved_on_after_his_step_has_broken_the_rule() -> None:
    fen = STEP.replace("PPPPPPPP/NQNBRK1R", "PPPPPP1P/NQNBRK1R")
    log = "1000 lift f1; 1800 place g1 K; 3000 lift g1; 3800 place g2 K; 5000 press white"
    assert told(log, fen, clock=CLOCK, senses="identity") == (["f1g2"], ["released-move"])


def test_no_match_is_played_so() -> None:
    with pytest.raises(LogError, match="not as chess960"):
        game_of(c.Session(version=1, match="bughouse", variant="chess960"))


@pytest.mark.parametrize(
    ("fen", "log"),
    [
        (AWAY, "5000 place g8; 5400 lift h8; 6000 place f8; 6100 press black"),
        (BESIDE, "4900 lift g8; 5400 place g8; 6000 place f8; 6100 press black"),
    ],
)
@pytest.mark.parametrize("lands", [4200, 4440])  # before and after the press
def test_a_king_taken_up_just_before_it_is_his_turn_castles_all_the_same(fen: str, log: str, lands: int) -> None:
    begun = [(3700, "lift e2"), (4386, "lift f8"), (4387, "press white"), (lands, "place e3")]
    first = "; ".join(f"{ms} {what}" for ms, what in sorted(begun))
    moves, accused = told(f"{first}; {log}", fen, clock=CLOCK)
    assert (len(moves), accused) == (2, []), moves
