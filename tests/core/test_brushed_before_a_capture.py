"""Somebody has his piece in hand, one of the opponent's is brushed that it might take, and then it takes another."""

from shorthand import CLOCK, accusations, only, play, record

from controller import contract as c

MATE_BESIDE = "rnbqk1nr/p2ppp2/2p4b/1p4Np/3P1Q2/8/PPP1PPPP/RNB1KB1R w KQkq - 2 6"
BRUSHED = "4122 lift f4; 4498 lift f7; 4544 place f7"


def test_a_mate_that_nobody_gave_ends_no_game() -> None:
    """Qf4xb8, with f7 brushed on the way: Qxf7 would be mate."""
    events = play(f"{BRUSHED}; 4815 lift b8; 5042 place b8; 5739 press white", MATE_BESIDE, clock=CLOCK)
    assert (record(events), accusations(events), only(c.Result, events)) == (["f4b8"], [], [])


def test_a_mate_that_was_given_so_does() -> None:
    events = play(f"{BRUSHED}; 5739 press white", MATE_BESIDE, clock=CLOCK)
    assert record(events) == ["f4f7"]
    assert [each.reason for each in only(c.Result, events)] == ["checkmate"]


def test_a_reply_to_it_is_one() -> None:
    """The pawn on a7, which the queen does not attack, is the opponent's to touch."""
    events = play(f"{BRUSHED}; 4815 lift a7; 5042 place a7; 5739 press white", MATE_BESIDE, clock=CLOCK)
    assert record(events) == ["f4f7"]


def test_who_is_drawn_over_a_square_has_not_been_set_down_there_when_the_other_is_taken() -> None:
    """Qd8xb6 over c7, whose sensor still shows her when b6 opens: the opponent does not reply so soon."""
    fen = "rn1qkb1r/p2p1p1p/bBpn2p1/4p3/5P1P/2NP3N/PPP1B1PR/R2QK3 b Qkq - 0 11"
    log = "5845 lift d8; 5875 place c7; 5975 lift b6; 5985 lift c7; 6675 place b6; 6959 press black"
    events = play(log, fen, clock=CLOCK)
    assert (record(events), accusations(events)) == (["d8b6"], [])


def test_who_stands_there_has() -> None:
    """The same 0.3 s later: White has lifted his bishop, which Black's queen may take, before Black's press."""
    fen = "rn1qkb1r/p2p1p1p/bBpn2p1/4p3/5P1P/2NP3N/PPP1B1PR/R2QK3 b Qkq - 0 11"
    log = "5845 lift d8; 5875 place c7; 6280 lift b6; 6500 press black; 6800 place e3; 7400 press white"
    assert record(play(log, fen, clock=CLOCK)) == ["d8c7", "b6e3"]
