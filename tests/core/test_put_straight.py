"""Pieces that are put straight after "j'adoube" (4.2.1), one after the other or two at a time, bind nobody."""

import chess
import pytest
from shorthand import CLOCK, accusations, only, play, record, session

from controller import contract as c
from controller.game import Game

TAKES_C6 = "4k2r/3b1p2/r1p1pn1p/1p6/3B4/bP1P2P1/P2NP1B1/1K1R2NR w k - 0 20"
TAKES_F3 = "8/8/7k/8/6K1/3Q1q2/8/8 w - - 0 1"


def test_who_puts_his_piece_straight_after_the_one_that_it_attacks_has_not_taken_yet() -> None:
    """Seen by ten scans a second, his bishop is off as soon as the pawn stands again. Then he takes."""
    straight = {1453: chess.BB_C6, 1653: chess.BB_C6, 1753: chess.BB_G2, 2353: chess.BB_G2}
    changes = straight | {2753: chess.BB_C6, 3053: chess.BB_G2, 3353: chess.BB_C6}
    game, occupied, said = Game(session(TAKES_C6, clock=CLOCK)), chess.Board(TAKES_C6).occupied, list[c.AnyEvent]()
    for ms in range(53, 5000, 100):
        occupied ^= changes.get(ms, 0)
        item = c.Adjust(ms=ms, side="white") if ms == 1053 else c.Frame(ms=ms, occupied=f"{occupied:016x}")
        said += game.handle(c.Press(ms=ms, side="white") if ms == 3853 else item)
    said += game.finish()
    assert [(event.uci, event.ms > 3353) for event in only(c.Move, said)] == [("g2c6", True)]
    assert not [event for event in only(c.Touch, said) if event.side == "black"]
    assert not accusations(said)


@pytest.mark.parametrize("off_ms", [100, 300])
def test_who_holds_two_pieces_to_put_them_straight_owes_no_capture(off_ms: int) -> None:
    """The king might have taken the queen while both were off, and the other queen takes her at last, quickly or not:
    she who is taken is off for a moment, too."""
    straight = (
        "1000 adjust white; 1425 lift g4; 1525 lift f3; 1825 place f3; 2025 place g4; 2325 lift d3; 2825 place d3"
    )
    log = f"{straight}; 3325 lift d3; 3625 lift f3; {3625 + off_ms} place f3"
    events = play(log, TAKES_F3)
    assert (record(events), accusations(events)) == (["d3f3"], [])


PAWNS = "1000 lift e2; 1500 place e4; {white}3000 lift d7; 3500 place d5; {black}"
KNIGHT = "6500 lift g1; 7000 place f3; {white}15000 time"


@pytest.mark.parametrize(("clock", "off"), [(None, (4200, 4380)), (None, (4200, 4750)), (CLOCK, (4500, 4650))])
def test_who_straightens_the_piece_that_he_has_just_moved_binds_nobody_to_take_it(
    clock: str | None, off: tuple[int, int]
) -> None:
    """His hand has not left the board yet, though the opponent has the move."""
    log = PAWNS.format(white="2000 press white; " * bool(clock), black="4000 press black; " * bool(clock))
    knight = KNIGHT.format(white="7500 press white; " * bool(clock))
    events = play(f"{log}{off[0]} lift d5; {off[1]} place d5; {knight}", clock=clock)
    assert (record(events), accusations(events)) == (["e2e4", "d7d5", "g1f3"], [])


def test_who_takes_it_up_later_has_touched_it() -> None:
    log = PAWNS.format(white="2000 press white; ", black="4000 press black; ")
    knight = KNIGHT.format(white="7500 press white; ")
    events = play(f"{log}5400 lift d5; 5900 place d5; {knight}", clock=CLOCK)
    assert [said.kind for said in only(c.Violation, events)] == ["touch-move"]


@pytest.mark.parametrize(
    ("word", "accused"),
    [("5400 adjust white; ", []), ("", []), ("5400 adjust black; ", ["adjust-out-of-turn"])],
)
def test_three_that_were_felled_are_not_touched_whatever_is_said(word: str, accused: list[str]) -> None:
    """They leave at once, and are set up again; nobody takes up three so fast."""
    felled = f"5000 lift b1; 5040 lift c2; 5080 lift d1; {word}6300 place d1; 6900 place c2; 7400 place b1"
    bishop = "9500 lift f1; 10000 place b5; 10600 press white; 15000 time"
    log = PAWNS.format(white="2000 press white; ", black="4000 press black; ")
    events = play(f"{log}{felled}; {bishop}", clock=CLOCK)
    assert record(events) == ["e2e4", "d7d5", "f1b5"]
    assert [said.kind for said in only(c.Violation, events)] == accused


@pytest.mark.parametrize(
    ("felled", "back", "knight"),
    [
        (
            "5000 lift b1; 5055 lift c2; 5110 lift d1; 5165 lift e1; 5220 lift f1",
            "6300 place d1; 6900 place c2; 7400 place b1; 7700 place e1; 8000 place f1",
            ("g1", "f3"),
        ),
        (
            "5000 lift b1; 5051 lift c2; 5062 lift d1; 5066 lift e7; 5900 pause white",
            "6300 place d1; 6900 place c2; 7400 place b1; 7700 place e7; 8000 arbiter resume",
            ("b1", "c3"),
        ),
    ],
    ids=["five that leave one after the other", "their player stops the clocks to set them up"],
)
def test_nor_is_any_of_a_row(felled: str, back: str, knight: tuple[str, str]) -> None:
    log = PAWNS.format(white="2000 press white; ", black="4000 press black; ")
    move = f"9500 lift {knight[0]}; 10000 place {knight[1]}; 10600 press white; 15000 time"
    events = play(f"{log}{felled}; {back}; {move}", clock=CLOCK)
    assert (record(events), accusations(events)) == (["e2e4", "d7d5", "".join(knight)], [])


def test_who_holds_his_taker_already_touches_whom_he_takes_up_then() -> None:
    log = "1000 lift e2; 1500 place e4; 1600 press white; 1700 lift d7; 1900 place d5; 2000 press black; "
    events = play(f"{log}2500 lift e4; 2600 lift d5; 2900 place d5; 3100 place e5; 4500 press white", clock=CLOCK)
    assert [said.kind for said in only(c.Violation, events)] == ["touch-move"]
