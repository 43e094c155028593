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
