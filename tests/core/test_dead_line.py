"""A rank or a file that shows nothing any more: a wire of the matrix has come off, and nobody has said so."""

from collections.abc import Iterator

import chess
import pytest
from shorthand import CLOCK, accusations, only, play, record

from controller import contract as c

RANK_2, RANK_4, FILE_B, FILE_D = chess.BB_RANK_2, chess.BB_RANK_4, chess.BB_FILE_B, chess.BB_FILE_D
OPENING = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5c6", "d7c6", "e1g1", "f7f6", "d2d4", "e5d4", "f3d4"]


def scans(moves: list[str], line: int, since: int = 0) -> Iterator[str]:
    """A scan each 10 ms of people who lift, set down and press, on a board on which ``line`` shows nothing from the
    ply ``since`` on."""
    board, ms, last = chess.Board(), 0, ""

    def looked(occupied: int, until: int, ply: int) -> Iterator[str]:
        nonlocal ms, last
        shown = f"{occupied & ~line if ply >= since else occupied:016x}"
        yield from [f"{ms} frame {shown}", f"{ms + 10} frame {shown}", f"{ms + 20} frame {shown}"]
        ms, last = ms + until, shown
        yield f"{ms - 10} frame {shown}"

    yield from looked(board.occupied, 1000, 0)
    for ply, move in enumerate(map(chess.Move.from_uci, moves), 1):
        yield from looked(board.occupied, 1000, ply)
        if board.is_capture(move):
            yield from looked(board.occupied & ~chess.BB_SQUARES[move.to_square], 300, ply)
        lifted = board.occupied & ~chess.BB_SQUARES[move.from_square] & ~chess.BB_SQUARES[move.to_square]
        yield from looked(lifted, 400, ply)
        side = "white" if board.turn else "black"
        board.push(move)
        yield from looked(board.occupied, 800, ply)
        yield f"{ms} press {side}"
        ms += 10


def played(moves: list[str], line: int, since: int = 0) -> list[c.AnyEvent]:
    return play("; ".join(scans(moves, line, since)), clock=CLOCK)


def names(line: int) -> list[str]:
    return [chess.SQUARE_NAMES[square] for square in chess.scan_forward(line)]


@pytest.mark.parametrize("line", [FILE_B, RANK_2, FILE_D])
def test_a_line_that_is_empty_at_the_first_look_is_named_and_the_game_goes_on(line: int) -> None:
    events = played(OPENING, line)
    assert only(c.Disbelieved, events)[0].squares == names(line)
    assert record(events)[:8] == OPENING[:8]
    assert not accusations(events)


@pytest.mark.parametrize(("line", "since"), [(RANK_2, 5), (FILE_B, 3), (FILE_D, 6)])
def test_so_is_one_whose_pieces_all_go_at_once(line: int, since: int) -> None:
    events = played(OPENING, line, since)
    assert only(c.Disbelieved, events)[0].squares == names(line)
    assert record(events)[:since] == OPENING[:since]
    assert not accusations(events)


def test_where_two_sensors_of_an_empty_line_do_not_work_none_of_it_does() -> None:
    events = played(OPENING, RANK_4)
    assert names(RANK_4) in [told.squares for told in only(c.Disbelieved, events)]
    assert record(events)[:-1] == OPENING[:-1]  # of the last knight the rank does not tell where he took
    assert not accusations(events)


def test_two_pieces_that_go_at_once_are_a_capture_with_both_hands() -> None:
    events = played(["e2e4", "d7d5", "e4d5", "d8d5"], chess.BB_EMPTY)
    assert not only(c.Disbelieved, events)


def test_pieces_knocked_over_along_a_line_are_no_wire_where_one_stands_there_still() -> None:
    still = chess.Board().occupied & ~(RANK_2 & ~chess.BB_A2)
    events = play(f"0 frame {chess.Board().occupied:016x}; 1000 frame {still:016x}; 9000 time", clock=None)
    assert not only(c.Disbelieved, events)


def test_once_the_line_shows_something_again_it_is_believed() -> None:
    whole, without = chess.Board().occupied, chess.Board().occupied & ~FILE_B
    log = "; ".join(f"{ms} frame {without:016x}" for ms in range(0, 100, 10))
    log += "; " + "; ".join(f"{ms} frame {whole:016x}" for ms in range(2000, 2100, 10))
    events = play(log + "; 4000 lift b1; 5000 place c3; 6000 press white", clock=CLOCK)
    assert [told.squares for told in only(c.Disbelieved, events)] == [names(FILE_B), []]
    assert record(events) == ["b1c3"]
    assert not accusations(events)


def test_of_a_board_that_has_lost_a_line_nobody_is_accused_by_what_the_others_show() -> None:
    events = play("; ".join([*scans(["e2e4"], FILE_B), "9000 press black", "20000 time"]), clock=CLOCK)
    assert not accusations(events)


def test_a_sleeve_that_brushes_all_of_a_line_is_no_wire() -> None:
    fen = "4k3/8/4p3/4p3/4P3/8/8/K7 b - - 0 1"
    brushed = "1000 lift e6; 1022 lift e4; 1023 lift e5; 1040 place e6; 1083 place e4; 1106 place e5"
    events = play(f"{brushed}; 2000 lift e8; 2500 place d8; 3500 press black", fen, clock=CLOCK)
    assert record(events) == ["e8d8"]
    assert not only(c.Disbelieved, events)
