"""The first reading of a session: what does not match the game was so before, and nobody was seen to do it (7.4)."""

import chess
import pytest
from shorthand import CLOCK, MIDDLEGAME, only, play, record

from controller import contract as c

OCCUPIED = chess.Board(MIDDLEGAME).occupied


def without(*gone: str) -> str:
    return f"{OCCUPIED & ~sum(chess.BB_SQUARES[chess.parse_square(square)] for square in gone):016x}"


@pytest.mark.parametrize("gone", [("h8",), ("c6", "e5")])
def test_a_man_of_the_opponent_who_is_not_there_was_touched_by_nobody(gone: tuple[str, ...]) -> None:
    events = play(f"0 frame {without(*gone)}; 20000 frame {without()}; 25000 time", MIDDLEGAME)
    first = only(c.Displaced, events)[0]
    assert (first.ms, set(first.squares)) == (0, set(gone))
    assert only(c.Restored, events)
    assert not only(c.Touch, events) and not only(c.Obligation, events)


def test_nor_does_it_bind_whoever_moves_before_it_stands_there_again() -> None:
    moved = f"{int(without('e5'), 16) & ~(1 << chess.D2) | 1 << chess.D3:016x}"
    log = f"0 frame {without('e5')}; 3000 frame {without('e5', 'd2')}; 4000 frame {moved}; 6000 press white"
    events = play(log, MIDDLEGAME, clock=CLOCK)
    assert record(events) == ["d2d3"]
    assert not only(c.Violation, events)
