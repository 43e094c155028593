"""What a player or the arbiter says while the board leaves something open settles nothing that does not hang on it."""

import pytest
from shorthand import CLOCK, only, play, record

from controller import contract as c

TWO_CAPTURES = "rnbqkbnr/ppp1p1pp/8/3p1p2/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3"
"""The pawn on e4 may take on d5 or f5, and who is exchanged within a look shows nothing."""

TAKEN = "1000 lift e4; 3000 press white"
PLAYED_ON = (
    "8000 lift c7; 8700 place c6; 9400 press black; 10400 lift c6; 11100 lift d5; 11800 place c6; 12500 press white"
)

HARMLESS = [
    *(f"claim black {of}" for of in ("flag", "threefold", "fifty-moves", "quickplay", "illegal-move")),
    *("arbiter report side=black kind=disturbance", "arbiter arrived side=black", "draw black offer"),
]


@pytest.mark.parametrize("said", HARMLESS)
def test_which_piece_was_taken_is_told_by_later_play(said: str) -> None:
    events = play(f"{TAKEN}; 6000 {said}; {PLAYED_ON}", TWO_CAPTURES, clock=CLOCK)
    assert record(events) == ["e4d5", "c7c6", "d5c6"]
    assert only(c.Illegal, events) == []
    assert [each for each in only(c.Violation, events) if each.basis != "reported"] == []


@pytest.mark.parametrize("of", ["flag", "threefold", "quickplay"])
def test_who_claims_is_answered_at_once(of: str) -> None:
    events = play(f"{TAKEN}; 6000 claim black {of}; {PLAYED_ON}", TWO_CAPTURES, clock=CLOCK)
    (verdict,) = only(c.Claimed, events)
    assert (verdict.ms, verdict.verdict in ("rejected", "inadmissible")) == (6000, True)


def test_so_is_who_reports() -> None:
    said = "6000 arbiter report side=black kind=disturbance"
    events = play(f"{TAKEN}; {said}; {PLAYED_ON}", TWO_CAPTURES, clock=CLOCK)
    assert [(each.kind, each.ms) for each in only(c.Violation, events)] == [("disturbance", 6000)]
    assert [(each.kind, each.ms) for each in only(c.Penalty, events)] == [("discretion", 6000)]


def test_a_claim_that_hangs_on_it_is_decided_by_what_is_likeliest() -> None:
    """Who has touched the pawn on d5 breaks no rule if he took it, and one if he took the other."""
    log = "1000 lift d5; 1700 place d5; 2000 lift e4; 3000 press white; 6000 claim black touch-move; 9000 time"
    events = play(log, TWO_CAPTURES, clock=CLOCK)
    (verdict,) = only(c.Claimed, events)
    assert (verdict.verdict, verdict.ms, record(events)) == ("rejected", 6000, ["e4d5"])


# -- illegal castling: one act, and no other story ---------------------------------------------------------------------

CASTLING = "4k3/8/b7/8/8/8/3P1PPP/R3K2R w KQ - 0 1"
"""White may castle long, and the bishop guards f1."""

BOTH_MOVED = "1000 lift e1; 1060 lift h1; 2560 place g1; 2620 place f1"


def test_who_sets_down_king_and_rook_that_he_held_together_has_castled() -> None:
    """That he moved his rook alone, and the king after that, is no other story: he had both in his hand."""
    events = play(
        f"{BOTH_MOVED}; 5620 press white; 7000 lift e8; 8000 place e7; 9000 press black", CASTLING, clock=CLOCK
    )
    told = [(each.kind, each.completed, each.ms, each.uci) for each in only(c.Illegal, events)]
    assert told == [("illegal-move", False, 3020, None), ("illegal-move", True, 5620, "e1g1")]


@pytest.mark.parametrize(
    "meanwhile", ["3738 claim black flag", "6000 pause black; 7000 arbiter resume", "6000 claim black quickplay"]
)
@pytest.mark.parametrize("clock", [CLOCK, "900"])
def test_whatever_is_said_meanwhile(meanwhile: str, clock: str) -> None:
    events = play(f"{BOTH_MOVED}; {meanwhile}; 9000 press white", CASTLING, clock=clock)
    told = [(each.kind, each.completed, each.ms, each.uci) for each in only(c.Illegal, events)]
    assert told == [("illegal-move", False, 3020, None), ("illegal-move", True, 9000, "e1g1")], "each once"
    assert [each.kind for each in only(c.Penalty, events)] == ["time"]


def test_an_illegal_move_that_stands_is_not_told_again_when_play_is_resumed() -> None:
    events = play("1000 lift e2; 2560 place e5; 6000 pause black; 7000 arbiter resume; 9000 press white", clock=CLOCK)
    assert [(each.completed, each.ms) for each in only(c.Illegal, events)] == [(False, 2960), (True, 9000)]
