"""Who takes up a piece before his opponent's is seen to land has touched it once he has moved it (4.3, 4.4): the move
shows whose hand it was, and its lift when."""

import pytest
from shorthand import CLOCK, accusations, only, play, record, seen
from two_boards import Played

from controller import contract as c

SENSES = ("occupancy", "colour", "identity")
CASTLES = "r3k2r/p4ppp/8/3n4/8/P7/5PPP/R3K2R w KQkq - 0 1"
SHORT_OR_LONG = pytest.mark.parametrize(("rook", "king_to", "rook_to"), [("h8", "g8", "f8"), ("a8", "c8", "d8")])


def castled(first: str, ms: int, rook: str, king_to: str, rook_to: str, senses: c.Senses) -> list[c.AnyEvent]:
    """White plays a3-a4, seen to land at 1500; Black castles, having taken up what stands on ``first`` at ``ms``, and
    the other piece at 2300."""
    second = rook if first == "e8" else "e8"
    log = (
        f"1200 lift a3; {ms} lift {first}; 1500 place a4 {seen('P', senses)}; 1700 press white; 2300 lift {second};"
        f"2600 place {king_to} {seen('k', senses)}; 2900 place {rook_to} {seen('r', senses)}; 3400 press black"
    )
    return play(
        ";".join(sorted(log.split(";"), key=lambda each: int(each.split()[0]))), CASTLES, senses=senses, clock=CLOCK
    )


@pytest.mark.parametrize("senses", SENSES)
@pytest.mark.parametrize("ms", [1530, 1490, 1440, 1390, 1340, 1230])
@SHORT_OR_LONG
def test_who_took_the_king_up_first_castles(rook: str, king_to: str, rook_to: str, ms: int, senses: c.Senses) -> None:
    """4.4.1, however long before the landing the king was up."""
    events = castled("e8", ms, rook, king_to, rook_to, senses)
    assert (record(events), accusations(events)) == (["a3a4", f"e8{king_to}"], [])


@pytest.mark.parametrize("senses", SENSES)
@pytest.mark.parametrize("ms", [1530, 1490, 1390, 1340])
@SHORT_OR_LONG
def test_who_took_the_rook_up_first_may_not_castle_with_it(
    rook: str, king_to: str, rook_to: str, ms: int, senses: c.Senses
) -> None:
    """4.4.2, though the rook was up before the landing was seen."""
    events = castled(rook, ms, rook, king_to, rook_to, senses)
    assert [(said.side, said.kind) for said in only(c.Violation, events)] == [("black", "castling-order")]


@pytest.mark.parametrize("senses", SENSES)
@pytest.mark.parametrize("apart", [4, 25, 60, 140])
@pytest.mark.parametrize("since", [2, 20])
@pytest.mark.parametrize("other", [200, 700])
@SHORT_OR_LONG
def test_king_and_rook_touched_at_once_castle_wherever_one_of_them_landed_in_between(
    rook: str, king_to: str, rook_to: str, other: int, since: int, apart: int, senses: c.Senses
) -> None:
    """4.4.1: the scan comes to the rook's square first, then to one of those where the two stand by now."""
    for first, then in ((f"{king_to} k", f"{rook_to} r"), (f"{rook_to} r", f"{king_to} k")):
        (one, its), (two, kind) = first.split(), then.split()
        ms = 3000 + apart
        log = (
            f"1200 lift a3; 1500 place a4 {seen('P', senses)}; 1700 press white; 3000 lift {rook};"
            f"{max(3001, ms - since)} place {one} {seen(its, senses)}; {ms} lift e8;"
            f"{ms + other} place {two} {seen(kind, senses)}; {ms + other + 300} press black"
        )
        events = play(log, CASTLES, senses=senses, clock=CLOCK)
        assert (record(events), accusations(events)) == (["a3a4", f"e8{king_to}"], [])


@pytest.mark.parametrize("senses", SENSES)
def test_who_holds_a_piece_before_it_is_his_turn_and_puts_it_back_owes_nothing(senses: c.Senses) -> None:
    """It was not his move yet: what he plays then he may play."""
    log = (
        f"1200 lift a3; 1480 lift d5; 1500 place a4 {seen('P', senses)}; 1700 press white; 2300 place d5 "
        f"{seen('n', senses)}; 2800 lift h7; 3100 place h6 {seen('p', senses)}; 3600 press black"
    )
    events = play(log, CASTLES, senses=senses, clock=CLOCK)
    assert (record(events), accusations(events)) == (["a3a4", "h7h6"], [])


@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
def test_a_rook_that_the_opponent_has_knocked_over_was_not_taken_up_before_the_king(senses: c.Senses) -> None:
    """It fell beside White's pawn, and is set down last."""
    fen = "r3k2r/p4p2/8/3n3P/8/P7/5PP1/R3K2R w KQkq - 0 1"
    white = f"1200 lift h5; 1490 lift h8; 1500 place h6 {seen('P', senses)}; 1700 press white"
    black = f"2300 lift e8; 2600 place g8 {seen('k', senses)}; 2900 place f8 {seen('r', senses)}; 3400 press black"
    events = play(f"{white}; {black}; 9000 time", fen, senses=senses, clock=CLOCK)
    assert (record(events), accusations(events)) == (["h5h6", "e8g8"], [])


STOCKS = pytest.mark.parametrize("stock", [None, "", "NPnp"])
RETAKEN = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R{} w KQkq - 2 3"


def silently(log: str, fen: str, stock: str | None, senses: c.Senses) -> list[c.AnyEvent]:
    """Every event of a game, or of board A of a match with that stock, without a clock."""
    if stock is None:
        return play(log, fen.format(""), senses=senses, clock=None)
    lines = "; ".join(line.strip().replace(" ", " A ", 1) for line in log.split(";"))
    return Played(lines, a=fen.format(f"[{stock}]"), senses=senses, clock=None).events


@STOCKS
@pytest.mark.parametrize("senses", SENSES)
@pytest.mark.parametrize("stood", [130, 240, 390])
def test_without_a_clock_who_is_taken_on_the_spot_had_been_released(
    stood: int, senses: c.Senses, stock: str | None
) -> None:
    """Black takes the knight up that has just captured, and then his own, which captures it: with that touch White's
    move is made (4.7), and a release later Black's."""
    up = 1300 + stood
    log = (
        f"1000 lift f3; 1100 lift e5; 1300 place e5 {seen('N', senses)}; {up} lift e5; {up + 160} lift c6;"
        f"{up + 320} place e5 {seen('n', senses)}; 9000 time"
    )
    events = silently(log, RETAKEN, stock, senses)
    assert [(made.uci, made.ms) for made in only(c.Move, events)] == [("f3e5", up + 160), ("c6e5", up + 720)]
    assert not accusations(events)


@STOCKS
@pytest.mark.parametrize("senses", SENSES)
def test_a_piece_that_may_itself_be_taken_by_the_one_in_hand_shows_no_such_reply(
    senses: c.Senses, stock: str | None
) -> None:
    """The queen was set down on d4 for a moment, and takes on d7 instead."""
    log = (
        f"1000 lift d1; 1300 place d4 {seen('Q', senses)}; 1540 lift d4; 1700 lift d7;"
        f"1900 place d7 {seen('Q', senses)}; 9000 time"
    )
    events = silently(log, "4k3/3r4/8/8/8/8/8/3QK3{} w - - 0 1", stock, senses)
    assert (record(events), accusations(events)) == (["d1d7"], [])
