"""What makes no difference makes none: a match is judged as a game of its own, chess960 from the usual array as
ordinary chess, a ruling taken back as if it had not been given, a pause with a piece in the hand as none.
"""

import pytest
from shorthand import CLOCK, only, play, record
from two_boards import Played

from controller import contract as c

MOVED_ON = "1000 lift e2; 1500 place e3; 2300 lift e3; 2700 place e4; 3500 press white"
"""The pawn was released on e3, and moved on."""

ANOTHER = "1000 lift h2; 1500 place h3; 2300 lift h3; 2700 place h2; 3000 lift g2; 3400 place g4; 3900 press white"
"""The pawn that was released was put back, and another one moved."""

PLAYED_ON = "5000 lift e7; 5500 place e5; 6300 press black; 8000 lift b1; 8500 place c3; 9300 press white"


def on_board_a(log: str) -> str:
    """The same as the first board of a match reports it."""
    return "; ".join(" ".join([words[0], "A", *words[1:]]) for part in log.split(";") if (words := part.split()))


@pytest.mark.parametrize(("log", "moves"), [(MOVED_ON, ["e2e4", "e7e5", "b1c3"]), (ANOTHER, ["g2g4", "e7e5", "b1c3"])])
def test_what_stands_is_the_move_once_the_opponent_touches_a_piece_on_a_board_of_a_match_too(
    log: str, moves: list[str]
) -> None:
    alone = play(f"{log}; {PLAYED_ON}", clock="180")
    match = Played(on_board_a(f"{log}; {PLAYED_ON}"))
    assert record(alone) == match.moves("A") == moves
    assert [each.kind for each in match.all(c.Violation)] == ["released-move"]
    assert match.all(c.Illegal) == []


def test_but_not_where_another_piece_would_lie_in_stock_then() -> None:
    """The knight was released on f3, and takes on e5 instead: the partner may have dropped what he has by now."""
    log = "1000 A lift g1; 1500 A place f3; 2300 A lift f3; 2500 A lift e5; 2900 A place e5; 3500 A press white"
    fen = "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 2"
    match = Played(f"{log}; 5000 A lift b8; 5500 A place c6; 6300 A press black", a=fen)
    assert match.moves("A") == ["g1f3", "b8c6"]
    assert match.all(c.Illegal) == []


def test_a_castling_that_was_half_done_at_the_press_is_finished_after_the_reply_on_a_board_of_a_match_too() -> None:
    fen = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R[] w KQkq - 4 4"
    log = "1000 lift e1; 1500 place g1; 2500 press white; 4000 lift a7; 4500 place a6; 5300 press black"
    log += "; 6000 lift h1; 6500 place f1; 8500 lift d2; 9000 place d3; 9800 press white"
    match = Played(on_board_a(log), a=fen)
    assert record(play(log, fen.replace("[]", ""), clock="180")) == match.moves("A") == ["e1g1", "a7a6", "d2d3"]
    assert [each.kind for each in match.all(c.Illegal)] == ["unfinished-castling"]


@pytest.mark.parametrize(("variant", "castling"), [("standard", "e1c1"), ("chess960", "e1a1")])
def test_castling_stands_instead_of_a_released_move_from_any_array(variant: str, castling: str) -> None:
    fen = "rnbqkbnr/pppppppp/8/8/8/2NQB3/PPPPPPPP/R3KBNR w KQkq - 0 1"
    log = "1000 lift g1; 1450 place f3; 2185 lift f3; 2531 place g1; 3407 lift e1; 3757 place c1; 4061 lift a1"
    log += "; 4626 place d1; 5300 press white; 6343 lift e7; 6781 place e5; 7500 press black"
    assert record(play(log, fen, variant=variant, clock=CLOCK)) == [castling, "e7e5"]


def test_a_ruling_taken_back_gives_back_what_stood_instead_of_a_released_move() -> None:
    log = f"{MOVED_ON}; 5000 lift e7; 5500 place e5; 6300 press black"
    before = play(log, clock=CLOCK)
    events = play(f"{log}; 7000 arbiter uphold; 7500 arbiter undo", clock=CLOCK)
    assert record(events) == record(before) == ["e2e4", "e7e5"]
    told = only(c.Completed, events)
    assert [(each.uci, each.white_ms, each.black_ms) for each in told[-2:]] == [
        (each.uci, each.white_ms, each.black_ms) for each in only(c.Completed, before)[-2:]
    ]
    assert [each.article for each in only(c.Displaced, events) if each.ms == 7500] == [], "no array was set right"


@pytest.mark.parametrize("paused", ["1022 arbiter pause; 1022 arbiter resume", "1060 pause black; 1700 arbiter resume"])
def test_a_king_in_the_hand_while_the_clocks_stood_was_touched_before_the_rook(paused: str) -> None:
    fen = "4k2r/pppp1ppp/8/8/8/8/PPPP1PPP/4K2R w Kk - 0 1"
    log = f"1000 lift e1; {paused}; 1800 place g1; 2105 lift h1; 2700 place f1; 3500 press white"
    events = play(log, fen, clock=CLOCK)
    assert (record(events), only(c.Violation, events)) == (["e1g1"], [])


TWO_QUEENS = "Q7/3k4/8/8/8/8/5K1Q/6rr w - - 0 5"
TOUCHED = "740 lift a8; 1156 place h4 Q; 2006 lift h4; 2569 place a8 Q"
TAKEN = "3225 lift h2; 3763 lift h1; 4301 place h1 Q; 5173 press white; 7729 lift d7; 8007 place d6 k; 8904 press black"


def test_a_story_by_which_the_other_queen_stood_there_does_not_take_the_place_of_what_was_told() -> None:
    """That an illegal move was released is known to everybody, and is held against no story."""
    events = play(f"{TOUCHED}; {TAKEN}; 10969 arbiter uphold", TWO_QUEENS, senses="identity", clock=CLOCK)
    (breach,) = only(c.Violation, events)
    assert (breach.kind, breach.uci) == ("touch-move", "h2h1")
    assert [each.uci for each in only(c.Retract, events)] == ["d7d6", "h2h1"], "that is what is upheld"
    assert record(events) == []
