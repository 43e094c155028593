"""A capture that nothing shows would end the game, and more is done on the board: that tells whether it was made."""

import pytest
from shorthand import CLOCK, accusations, only, play, record

from controller import contract as c

MATES = "r1bqkb1r/ppp2ppp/2np4/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4"
"""The queen mates on f7, and can take nothing else."""

DRAWS = "8/8/8/8/8/5p2/5K2/1k6 w - - 0 56"
"""The king takes the last pawn."""

EDITIONS = [("fide-2014", "clock-misuse"), ("fide-2023", "no-move")]


def said(events: list[c.AnyEvent]) -> list[tuple[str, str]]:
    return [(each.side, each.kind) for each in events if isinstance(each, c.Illegal | c.Violation)]


@pytest.mark.parametrize(("laws", "kind"), EDITIONS)
@pytest.mark.parametrize(("fen", "square"), [(MATES, "f3"), (DRAWS, "f2")])
def test_the_piece_put_back_has_ended_nothing(fen: str, square: str, laws: c.Edition, kind: str) -> None:
    events = play(f"1500 lift {square}; 2100 press white; 3600 place {square}", fen, clock=CLOCK, laws=laws)
    assert (record(events), said(events)) == ([], [("white", kind)])
    assert not only(c.Result, events)


@pytest.mark.parametrize(("laws", "kind"), EDITIONS)
def test_nor_has_one_that_is_set_down_elsewhere(laws: c.Edition, kind: str) -> None:
    events = play("1500 lift f3; 2100 press white; 5100 place h3", MATES, clock=CLOCK, laws=laws)
    assert (record(events), said(events)) == (["f3h3"], [("white", kind)])
    assert not only(c.Result, events)


def test_nor_one_that_the_opponent_has_taken_up_and_put_back() -> None:
    owed = "1500 lift f7; 2200 place f7; 3700 lift f3; 4400 place f3;"
    log = f"{owed} 5900 lift f3 side=black; 6600 place f3 side=black; 8100 lift f3; 8600 place h3; 9100 press white"
    events = play(log, MATES, clock=CLOCK)
    assert record(events) == ["f3h3"]
    assert said(events) == [("black", "out-of-turn"), ("white", "touch-move")]
    assert not only(c.Result, events)


@pytest.mark.parametrize(
    "afterwards",
    ["", "9000 lift e1; 9600 place d4; 10000 lift e8; 10700 place d5", "9000 place d1; 9500 lift f7; 10000 place f7"],
    ids=["nothing", "the kings in the middle", "set up again, a piece from beside the board first"],
)
def test_what_is_done_after_a_mate_leaves_it_one(afterwards: str) -> None:
    events = play(f"1500 lift f3; 2100 press white; {afterwards}", MATES, clock=CLOCK)
    assert (record(events), accusations(events)) == (["f3f7"], [])
    assert [(end.result, end.reason) for end in only(c.Result, events)] == [("1-0", "checkmate")]


SEEN = "1500 lift b8; 2000 lift b1; 2500 place b8;"
"""A rook takes on the last rank, before everybody's eyes, and mates."""


@pytest.mark.parametrize("clock", [None, CLOCK])
@pytest.mark.parametrize(
    "afterwards",
    [
        "3600 lift b8; 4300 place b1; 5000 lift h8; 5600 place g8",
        "4000 arbiter report side=white kind=two-hands; 4500 press white",
        "3600 lift h8; 4300 place g8; 5000 lift b8; 5600 place b7",
    ],
    ids=["the mate taken back to show a line", "it was given with both hands", "what would have been"],
)
def test_a_mate_that_was_seen_to_be_given_is_no_offence_whatever_follows(afterwards: str, clock: str | None) -> None:
    """Mate is given once the piece is released (5.1.1); that one hand has to do it (4.1) changes nothing of it."""
    events = play(f"{SEEN} {afterwards}; 12000 time", "1r5k/6pp/8/8/8/8/5PPP/1R4K1 w - - 0 1", clock=clock)
    assert (record(events), said(events)) == (["b1b8"], [])
    assert [(end.result, end.reason) for end in only(c.Result, events)] == [("1-0", "checkmate")]
