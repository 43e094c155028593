"""What stood on a square before a piece left its own is not that piece, where scans are so close together that what one
shows first came first: a sensor closes there, and nobody has moved against the rules."""

import chess
import pytest
from shorthand import CLOCK, accusations, record, session

from controller import contract as c
from controller.game import Game

EVERY_MS = 10
SQUARES = set(chess.SQUARE_NAMES)
SCANDINAVIAN = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"


def scanned(fen: str, log: str, clock: str | None) -> list[c.AnyEvent]:
    """Every event of a board that looks each 10 ms and sends all it sees. ``log``: at what ms which squares change, or
    who presses: ``1000 e2; 1500 e4; 1800 white``."""
    game, said = Game(session(fen, senses="occupancy", clock=clock)), list[c.AnyEvent]()
    occupied, ms = chess.Board(fen).occupied, 0
    for part in log.split(";"):
        at, what = part.split()
        while ms < int(at):
            said += game.handle(c.Frame(ms=ms, occupied=f"{occupied:016x}"))
            ms += EVERY_MS
        if what in ("white", "black"):
            said += game.handle(c.Press(ms=int(at), side=what))  # type: ignore[arg-type]
        else:
            occupied ^= chess.BB_SQUARES[chess.parse_square(what)]
    for later in range(ms, ms + 2000, EVERY_MS):
        said += game.handle(c.Frame(ms=later, occupied=f"{occupied:016x}"))
    return said + game.finish()


def test_a_piece_is_not_set_down_before_it_was_taken_up() -> None:
    """f5 closes, just as White takes up his pawn, to take with it."""
    events = scanned(SCANDINAVIAN, "1000 h6; 1150 e4; 1700 d5; 1900 d5; 2200 white", clock=CLOCK)
    assert (record(events), accusations(events)) == (["e4d5"], [])


@pytest.mark.parametrize("clock", [CLOCK, None])
def test_nor_where_it_might_have_gone_there(clock: str | None) -> None:
    """f6 closes long before the knight takes on c5, who is off his square and on it again."""
    fen = "rnbqkb1r/pp1ppppp/8/2p5/4N3/8/PPPP1PPP/R1BQKBNR w KQkq - 0 4"
    log = "1000 d2; 1500 d3; 2000 white; 2700 f6; 6000 e7; 6500 e6; 7000 black; 8000 c5; 8200 e4; 8900 c5; 9600 white"
    events = scanned(fen, log if clock else "; ".join(p for p in log.split("; ") if p[-2:] in SQUARES), clock=clock)
    assert (record(events), accusations(events)) == (["d2d3", "e7e6", "e4c5"], [])
