"""The first reading of a session: what does not match the game was so before, and nobody was seen to do it (7.4)."""

import chess
import pytest
from shorthand import CASTLING, CLOCK, MIDDLEGAME, accusations, only, play, record, seen

from controller import contract as c

OCCUPIED = chess.Board(MIDDLEGAME).occupied


def without(*gone: str) -> str:
    return f"{OCCUPIED & ~sum(chess.BB_SQUARES[chess.parse_square(square)] for square in gone):016x}"


@pytest.mark.parametrize("gone", [("h8",), ("c6", "e5")])
def test_a_piece_of_the_opponent_who_is_not_there_was_touched_by_nobody(gone: tuple[str, ...]) -> None:
    events = play(f"0 frame {without(*gone)}; 20000 frame {without()}; 25000 time", MIDDLEGAME)
    first = only(c.Displaced, events)[0]
    assert (first.ms, set(first.squares)) == (0, set(gone))
    assert only(c.Restored, events)
    assert not only(c.Touch, events) and not only(c.Obligation, events)


def test_nor_was_one_who_is_not_there_on_a_reading_amid_a_game() -> None:
    """As after a restart: the edges before it were told one by one."""
    here = chess.Board()
    here.push_uci("e2e4")
    log = (
        f"1000 lift e2; 2000 place e4; 9000 frame {here.occupied & ~chess.BB_G1:016x}; 14000 frame {here.occupied:016x}"
    )
    events = play(log)
    assert [(told.ms, told.squares) for told in only(c.Displaced, events)] == [(9000, ["g1"])]
    assert only(c.Restored, events)
    assert [touch.square for touch in only(c.Touch, events)] == ["e2"]


@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
@pytest.mark.parametrize("ms", [0, 12, 40])
def test_a_board_that_sends_edges_tells_so_by_its_first_ones(ms: int, senses: c.Senses) -> None:
    """Pieces that are not set up yet when the clock runs; White opens once they are."""
    set_up = f"{ms} lift b2; {ms} lift h7; 2164 place b2 {seen('P', senses)}; 3844 place h7 {seen('p', senses)}"
    events = play(
        f"{set_up}; 8244 lift e2; 8884 place e4 {seen('P', senses)}; 9612 press white", clock=CLOCK, senses=senses
    )
    assert [told.squares for told in only(c.Displaced, events)] == [["b2", "h7"], ["h7"]]
    assert [touch.square for touch in only(c.Touch, events)] == ["e2"]
    assert record(events) == ["e2e4"]
    assert not accusations(events)


@pytest.mark.parametrize("first", ["0 lift b2 side=white", "100 lift b2"])
def test_a_piece_that_a_hand_has_taken_up_is_touched(first: str) -> None:
    events = play(f"{first}; 2164 place b2; 8244 lift e2; 8884 place e4; 9612 press white", clock=CLOCK)
    assert [said.kind for said in only(c.Violation, events)] == ["touch-move"]


@pytest.mark.parametrize("apart", [5, 200])
@pytest.mark.parametrize(
    ("gone", "there"), [("a2", ""), ("c4", "b3"), ("f3", "g5"), ("e4", "e3"), ("", "h6"), ("e1", "g1")]
)
def test_nor_was_a_piece_of_the_player_to_move_who_is_not_there_or_stands_elsewhere(
    gone: str, there: str, apart: int
) -> None:
    """It is no move either, lawful or not, and in nobody's way."""
    wrong = OCCUPIED ^ sum(chess.BB_SQUARES[chess.parse_square(square)] for square in (gone, there) if square)
    scans, occupied = [f"0 frame {wrong:016x}"], wrong
    for ms, changed in ((2000 + apart, chess.BB_D2), (3000, chess.BB_D3), (5000, chess.BB_A7), (6000, chess.BB_A6)):
        occupied ^= changed
        scans.append(f"{ms} frame {occupied:016x}")
    scans.insert(3, "4000 press white")
    log = "; ".join([*scans, "7000 press black", f"8000 frame {occupied ^ wrong ^ OCCUPIED:016x}"])
    events = play(log, MIDDLEGAME, clock=CLOCK)
    assert [(said.ms, set(said.squares)) for said in only(c.Displaced, events)] == [(0, {gone, there} - {""})]
    assert [done.uci for done in only(c.Completed, events)] == ["d2d3", "a7a6"]
    assert [touch.square for touch in only(c.Touch, events)] == ["d2", "a7"]
    assert only(c.Restored, events)[-1].ms == 8015
    assert not accusations(events)


@pytest.mark.parametrize("reply", ["3000 press white", "3000 frame {lifted}; 4000 frame {placed}"])
def test_a_press_or_a_reply_shows_that_it_was_a_move_after_all(reply: str) -> None:
    moved = OCCUPIED ^ chess.BB_D2 ^ chess.BB_D3
    lifted, placed = moved ^ chess.BB_G8, moved ^ chess.BB_G8 ^ chess.BB_F6
    log = f"0 frame {moved:016x}; " + reply.format(lifted=f"{lifted:016x}", placed=f"{placed:016x}")
    events = play(log, MIDDLEGAME, clock=CLOCK)
    assert record(events)[:1] == ["d2d3"]
    assert not accusations(events)


def test_what_was_played_before_it_is_known_from_the_next_move() -> None:
    begun = chess.Board()
    for move in ("e2e4", "e7e5"):
        begun.push_uci(move)
    scans = [begun.occupied, begun.occupied ^ chess.BB_D2, begun.occupied ^ chess.BB_D2 ^ chess.BB_D4]
    log = "; ".join(f"{ms} frame {occupied:016x}" for ms, occupied in zip((0, 2000, 3000), scans, strict=True))
    assert record(play(log + "; 4000 press white", clock=CLOCK)) == ["e2e4", "e7e5", "d2d4"]


def test_nor_does_it_bind_whoever_moves_before_it_stands_there_again() -> None:
    moved = f"{int(without('e5'), 16) & ~(1 << chess.D2) | 1 << chess.D3:016x}"
    log = f"0 frame {without('e5')}; 3000 frame {without('e5', 'd2')}; 4000 frame {moved}; 6000 press white"
    events = play(log, MIDDLEGAME, clock=CLOCK)
    assert record(events) == ["d2d3"]
    assert not only(c.Violation, events)


def test_the_first_piece_that_is_taken_up_is_touched_however_soon() -> None:
    """A log may begin with a hand; only a second piece that is off so soon was not set up yet."""
    events = play("0 lift e1; 600 place g1; 700 lift h1; 1000 place f1; 2000 press white; 9000 time", CASTLING,
                  clock=CLOCK)  # fmt: skip
    assert [move.uci for move in only(c.Move, events)] == ["e1g1"]
    assert not accusations(events)
